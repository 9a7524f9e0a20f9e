"""Requests as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from diorama.apps.zendesk.schema import CUSTOM_STATUS, Comment, Ticket, Via
from diorama.apps.zendesk.wire.attachments import AttachmentObject, attachment_object
from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.organizations import OrganizationObject
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.ticket_comments import html_of
from diorama.apps.zendesk.wire.tickets import MOST_PEOPLE, CommentInput, FieldInput, FieldValue, People, PersonInput
from diorama.apps.zendesk.wire.users import UserObject


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


def request_object(ticket: Ticket, fields: Sequence[int], description: str) -> RequestObject:
    """Return a ticket as its requester sees it: no tags, no private comments, `new` shown as open."""
    custom = [FieldValue(field, ticket.custom_fields.get(str(field))) for field in fields]
    return shaped(
        RequestObject,
        ticket,
        f"requests/{ticket.id}",
        status=ticket.status if ticket.status != "new" else "open",
        custom_status_id=ticket.custom_status_id or CUSTOM_STATUS[ticket.status],
        via=Via(ticket.channel, ticket.source),
        description=description,
        custom_fields=custom,
        collaborator_ids=ticket.email_cc_ids,
        can_be_solved_by_me=ticket.assignee_id is not None and ticket.status in ("open", "pending", "hold"),
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
    collaborators: Annotated[list[Any], Meta(max_length=MOST_PEOPLE)] | UnsetType = UNSET
    additional_collaborators: Annotated[list[Any], Meta(max_length=MOST_PEOPLE)] | UnsetType = UNSET
    email_ccs: People | UnsetType = UNSET
    via_followup_source_id: Id | UnsetType = UNSET
    ticket_form_id: Id | UnsetType = UNSET


class RequestRequest(Struct):
    request: RequestInput | UnsetType = UNSET


class RequestResponse(Struct):
    request: RequestObject


class RequestsResponse(Listing, kw_only=True):
    requests: list[RequestObject]
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


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
    """Return the API object of a comment, as the requester sees it."""
    return shaped(
        RequestCommentObject,
        comment,
        f"requests/{comment.ticket_id}/comments/{comment.id}",
        type="Comment",
        request_id=comment.ticket_id,
        html_body=html_of(comment),
        plain_body=comment.body,
        attachments=[attachment_object(attachment) for attachment in comment.attachments],
    )


class RequestCommentsResponse(Listing, kw_only=True):
    comments: list[RequestCommentObject]
    users: list[UserObject] | UnsetType = UNSET


class RequestCommentResponse(Struct):
    comment: RequestCommentObject
