"""Tickets as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, CUSTOM_STATUS, SatisfactionRating, Ticket, Via
from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.job_statuses import JobStatusObject
from diorama.apps.zendesk.wire.organizations import OrganizationObject
from diorama.apps.zendesk.wire.pagination import GivenId, Id, Listing
from diorama.apps.zendesk.wire.ticket_audits import AuditObject
from diorama.apps.zendesk.wire.ticket_forms import TicketFormObject
from diorama.apps.zendesk.wire.ticket_metrics import TicketMetricObject
from diorama.apps.zendesk.wire.users import UserObject
from diorama.kernel import to_us


class FieldValue(Struct, frozen=True):
    id: int
    value: Any


class SatisfactionObject(Struct, frozen=True):
    score: str
    id: int | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class TicketObject(Struct):
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
    incident_count: int | UnsetType = UNSET
    metric_set: TicketMetricObject | UnsetType = UNSET
    dates: dict[str, Any] | UnsetType = UNSET
    slas: dict[str, Any] | UnsetType = UNSET
    result_type: str | UnsetType = UNSET


@lru_cache(maxsize=64)
def _keyed(fields: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Return the ids of custom fields, each with its key in the values of a ticket."""
    return tuple((field, str(field)) for field in fields)


def ticket_object(
    ticket: Ticket,
    fields: tuple[int, ...],
    rating: SatisfactionRating | None = None,
    incidents: bool = False,
    **more: Any,
) -> TicketObject:
    """Return the API object of a ticket, as agents see it; `fields` are the ids of custom fields."""
    values = ticket.custom_fields
    custom = [FieldValue(field, values.get(key)) for field, key in _keyed(fields)]
    if rating is not None:
        satisfaction = SatisfactionObject(rating.score, rating.id, rating.comment or UNSET)
    else:
        satisfaction = SatisfactionObject(ticket.satisfaction)
    return TicketObject(  # in the order of its fields: 40 keywords would take ten times as long
        f"{BASE}/tickets/{ticket.id}.json",
        ticket.id,
        ticket.external_id,
        Via(ticket.channel, ticket.source),
        ticket.created_at,
        ticket.updated_at,
        to_us(ticket.deleted_at or ticket.updated_at) // 1_000_000,
        ticket.type,
        ticket.subject,
        ticket.subject,
        ticket.description,
        ticket.priority,
        "deleted" if ticket.deleted_at else ticket.status,
        ticket.recipient,
        ticket.requester_id,
        ticket.submitter_id,
        ticket.assignee_id,
        ticket.organization_id,
        ticket.group_id,
        _united(ticket.follower_ids, ticket.email_cc_ids),
        ticket.follower_ids,
        ticket.email_cc_ids,
        None,  # forum_topic_id
        ticket.problem_id,
        incidents,
        ticket.is_public,
        ticket.due_at,
        ticket.tags,
        custom,
        satisfaction,
        (),  # sharing_agreement_ids
        ticket.custom_status_id or CUSTOM_STATUS[ticket.status],
        custom,
        ticket.followup_ids,
        ticket.ticket_form_id,
        ticket.brand_id,
        False,  # allow_channelback
        True,  # allow_attachments
        False,  # from_messaging_channel
        None,  # satisfaction_probability
        UNSET if ticket.followup_source_id is None else ticket.followup_source_id,
        **more,
    )


def _united(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return first if not second else tuple(dict.fromkeys((*first, *second)))


class TicketResponse(Struct, kw_only=True):
    ticket: TicketObject
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET
    last_audits: list[AuditObject] | UnsetType = UNSET
    ticket_forms: list[TicketFormObject] | UnsetType = UNSET
    sharing_agreements: list[Any] | UnsetType = UNSET


class TicketsResponse(Listing, kw_only=True):
    tickets: list[TicketObject]
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET
    last_audits: list[AuditObject] | UnsetType = UNSET
    ticket_forms: list[TicketFormObject] | UnsetType = UNSET
    sharing_agreements: list[Any] | UnsetType = UNSET


class TicketUpdateResponse(Struct, kw_only=True):
    ticket: TicketObject
    audit: AuditObject | UnsetType = UNSET


class QueuedTicket(Struct):
    id: int


class QueuedTicketResponse(Struct):
    ticket: QueuedTicket
    job_status: JobStatusObject


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


MOST_PEOPLE = 100
"""The most people that one request adds to or removes from a ticket."""
People = Annotated[list[FollowerInput], Meta(max_length=MOST_PEOPLE)]
PersonIds = Annotated[list[Id], Meta(max_length=MOST_PEOPLE)]


class ViaInput(Struct, kw_only=True):
    channel: str | Id | UnsetType = UNSET


class TicketInput(Struct, kw_only=True):
    id: GivenId = UNSET
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
    ticket_form_id: Id | UnsetType = UNSET
    brand_id: Id | UnsetType = UNSET
    priority: str | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    tags: list[str] | str | UnsetType = UNSET
    additional_tags: list[str] | UnsetType = UNSET
    remove_tags: list[str] | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    problem_id: Id | UnsetType | None = UNSET
    due_at: str | UnsetType | None = UNSET
    recipient: str | UnsetType | None = UNSET
    collaborator_ids: PersonIds | UnsetType = UNSET
    follower_ids: PersonIds | UnsetType = UNSET
    followers: People | UnsetType = UNSET
    email_cc_ids: PersonIds | UnsetType = UNSET
    email_ccs: People | UnsetType = UNSET
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


class TicketRelatedInformation(Struct):
    url: str
    topic_id: str | None
    jira_issue_ids: list[str]
    followup_source_ids: list[str]
    from_archive: bool
    incidents: int
