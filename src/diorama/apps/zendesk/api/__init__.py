"""Zendesk's REST API, version 2: importing this package declares every operation."""

from diorama.apps.zendesk.api import (
    comments,
    exports,
    groups,
    macros,
    organizations,
    requests,
    searching,
    tickets,
    triggers,
    users,
    views,
)

__all__ = [
    "comments", "exports", "groups", "macros", "organizations", "requests", "searching", "tickets", "triggers", "users",
    "views",
]  # fmt: skip
