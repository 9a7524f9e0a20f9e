"""Pages of Zendesk: the Help Center, the sign-in page and the agent's tickets, over the same rules as the API."""

from diorama.apps.zendesk.web import agent, help_center, requests, sign_in

__all__ = ["agent", "help_center", "requests", "sign_in"]
