"""Suspended email in API format."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema import BRAND_ID, Via
from diorama.apps.zendesk.schema.suspended_tickets import CAUSES, SuspendedTicket
from diorama.apps.zendesk.wire.attachments import AttachmentObject, attachment_object
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.tickets import TicketObject


class AuthorObject(Struct, frozen=True):
    id: int | None
    name: str
    email: str


class SuspendedTicketObject(Struct, kw_only=True):
    url: str
    id: int
    author: AuthorObject
    subject: str
    content: str
    cause: str
    cause_id: int
    message_id: str
    ticket_id: int | None
    recipient: str
    brand_id: int
    attachments: list[AttachmentObject]
    error_messages: list[str] | None
    via: Via
    created_at: datetime
    updated_at: datetime


def suspended_object(held: SuspendedTicket, errors: list[str] | None = None) -> SuspendedTicketObject:
    """Return the API object of a suspended email, with its cause."""
    author = AuthorObject(held.author_id, held.author_name, held.author_email)
    sender = {"address": held.author_email, "name": held.author_name}
    return shaped(
        SuspendedTicketObject,
        held,
        f"suspended_tickets/{held.id}",
        author=author,
        cause=CAUSES[held.cause_id][1],
        brand_id=BRAND_ID,
        attachments=[attachment_object(one) for one in held.attachments],
        error_messages=errors,
        via=Via("email", {"from": sender, "to": {"address": held.recipient}, "rel": None}),
    )


class SuspendedTicketsResponse(Listing, kw_only=True):
    suspended_tickets: list[SuspendedTicketObject]


class SuspendedTicketResponse(Struct):
    suspended_ticket: SuspendedTicketObject


class RecoveredResponse(Struct):
    ticket: list[TicketObject]


class RecoveredManyResponse(Struct):
    tickets: list[TicketObject]


class ExportObject(Struct):
    view_id: str
    status: str


class SuspendedTicketsExportResponse(Struct):
    export: ExportObject
