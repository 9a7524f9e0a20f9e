"""API operations for spam and deleted tickets."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import limits
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.pagination import Page, get_many, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import deleted_tickets, permissions
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.schema.deleted_tickets import Deletion
from diorama.apps.zendesk.wire.deleted_tickets import DeletedTicketsResponse, deleted_object
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.kernel import Tx

ORDERS = {"id": "id", "subject": "subject", "deleted_at": "deleted_at", "created_at": "created_at"}


@APP.get("/api/v2/deleted_tickets", role="agent", rate_limits=(limits.DELETED_TICKETS, limits.DEEP_DELETED_TICKETS))
def list_deleted_tickets(tx: Tx, page: Page) -> DeletedTicketsResponse:
    """List the deleted tickets that can still be restored."""
    where, args = permissions.restrict_related(tx, "", (), "id")
    deletions, around = page_of(tx, page, Deletion, where, args, orders=ORDERS, default="created_at")
    words = {ticket.id: ticket.description for ticket in get_many(tx, Ticket, [one.id for one in deletions])}
    return DeletedTicketsResponse(
        deleted_tickets=[deleted_object(one, words.get(one.id, "")) for one in deletions], **around
    )


@APP.put("/api/v2/deleted_tickets/{ticket_id}/restore", role="agent")
def restore_deleted_ticket(tx: Tx, me: Me, ticket_id: int) -> str:
    """Restore a deleted ticket."""
    permissions.check_ticket(tx, tx.get(Ticket, ticket_id), me)
    deleted_tickets.restore(tx, ticket_id, me)
    return ""


@APP.put("/api/v2/deleted_tickets/restore_many", role="agent")
def bulk_restore_deleted_tickets(tx: Tx, me: Me, ids: str | None = None) -> str:
    """Restore several deleted tickets."""
    where, args = permissions.restrict_related(tx, "1", (), "id")
    for deletion in get_many(tx, Deletion, ids_of(ids), where, *args):
        deleted_tickets.restore(tx, deletion.id, me)
    return ""


@APP.delete("/api/v2/deleted_tickets/{ticket_id}", role="admin")
def delete_ticket_permanently(tx: Tx, me: Me, ticket_id: int) -> JobStatusResponse:
    """Delete a deleted ticket permanently, in the background."""
    tx.get(Deletion, ticket_id)
    return enqueue_job(tx, me, "Permanently Delete Ticket", [ticket_id])


@APP.delete("/api/v2/deleted_tickets/destroy_many", role="admin")
def bulk_permanently_delete_tickets(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Delete several deleted tickets permanently, in the background."""
    return enqueue_job(tx, me, "Permanently Delete Ticket", ids_of(ids))


@JOBS.worker("Permanently Delete Ticket", "Permanently deleting ticket")
def scrub_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    deleted_tickets.scrub(tx, int(item))
    return {"index": place, "id": int(item), "action": "permanently_delete", "success": True, "status": "Deleted"}


# --- spam


@APP.put("/api/v2/tickets/{ticket_id}/mark_as_spam", role="agent")
def mark_ticket_as_spam_and_suspend_requester(tx: Tx, me: Me, ticket_id: int) -> str:
    """Delete a ticket as spam and suspend its requester."""
    deleted_tickets.mark_as_spam(tx, ticket_id, me)
    return ""


@APP.put("/api/v2/tickets/mark_many_as_spam", role="agent")
def mark_many_tickets_as_spam(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Delete tickets as spam and suspend their requesters, in the background."""
    return enqueue_job(tx, me, "Mark Ticket As Spam", ids_of(ids))


@JOBS.worker("Mark Ticket As Spam", "Marking ticket as spam")
def spam_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    deleted_tickets.mark_as_spam(tx, int(item), tx.get(User, job.shared["user_id"]))
    return {"index": place, "id": int(item), "action": "mark_as_spam", "success": True, "status": "Deleted"}
