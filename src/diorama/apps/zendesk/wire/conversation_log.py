"""The conversation log of a ticket as the API shows it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from diorama.apps.zendesk.schema import Comment, User
from diorama.apps.zendesk.wire.attachments import AttachmentObject, attachment_object
from diorama.apps.zendesk.wire.pagination import Links, Meta
from diorama.apps.zendesk.wire.ticket_comments import html_of


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
    """Return the API object of a comment with its author."""
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
