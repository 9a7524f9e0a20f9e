"""From the wire's ticket to the desk's: what a body asks for, checked field by field."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import fields, files, statuses
from diorama.apps.zendesk.rules.acting import by_email
from diorama.apps.zendesk.rules.edits import Said
from diorama.apps.zendesk.rules.people import find_or_add, tidy_tags
from diorama.apps.zendesk.schema import (
    BRAND_ID,
    FORM_ID,
    KINDS,
    PRIORITIES,
    STATUSES,
    Brand,
    Group,
    Macro,
    Organization,
    Ticket,
    TicketForm,
    User,
)
from diorama.apps.zendesk.wire.requests import RequestInput
from diorama.apps.zendesk.wire.tickets import CommentInput, FollowerInput, TicketInput
from diorama.kernel import Tx
from diorama.kit import parse_iso
from diorama.kit.text import plain_text

_CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "status": ("Status", STATUSES),
    "priority": ("Priority", PRIORITIES),
    "type": ("Type", KINDS),
}
LONGEST_COMMENT = 64_000


def fields_of(tx: Tx, body: TicketInput, me: User, ticket: Ticket | None) -> dict[str, Any]:
    """The fields of the ticket that a body asks to set."""
    out: dict[str, Any] = {}
    for name in _CHOICES:
        value = getattr(body, name)
        if value is not UNSET:
            out[name] = _choice(name, value)
    _configured(tx, body, ticket, out)
    _people(tx, body, me, out)
    _texts(body, out)
    tags = _tags(body, ticket)
    if tags is not None:
        out["tags"] = tags
    listed = body.custom_fields if body.custom_fields is not UNSET else body.fields
    if listed is not UNSET:
        own = fields.fill(tx, ((entry.id, entry.value) for entry in listed), ticket.custom_fields if ticket else {})
        out["custom_fields"] = own.values
        if own.gained or own.lost:
            out["tags"] = own.tags(out.get("tags", ticket.tags if ticket else ()))
    elif tags is not None:
        there = ticket.tags if ticket else ()
        out["custom_fields"], out["tags"] = fields.linked(tx, ticket.custom_fields if ticket else {}, there, tags)
    return out


def _configured(tx: Tx, body: TicketInput, ticket: Ticket | None, out: dict[str, Any]) -> None:
    """The form, the brand and the custom status that a body asks for."""
    if body.ticket_form_id is not UNSET:
        form = _existing(tx, TicketForm, body.ticket_form_id, "ticket_form_id", "Ticket form")
        out["ticket_form_id"] = form or FORM_ID
    if body.brand_id is not UNSET:
        out["brand_id"] = _existing(tx, Brand, body.brand_id, "brand_id", "Brand") or BRAND_ID
    if body.custom_status_id is not UNSET:
        form_id = out.get("ticket_form_id", ticket.ticket_form_id if ticket else FORM_ID)
        out["status"], out["custom_status_id"] = statuses.chosen(tx, body.custom_status_id, form_id)


def _choice(name: str, value: Any) -> str | None:
    label, allowed = _CHOICES[name]
    if value in (None, "") and name != "status":
        return None
    if value not in allowed:
        raise refusals.not_listed(name, label, value)
    return str(value)


def _texts(body: TicketInput, out: dict[str, Any]) -> None:
    subject = body.subject if body.subject is not UNSET else body.raw_subject
    if subject is not UNSET:
        out["subject"] = subject or ""
    if body.external_id is not UNSET:
        out["external_id"] = body.external_id or None
    if body.recipient is not UNSET:
        out["recipient"] = body.recipient
    if body.due_at is not UNSET:
        out["due_at"] = moment("due_at", body.due_at)


def moment(name: str, text: str | None) -> datetime | None:
    """A time in a body."""
    if not text:
        return None
    try:
        return parse_iso(text).replace(microsecond=0)
    except ValueError:
        raise refusals.invalid(name, f"{name}: {text} is not properly formatted", "InvalidFormat") from None


def _people(tx: Tx, body: TicketInput, me: User, out: dict[str, Any]) -> None:
    if body.requester_id is not UNSET:
        out["requester_id"] = _existing(tx, User, body.requester_id, "requester_id", "Requester")
    elif body.requester is not UNSET and body.requester.email is not UNSET:
        name = body.requester.name if body.requester.name is not UNSET else ""
        out["requester_id"] = find_or_add(tx, body.requester.email, name).id
    if body.assignee_id is not UNSET:
        out["assignee_id"] = _existing(tx, User, body.assignee_id, "assignee_id", "Assignee")
    elif body.assignee_email is not UNSET:
        found = by_email(tx, body.assignee_email) if body.assignee_email else None
        if body.assignee_email and found is None:
            raise refusals.invalid("assignee_email", f"Assignee: {body.assignee_email} is not a user", "RecordNotFound")
        out["assignee_id"] = found.id if found else None
    if body.group_id is not UNSET:
        out["group_id"] = _existing(tx, Group, body.group_id, "group_id", "Group")
    if body.organization_id is not UNSET:
        out["organization_id"] = _existing(tx, Organization, body.organization_id, "organization_id", "Organization")
    if body.problem_id is not UNSET:
        out["problem_id"] = _problem(tx, body.problem_id)
    if body.collaborator_ids is not UNSET:
        out["follower_ids"] = tuple(dict.fromkeys(body.collaborator_ids))
    if body.follower_ids is not UNSET:
        out["follower_ids"] = tuple(dict.fromkeys(body.follower_ids))
    if body.email_cc_ids is not UNSET:
        out["email_cc_ids"] = tuple(dict.fromkeys(body.email_cc_ids))


def _problem(tx: Tx, number: int | None) -> int | None:
    """Incidents hang on problems only."""
    found = _existing(tx, Ticket, number, "problem_id", "Problem")
    if found is not None and tx.get(Ticket, found).type != "problem":
        raise refusals.invalid("problem_id", f"Problem: {number} is not a problem", "InvalidValue")
    return found


def followers(tx: Tx, listed: Iterable[FollowerInput], there: tuple[int, ...]) -> tuple[int, ...]:
    """A list of people after some were put on it and some taken off."""
    out = list(there)
    for entry in listed:
        if entry.user_id is not UNSET:
            number = entry.user_id
        elif entry.user_email is not UNSET:
            name = entry.user_name if entry.user_name is not UNSET else ""
            number = find_or_add(tx, entry.user_email, name).id
        else:
            continue
        if entry.action == "delete":
            out = [other for other in out if other != number]
        elif number not in out:
            out.append(number)
    return tuple(out)


def collaborator(entry: Any) -> FollowerInput | None:
    """Somebody to be copied, as the older bodies name them: by id, by address, or by name and address."""
    if isinstance(entry, int) and not isinstance(entry, bool):
        return FollowerInput(user_id=entry)
    if isinstance(entry, str) and "@" in entry:
        return FollowerInput(user_email=entry)
    if isinstance(entry, dict) and isinstance(entry.get("email"), str):
        return FollowerInput(user_email=entry["email"], user_name=str(entry.get("name", "")))
    return None


def _existing(tx: Tx, record: type[Any], number: int | None, field: str, label: str) -> int | None:
    """An id that names something, or nothing."""
    if not number:
        return None
    found = tx.find(record, number)
    gone = found is None or any(getattr(found, name, None) for name in ("deleted", "deleted_at", "is_deleted"))
    if gone or not getattr(found, "active", True):
        raise refusals.invalid(field, f"{label}: {number} does not exist", "RecordNotFound")
    return number


def _tags(body: TicketInput, ticket: Ticket | None) -> tuple[str, ...] | None:
    there = set(ticket.tags) if ticket else set()
    if body.tags is not UNSET:
        there = set(tidy_tags(body.tags))
    elif body.additional_tags is UNSET and body.remove_tags is UNSET:
        return None
    if body.additional_tags is not UNSET:
        there |= set(tidy_tags(body.additional_tags))
    if body.remove_tags is not UNSET:
        there -= set(tidy_tags(body.remove_tags))
    return tuple(sorted(there))


def said_of(
    body: CommentInput | msgspec.UnsetType, me: User, description: str | msgspec.UnsetType = UNSET
) -> Said | None:
    """The words in a body."""
    if body is UNSET:
        return Said(_short(description)) if isinstance(description, str) else None
    html = body.html_body if isinstance(body.html_body, str) else None
    text = body.body if isinstance(body.body, str) else ""
    if html is not None and not text:
        text = plain_text(html)
    public = body.public if isinstance(body.public, bool) else True
    author = body.author_id if isinstance(body.author_id, int) and me.staff else None
    return Said(_short(text), public=public if me.staff else True, html=html, author_id=author)


def enclosed(tx: Tx, said: Said, body: CommentInput | msgspec.UnsetType, me: User) -> Said:
    """Words with the files that were uploaded for them."""
    if body is UNSET or body.uploads is UNSET or not body.uploads:
        return said
    tokens = [body.uploads] if isinstance(body.uploads, str) else body.uploads
    return msgspec.structs.replace(said, attachments=files.claim(tx, tokens, me))


def _short(text: str) -> str:
    if len(text) > LONGEST_COMMENT:
        raise refusals.invalid(
            "comment", f"Comment: is too long (maximum is {LONGEST_COMMENT} characters)", "ValueTooLong"
        )
    return text


def macros_of(tx: Tx, body: TicketInput) -> list[tuple[int, str]]:
    """The macros that a body says were used."""
    listed = list(body.macro_ids) if body.macro_ids is not UNSET else []
    if body.macro_id is not UNSET:
        listed.append(body.macro_id)
    found = [tx.find(Macro, number) for number in listed]
    return [(macro.id, macro.title) for macro in found if macro is not None]


def request_fields(tx: Tx, body: RequestInput, there: dict[str, Any], tags: Iterable[str] = ()) -> dict[str, Any]:
    """The fields that an end user may set."""
    out: dict[str, Any] = {}
    for name in ("priority", "type"):
        value = getattr(body, name)
        if value is not UNSET:
            out[name] = _choice(name, value)
    if body.due_at is not UNSET:
        out["due_at"] = moment("due_at", body.due_at)
    if body.custom_fields is not UNSET:
        own = fields.fill(tx, ((entry.id, entry.value) for entry in body.custom_fields), there)
        out["custom_fields"] = own.values
        if own.gained or own.lost:
            out["tags"] = own.tags(tags)
    if body.ticket_form_id is not UNSET:
        form = _existing(tx, TicketForm, body.ticket_form_id, "ticket_form_id", "Ticket form")
        out["ticket_form_id"] = form or FORM_ID
    return out
