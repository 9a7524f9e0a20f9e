"""Records of ticket metrics."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record


class Clock(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """One measurement of one ticket; times are in microseconds, `since` is when it last started to run."""

    metric: str
    state: str = "off"
    instance: int = 0
    since: int = 0
    calendar: int = 0
    business: int = 0
    policy: int | str = 0
    target: int = 0
    business_hours: bool = False
    breach_at: int = 0
    breached: bool = False
    missed_at: int = 0


class MetricEvent(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """An event of a clock."""

    metric: str
    instance: int
    type: str
    at: int
    calendar: int = 0
    business: int = 0
    policy: int | str = 0
    target: int = 0
    business_hours: bool = False
    title: str = ""
    description: str | None = None


@APP.record("ticket_metric_events", index=[("at", "id")])
class MetricEvents(Record):
    """The clock events of one update, under the id of its audit; without an update, under an unused id."""

    ticket_id: int
    at: datetime
    events: tuple[MetricEvent, ...]


@APP.record("ticket_metrics")
class TicketMetric(Record):
    """The metrics of one ticket, under the ticket's id; durations are in seconds, None before they are known."""

    created_at: datetime
    group_stations: int = 0
    assignee_stations: int = 0
    replies: int = 0
    initially_assigned_at: datetime | None = None
    latest_comment_added_at: datetime | None = None
    first_reply: tuple[int, int] | None = None
    first_resolution: tuple[int, int] | None = None
    full_resolution: tuple[int, int] | None = None
    agent_wait: tuple[int, int] = (0, 0)
    on_hold: tuple[int, int] = (0, 0)
    clocks: tuple[Clock, ...] = ()
    next_breach_at: datetime | None = None
    agenda_id: int = 0
