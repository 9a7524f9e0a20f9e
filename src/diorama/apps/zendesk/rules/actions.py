"""Actions: what triggers and macros do to a ticket."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from diorama.apps.zendesk.rules import custom_fields
from diorama.apps.zendesk.rules.condition_sets import CACHED
from diorama.apps.zendesk.rules.conditions import Facts, number
from diorama.apps.zendesk.rules.custom_statuses import stored_id
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.schema import (
    PRIORITIES,
    STATUSES,
    TICKET_TYPES,
    Action,
    Brand,
    CustomStatus,
    Schedule,
    TicketForm,
    User,
)
from diorama.kernel import Refusal

_read_actions = msgspec.json.Decoder(tuple[Action, ...]).decode

CHOICES: dict[str, tuple[str, ...]] = {"status": STATUSES, "priority": PRIORITIES, "type": TICKET_TYPES}
TEXTS = ("comment_value", "comment_value_html")
NOTIFICATIONS = ("notification_user", "notification_group")
KNOWN = frozenset(
    {
        *CHOICES, *TEXTS, *NOTIFICATIONS, "assignee_id", "group_id", "set_tags", "current_tags", "remove_tags",
        "subject", "satisfaction_score", "follower", "cc", "comment_mode_is_public", "brand_id", "ticket_form_id",
        "custom_status_id", "notification_target", "notification_webhook", "notification_sms_user",
        "notification_sms_group", "locale_id", "set_schedule",
    }
)  # fmt: skip


def is_known(name: str) -> bool:
    """Check whether an action may use this field."""
    return name in KNOWN or name.startswith("custom_fields_")


_read_once = lru_cache(maxsize=4096)(_read_actions)


def parse_actions(text: str) -> tuple[Action, ...]:
    """Parse the stored actions of a row; short ones are cached."""
    return _read_once(text) if len(text) <= CACHED else _read_actions(text)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) and value else value


def _somebody(value: Any, facts: Facts) -> int | None:
    named = {
        "current_user": facts.by.id,
        "requester_id": facts.ticket.requester_id,
        "assignee_id": facts.ticket.assignee_id,
    }
    found = named[value] if isinstance(value, str) and value in named else number(value)
    return found if found is None or found > 0 else None


def changes(action: Action, facts: Facts) -> dict[str, Any]:
    """Return the ticket fields that an action sets; empty if it does something else or cannot be applied."""
    ticket, field, value = facts.ticket, action.field, _first(action.value)
    if field in CHOICES:
        if field != "status" and value in (None, ""):
            return {field: None}
        return {field: value} if value in CHOICES[field] else {}
    if field == "assignee_id":
        return {"assignee_id": _somebody(value, facts)}
    if field == "group_id":
        return {"group_id": facts.by.default_group_id if value == "current_groups" else number(value)}
    if field == "set_tags":
        return {"tags": tidy_tags(str(value or ""))}
    if field == "current_tags":
        return {"tags": tuple(sorted({*ticket.tags, *tidy_tags(str(value or ""))}))}
    if field == "remove_tags":
        gone = set(tidy_tags(str(value or "")))
        return {"tags": tuple(tag for tag in ticket.tags if tag not in gone)}
    if field == "subject":
        return {"subject": str(value)} if value else {}
    if field == "satisfaction_score":
        return {"satisfaction": "offered"} if value == "offered" and ticket.satisfaction == "unoffered" else {}
    if field in ("follower", "cc"):
        column = "follower_ids" if field == "follower" else "email_cc_ids"
        person, there = _somebody(value, facts), getattr(ticket, column)
        return {column: (*there, person)} if person is not None and person not in there else {}
    if field in _CONFIGURED:
        return _configured(facts, field, number(value) or 0)
    if field.startswith("custom_fields_"):
        return _own_field(facts, number(field.removeprefix("custom_fields_")) or 0, action.value)
    return {}


_CONFIGURED: dict[str, type[Brand] | type[TicketForm] | type[CustomStatus] | type[Schedule]] = {
    "brand_id": Brand, "ticket_form_id": TicketForm, "custom_status_id": CustomStatus, "set_schedule": Schedule,
}  # fmt: skip


def _configured(facts: Facts, field: str, number: int) -> dict[str, Any]:
    """Return the fields that assign a configuration record to a ticket; empty unless it exists and is active."""
    found = facts.tx.find(_CONFIGURED[field], number)
    if found is None or not getattr(found, "active", True):
        return {}
    if isinstance(found, CustomStatus):
        return {"status": found.status_category, field: stored_id(found.id, found.status_category)}
    return {"schedule_id" if field == "set_schedule" else field: found.id}


def _own_field(facts: Facts, field_id: int, value: Any) -> dict[str, Any]:
    """Return the fields that set a custom field and its tags; empty if the value is invalid."""
    one = value if not isinstance(value, list | tuple) or len(value) > 1 else _first(value)
    try:
        filled = custom_fields.fill(facts.tx, [(field_id, one)], facts.ticket.custom_fields)
    except Refusal:
        return {}
    return {"custom_fields": filled.values, "tags": filled.tags(facts.ticket.tags)}


def recipients(action: Action, facts: Facts) -> list[int]:
    """Return the user ids that a notification goes to."""
    to = _first(action.value)
    tx, ticket = facts.tx, facts.ticket
    if action.field == "notification_group":
        group = ticket.group_id if to == "group_id" else number(to)
        rows = tx.rows("SELECT user_id FROM zendesk_group_memberships WHERE group_id = ? ORDER BY user_id", group)
        return [row[0] for row in rows]
    if to == "requester_and_ccs":
        return [ticket.requester_id, *(cc for cc in ticket.email_cc_ids if cc != ticket.requester_id)]
    if to == "all_agents":
        rows = tx.rows("SELECT id FROM zendesk_users WHERE role <> 'end-user' AND active = 1 ORDER BY id")
        return [row[0] for row in rows]
    person = _somebody(to, facts)
    return [person] if person is not None and (person == facts.by.id or tx.find(User, person) is not None) else []


def texts(action: Action) -> tuple[str, str]:
    """Return the subject and body of a notification."""
    parts = action.value if isinstance(action.value, list | tuple) else [action.value]
    return (str(parts[1]) if len(parts) > 1 else ""), (str(parts[2]) if len(parts) > 2 else "")
