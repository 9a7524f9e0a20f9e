"""Checks of a ticket's fields and comments, the same for the API, mail, personas and staging."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import custom_fields, custom_roles, custom_statuses
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.schema import (
    BRAND_ID,
    FORM_ID,
    PRIORITIES,
    STATUSES,
    TICKET_TYPES,
    Brand,
    Group,
    Organization,
    Ticket,
    TicketForm,
    User,
)
from diorama.kernel import Refusal, Tx
from diorama.kit import parse_iso

CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "status": ("Status", STATUSES),
    "priority": ("Priority", PRIORITIES),
    "type": ("Type", TICKET_TYPES),
}
LONGEST_COMMENT = 64_000
MOST_COPIED = 48
"""The documented number of people who can be copied on a ticket."""
_REFERENCES: dict[str, tuple[type[Any], str]] = {
    "requester_id": (User, "Requester"),
    "assignee_id": (User, "Assignee"),
    "group_id": (Group, "Group"),
    "organization_id": (Organization, "Organization"),
}
_BY_END_USERS = frozenset(
    {"custom_fields", "due_at", "email_cc_ids", "priority", "status", "tags", "ticket_form_id", "type"}
)
_NEW_BY_END_USERS = (_BY_END_USERS - {"status"}) | {"followup_source_id", "group_id", "recipient"}


def check_fields(tx: Tx, by: User, ticket: Ticket | None, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that a change sets, in the form in which tickets keep them; raise what the vendor refuses.

    `custom_fields` are values by field id: those not named stay, and each brings and takes its tags.
    `custom_status_id` is the number that the API shows; it also sets the status. `ticket` is None for a new ticket.
    """
    out = dict(asked)
    if not by.staff:
        _check_end_user(ticket, out)
    for name in CHOICES:
        if name in out:
            out[name] = _choice(name, out[name])
    if "ticket_form_id" in out:
        out["ticket_form_id"] = (
            _existing(tx, TicketForm, out["ticket_form_id"], "ticket_form_id", "Ticket form") or FORM_ID
        )
    if "brand_id" in out:
        out["brand_id"] = _existing(tx, Brand, out["brand_id"], "brand_id", "Brand") or BRAND_ID
    if "custom_status_id" in out:
        form_id = out.get("ticket_form_id", ticket.ticket_form_id if ticket else FORM_ID)
        out["status"], out["custom_status_id"] = custom_statuses.choose_status(tx, out["custom_status_id"], form_id)
    for name, (record, label) in _REFERENCES.items():
        if name in out:
            out[name] = _existing(tx, record, out[name], name, label)
    for name, label in (("email_cc_ids", "Email CCs"), ("follower_ids", "Followers")):
        if len(out.get(name, ())) > MOST_COPIED and (ticket is None or len(out[name]) > len(getattr(ticket, name))):
            raise refusals.invalid(name, f"{label}: too many (maximum is {MOST_COPIED})", "InvalidValue")
    if "problem_id" in out:
        out["problem_id"] = _problem(tx, out["problem_id"])
    _check_tags_and_fields(tx, ticket, out)
    return out


def _check_end_user(ticket: Ticket | None, out: Mapping[str, Any]) -> None:
    """Raise 403 for what customers cannot set: they fill in forms, copy people, and say that it is solved."""
    allowed = _NEW_BY_END_USERS if ticket is None else _BY_END_USERS
    if not out.keys() <= allowed or out.get("status", "solved") != "solved":
        raise refusals.forbidden()


def _choice(name: str, value: Any) -> str | None:
    label, allowed = CHOICES[name]
    if value in (None, "") and name != "status":
        return None
    if value not in allowed:
        raise refusals.not_listed(name, label, value)
    return str(value)


def _existing(tx: Tx, record: type[Any], number: int | None, field: str, label: str) -> int | None:
    """Return the id of a record that is in use, None for an empty one; raise 422 for others."""
    if not number:
        return None
    found = tx.find(record, number)
    gone = found is None or any(getattr(found, name, None) for name in ("deleted", "deleted_at", "is_deleted"))
    if gone or not getattr(found, "active", True):
        raise refusals.invalid(field, f"{label}: {number} does not exist", "RecordNotFound")
    return number


def _problem(tx: Tx, number: int | None) -> int | None:
    """Return the id of a problem; raise 422 for tickets of another type."""
    found = _existing(tx, Ticket, number, "problem_id", "Problem")
    if found is not None and tx.get(Ticket, found).type != "problem":
        raise refusals.invalid("problem_id", f"Problem: {number} is not a problem", "InvalidValue")
    return found


def _check_tags_and_fields(tx: Tx, ticket: Ticket | None, out: dict[str, Any]) -> None:
    """Tidy tags and check custom fields; a field's options and its tags follow each other."""
    there, tags = (ticket.custom_fields, ticket.tags) if ticket else ({}, ())
    if "tags" in out:
        out["tags"] = tidy_tags(out["tags"])
    if "custom_fields" in out:
        own = custom_fields.fill(tx, ((int(key), value) for key, value in out["custom_fields"].items()), there)
        out["custom_fields"] = own.values
        if own.gained or own.lost:
            out["tags"] = own.tags(out.get("tags", tags))
    elif "tags" in out:
        out["custom_fields"], out["tags"] = custom_fields.link_fields_and_tags(tx, there, tags, out["tags"])


def check_comment(tx: Tx, by: User, said: NewComment) -> NewComment:
    """Return a comment as it may be added; raise 422 if it is too long.

    Customers write in public and in their own name; agents with private comments only write in private.
    """
    if max(len(said.body), len(said.html or "")) > LONGEST_COMMENT:
        raise refusals.invalid(
            "comment", f"Comment: is too long (maximum is {LONGEST_COMMENT} characters)", "ValueTooLong"
        )
    if not by.staff and (not said.public or said.author_id not in (None, by.id)):
        return msgspec.structs.replace(said, public=True, author_id=by.id)
    if said.public and custom_roles.comments_stay_private(tx, by):
        return msgspec.structs.replace(said, public=False)
    return said


def follow_up_fields(tx: Tx, source_id: int, besides: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a follow-up takes over from the closed ticket, `besides` what is given for it.

    Values that their fields no longer take are left out. A ticket that is not closed has no effect.
    """
    source = tx.find(Ticket, source_id)
    if source is None or source.status != "closed":
        return {}
    kept: dict[str, Any] = {"followup_source_id": source.id, "requester_id": source.requester_id}
    kept |= {"subject": source.subject, "tags": source.tags, "group_id": source.group_id}
    kept["custom_fields"] = {key: value for key, value in source.custom_fields.items() if _fits(tx, key, value)}
    return {name: value for name, value in kept.items() if name not in besides}


def _fits(tx: Tx, key: str, value: Any) -> bool:
    try:
        custom_fields.fill(tx, [(int(key), value)], {})
    except Refusal:
        return False
    return True


def check_follow_up(tx: Tx, source_id: int) -> Ticket:
    """Return the ticket that a follow-up continues; raise 422 unless it is closed."""
    source = tx.find(Ticket, source_id)
    if source is None or source.status != "closed":
        raise refusals.invalid("base", "Follow-up source: must be a closed ticket", "InvalidValue")
    return source


def parse_time(name: str, text: str | None) -> datetime | None:
    """Parse a time in a body."""
    if not text:
        return None
    try:
        return parse_iso(text).replace(microsecond=0)
    except ValueError:
        raise refusals.invalid(name, f"{name}: {text} is not properly formatted", "InvalidFormat") from None
