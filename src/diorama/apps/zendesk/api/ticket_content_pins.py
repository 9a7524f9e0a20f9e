"""Ticket content pins on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST
from diorama.apps.zendesk.rules import permissions, ticket_content_pins
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import APP, Ticket
from diorama.apps.zendesk.schema.ticket_content_pins import ContentPin
from diorama.apps.zendesk.wire.ticket_content_pins import (
    ContentPinObject,
    ContentPinRequest,
    ContentPinsResponse,
    content_pin_object,
)
from diorama.kernel import Tx


def _ticket(tx: Tx, text: str) -> Ticket:
    number = parse_id(text)
    if number is None:
        raise refusals.bad_parameter("ticket_id", "must be a string of digits")
    return desk.visible_ticket(tx, number)


@APP.get("/api/v2/ticket_content_pins", role="agent")
def list_ticket_content_pins(tx: Tx, ticket_id: str | None = None) -> ContentPinsResponse:
    """List the content pins of one ticket or of all tickets."""
    if ticket_id is None:
        where, args = permissions.restrict_related(tx, "", ())
        pins = tx.all(ContentPin, where, *args, order="id", limit=MOST)
    else:
        pins = tx.all(ContentPin, "ticket_id = ?", _ticket(tx, ticket_id).id, order="id")
    return ContentPinsResponse([content_pin_object(pin, account_of(tx).number) for pin in pins], len(pins))


@APP.post("/api/v2/ticket_content_pins", role="agent", status=201)
def create_ticket_content_pin(tx: Tx, body: ContentPinRequest) -> ContentPinObject:
    """Pin content to a ticket."""
    asked = body.ticket_content_pin
    if asked is UNSET or asked.ticket_id is UNSET or asked.content_type is UNSET or asked.content_id is UNSET:
        raise refusals.parameter_missing("ticket_content_pin")
    ticket = _ticket(tx, asked.ticket_id)
    made = ticket_content_pins.pin(tx, ticket, asked.content_type, asked.content_id, asked.locale)
    return content_pin_object(made, account_of(tx).number)


@APP.delete("/api/v2/ticket_content_pins/{content_pin_id}", role="agent")
def delete_ticket_content_pin(tx: Tx, content_pin_id: str) -> ContentPinObject:
    """Delete a content pin."""
    pin = tx.get(ContentPin, content_pin_id)
    tx.remove(pin)
    return content_pin_object(pin, account_of(tx).number)
