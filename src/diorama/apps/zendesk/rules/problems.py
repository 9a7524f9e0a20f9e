"""Problems and incidents: solving a problem solves its incidents."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.tickets import update
from diorama.apps.zendesk.schema import APP, Audit, Comment, Ticket, TicketSolved, User, Via
from diorama.kernel import Tx

AT_ONCE = timedelta(seconds=5)


@APP.on(TicketSolved)
def problem_is_solved(tx: Tx, event: TicketSolved) -> None:
    """When a problem is solved, so are its incidents a moment later."""
    rows = tx.rows("SELECT type FROM zendesk_tickets WHERE id = ?", event.ticket)
    if rows and rows[0][0] == "problem":
        tx.later(AT_ONCE, solve_incidents, problem_id=event.ticket)


@APP.command
def solve_incidents(tx: Tx, problem_id: int) -> None:
    """Solve the incidents of a solved problem, with the public words that solved it."""
    problem = tx.find(Ticket, problem_id)
    if problem is None or problem.status != "solved" or problem.deleted_at is not None:
        return
    audit = _solving(tx, problem_id)
    words = tx.first(Comment, "ticket_id = ? AND audit_id = ?", problem_id, audit.id) if audit else None
    said = NewComment(words.body, html=words.html) if words is not None and words.public else None
    by = (tx.find(User, audit.author_id) if audit else None) or SYSTEM
    via = Via("system", {"from": {"ticket_id": problem.id, "subject": problem.subject}, "to": {}, "rel": "problem"})
    waiting = "problem_id = ? AND deleted_at IS NULL AND status NOT IN ('solved', 'closed')"
    for incident in tx.all(Ticket, waiting, problem_id, order="id"):
        fields: dict[str, Any] = {"status": "solved"}
        if incident.assignee_id is None and (by.id < 0 or not by.staff):
            fields["assignee_id"] = problem.assignee_id
        update(tx, incident, by=by, fields=fields, said=said, via=via, form=False)


def _solving(tx: Tx, ticket_id: int) -> Audit | None:
    """The update that solved a ticket."""
    for audit in tx.all(Audit, "ticket_id = ?", ticket_id, order="id DESC", limit=20):
        if any(event.field_name == "status" and event.value == "solved" for event in audit.events):
            return audit
    return None
