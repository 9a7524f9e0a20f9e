"""Ticket content pins on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST
from diorama.apps.zendesk.api.request_parts import or_not_found, parse_id
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Ticket
from diorama.apps.zendesk.schema.help_center import Article
from diorama.apps.zendesk.schema.ticket_content_pins import ContentPin
from diorama.apps.zendesk.wire.ticket_content_pins import (
    ContentPinObject,
    ContentPinRequest,
    ContentPinsResponse,
    content_pin_object,
)
from diorama.kernel import Refusal, Tx

KINDS = ("article", "community_post", "external_content")


def _ticket(tx: Tx, text: str) -> Ticket:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise refusals.bad_parameter("ticket_id", "must be a string of digits")
    return desk.visible_ticket(tx, int(text))


@APP.get("/api/v2/ticket_content_pins", role="agent")
def list_ticket_content_pins(tx: Tx, ticket_id: str | None = None) -> ContentPinsResponse:
    """What is pinned to a ticket, or to any."""
    if ticket_id is None:
        where, args = permissions.restrict_related(tx, "", ())
        pins = tx.all(ContentPin, where, *args, order="id", limit=MOST)
    else:
        pins = tx.all(ContentPin, "ticket_id = ?", _ticket(tx, ticket_id).id, order="id")
    return ContentPinsResponse([content_pin_object(pin, account_of(tx).number) for pin in pins], len(pins))


@APP.post("/api/v2/ticket_content_pins", role="agent", status=201)
def create_ticket_content_pin(tx: Tx, body: ContentPinRequest) -> ContentPinObject:
    """Pin something to a ticket."""
    asked = body.ticket_content_pin
    if asked is UNSET or asked.ticket_id is UNSET or asked.content_type is UNSET or asked.content_id is UNSET:
        raise refusals.parameter_missing("ticket_content_pin")
    ticket = _ticket(tx, asked.ticket_id)
    if asked.content_type.lower() not in KINDS:
        raise refusals.bad_parameter("content_type", f"must be one of {', '.join(KINDS)}")
    kind, number = asked.content_type.lower(), asked.content_id
    if kind == "article":
        tx.get(Article, or_not_found(parse_id(number)))
    known = tx.first(ContentPin, "ticket_id = ? AND content_type = ? AND content_id = ?", ticket.id, kind, number)
    if known is not None:
        raise Refusal(422, "ContentAlreadyPinned", "This content is pinned to the ticket already")
    pin = ContentPin(ticket_id=ticket.id, content_type=kind, content_id=number, locale=asked.locale, created_at=now(tx))
    return content_pin_object(tx.add(pin), account_of(tx).number)


@APP.delete("/api/v2/ticket_content_pins/{content_pin_id}", role="agent")
def delete_ticket_content_pin(tx: Tx, content_pin_id: str) -> ContentPinObject:
    """Take a pin off."""
    pin = tx.get(ContentPin, content_pin_id)
    tx.remove(pin)
    return content_pin_object(pin, account_of(tx).number)
