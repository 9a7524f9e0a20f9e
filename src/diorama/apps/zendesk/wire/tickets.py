"""Tickets, comments, audits and requests as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    BASE,
    BRAND_ID,
    CUSTOM_STATUS,
    FORM_ID,
    HOST,
    Attachment,
    Audit,
    Comment,
    Event,
    SatisfactionRating,
    Ticket,
    Via,
)
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.people import GroupObject, OrganizationObject, UserObject
from diorama.kernel import to_us


class FieldValue(Struct, frozen=True):
    id: int
    value: Any


class SatisfactionObject(Struct, frozen=True):
    score: str
    id: int | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class TicketObject(Struct, kw_only=True):
    url: str
    id: int
    external_id: str | None
    via: Via
    created_at: datetime
    updated_at: datetime
    generated_timestamp: int
    type: str | None
    subject: str
    raw_subject: str
    description: str
    priority: str | None
    status: str
    recipient: str | None
    requester_id: int
    submitter_id: int
    assignee_id: int | None
    organization_id: int | None
    group_id: int | None
    collaborator_ids: tuple[int, ...]
    follower_ids: tuple[int, ...]
    email_cc_ids: tuple[int, ...]
    forum_topic_id: int | None
    problem_id: int | None
    has_incidents: bool
    is_public: bool
    due_at: datetime | None
    tags: tuple[str, ...]
    custom_fields: list[FieldValue]
    satisfaction_rating: SatisfactionObject | None
    sharing_agreement_ids: tuple[int, ...]
    custom_status_id: int
    fields: list[FieldValue]
    followup_ids: tuple[int, ...]
    ticket_form_id: int
    brand_id: int
    allow_channelback: bool
    allow_attachments: bool
    from_messaging_channel: bool
    satisfaction_probability: float | None = None
    followup_source_id: int | UnsetType | None = UNSET
    comment_count: int | UnsetType = UNSET
    result_type: str | UnsetType = UNSET


def ticket_object(
    ticket: Ticket,
    fields: Sequence[int],
    rating: SatisfactionRating | None = None,
    incidents: bool = False,
    **more: Any,
) -> TicketObject:
    """A ticket as agents see it; `fields` are the ids of the company's own fields."""
    values = ticket.custom_fields
    custom = [FieldValue(field, values.get(str(field))) for field in fields]
    if rating is not None:
        satisfaction = SatisfactionObject(rating.score, rating.id, rating.comment or UNSET)
    else:
        satisfaction = SatisfactionObject(ticket.satisfaction)
    return TicketObject(
        url=f"{BASE}/tickets/{ticket.id}.json",
        id=ticket.id,
        external_id=ticket.external_id,
        via=Via(ticket.channel, ticket.source),
        created_at=ticket.created_at,
        updated_at=ticket.updated_at,
        generated_timestamp=to_us(ticket.deleted_at or ticket.updated_at) // 1_000_000,
        type=ticket.type,
        subject=ticket.subject,
        raw_subject=ticket.subject,
        description=ticket.description,
        priority=ticket.priority,
        status="deleted" if ticket.deleted_at else ticket.status,
        recipient=ticket.recipient,
        requester_id=ticket.requester_id,
        submitter_id=ticket.submitter_id,
        assignee_id=ticket.assignee_id,
        organization_id=ticket.organization_id,
        group_id=ticket.group_id,
        collaborator_ids=_united(ticket.follower_ids, ticket.email_cc_ids),
        follower_ids=ticket.follower_ids,
        email_cc_ids=ticket.email_cc_ids,
        forum_topic_id=None,
        problem_id=ticket.problem_id,
        has_incidents=incidents,
        is_public=ticket.is_public,
        due_at=ticket.due_at,
        tags=ticket.tags,
        custom_fields=custom,
        satisfaction_rating=satisfaction,
        sharing_agreement_ids=(),
        custom_status_id=CUSTOM_STATUS[ticket.status],
        fields=custom,
        followup_ids=ticket.followup_ids,
        ticket_form_id=FORM_ID,
        brand_id=BRAND_ID,
        allow_channelback=False,
        allow_attachments=True,
        from_messaging_channel=False,
        followup_source_id=UNSET if ticket.followup_source_id is None else ticket.followup_source_id,
        **more,
    )


