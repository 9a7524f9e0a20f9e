"""The conversation log and content pins as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import ACCOUNT_ID, Comment, User
from diorama.apps.zendesk.schema.pins import ContentPin
from diorama.apps.zendesk.wire.comments import AttachmentObject, attachment_object, html_of
from diorama.apps.zendesk.wire.lists import Links, Meta
from diorama.apps.zendesk.wire.shapes import shaped


class SpeakerObject(Struct, kw_only=True):
    id: str
    type: str
    display_name: str


class ContentObject(Struct, kw_only=True):
    type: str
    body: str


class ReferenceObject(Struct, kw_only=True):
    type: str
    id: str


class ConversationEventObject(Struct, kw_only=True):
    id: str
    type: str
    author: SpeakerObject
    content: ContentObject
    attachments: list[AttachmentObject]
    metadata: dict[str, Any]
    reference: ReferenceObject
    created_at: datetime


def conversation_event_object(comment: Comment, author: User | None) -> ConversationEventObject:
    """Something said, with who said it."""
    kind = "system" if author is None else "agent" if author.staff else "end-user"
    name = author.name if author else "System"
    return ConversationEventObject(
        id=str(comment.id),
        type="Comment",
        author=SpeakerObject(id=str(comment.author_id), type=kind, display_name=name),
        content=ContentObject(type="html", body=html_of(comment)),
        attachments=[attachment_object(one) for one in comment.attachments],
        metadata={"public": comment.public, "via": {"channel": comment.channel, "source": comment.source}},
        reference=ReferenceObject(type="Comment", id=str(comment.id)),
        created_at=comment.created_at,
    )


class ConversationLogResponse(Struct, kw_only=True):
    events: list[ConversationEventObject]
    meta: Meta
    links: Links


class ContentPinObject(Struct, kw_only=True):
    id: str
    account_id: str
    ticket_id: str
    content_type: str
    content_id: str
    locale: str | None
    url: str
    created_at: datetime


def content_pin_object(pin: ContentPin) -> ContentPinObject:
    """Something pinned to a ticket; every number is text here."""
    return shaped(
        ContentPinObject, pin, f"ticket_content_pins/{pin.id}", account_id=str(ACCOUNT_ID), ticket_id=str(pin.ticket_id)
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
