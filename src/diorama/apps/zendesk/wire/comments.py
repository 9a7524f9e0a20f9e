"""Comments and audits as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    HOST,
    Attachment,
    Audit,
    Comment,
    Event,
    Via,
)
from diorama.apps.zendesk.wire.lists import Listing
from diorama.apps.zendesk.wire.people import UserObject
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.kit import text


class AttachmentObject(Struct, kw_only=True):
    url: str
    id: int
    file_name: str
    content_url: str
    mapped_content_url: str
    content_type: str
    size: int
    width: int | None = None
    height: int | None = None
    inline: bool = False
    deleted: bool = False
    malware_access_override: bool = False
    malware_scan_result: str = "malware_not_found"
    thumbnails: list[dict[str, Any]] = []


def attachment_object(attachment: Attachment) -> AttachmentObject:
    """A file on a comment."""
    content = f"https://{HOST}/attachments/token/{attachment.id:x}/?name={quote(attachment.file_name)}"
    return shaped(
        AttachmentObject, attachment, f"attachments/{attachment.id}", content_url=content, mapped_content_url=content
    )


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
    """Something said, in its three spellings."""
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
    """The words as Zendesk wraps them for a page."""
    html = text.html_of(comment.body, '<p dir="auto">', "<br>\n") if comment.html is None else comment.html
    return f'<div class="zd-comment" dir="auto">{html}</div>'


class TicketCommentsResponse(Listing, kw_only=True):
    comments: list[CommentObject]
    users: list[UserObject] | UnsetType = UNSET


class AuditEvent(Struct, kw_only=True):
    id: int
    type: str
    author_id: int | UnsetType = UNSET
    body: str | UnsetType = UNSET
    html_body: str | UnsetType = UNSET
    plain_body: str | UnsetType = UNSET
    public: bool | UnsetType = UNSET
    attachments: list[AttachmentObject] | UnsetType = UNSET
    audit_id: int | UnsetType = UNSET
    field_name: str | UnsetType = UNSET
    value: Any = UNSET
    previous_value: Any = UNSET
    via: Via | UnsetType = UNSET
    subject: str | UnsetType = UNSET
    recipients: tuple[int, ...] | UnsetType = UNSET
    score: str | UnsetType = UNSET
    assignee_id: int | UnsetType | None = UNSET
    comment_id: int | UnsetType = UNSET
    macro_id: str | UnsetType = UNSET
    macro_title: str | UnsetType = UNSET
    attachment_id: int | UnsetType = UNSET
    cause_id: int | UnsetType = UNSET
    cause_name: str | UnsetType = UNSET
    previous_schedule_id: int | UnsetType | None = UNSET
    new_schedule_id: int | UnsetType | None = UNSET


class AuditObject(Struct, kw_only=True):
    id: int
    ticket_id: int
    created_at: datetime
    author_id: int
    metadata: dict[str, Any]
    events: list[AuditEvent]
    via: Via


def audit_object(audit: Audit, comments: Mapping[int, Comment]) -> AuditObject:
    """An update of a ticket, with the words of the comment that came with it."""
    return AuditObject(
        id=audit.id,
        ticket_id=audit.ticket_id,
        created_at=audit.created_at,
        author_id=audit.author_id,
        metadata=audit.metadata,
        events=[_event(event, comments) for event in audit.events],
        via=Via(audit.channel, audit.source),
    )


def _event(event: Event, comments: Mapping[int, Comment]) -> AuditEvent:
    comment = comments.get(event.id) if event.type == "Comment" else None
    if comment is not None:
        return AuditEvent(
            id=event.id,
            type="Comment",
            author_id=comment.author_id,
            body=comment.body,
            html_body=html_of(comment),
            plain_body=comment.body,
            public=comment.public,
            attachments=[attachment_object(attachment) for attachment in comment.attachments],
            audit_id=comment.audit_id,
        )
    if event.type in ("Create", "Change"):
        return AuditEvent(
            id=event.id,
            type=event.type,
            field_name=event.field_name,
            value=event.value,
            previous_value=event.previous_value,
            via=event.via,
        )
    return AuditEvent(
        id=event.id,
        type=event.type,
        via=event.via,
        subject=event.subject,
        body=event.body,
        recipients=event.recipients,
        score=event.score,
        assignee_id=event.assignee_id,
        comment_id=event.comment_id,
        public=event.public,
        macro_id=event.macro_id,
        macro_title=event.macro_title,
        attachment_id=event.attachment_id,
        cause_id=event.cause_id,
        cause_name=event.cause_name,
        previous_schedule_id=event.previous_schedule_id,
        new_schedule_id=event.new_schedule_id,
    )


class TicketAuditResponse(Struct):
    audit: AuditObject


class TicketAuditsResponse(Listing, kw_only=True):
    audits: list[AuditObject]
    users: list[UserObject] | UnsetType = UNSET
    after_cursor: str | UnsetType | None = UNSET
    after_url: str | UnsetType | None = UNSET
    before_cursor: str | UnsetType | None = UNSET
    before_url: str | UnsetType | None = UNSET


EMPTY: dict[str, Any] = {"system": {}, "custom": {}}
"""The metadata of what left no trace of its sender."""