def _united(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return first if not second else tuple(dict.fromkeys((*first, *second)))


class TicketResponse(Struct, kw_only=True):
    ticket: TicketObject
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class TicketsResponse(Listing, kw_only=True):
    tickets: list[TicketObject]
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


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
    content = f"https://{HOST}/attachments/token/{attachment.id:x}/?name={attachment.file_name}"
    return AttachmentObject(
        url=f"{BASE}/attachments/{attachment.id}.json",
        id=attachment.id,
        file_name=attachment.file_name,
        content_url=content,
        mapped_content_url=content,
        content_type=attachment.content_type,
        size=attachment.size,
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
    if comment.html is not None:
        return f'<div class="zd-comment" dir="auto">{comment.html}</div>'
    paragraphs = (
        escape(part, quote=False).replace("\n", "<br>\n") for part in comment.body.split("\n\n") if part.strip()
    )
    return (
        '<div class="zd-comment" dir="auto">' + "".join(f'<p dir="auto">{part}</p>' for part in paragraphs) + "</div>"
    )


class TicketCommentsResponse(Listing, kw_only=True):
    comments: list[CommentObject]
    users: list[UserObject] | UnsetType = UNSET


class CommentResponse(Struct):
    comment: CommentObject


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
    )


class TicketAuditResponse(Struct):
    audit: AuditObject


class TicketAuditsResponse(Listing, kw_only=True):
    audits: list[AuditObject]
    users: list[UserObject] | UnsetType = UNSET
    tickets: list[TicketObject] | UnsetType = UNSET
    after_cursor: str | UnsetType | None = UNSET
    after_url: str | UnsetType | None = UNSET
    before_cursor: str | UnsetType | None = UNSET
    before_url: str | UnsetType | None = UNSET


class TicketUpdateResponse(Struct, kw_only=True):
    ticket: TicketObject
    audit: AuditObject | UnsetType = UNSET


class PersonInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    locale_id: Id | UnsetType = UNSET


class CommentInput(Struct, kw_only=True):
    body: str | UnsetType = UNSET
    html_body: str | UnsetType = UNSET
    public: bool | UnsetType | None = UNSET
    author_id: Id | UnsetType = UNSET
    uploads: list[str] | str | UnsetType = UNSET


class FieldInput(Struct):
    id: Id
    value: Any = None


class FollowerInput(Struct, kw_only=True):
    user_id: Id | UnsetType = UNSET
    user_email: str | UnsetType = UNSET
    user_name: str | UnsetType = UNSET
    action: str = "put"


class ViaInput(Struct, kw_only=True):
    channel: str | Id | UnsetType = UNSET


class TicketInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    subject: str | UnsetType | None = UNSET
    raw_subject: str | UnsetType | None = UNSET
    description: str | UnsetType = UNSET
    comment: CommentInput | UnsetType = UNSET
    requester: PersonInput | UnsetType = UNSET
    requester_id: Id | UnsetType = UNSET
    submitter_id: Id | UnsetType = UNSET
    assignee_id: Id | UnsetType | None = UNSET
    assignee_email: str | UnsetType | None = UNSET
    group_id: Id | UnsetType | None = UNSET
    organization_id: Id | UnsetType | None = UNSET
    status: str | UnsetType = UNSET
    custom_status_id: Id | UnsetType = UNSET
    priority: str | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    tags: list[str] | str | UnsetType = UNSET
    additional_tags: list[str] | UnsetType = UNSET
    remove_tags: list[str] | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    problem_id: Id | UnsetType | None = UNSET
    due_at: str | UnsetType | None = UNSET
    recipient: str | UnsetType | None = UNSET
    collaborator_ids: list[Id] | UnsetType = UNSET
    follower_ids: list[Id] | UnsetType = UNSET
    followers: list[FollowerInput] | UnsetType = UNSET
    email_cc_ids: list[Id] | UnsetType = UNSET
    email_ccs: list[FollowerInput] | UnsetType = UNSET
    custom_fields: list[FieldInput] | UnsetType = UNSET
    fields: list[FieldInput] | UnsetType = UNSET
    via: ViaInput | UnsetType = UNSET
    via_followup_source_id: Id | UnsetType = UNSET
    macro_ids: list[Id] | UnsetType = UNSET
    macro_id: Id | UnsetType = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET
    safe_update: bool | UnsetType = UNSET
    updated_stamp: str | UnsetType = UNSET


class TicketRequest(Struct):
    ticket: TicketInput | UnsetType = UNSET


class TicketsRequest(Struct):
    tickets: list[TicketInput] | UnsetType = UNSET
    ticket: TicketInput | UnsetType = UNSET


class TagsRequest(Struct):
    tags: list[str] | str = []
    safe_update: bool = False
    updated_stamp: str | None = None


class TagsByObjectIdResponse(Struct):
    tags: tuple[str, ...]


class TagObject(Struct):
    name: str
    count: int


class TagsResponse(Listing, kw_only=True):
    tags: list[TagObject]


class AutocompleteTagsResponse(Struct):
    tags: list[str]
    count: int


class TicketRelatedInformation(Struct):
    url: str
    topic_id: str | None
    jira_issue_ids: list[str]
    followup_source_ids: list[str]
    from_archive: bool
    incidents: int


class CursorTicketsResponse(Struct, kw_only=True):
    tickets: list[TicketObject]
    after_url: str | None
    before_url: str | None
    after_cursor: str | None
    before_cursor: str | None
    end_of_stream: bool
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class TimeTicketsResponse(Struct, kw_only=True):
    tickets: list[TicketObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class CursorUsersResponse(Struct, kw_only=True):
    users: list[UserObject]
    after_url: str | None
    before_url: str | None
    after_cursor: str | None
    before_cursor: str | None
    end_of_stream: bool


class TimeUsersResponse(Struct, kw_only=True):
    users: list[UserObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None


class SearchResponse(Listing, kw_only=True):
    results: list[Any]
    facets: str | None = None
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class SearchCountResponse(Struct):
    count: int


class RatingObject(Struct, kw_only=True):
    url: str
    id: int
    assignee_id: int | None
    group_id: int | None
    requester_id: int
    ticket_id: int
    score: str
    created_at: datetime
    updated_at: datetime
    comment: str | None
    reason: str | None = None
    reason_id: int | None = None
    reason_code: int | None = None


def rating_object(rating: SatisfactionRating) -> RatingObject:
    """What a customer thought of the help."""
    return RatingObject(
        url=f"{BASE}/satisfaction_ratings/{rating.id}.json",
        id=rating.id,
        assignee_id=rating.assignee_id,
        group_id=rating.group_id,
        requester_id=rating.requester_id,
        ticket_id=rating.ticket_id,
        score=rating.score,
        created_at=rating.created_at,
        updated_at=rating.updated_at,
        comment=rating.comment,
    )


class RatingInput(Struct, kw_only=True):
    score: str = ""
    comment: str | None = None


class RatingRequest(Struct):
    satisfaction_rating: RatingInput | UnsetType = UNSET


class SatisfactionRatingResponse(Struct):
    satisfaction_rating: RatingObject


class SatisfactionRatingsResponse(Listing, kw_only=True):
    satisfaction_ratings: list[RatingObject]


class RequestObject(Struct, kw_only=True):
    url: str
    id: int
    status: str
    custom_status_id: int
    priority: str | None
    type: str | None
    subject: str
    description: str
    organization_id: int | None
    via: Via
    custom_fields: list[FieldValue]
    requester_id: int
    collaborator_ids: tuple[int, ...]
    email_cc_ids: tuple[int, ...]
    is_public: bool
    due_at: datetime | None
    can_be_solved_by_me: bool
    created_at: datetime
    updated_at: datetime
    recipient: str | None
    followup_source_id: int | None
    assignee_id: int | None
    group_id: int | None
    ticket_form_id: int
    solved: bool
    fields: list[FieldValue]


def request_object(ticket: Ticket, fields: Sequence[int]) -> RequestObject:
    """A ticket as its requester sees it: no tags, no private words, a new one already reads as open."""
    custom = [FieldValue(field, ticket.custom_fields.get(str(field))) for field in fields]
    return RequestObject(
        url=f"{BASE}/requests/{ticket.id}.json",
        id=ticket.id,
        status=ticket.status if ticket.status != "new" else "open",
        custom_status_id=CUSTOM_STATUS[ticket.status],
        priority=ticket.priority,
        type=ticket.type,
        subject=ticket.subject,
        description=ticket.description,
        organization_id=ticket.organization_id,
        via=Via(ticket.channel, ticket.source),
        custom_fields=custom,
        requester_id=ticket.requester_id,
        collaborator_ids=ticket.email_cc_ids,
        email_cc_ids=ticket.email_cc_ids,
        is_public=ticket.is_public,
        due_at=ticket.due_at,
        can_be_solved_by_me=ticket.assignee_id is not None and ticket.status in ("open", "pending", "hold"),
        created_at=ticket.created_at,
        updated_at=ticket.updated_at,
        recipient=ticket.recipient,
        followup_source_id=ticket.followup_source_id,
        assignee_id=ticket.assignee_id,
        group_id=ticket.group_id,
        ticket_form_id=FORM_ID,
        solved=ticket.status in ("solved", "closed"),
        fields=custom,
    )


class RequestInput(Struct, kw_only=True):
    subject: str | UnsetType = UNSET
    comment: CommentInput | UnsetType = UNSET
    requester: PersonInput | UnsetType = UNSET
    priority: str | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    custom_fields: list[FieldInput] | UnsetType = UNSET
    due_at: str | UnsetType | None = UNSET
    solved: bool | UnsetType = UNSET
    recipient: str | UnsetType | None = UNSET


class RequestRequest(Struct):
    request: RequestInput | UnsetType = UNSET


class RequestResponse(Struct):
    request: RequestObject


class RequestsResponse(Listing, kw_only=True):
    requests: list[RequestObject]
    users: list[UserObject] | UnsetType = UNSET


class RequestCommentObject(Struct, kw_only=True):
    url: str
    id: int
    type: str
    request_id: int
    author_id: int
    body: str
    html_body: str
    plain_body: str
    public: bool
    attachments: list[AttachmentObject]
    created_at: datetime


def request_comment_object(comment: Comment) -> RequestCommentObject:
    """Something said, as the requester sees it."""
    return RequestCommentObject(
        url=f"{BASE}/requests/{comment.ticket_id}/comments/{comment.id}.json",
        id=comment.id,
        type="Comment",
        request_id=comment.ticket_id,
        author_id=comment.author_id,
        body=comment.body,
        html_body=html_of(comment),
        plain_body=comment.body,
        public=comment.public,
        attachments=[attachment_object(attachment) for attachment in comment.attachments],
        created_at=comment.created_at,
    )


class RequestCommentsResponse(Listing, kw_only=True):
    comments: list[RequestCommentObject]
    users: list[UserObject] | UnsetType = UNSET


class RequestCommentResponse(Struct):
    comment: RequestCommentObject


EMPTY: dict[str, Any] = {"system": {}, "custom": {}}
"""The metadata of what left no trace of its sender."""
