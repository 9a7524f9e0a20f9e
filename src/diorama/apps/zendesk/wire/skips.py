"""Skips as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema.skips import Skip
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.tickets import TicketObject


class SkipObject(Struct, kw_only=True):
    id: int
    ticket_id: int
    user_id: int
    reason: str
    created_at: datetime
    updated_at: datetime
    ticket: TicketObject


def skip_object(skip: Skip, ticket: TicketObject) -> SkipObject:
    """Return the API object of a skip."""
    return shaped(SkipObject, skip, ticket=ticket)


class SkipInput(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET
    reason: str = ""


class SkipRequest(Struct):
    skip: SkipInput | UnsetType = UNSET


class SkipResponse(Struct):
    skip: SkipObject


class SkipsResponse(Listing, kw_only=True):
    skips: list[SkipObject]
