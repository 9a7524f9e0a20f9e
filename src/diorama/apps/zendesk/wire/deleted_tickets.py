"""Deleted tickets as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema.deleted_tickets import Deletion
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class DeleterObject(Struct, frozen=True):
    id: int
    name: str


class DeletedTicketObject(Struct, kw_only=True):
    id: int
    subject: str
    description: str
    actor: DeleterObject
    deleted_at: datetime
    previous_state: str


def deleted_object(deletion: Deletion, description: str) -> DeletedTicketObject:
    """Return the API object of a deleted ticket."""
    return shaped(
        DeletedTicketObject,
        deletion,
        description=description,
        actor=DeleterObject(deletion.actor_id, deletion.actor_name),
    )


class DeletedTicketsResponse(Listing, kw_only=True):
    deleted_tickets: list[DeletedTicketObject]
