"""Ticket metrics and metric events as the API shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, MetricEvent, MetricEvents, Ticket, TicketMetric
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.sla_policies import MICROMINUTE, MINUTE
from diorama.kernel import from_us

METRIC_IDS, METRIC_STEP = 33_010_477_192_340, 32
"""A ticket's metrics have their own id in the API, computed from the ticket's id."""


class Span(Struct):
    calendar: int | None
    business: int | None


class TicketMetricObject(Struct, kw_only=True):
    url: str
    id: int
    ticket_id: int
    created_at: datetime
    updated_at: datetime
    group_stations: int
    assignee_stations: int
    reopens: int
    replies: int
    assignee_updated_at: datetime | None
    requester_updated_at: datetime
    status_updated_at: datetime
    initially_assigned_at: datetime | None
    assigned_at: datetime | None
    solved_at: datetime | None
    latest_comment_added_at: datetime | None
    custom_status_updated_at: datetime
    reply_time_in_minutes: Span
    reply_time_in_seconds: Span
    first_resolution_time_in_minutes: Span
    full_resolution_time_in_minutes: Span
    agent_wait_time_in_minutes: Span
    requester_wait_time_in_minutes: Span
    on_hold_time_in_minutes: Span


def _minutes(span: tuple[int, int] | None) -> Span:
    return Span(None, None) if span is None else Span(span[0] // MINUTE, span[1] // MINUTE)


def ticket_metric_object(row: TicketMetric, ticket: Ticket, waited: tuple[int, int]) -> TicketMetricObject:
    """Return the API object of metrics; `waited` is the requester's waiting time so far, in seconds."""
    number = METRIC_IDS + METRIC_STEP * row.id
    return TicketMetricObject(
        url=f"{BASE}/ticket_metrics/{number}.json",
        id=number,
        ticket_id=row.id,
        created_at=row.created_at,
        updated_at=ticket.updated_at,
        group_stations=row.group_stations,
        assignee_stations=row.assignee_stations,
        reopens=ticket.reopens,
        replies=row.replies,
        assignee_updated_at=ticket.assignee_updated_at,
        requester_updated_at=ticket.requester_updated_at,
        status_updated_at=ticket.status_updated_at,
        initially_assigned_at=row.initially_assigned_at,
        assigned_at=ticket.assigned_at,
        solved_at=ticket.solved_at,
        latest_comment_added_at=row.latest_comment_added_at,
        custom_status_updated_at=ticket.status_updated_at,
        reply_time_in_minutes=_minutes(row.first_reply),
        reply_time_in_seconds=Span(*row.first_reply) if row.first_reply else Span(None, None),
        first_resolution_time_in_minutes=_minutes(row.first_resolution),
        full_resolution_time_in_minutes=_minutes(row.full_resolution),
        agent_wait_time_in_minutes=_minutes(row.agent_wait),
        requester_wait_time_in_minutes=_minutes(waited),
        on_hold_time_in_minutes=_minutes(row.on_hold),
    )


class TicketMetricResponse(Struct):
    ticket_metric: TicketMetricObject


class TicketMetricsResponse(Listing, kw_only=True):
    ticket_metrics: list[TicketMetricObject]


class MetricEventObject(Struct, kw_only=True):
    id: int
    ticket_id: int
    metric: str
    instance_id: int
    type: str
    time: datetime
    sla: dict[str, Any] | UnsetType = UNSET
    group_sla: dict[str, Any] | UnsetType = UNSET
    status: Span | UnsetType = UNSET
    deleted: bool | UnsetType = UNSET


EVENT_PLACE = 3200
"""The ids of an audit's metric events come after the ids of the audit and its events."""


def metric_event_objects(row: MetricEvents) -> list[MetricEventObject]:
    """Return the API objects of the metric events of one update."""
    return [_metric_event(row, place, event) for place, event in enumerate(row.events)]


def _metric_event(row: MetricEvents, place: int, event: MetricEvent) -> MetricEventObject:
    shape = MetricEventObject(
        id=row.id + EVENT_PLACE + 20 * place,
        ticket_id=row.ticket_id,
        metric=event.metric,
        instance_id=event.instance,
        type=event.type,
        time=from_us(event.at),
    )
    if event.type in ("apply_sla", "apply_group_sla"):
        agreement = {
            "target": event.target // MINUTE,
            "target_in_seconds": event.target,
            "business_hours": event.business_hours,
            "policy": {"id": event.policy, "title": event.title, "description": event.description},
        }
        if event.type == "apply_sla":
            shape.sla = agreement
        else:
            shape.group_sla = agreement
    elif event.type == "update_status":
        shape.status = Span(event.calendar // MICROMINUTE, event.business // MICROMINUTE)
    elif event.type == "breach":
        shape.deleted = False
    return shape


class TicketMetricEventsResponse(Struct, kw_only=True):
    ticket_metric_events: list[MetricEventObject]
    count: int
    end_time: int
    next_page: str
    end_of_stream: bool
