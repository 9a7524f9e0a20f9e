"""Ticket imports: tickets with their own dates, which run no triggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import attachments
from diorama.apps.zendesk.schema import Comment, Ticket, User, Via
from diorama.apps.zendesk.seed.tickets import Turn, add_ticket_history
from diorama.kernel import Tx

API = Via("api")


def past(tx: Tx, name: str, moment: datetime | None) -> datetime | None:
    """Return a moment of a ticket's history; refuse one in the future."""
    if moment is not None and moment > tx.now:
        raise refusals.invalid(name, f"{name}: lies in the future", "InvalidValue")
    return moment


def said(text: str) -> str:
    """Return the text of an imported comment; refuse a blank one."""
    if not text.strip():
        raise refusals.invalid("comments", "Comments: cannot be blank", "BlankValue")
    return text


def import_ticket(
    tx: Tx,
    me: User,
    fields: Mapping[str, Any],
    turns: Sequence[Turn],
    created_at: datetime | None = None,
    solved_at: datetime | None = None,
    updated_at: datetime | None = None,
) -> Ticket:
    """Write a ticket with its history; `fields` have been checked as those of any ticket."""
    own, told = dict(fields), list(turns)
    requester = tx.get(User, own.pop("requester_id", None) or me.id)
    subject, status = own.pop("subject", ""), own.pop("status", "open")
    recipient, external_id = own.pop("recipient", None), own.pop("external_id", None)
    moments = {"created_at": created_at, "solved_at": solved_at, "updated_at": updated_at}
    for name, moment in (*moments.items(), *(("created_at", turn.at) for turn in told)):
        past(tx, name, moment)
    if not told:
        raise refusals.invalid("base", "Description: cannot be blank", "BlankValue")
    ended = status in ("solved", "closed")
    if ended and own.get("assignee_id") is None:
        own["assignee_id"] = me.id
    own["status"] = "open" if ended else status
    told[0] = msgspec.structs.replace(told[0], changes=own)
    if ended:
        last = told[-1].at
        told.append(Turn(at=max(solved_at or last, last), author=me, changes={"status": status}, via=API))
    ticket = add_ticket_history(
        tx,
        requester=requester,
        subject=subject or told[0].body.partition("\n")[0][:80],
        turns=told,
        tags=own.get("tags", ()),
        recipient=recipient,
        external_id=external_id,
    )
    for comment in tx.all(Comment, "ticket_id = ?", ticket.id):
        if comment.attachments:
            attachments.link_to_comment(tx, comment)
    dates: dict[str, Any] = {"created_at": created_at or ticket.created_at}
    if ended and ticket.solved_at is None:
        dates["solved_at"] = told[-1].at
    if updated_at is not None:
        dates["updated_at"] = max(updated_at, ticket.created_at)
    return tx.change(ticket, **dates)
