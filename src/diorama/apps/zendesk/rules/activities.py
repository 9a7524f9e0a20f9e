"""Activities of an agent: others assign, comment on or prioritise the agent's tickets."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema import Activity, Comment, Ticket, User
from diorama.kernel import Tx


def add_activity(
    tx: Tx, before: Ticket | None, ticket: Ticket, comment: Comment | None, by: User, moment: datetime
) -> None:
    """Record activities for the assignee of a ticket that someone else changed."""
    holder = ticket.assignee_id
    if holder is None or holder == by.id or by.id < 0:
        return
    if before is None or before.assignee_id != holder:
        _line(tx, holder, ticket, by, "tickets.assignment", "assigned ticket", moment)
    elif before.priority != ticket.priority:
        _line(tx, holder, ticket, by, "tickets.priority", "changed the priority of ticket", moment)
    if comment is not None and before is not None:
        _line(tx, holder, ticket, by, "tickets.comment", "commented on ticket", moment, comment.id)


def _line(
    tx: Tx, holder: int, ticket: Ticket, by: User, verb: str, did: str, moment: datetime, comment: int | None = None
) -> None:
    tx.add(
        Activity(
            user_id=holder,
            actor_id=by.id,
            ticket_id=ticket.id,
            verb=verb,
            title=f"{by.name} {did} #{ticket.id}.",
            comment_id=comment,
            created_at=moment,
            updated_at=moment,
        )
    )
