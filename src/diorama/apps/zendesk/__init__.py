"""Zendesk Support: the help desk app."""

from diorama.apps.zendesk import api, damage, tools, web, words
from diorama.apps.zendesk.schema import APP
from diorama.kit import App

__all__ = ["APP", "api", "app", "damage", "tools", "web", "words"]


def app(subdomain: str) -> App:
    """Install Zendesk for a company, as `SUBDOMAIN.zendesk.com`."""
    return APP.install(f"{subdomain}.zendesk.com")
