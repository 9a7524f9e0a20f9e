"""Ticket content pins as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema.ticket_content_pins import ContentPin
from diorama.apps.zendesk.wire.shapes import shaped


class ContentPinObject(Struct, kw_only=True):
    id: str
    account_id: str
    ticket_id: str
    content_type: str
    content_id: str
    locale: str | None
    url: str
    created_at: datetime


def content_pin_object(pin: ContentPin, account_id: int) -> ContentPinObject:
    """Return the API object of a content pin; all ids are text here."""
    return shaped(
        ContentPinObject, pin, f"ticket_content_pins/{pin.id}", account_id=str(account_id), ticket_id=str(pin.ticket_id)
    )


class ContentPinsResponse(Struct):
    ticket_content_pins: list[ContentPinObject]
    count: int


class ContentPinInput(Struct, kw_only=True):
    ticket_id: str | UnsetType = UNSET
    content_type: str | UnsetType = UNSET
    content_id: str | UnsetType = UNSET
    locale: str | None = None


class ContentPinRequest(Struct):
    ticket_content_pin: ContentPinInput | UnsetType = UNSET
