"""Ticket audits as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Audit, Comment, Event, Via
from diorama.apps.zendesk.wire.attachments import AttachmentObject, attachment_object
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.ticket_comments import html_of
from diorama.apps.zendesk.wire.users import UserObject


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
    """Return the API object of an audit, with the text of its comment."""
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
