"""Side conversations as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.schema.side_conversations import (
    Participant,
    SideConversation,
    SideConversationEvent,
    SideMessage,
)
from diorama.apps.zendesk.wire.pagination import Id, Listing

MOST_NAMED = 100
"""The most people that a body may name."""


def _moment(value: datetime) -> str:
    return value.isoformat(timespec="milliseconds")


class SideConversationObject(Struct, kw_only=True):
    id: str
    url: str
    ticket_id: int
    subject: str
    preview_text: str
    state: str
    participants: tuple[Participant, ...]
    external_ids: dict[str, str]
    created_at: str
    updated_at: str
    message_added_at: str
    state_updated_at: str


def _path(ticket_id: int, conversation_id: str) -> str:
    return f"{BASE}/tickets/{ticket_id}/side_conversations/{conversation_id}"


def side_conversation_object(talk: SideConversation) -> SideConversationObject:
    """Return the API object of a side conversation."""
    return SideConversationObject(
        id=talk.id,
        url=_path(talk.ticket_id, talk.id),
        ticket_id=talk.ticket_id,
        subject=talk.subject,
        preview_text=talk.preview_text,
        state=talk.state,
        participants=talk.participants,
        external_ids=talk.external_ids,
        created_at=_moment(talk.created_at),
        updated_at=_moment(talk.updated_at),
        message_added_at=_moment(talk.message_added_at),
        state_updated_at=_moment(talk.state_updated_at),
    )


class SideMessageObject(Struct, kw_only=True, rename={"sender": "from"}):
    subject: str
    preview_text: str
    body: str
    html_body: str
    sender: Participant
    to: tuple[Participant, ...]
    external_ids: dict[str, str]
    attachments: list[Any] = []


class SideEventObject(Struct, kw_only=True):
    id: str
    side_conversation_id: str
    ticket_id: int
    url: str
    type: str
    via: str
    actor: Participant
    message: SideMessageObject | None
    updates: dict[str, Any]
    created_at: str


def _message(said: SideMessage) -> SideMessageObject:
    return SideMessageObject(**{name: getattr(said, name) for name in said.__struct_fields__})


def side_event_object(event: SideConversationEvent) -> SideEventObject:
    """Return the API object of an event of a side conversation."""
    return SideEventObject(
        id=event.id,
        side_conversation_id=event.conversation_id,
        ticket_id=event.ticket_id,
        url=_path(event.ticket_id, event.conversation_id),
        type=event.type,
        via=event.via,
        actor=event.actor,
        message=_message(event.message) if event.message is not None else None,
        updates=event.updates,
        created_at=_moment(event.created_at),
    )


class SideConversationResponse(Struct, kw_only=True):
    side_conversation: SideConversationObject
    events: list[SideEventObject] | UnsetType = UNSET


class SideConversationsResponse(Listing, kw_only=True):
    side_conversations: list[SideConversationObject]
    events: list[SideEventObject] | UnsetType = UNSET


class SideEventResponse(Struct, kw_only=True):
    event: SideEventObject
    side_conversation: SideConversationObject


class SideEventsResponse(Listing, kw_only=True):
    events: list[SideEventObject]


class ParticipantInput(Struct, kw_only=True):
    user_id: Id | None = None
    name: str | None = None
    email: str | None = None


class SideMessageInput(Struct, kw_only=True):
    subject: str | UnsetType | None = UNSET
    body: str | UnsetType | None = UNSET
    html_body: str | UnsetType | None = UNSET
    to: Annotated[list[ParticipantInput], Meta(max_length=MOST_NAMED)] | UnsetType = UNSET
    external_ids: dict[str, Any] | UnsetType | None = UNSET


class SideMessageRequest(Struct, kw_only=True):
    message: SideMessageInput | UnsetType = UNSET
    external_ids: dict[str, Any] | UnsetType | None = UNSET


class SideConversationInput(Struct, kw_only=True):
    state: str | UnsetType = UNSET
    subject: str | UnsetType | None = UNSET
    external_ids: dict[str, Any] | UnsetType | None = UNSET


class SideConversationRequest(Struct, kw_only=True):
    side_conversation: SideConversationInput | UnsetType = UNSET
