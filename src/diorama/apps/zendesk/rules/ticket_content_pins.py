"""Content pins: articles and other content that agents keep beside a ticket."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import Ticket
from diorama.apps.zendesk.schema.help_center import Article
from diorama.apps.zendesk.schema.ticket_content_pins import ContentPin
from diorama.kernel import Refusal, Tx

PIN_TYPES = ("article", "community_post", "external_content")


def pin(tx: Tx, ticket: Ticket, kind: str, content_id: str, locale: str | None) -> ContentPin:
    """Pin content to a ticket; an article must exist, and nothing is pinned twice."""
    kind = kind.lower()
    if kind not in PIN_TYPES:
        raise refusals.bad_parameter("content_type", f"must be one of {', '.join(PIN_TYPES)}")
    if kind == "article":
        tx.get(Article, parse_id(content_id) or 0)
    if tx.first(ContentPin, "ticket_id = ? AND content_type = ? AND content_id = ?", ticket.id, kind, content_id):
        raise Refusal(422, "ContentAlreadyPinned", "This content is pinned to the ticket already")
    made = ContentPin(ticket_id=ticket.id, content_type=kind, content_id=content_id, locale=locale, created_at=now(tx))
    return tx.add(made)
