"""Satisfaction ratings by customers."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import triggers
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.rules.tickets import NO_METADATA, WEB, existing_ticket
from diorama.apps.zendesk.schema import APP, SatisfactionRating, TicketRated, User
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.kernel import Tx

SCORES = ("good", "bad")


@APP.command
def rate(tx: Tx, ticket_id: int, score: str, comment: str | None = None, reason_code: int | None = None) -> int:
    """Rate a solved ticket as its requester, or change the rating; return the rating's id."""
    by = tx.get(User, existing_ticket(tx, ticket_id).requester_id)
    return int(rate_as(tx, by, ticket_id, score, comment, reason_code).id)


def rate_as(
    tx: Tx, by: User, ticket_id: int, score: str, comment: str | None = None, reason_code: int | None = None
) -> SatisfactionRating:
    """Rate a ticket; only its requester may, and only once it is solved."""
    ticket = existing_ticket(tx, ticket_id)
    if by.id != ticket.requester_id:
        raise refusals.forbidden()
    if score not in SCORES:
        raise refusals.not_listed("score", "Score", score)
    if ticket.status not in ("solved", "closed"):
        raise refusals.invalid("base", "Ticket must be solved before it can be rated", "InvalidValue")
    reason = _reason(tx, score, reason_code)
    moment = now(tx)
    known = tx.find(SatisfactionRating, ticket.satisfaction_id) if ticket.satisfaction_id else None
    if known is not None:
        rating = tx.change(known, score=score, comment=comment, reason_code=reason, updated_at=moment)
    else:
        rating = tx.add(
            SatisfactionRating(
                ticket_id=ticket.id,
                score=score,
                comment=comment,
                reason_code=reason,
                requester_id=ticket.requester_id,
                assignee_id=ticket.assignee_id,
                group_id=ticket.group_id,
                created_at=moment,
                updated_at=moment,
            )
        )
    edit = Edit(tx, ticket, by, WEB, ticket, NO_METADATA)
    edit.tell(
        "SatisfactionRating", score=score, assignee_id=ticket.assignee_id, **({"body": comment} if comment else {})
    )
    edit.set(satisfaction=score, satisfaction_id=rating.id)
    if ticket.status != "closed":
        triggers.run(edit)
    edit.finish()
    tx.emit(TicketRated(ticket=ticket.id, score=score))
    return rating


def _reason(tx: Tx, score: str, code: int | None) -> int | None:
    """Check the reason of a bad rating (0 if none is given); return None for good ratings."""
    if score != "bad":
        return None
    if code is None:
        return 0
    if tx.first(SatisfactionReason, "reason_code = ? AND deleted_at IS NULL", code) is None:
        raise refusals.not_listed("reason_code", "Reason code", code)
    return code
