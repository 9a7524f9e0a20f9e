"""Zendesk Support: the help desk where customers ask and agents answer."""

from diorama.apps.zendesk import api, tools
from diorama.apps.zendesk.schema import APP

__all__ = ["APP", "api", "tools"]
