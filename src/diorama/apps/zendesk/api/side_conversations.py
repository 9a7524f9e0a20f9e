"""API operations for side conversations and their events."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of, parts_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required
from diorama.apps.zendesk.rules import side_conversations
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.schema import APP, BASE, User
from diorama.apps.zendesk.schema.side_conversations import (
    Participant,
    SideConversation,
    SideConversationEvent,
    SideMessage,
)
from diorama.apps.zendesk.wire.side_conversations import (
    SideConversationRequest,
    SideConversationResponse,
    SideConversationsResponse,
    SideEventObject,
    SideEventResponse,
    SideEventsResponse,
    SideMessageInput,
    SideMessageRequest,
    side_conversation_object,
    side_event_object,
)
from diorama.kernel import Tx

ROOT = "/api/v2/tickets/{ticket_id}/side_conversations"
ORDERS = {"created_at": "created_at", "updated_at": "updated_at", "message_added_at": "message_added_at"}
SECONDS_TO_SEND = 0.8


def _talk(tx: Tx, ticket_id: int, number: str) -> SideConversation:
    desk.check_visible(tx, ticket_id)
    return get_owned(tx, SideConversation, number, ticket_id=ticket_id)


def _events(tx: Tx, include: str | None, talks: Sequence[SideConversation]) -> list[SideEventObject] | None:
    """Return the events of conversations if `include` asks for them."""
    if "events" not in parts_of(include) or not talks:
        return None
    marks = ", ".join("?" * len(talks))
    found = tx.all(
        SideConversationEvent,
        f"conversation_id IN ({marks})",
        *(one.id for one in talks),
        order="created_at, conversation_id, number",
    )
    return [side_event_object(one) for one in found]


@APP.get(ROOT, role="agent")
def list_side_conversations(
    tx: Tx, ticket_id: int, page: Page, include: str | None = None
) -> SideConversationsResponse:
    """List the side conversations of a ticket, oldest first."""
    desk.check_visible(tx, ticket_id)
    found, around = page_of(
        tx, page, SideConversation, "ticket_id = ?", (ticket_id,), orders=ORDERS, default="created_at"
    )
    events = _events(tx, include, found)
    return SideConversationsResponse(
        side_conversations=[side_conversation_object(one) for one in found],
        events=UNSET if events is None else events,
        **around,
    )


@APP.get(f"{ROOT}/{{side_conversation_id}}", role="agent")
def show_side_conversation(
    tx: Tx, ticket_id: int, side_conversation_id: str, include: str | None = None
) -> SideConversationResponse:
    """Show a side conversation."""
    talk = _talk(tx, ticket_id, side_conversation_id)
    events = _events(tx, include, (talk,))
    return SideConversationResponse(
        side_conversation=side_conversation_object(talk), events=UNSET if events is None else events
    )


@APP.get(f"{ROOT}/{{side_conversation_id}}/events", role="agent")
def list_side_conversation_events(tx: Tx, ticket_id: int, side_conversation_id: str, page: Page) -> SideEventsResponse:
    """List the events of a side conversation, oldest first."""
    talk = _talk(tx, ticket_id, side_conversation_id)
    found, around = page_of(tx, page, SideConversationEvent, "conversation_id = ?", (talk.id,), default="number")
    return SideEventsResponse(events=[side_event_object(one) for one in found], **around)


def _said(tx: Tx, me: User, asked: SideMessageInput) -> SideMessage:
    to = [Participant(one.user_id, one.name, one.email) for one in asked.to or ()]
    sender = side_conversations.person(me)
    subject, body = asked.subject or "", asked.body or ""
    return side_conversations.message(tx, sender, to, subject=subject, body=body, html=asked.html_body or None)


@APP.post(ROOT, role="agent", status=201, seconds=SECONDS_TO_SEND)
def create_side_conversation(tx: Tx, me: Me, ticket_id: int, body: SideMessageRequest) -> SideConversationResponse:
    """Start a side conversation, and send its first message."""
    ticket, asked = desk.visible_ticket(tx, ticket_id, me), required(body.message, "message")
    said = side_conversations.with_subject(_said(tx, me, asked), ticket.subject)
    given = body.external_ids if body.external_ids is not UNSET else asked.external_ids
    talk = side_conversations.start(tx, ticket, me, said, given or {})
    shape = side_conversation_object(talk)
    tx.headers["location"] = f"{BASE}/tickets/{ticket.id}/side_conversations/{talk.id}"
    return SideConversationResponse(side_conversation=shape)


@APP.post(f"{ROOT}/{{side_conversation_id}}/reply", role="agent", status=201, seconds=SECONDS_TO_SEND)
def reply_to_side_conversation(
    tx: Tx, me: Me, ticket_id: int, side_conversation_id: str, body: SideMessageRequest
) -> SideEventResponse:
    """Reply to a side conversation; a reply names its recipients."""
    desk.visible_ticket(tx, ticket_id, me)
    talk, asked = _talk(tx, ticket_id, side_conversation_id), required(body.message, "message")
    said = side_conversations.with_subject(_said(tx, me, asked), talk.subject)
    event = side_conversations.reply(tx, talk, said)
    fresh = tx.get(SideConversation, talk.id)
    return SideEventResponse(event=side_event_object(event), side_conversation=side_conversation_object(fresh))


@APP.put(f"{ROOT}/{{side_conversation_id}}", role="agent")
def update_side_conversation(
    tx: Tx, me: Me, ticket_id: int, side_conversation_id: str, body: SideConversationRequest
) -> SideConversationResponse:
    """Update the state, the subject or the external ids of a side conversation."""
    desk.visible_ticket(tx, ticket_id, me)
    asked = required(body.side_conversation, "side_conversation")
    fields = given_fields(asked, "state", "subject", "external_ids")
    talk = side_conversations.change(tx, _talk(tx, ticket_id, side_conversation_id), me, fields)
    return SideConversationResponse(side_conversation=side_conversation_object(talk))
