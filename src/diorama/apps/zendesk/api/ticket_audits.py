"""Ticket audits on the wire."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, count_records, get_many, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, or_not_found
from diorama.apps.zendesk.rules import mail, permissions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import APP, BASE, Audit, Comment, User
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.ticket_audits import AuditObject, TicketAuditResponse, TicketAuditsResponse, audit_object
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx


def audit_objects(tx: Tx, audits: Sequence[Audit]) -> list[AuditObject]:
    """Return audits together with their comments."""
    spoken = [event.id for audit in audits for event in audit.events if event.type == "Comment"]
    comments = {comment.id: comment for comment in get_many(tx, Comment, spoken)}
    return [audit_object(audit, comments) for audit in audits]


@APP.get("/api/v2/tickets/{ticket_id}/audits", role="agent")
def list_audits_for_ticket(tx: Tx, ticket_id: int, page: Page, include: str | None = None) -> TicketAuditsResponse:
    """List the audits of a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    audits, around = page_of(tx, page, Audit, "ticket_id = ?", (ticket.id,), orders={"created_at": "created_at"})
    reply = TicketAuditsResponse(audits=audit_objects(tx, audits), **around)
    if include and "users" in include:
        reply.users = [user_object(user) for user in get_many(tx, User, [audit.author_id for audit in audits])]
    return reply


@APP.get("/api/v2/tickets/{ticket_id}/audits/count", role="agent")
def count_audits_for_ticket(tx: Tx, ticket_id: int) -> CountResponse:
    """Count the audits of a ticket."""
    return count_records(tx, Audit, "ticket_id = ?", desk.visible_ticket(tx, ticket_id).id)


@APP.get("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}", role="agent")
def show_ticket_audit(tx: Tx, ticket_id: int, ticket_audit_id: int) -> TicketAuditResponse:
    """Show an audit of a ticket."""
    audit = get_owned(tx, Audit, ticket_audit_id, ticket_id=desk.visible_ticket(tx, ticket_id).id)
    return TicketAuditResponse(audit_objects(tx, (audit,))[0])


@APP.put("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}/make_private", role="agent")
def make_ticket_comment_private_from_audits(tx: Tx, me: Me, ticket_id: int, ticket_audit_id: int) -> str:
    """Make the public comment of an audit private."""
    audit = tx.get(Audit, ticket_audit_id)
    words = tx.first(Comment, "ticket_id = ? AND audit_id = ?", desk.visible_ticket(tx, ticket_id).id, audit.id)
    desk.make_private(tx, or_not_found(words), me)
    return ""


@APP.get("/api/v2/ticket_audits", role="agent")
def list_ticket_audits(tx: Tx, page: Page, limit: int = 100, cursor: str | None = None) -> TicketAuditsResponse:
    """List the audits of all tickets, newest first; pages are found by `page[after]`, or by the older `cursor`."""
    if page.cursor is not None:
        where, args = permissions.restrict_related(tx, "", ())
        audits, around = page_of(tx, page, Audit, where, args, default="-id")
        return TicketAuditsResponse(audits=audit_objects(tx, audits), **around)
    size, place = max(1, min(limit, 100)), parse_id(cursor) if cursor else None
    if cursor and place is None:
        raise refusals.bad_parameter("cursor", "is not valid")
    where, args = permissions.restrict_related(tx, *(("id < ?", (place,)) if place is not None else ("", ())))
    audits = tx.all(Audit, where, *args, order="id DESC", limit=size)
    after = str(audits[-1].id) if len(audits) == size else None
    before = str(audits[0].id + 1) if audits else None
    return TicketAuditsResponse(
        audits=audit_objects(tx, audits),
        after_cursor=after,
        after_url=f"{BASE}/ticket_audits.json?cursor={after}&limit={size}" if after else None,
        before_cursor=before,
        before_url=f"{BASE}/ticket_audits.json?cursor={before}&limit={size}" if before else None,
    )


@APP.put("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}/trust", role="agent")
def trust_ticket_audit(tx: Tx, ticket_id: int, ticket_audit_id: int) -> str:
    """Mark a flagged audit as trusted."""
    mail.trust(tx, get_owned(tx, Audit, ticket_audit_id, ticket_id=desk.visible_ticket(tx, ticket_id).id))
    return ""
