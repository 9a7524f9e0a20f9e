"""Zendesk's REST API, version 2: importing this package declares every operation."""

from diorama.apps.zendesk.api import (
    belonging,
    comments,
    exports,
    groups,
    macros,
    merged_people,
    organizations,
    requests,
    searching,
    tickets,
    triggers,
    users,
    views,
)

__all__ = [
    "belonging",
    "comments",
    "exports",
    "groups",
    "macros",
    "merged_people",
    "organizations",
    "requests",
    "searching",
    "tickets",
    "triggers",
    "users",
    "views",
]  # fmt: skip
