"""The conversation log, trust in what was said, and content pins on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import existing, number_of, within
from diorama.apps.zendesk.api.listing import MOST, Page, many, page_of
from diorama.apps.zendesk.rules import mail, sight
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import agent, agents_only, now
from diorama.apps.zendesk.schema import APP, Audit, Comment, Ticket, User
from diorama.apps.zendesk.schema.guide import Article
from diorama.apps.zendesk.schema.pins import ContentPin
from diorama.apps.zendesk.wire.conversations import (
    ContentPinObject,
    ContentPinRequest,
    ContentPinsResponse,
    ConversationLogResponse,
    content_pin_object,
    conversation_event_object,
)
from diorama.kernel import Refusal, Tx
from diorama.kit.paging import Cursor

KINDS = ("article", "community_post", "external_content")


@APP.get("/api/v2/tickets/{ticket_id}/conversation_log")
def list_conversation_log_for_ticket(tx: Tx, ticket_id: int, page: Page) -> ConversationLogResponse:
    """What was said on a ticket, in order; its pages always follow a cursor."""
    agents_only(tx)
    ticket = desk.seen(tx, ticket_id)
    turned = page if page.cursor is not None else _by_cursor(page)
    comments, around = page_of(tx, turned, Comment, "ticket_id = ?", (ticket.id,), default="created_at")
    authors = {user.id: user for user in many(tx, User, [comment.author_id for comment in comments])}
    events = [conversation_event_object(comment, authors.get(comment.author_id)) for comment in comments]
    return ConversationLogResponse(events=events, **around)


def _by_cursor(page: Page) -> Page:
    return Page(page.path, page.others, page.offset, Cursor(MOST, "", ""), page.sort, page.sort_by, page.sort_order)


@APP.put("/api/v2/tickets/{ticket_id}/audits/{ticket_audit_id}/trust")
def trust_ticket_audit(tx: Tx, ticket_id: int, ticket_audit_id: int) -> str:
    """Vouch for words that came from outside the conversation."""
    agent(tx)
    mail.trust(tx, within(tx, Audit, ticket_audit_id, ticket_id=desk.seen(tx, ticket_id).id))
    return ""


# --- pins


def _ticket(tx: Tx, text: str) -> Ticket:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise refusals.bad_parameter("ticket_id", "must be a string of digits")
    return desk.seen(tx, int(text))


@APP.get("/api/v2/ticket_content_pins")
def list_ticket_content_pins(tx: Tx, ticket_id: str | None = None) -> ContentPinsResponse:
    """What is pinned to a ticket, or to any."""
    agents_only(tx)
    if ticket_id is None:
        where, args = sight.about(tx, "", ())
        pins = tx.all(ContentPin, where, *args, order="id", limit=MOST)
    else:
        pins = tx.all(ContentPin, "ticket_id = ?", _ticket(tx, ticket_id).id, order="id")
    return ContentPinsResponse([content_pin_object(pin) for pin in pins], len(pins))


@APP.post("/api/v2/ticket_content_pins", status=201)
def create_ticket_content_pin(tx: Tx, body: ContentPinRequest) -> ContentPinObject:
    """Pin something to a ticket."""
    agent(tx)
    asked = body.ticket_content_pin
    if asked is UNSET or asked.ticket_id is UNSET or asked.content_type is UNSET or asked.content_id is UNSET:
        raise refusals.parameter_missing("ticket_content_pin")
    ticket = _ticket(tx, asked.ticket_id)
    if asked.content_type.lower() not in KINDS:
        raise refusals.bad_parameter("content_type", f"must be one of {', '.join(KINDS)}")
    kind, number = asked.content_type.lower(), asked.content_id
    if kind == "article":
        tx.get(Article, existing(number_of(number)))
    known = tx.first(ContentPin, "ticket_id = ? AND content_type = ? AND content_id = ?", ticket.id, kind, number)
    if known is not None:
        raise Refusal(422, "ContentAlreadyPinned", "This content is pinned to the ticket already")
    return content_pin_object(
        tx.add(
            ContentPin(
                ticket_id=ticket.id, content_type=kind, content_id=number, locale=asked.locale, created_at=now(tx)
            )
        )
    )


@APP.delete("/api/v2/ticket_content_pins/{content_pin_id}")
def delete_ticket_content_pin(tx: Tx, content_pin_id: str) -> ContentPinObject:
    """Take a pin off."""
    agent(tx)
    pin = tx.get(ContentPin, content_pin_id)
    tx.remove(pin)
    return content_pin_object(pin)
