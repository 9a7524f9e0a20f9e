"""Delete and restore tickets, delete them permanently, and mark them as spam."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ticket_edits import Edit, request_metadata
from diorama.apps.zendesk.rules.tickets import WEB, existing_ticket
from diorama.apps.zendesk.schema import APP, Audit, Comment, Ticket, User
from diorama.apps.zendesk.schema.attachments import File
from diorama.apps.zendesk.schema.deleted_tickets import Deletion
from diorama.kernel import Tx

DELETED_FOR = timedelta(days=30)
"""How long a deleted ticket can be restored."""
SCRUBBED = "SCRUBBED"


def delete(tx: Tx, ticket: Ticket, by: User) -> None:
    """Delete a ticket: hide it from every list but the exports; it can be restored for 30 days."""
    moment = now(tx)
    edit = Edit(tx, ticket, by, WEB, ticket, request_metadata(by, WEB))
    edit.tell("Change", field_name="status", value="deleted", previous_value=ticket.status)
    edit.facts.ticket = msgspec.structs.replace(ticket, deleted_at=moment)
    edit.finish()
    tx.add(
        Deletion(
            id=ticket.id,
            actor_id=by.id,
            actor_name=by.name,
            subject=ticket.subject,
            previous_state=ticket.status,
            created_at=ticket.created_at,
            deleted_at=moment,
        )
    )
    tx.later(DELETED_FOR, scrub_if_due, ticket_id=ticket.id)


def restore(tx: Tx, ticket_id: int, by: User) -> Ticket:
    """Restore a deleted ticket as it was."""
    deletion = tx.find(Deletion, ticket_id)
    if deletion is None:
        raise refusals.not_found()
    ticket = tx.get(Ticket, ticket_id)
    edit = Edit(tx, ticket, by, WEB, ticket, request_metadata(by, WEB))
    edit.tell("Change", field_name="status", value=ticket.status, previous_value="deleted")
    edit.facts.ticket = msgspec.structs.replace(ticket, deleted_at=None)
    written, _ = edit.finish()
    tx.remove(deletion)
    return written


@APP.command
def scrub_if_due(tx: Tx, ticket_id: int) -> None:
    """Delete a ticket permanently, 30 days after it was deleted."""
    deletion = tx.find(Deletion, ticket_id)
    if deletion is not None and deletion.deleted_at + DELETED_FOR <= tx.now:
        scrub(tx, ticket_id)


def scrub(tx: Tx, ticket_id: int) -> None:
    """Delete a deleted ticket permanently: keep only its id and dates, for the exports."""
    deletion = tx.find(Deletion, ticket_id)
    if deletion is None:
        raise refusals.not_found()
    ticket = tx.get(Ticket, ticket_id)
    for comment in tx.all(Comment, "ticket_id = ?", ticket_id):
        for file in tx.all(File, "comment_id = ?", comment.id):
            tx.remove(file)
        tx.remove(comment)
    for audit in tx.all(Audit, "ticket_id = ?", ticket_id):
        tx.remove(audit)
    tx.change(
        ticket,
        subject=SCRUBBED,
        description=SCRUBBED,
        custom_fields={},
        tags=(),
        external_id=None,
        updated_at=now(tx),
    )
    tx.remove(deletion)


def mark_as_spam(tx: Tx, ticket_id: int, by: User) -> None:
    """Delete a ticket as spam, and suspend its requester."""
    ticket = existing_ticket(tx, ticket_id)
    requester = tx.get(User, ticket.requester_id)
    if requester.staff:
        raise refusals.invalid("requester", "Requester: is an agent and cannot be suspended", "InvalidValue")
    delete(tx, ticket, by)
    tx.change(requester, suspended=True, updated_at=now(tx))
