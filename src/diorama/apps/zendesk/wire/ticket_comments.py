"""Ticket comments as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Comment, Via
from diorama.apps.zendesk.wire.attachments import AttachmentObject, attachment_object
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.users import UserObject
from diorama.kit import text
from diorama.kit.sanitizing import linked


class CommentObject(Struct, kw_only=True):
    id: int
    type: str
    author_id: int
    body: str
    html_body: str
    plain_body: str
    public: bool
    attachments: list[AttachmentObject]
    audit_id: int
    via: Via
    created_at: datetime
    metadata: dict[str, Any]


def comment_object(comment: Comment, metadata: dict[str, Any]) -> CommentObject:
    """Return the API object of a comment, with its text in three formats."""
    return CommentObject(
        id=comment.id,
        type="Comment",
        author_id=comment.author_id,
        body=comment.body,
        html_body=html_of(comment),
        plain_body=comment.body,
        public=comment.public,
        attachments=[attachment_object(attachment) for attachment in comment.attachments],
        audit_id=comment.audit_id,
        via=Via(comment.channel, comment.source),
        created_at=comment.created_at,
        metadata=metadata,
    )


def html_of(comment: Comment) -> str:
    """Return the comment's HTML as Zendesk wraps it."""
    html = comment.html
    if html is None:
        html = linked(text.html_of(comment.body, '<p dir="auto">', "<br>\n"))
    return f'<div class="zd-comment" dir="auto">{html}</div>'


class TicketCommentsResponse(Listing, kw_only=True):
    comments: list[CommentObject]
    users: list[UserObject] | UnsetType = UNSET


EMPTY: dict[str, Any] = {"system": {}, "custom": {}}
"""The metadata of an update without information about its sender."""
