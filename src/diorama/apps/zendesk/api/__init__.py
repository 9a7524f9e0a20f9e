"""Zendesk's REST API, version 2: importing this package declares every operation."""

from diorama.apps.zendesk.api import (
    belonging,
    comments,
    custom_statuses,
    disposal,
    event_exports,
    exports,
    files,
    groups,
    guide,
    guide_readers,
    imports,
    macros,
    marks,
    merged_people,
    merging,
    organizations,
    requests,
    searching,
    suspended,
    ticket_fields,
    ticket_forms,
    tickets,
    triggers,
    users,
    views,
)

__all__ = [
    "belonging", "comments", "custom_statuses", "disposal", "event_exports", "exports", "files", "groups", "guide",
    "guide_readers", "imports", "macros", "marks", "merged_people", "merging", "organizations", "requests",
    "searching", "suspended", "ticket_fields", "ticket_forms", "tickets", "triggers", "users", "views",
]  # fmt: skip
