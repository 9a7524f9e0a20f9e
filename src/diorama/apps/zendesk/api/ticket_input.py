"""Read a ticket from a request body, and check it field by field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import attachments
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_checks import LONGEST_COMMENT, parse_time
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.users import find_or_add
from diorama.apps.zendesk.schema import (
    Macro,
    Ticket,
    User,
)
from diorama.apps.zendesk.wire.requests import RequestInput
from diorama.apps.zendesk.wire.tickets import CommentInput, FollowerInput, TicketInput
from diorama.kernel import Tx
from diorama.kit.sanitizing import linked, sanitized
from diorama.kit.text import plain_text

CHOSEN = ("status", "priority", "type")


def fields_of(tx: Tx, body: TicketInput, ticket: Ticket | None) -> dict[str, Any]:
    """Return the columns of the ticket that a body sets; the rules check their values."""
    out = _given(body, *CHOSEN, "ticket_form_id", "brand_id", "custom_status_id")
    _people(tx, body, out)
    _texts(body, out)
    tags = _tags(body, ticket)
    if tags is not None:
        out["tags"] = tags
    listed = body.custom_fields if body.custom_fields is not UNSET else body.fields
    if listed is not UNSET:
        out["custom_fields"] = {entry.id: entry.value for entry in listed}
    return out


def _given(body: Any, *names: str) -> dict[str, Any]:
    """Return the parts of a body that are there."""
    return {name: value for name in names if (value := getattr(body, name)) is not UNSET}


def _texts(body: TicketInput, out: dict[str, Any]) -> None:
    subject = body.subject if body.subject is not UNSET else body.raw_subject
    if subject is not UNSET:
        out["subject"] = subject or ""
    if body.external_id is not UNSET:
        out["external_id"] = body.external_id or None
    if body.recipient is not UNSET:
        out["recipient"] = body.recipient
    if body.due_at is not UNSET:
        out["due_at"] = parse_time("due_at", body.due_at)


def _people(tx: Tx, body: TicketInput, out: dict[str, Any]) -> None:
    out.update(_given(body, "requester_id", "assignee_id", "group_id", "organization_id", "problem_id"))
    if "requester_id" not in out and body.requester is not UNSET and body.requester.email is not UNSET:
        name = body.requester.name if body.requester.name is not UNSET else ""
        out["requester_id"] = find_or_add(tx, body.requester.email, name).id
    if "assignee_id" not in out and body.assignee_email is not UNSET:
        found = by_email(tx, body.assignee_email) if body.assignee_email else None
        if body.assignee_email and found is None:
            raise refusals.invalid("assignee_email", f"Assignee: {body.assignee_email} is not a user", "RecordNotFound")
        out["assignee_id"] = found.id if found else None
    if body.collaborator_ids is not UNSET:
        out["follower_ids"] = tuple(dict.fromkeys(body.collaborator_ids))
    if body.follower_ids is not UNSET:
        out["follower_ids"] = tuple(dict.fromkeys(body.follower_ids))
    if body.email_cc_ids is not UNSET:
        out["email_cc_ids"] = tuple(dict.fromkeys(body.email_cc_ids))


def followers(tx: Tx, listed: Iterable[FollowerInput], there: tuple[int, ...]) -> tuple[int, ...]:
    """Return the list of people after the additions and removals."""
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
    """Parse one entry of the older `collaborators` list: an id, an e-mail address, or a name and address."""
    if isinstance(entry, int) and not isinstance(entry, bool):
        return FollowerInput(user_id=entry)
    if isinstance(entry, str) and "@" in entry:
        return FollowerInput(user_email=entry)
    if isinstance(entry, dict) and isinstance(entry.get("email"), str):
        return FollowerInput(user_email=entry["email"], user_name=str(entry.get("name", "")))
    return None


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


def comment_of(
    body: CommentInput | msgspec.UnsetType, me: User, description: str | msgspec.UnsetType = UNSET
) -> NewComment | None:
    """Return the comment in a body, or None."""
    if body is UNSET:
        return NewComment(description) if isinstance(description, str) else None
    html = body.html_body if isinstance(body.html_body, str) else None
    text = body.body if isinstance(body.body, str) else ""
    if html is not None and len(html) <= LONGEST_COMMENT:  # the rules refuse a longer one
        html = sanitized(html)
        text, html = text or plain_text(html), linked(html)
    elif html is not None:
        text = text or html
    public = body.public if isinstance(body.public, bool) else True
    author = body.author_id if isinstance(body.author_id, int) and me.staff else None
    return NewComment(text, public=public if me.staff else True, html=html, author_id=author)


def with_uploads(tx: Tx, said: NewComment, body: CommentInput | msgspec.UnsetType, me: User) -> NewComment:
    """Return a comment with the files that were uploaded for it."""
    if body is UNSET or body.uploads is UNSET or not body.uploads:
        return said
    tokens = [body.uploads] if isinstance(body.uploads, str) else body.uploads
    return msgspec.structs.replace(said, attachments=attachments.claim(tx, tokens, me))


def macros_of(tx: Tx, body: TicketInput) -> list[tuple[int, str]]:
    """Return the macros that a body says were applied, as (id, title)."""
    listed = list(body.macro_ids) if body.macro_ids is not UNSET else []
    if body.macro_id is not UNSET:
        listed.append(body.macro_id)
    found = [tx.find(Macro, number) for number in listed]
    return [(macro.id, macro.title) for macro in found if macro is not None]


def request_fields(body: RequestInput) -> dict[str, Any]:
    """Return the columns that an end user's body sets; the rules check their values."""
    out = _given(body, "priority", "type", "ticket_form_id")
    if body.due_at is not UNSET:
        out["due_at"] = parse_time("due_at", body.due_at)
    if body.custom_fields is not UNSET:
        out["custom_fields"] = {entry.id: entry.value for entry in body.custom_fields}
    return out
