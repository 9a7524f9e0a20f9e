"""API operations for suspended tickets: list, recover, delete."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import Page, get_many, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.rules import attachments, mail, suspended_tickets
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Job, Ticket, User
from diorama.apps.zendesk.schema.attachments import File
from diorama.apps.zendesk.schema.suspended_tickets import SuspendedTicket
from diorama.apps.zendesk.wire.attachments import UploadResponse, upload_object
from diorama.apps.zendesk.wire.suspended_tickets import (
    ExportObject,
    RecoveredManyResponse,
    RecoveredResponse,
    SuspendedTicketObject,
    SuspendedTicketResponse,
    SuspendedTicketsExportResponse,
    SuspendedTicketsResponse,
    suspended_object,
)
from diorama.kernel import Refusal, Tx

ORDERS = {
    "created_at": "created_at", "subject": "subject", "cause": "cause_id", "author_email": "author_email",
}  # fmt: skip
EXPORT = "Export Suspended Tickets"


@APP.get("/api/v2/suspended_tickets", role="manage_suspended_tickets")
def list_suspended_tickets(tx: Tx, page: Page) -> SuspendedTicketsResponse:
    """List suspended tickets."""
    held, around = page_of(tx, page, SuspendedTicket, "", (), orders=ORDERS, default="created_at")
    return SuspendedTicketsResponse(suspended_tickets=[suspended_object(one) for one in held], **around)


@APP.get("/api/v2/suspended_tickets/{id}", role="manage_suspended_tickets")
def show_suspended_tickets(tx: Tx, id: int) -> SuspendedTicketResponse:
    """Show a suspended ticket."""
    return SuspendedTicketResponse(suspended_object(tx.get(SuspendedTicket, id)))


@APP.put("/api/v2/suspended_tickets/{id}/recover", role="manage_suspended_tickets", seconds=0.8)
def recover_suspended_ticket(tx: Tx, me: Me, id: int) -> RecoveredResponse:
    """Recover a suspended ticket with the caller as requester."""
    ticket = mail.recover(tx, tx.get(SuspendedTicket, id), me, me)
    return RecoveredResponse(ticket_objects(tx, (ticket,)))


@APP.put(
    "/api/v2/suspended_tickets/recover_many",
    role="manage_suspended_tickets",
    seconds=1.2,
)
def recover_suspended_tickets(tx: Tx, me: Me, ids: str | None = None) -> RecoveredManyResponse:
    """Recover several suspended tickets, each in its sender's name: all of them, or none if one cannot be recovered."""
    tickets: list[Ticket] = []
    failed: list[SuspendedTicketObject] = []
    for held in get_many(tx, SuspendedTicket, ids_of(ids)):
        try:
            with tx.attempt():
                tickets.append(mail.recover(tx, held, me))
        except Refusal as refusal:
            failed.append(suspended_object(held, [str(refusal)]))
    if failed:
        raise Refusal(422, "RecordInvalid", fields={"body": {"suspended_tickets": failed}})
    return RecoveredManyResponse(ticket_objects(tx, tickets))


@APP.delete("/api/v2/suspended_tickets/{id}", role="manage_suspended_tickets")
def delete_suspended_ticket(tx: Tx, id: int) -> None:
    """Delete a suspended ticket."""
    suspended_tickets.discard(tx, tx.get(SuspendedTicket, id))


@APP.delete("/api/v2/suspended_tickets/destroy_many", role="manage_suspended_tickets")
def delete_suspended_tickets(tx: Tx, ids: str | None = None) -> None:
    """Delete several suspended tickets."""
    for held in get_many(tx, SuspendedTicket, ids_of(ids)):
        suspended_tickets.discard(tx, held)


@APP.post("/api/v2/suspended_tickets/export", role="manage_suspended_tickets", rate_limits=(limits.SUSPENDED_EXPORT,))
def export_suspended_tickets(tx: Tx, me: Me) -> SuspendedTicketsExportResponse:
    """Export the suspended tickets in the background and mail the link; at most once a minute."""
    last = tx.first(Job, "owner = ? AND kind = ?", me.email or "", EXPORT, order="created_at DESC")
    if last is not None and last.created_at + timedelta(minutes=1) > tx.now:
        wait = int((last.created_at + timedelta(minutes=1) - tx.now).total_seconds()) + 1
        raise Refusal(429, "APIRateLimitExceeded", "One export a minute", headers={"Retry-After": str(wait)})
    job = JOBS.enqueue(tx, EXPORT, ["suspended"], me.email or "", user_id=me.id)
    return SuspendedTicketsExportResponse(ExportObject("suspended", job.status))


@JOBS.worker(EXPORT, "Exporting suspended tickets")
def export_all(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Export the whole list as a single job item."""
    url = suspended_tickets.export_csv(tx, tx.get(User, job.shared["user_id"]))
    return {"index": place, "id": item, "url": url, "action": "export", "success": True, "status": "Exported"}


@APP.post("/api/v2/suspended_tickets/{id}/attachments", role="manage_suspended_tickets")
def copy_suspended_ticket_attachments(tx: Tx, me: Me, id: int) -> UploadResponse:
    """Copy the attachments of a suspended ticket into a new upload."""
    made = suspended_tickets.copy_attachments(tx, tx.get(SuspendedTicket, id), me)
    listed = [attachments.attachment_of(file) for file in tx.all(File, "upload = ?", made.id)]
    return UploadResponse(upload_object(made, listed))


@APP.post("/api/v2/suspended_tickets/attachments", role="manage_suspended_tickets")
def suspended_tickets_attachments(tx: Tx, me: Me, id: int | None = None) -> UploadResponse:
    """Copy the attachments of a suspended ticket whose id is a query parameter."""
    if id is None:
        raise refusals.parameter_missing("id")
    return copy_suspended_ticket_attachments(tx, me, id)
