"""Comments and audits on the wire."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import existing, within
from diorama.apps.zendesk.api.listing import Page, counted, many, page_of
from diorama.apps.zendesk.rules import sight
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import agent, agents_only
from diorama.apps.zendesk.schema import APP, BASE, Audit, Comment, User
from diorama.apps.zendesk.wire.comments import (
    EMPTY,
    AuditObject,
    TicketAuditResponse,
    TicketAuditsResponse,
    TicketCommentsResponse,
    audit_object,
    comment_object,
)
from diorama.apps.zendesk.wire.lists import CountResponse
from diorama.apps.zendesk.wire.people import user_object
from diorama.kernel import Tx


@APP.get("/api/v2/tickets/{ticket_id}/comments")
def list_ticket_comments(
    tx: Tx, ticket_id: int, page: Page, include: str | None = None, include_inline_images: bool = False
) -> TicketCommentsResponse:
    """The conversation of a ticket, private notes included."""
    agents_only(tx)
    ticket = desk.seen(tx, ticket_id)
    comments, around = page_of(
        tx, page, Comment, "ticket_id = ?", (ticket.id,), orders={"created_at": "created_at"}, default="created_at"
    )
    audits = many(tx, Audit, [comment.audit_id for comment in comments])
    metadata = {audit.id: audit.metadata for audit in audits}
    reply = TicketCommentsResponse(
        comments=[comment_object(comment, metadata.get(comment.audit_id, EMPTY)) for comment in comments], **around
    )
    if include and "users" in include:
        reply.users = [user_object(user) for user in many(tx, User, [comment.author_id for comment in comments])]
    return reply


@APP.get("/api/v2/tickets/{ticket_id}/comments/count")
def count_ticket_comments(tx: Tx, ticket_id: int) -> CountResponse:
    """How often something was said on a ticket."""
    agents_only(tx)
    return counted(tx, Comment, "ticket_id = ?", desk.seen(tx, ticket_id).id)


@APP.put("/api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/make_private")
def make_ticket_comment_private(tx: Tx, ticket_id: int, ticket_comment_id: int) -> str:
    """Hide a public comment from the requester."""
    me = agent(tx)
    desk.make_private(tx, within(tx, Comment, ticket_comment_id, ticket_id=desk.seen(tx, ticket_id).id), me)
    return ""


def audits_shown(tx: Tx, audits: Sequence[Audit]) -> list[AuditObject]:
    """Audits with the words that came with them."""
    spoken = [event.id for audit in audits for event in audit.events if event.type == "Comment"]
    comments = {comment.id: comment for comment in many(tx, Comment, spoken)}
    return [audit_object(audit, comments) for audit in audits]


@APP.get("/api/v2/tickets/{ticket_id}/audits")
def list_audits_for_ticket(tx: Tx, ticket_id: int, page: Page, include: str | None = None) -> TicketAuditsResponse:
    """Everything that was ever changed on a ticket."""
    agents_only(tx)
    ticket = desk.seen(tx, ticket_id)
    audits, around = page_of(tx, page, Audit, "ticket_id = ?", (ticket.id,), orders={"created_at": "created_at"})
    reply = TicketAuditsResponse(audits=audits_shown(tx, audits), **around)
    if include and "users" in include:
        reply.users = [user_object(user) for user in many(tx, User, [audit.author_id for audit in audits])]
    return reply


@APP.get("/api/v2/tickets/{ticket_id}/audits/count")
def count_audits_for_ticket(tx: Tx, ticket_id: int) -> CountResponse:
    """How often a ticket was updated."""
    agents_only(tx)
    return counted(tx, Audit, "ticket_id = ?", desk.seen(tx, ticket_id).id)


@APP.get("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}")
def show_ticket_audit(tx: Tx, ticket_id: int, ticket_audit_id: int) -> TicketAuditResponse:
    """One update of a ticket."""
    agents_only(tx)
    audit = within(tx, Audit, ticket_audit_id, ticket_id=desk.seen(tx, ticket_id).id)
    return TicketAuditResponse(audits_shown(tx, (audit,))[0])


@APP.put("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}/make_private")
def make_ticket_comment_private_from_audits(tx: Tx, ticket_id: int, ticket_audit_id: int) -> str:
    """Hide the public comment of an update from the requester."""
    me = agent(tx)
    audit = tx.get(Audit, ticket_audit_id)
    words = tx.first(Comment, "ticket_id = ? AND audit_id = ?", desk.seen(tx, ticket_id).id, audit.id)
    desk.make_private(tx, existing(words), me)
    return ""


@APP.get("/api/v2/ticket_audits")
def list_ticket_audits(tx: Tx, limit: int = 100, cursor: str | None = None) -> TicketAuditsResponse:
    """All updates of all tickets, newest first."""
    agents_only(tx)
    size = max(1, min(limit, 100))
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 19):
        raise refusals.bad_parameter("cursor", "is not valid")
    where, args = ("id < ?", (int(cursor),)) if cursor else ("", ())
    where, args = sight.about(tx, where, args)
    audits = tx.all(Audit, where, *args, order="id DESC", limit=size)
    after = str(audits[-1].id) if len(audits) == size else None
    before = str(audits[0].id + 1) if audits else None
    return TicketAuditsResponse(
        audits=audits_shown(tx, audits),
        after_cursor=after,
        after_url=f"{BASE}/ticket_audits.json?cursor={after}&limit={size}" if after else None,
        before_cursor=before,
        before_url=f"{BASE}/ticket_audits.json?cursor={before}&limit={size}" if before else None,
    )
