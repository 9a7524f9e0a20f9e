"""Suspended mail on the wire: look, let in, throw away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import Page, get_many, ids_of, page_of
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.rules import attachments, custom_roles, mail, suspended_tickets
from diorama.apps.zendesk.rules.current_user import current_agent
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
from diorama.kernel import Refusal, Reply, Tx

ORDERS = {
    "created_at": "created_at", "subject": "subject", "cause": "cause_id", "author_email": "author_email",
}  # fmt: skip
EXPORT = "Export Suspended Tickets"


def _unrestricted(tx: Tx) -> User:
    """An agent who sees all tickets."""
    me = current_agent(tx)
    if me.ticket_restriction is not None and me.role != "admin":
        raise refusals.forbidden()
    custom_roles.require_of_role(tx, me, "manage_suspended_tickets")
    return me


@APP.get("/api/v2/suspended_tickets")
def list_suspended_tickets(tx: Tx, page: Page) -> SuspendedTicketsResponse:
    """The mail that waits."""
    _unrestricted(tx)
    held, around = page_of(tx, page, SuspendedTicket, "", (), orders=ORDERS, default="created_at")
    return SuspendedTicketsResponse(suspended_tickets=[suspended_object(one) for one in held], **around)


@APP.get("/api/v2/suspended_tickets/{id}")
def show_suspended_tickets(tx: Tx, id: int) -> SuspendedTicketResponse:
    """One mail that waits."""
    _unrestricted(tx)
    return SuspendedTicketResponse(suspended_object(tx.get(SuspendedTicket, id)))


@APP.put("/api/v2/suspended_tickets/{id}/recover", seconds=0.8)
def recover_suspended_ticket(tx: Tx, id: int) -> RecoveredResponse:
    """Let a mail in, in the agent's own name."""
    me = _unrestricted(tx)
    ticket = mail.recover(tx, tx.get(SuspendedTicket, id), me, me)
    return RecoveredResponse(ticket_objects(tx, (ticket,)))


@APP.put("/api/v2/suspended_tickets/recover_many", seconds=1.2, answers=RecoveredManyResponse)
def recover_suspended_tickets(tx: Tx, ids: str | None = None) -> RecoveredManyResponse | Reply:
    """Let several mails in, each in its sender's name; those that cannot be are told."""
    me = _unrestricted(tx)
    tickets: list[Ticket] = []
    failed: list[SuspendedTicketObject] = []
    for held in get_many(tx, SuspendedTicket, ids_of(ids)):
        try:
            with tx.attempt():
                tickets.append(mail.recover(tx, held, me))
        except Refusal as refusal:
            failed.append(suspended_object(held, [str(refusal)]))
    if failed:
        return Reply(422, {}, msgspec.json.encode({"suspended_tickets": failed}), refused="invalid")
    return RecoveredManyResponse(ticket_objects(tx, tickets))


@APP.delete("/api/v2/suspended_tickets/{id}")
def delete_suspended_ticket(tx: Tx, id: int) -> None:
    """Throw a mail away."""
    _unrestricted(tx)
    suspended_tickets.discard(tx, tx.get(SuspendedTicket, id))


@APP.delete("/api/v2/suspended_tickets/destroy_many")
def delete_suspended_tickets(tx: Tx, ids: str | None = None) -> None:
    """Throw several mails away."""
    _unrestricted(tx)
    for held in get_many(tx, SuspendedTicket, ids_of(ids)):
        suspended_tickets.discard(tx, held)


@APP.post("/api/v2/suspended_tickets/export", limits=(limits.SUSPENDED_EXPORT,))
def export_suspended_tickets(tx: Tx) -> SuspendedTicketsExportResponse:
    """Have the list written down in the background; its address comes by mail. Once a minute at most."""
    me = _unrestricted(tx)
    last = tx.first(Job, "owner = ? AND kind = ?", me.email or "", EXPORT, order="created_at DESC")
    if last is not None and last.created_at + timedelta(minutes=1) > tx.now:
        wait = int((last.created_at + timedelta(minutes=1) - tx.now).total_seconds()) + 1
        raise Refusal(429, "APIRateLimitExceeded", "One export a minute", headers={"Retry-After": str(wait)})
    job = JOBS.enqueue(tx, EXPORT, ["suspended"], me.email or "", user_id=me.id)
    return SuspendedTicketsExportResponse(ExportObject("suspended", job.status))


@JOBS.worker(EXPORT, "Exporting suspended tickets")
def export_all(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """The whole list is one piece of work."""
    url = suspended_tickets.export_csv(tx, tx.get(User, job.shared["user_id"]))
    return {"index": place, "id": item, "url": url, "action": "export", "success": True, "status": "Exported"}


@APP.post("/api/v2/suspended_tickets/{id}/attachments")
def copy_suspended_ticket_attachments(tx: Tx, id: int) -> UploadResponse:
    """Copies of a mail's files under an upload token."""
    me = _unrestricted(tx)
    made = suspended_tickets.copy_attachments(tx, tx.get(SuspendedTicket, id), me)
    listed = [attachments.attachment_of(file) for file in tx.all(File, "upload = ?", made.id)]
    return UploadResponse(upload_object(made, listed))


@APP.post("/api/v2/suspended_tickets/attachments")
def suspended_tickets_attachments(tx: Tx, id: int | None = None) -> UploadResponse:
    """The same, with the mail's id as a parameter."""
    if id is None:
        raise refusals.parameter_missing("id")
    return copy_suspended_ticket_attachments(tx, id)
