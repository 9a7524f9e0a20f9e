"""The metric clocks of a ticket: a pure function from an update to the new clocks and their metric events."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from diorama.apps.zendesk.rules.schedules import Hours
from diorama.apps.zendesk.schema import Clock, MetricEvent

SECOND = 1_000_000
UNSOLVED = ("new", "open", "pending", "hold")
NOT_PENDING = ("new", "open", "hold")
RUNS: dict[str, tuple[str, ...]] = {
    "agent_work_time": ("new", "open"),
    "requester_wait_time": NOT_PENDING,
    "resolution_time": UNSOLVED,
    "reply_time": UNSOLVED,
    "periodic_update_time": UNSOLVED,
    "pausable_update_time": NOT_PENDING,
    "group_ownership_time": NOT_PENDING,
}
"""The metrics, and the statuses in which the clock of each runs; in the other unsolved statuses it is paused."""
_BY_STATUS = ("agent_work_time", "requester_wait_time", "resolution_time")
_BY_REPLY = ("periodic_update_time", "pausable_update_time")
PROMISES = (
    "first_reply_time", "next_reply_time", "requester_wait_time", "agent_work_time", "periodic_update_time",
    "pausable_update_time", "total_resolution_time",
)  # fmt: skip
"""The metrics for which a policy can set a target."""


class UpdateFacts(msgspec.Struct, frozen=True):
    """What an update did, as far as the clocks need it; `spoke` is who wrote in public."""

    at: int
    status: str
    group_id: int | None = None
    created: bool = False
    regrouped: bool = False
    spoke: str = ""


class SlaTarget(msgspec.Struct, frozen=True):
    """A target for one metric of one ticket."""

    policy: int | str
    title: str
    description: str | None
    target: int
    business_hours: bool


Promised = Callable[[str], SlaTarget | None]
Told = list[MetricEvent]


def sla_metric_name(clock: Clock) -> str:
    """Return the name policies use for a clock; first and next reply time are separate targets."""
    if clock.metric == "reply_time":
        return "first_reply_time" if clock.instance == 1 else "next_reply_time"
    return "total_resolution_time" if clock.metric == "resolution_time" else clock.metric


def advance_clocks(
    clocks: tuple[Clock, ...], now: UpdateFacts, hours: Callable[[], Hours | None], promised: Promised
) -> tuple[tuple[Clock, ...], Told]:
    """Return the clocks after an update and the metric events it caused, missed targets first."""
    told: Told = []
    start = clocks or tuple(Clock(metric) for metric in RUNS)
    if now.created:
        told.extend(MetricEvent(metric, 0, "measure", now.at) for metric in RUNS)
    after = []
    for clock in start:
        passed = breach(clock, now.at, told) if clock.breach_at else clock
        moved = _move(passed, now, hours, told)
        ticking = moved.state == "running" or moved.state == "paused"
        after.append(_aim(moved, now.at, hours, promised, told) if ticking else moved)
    return tuple(after), told


def breach(clock: Clock, at: int, told: Told) -> Clock:
    """Record the breach of a running clock that has passed its target, once."""
    if not clock.breach_at or clock.breach_at > at:
        return clock
    told.append(MetricEvent(clock.metric, clock.instance, "breach", clock.breach_at))
    return msgspec.structs.replace(clock, breach_at=0, breached=True, missed_at=clock.breach_at)


def _move(clock: Clock, now: UpdateFacts, hours: Callable[[], Hours | None], told: Told) -> Clock:
    """Start, pause, resume or stop a clock."""
    metric, unsolved = clock.metric, now.status in UNSOLVED
    phase = "done" if not unsolved else "running" if now.status in RUNS[metric] else "paused"
    if metric in _BY_STATUS:
        if clock.state == phase:
            return clock
        return _go(_anew(clock) if clock.state == "off" else clock, phase, now.at, hours, told)
    if metric == "reply_time":
        if now.created and now.spoke == "agent":
            return msgspec.structs.replace(clock, state="done", instance=1)
        if clock.state == "running":
            return _go(clock, "done", now.at, hours, told) if now.spoke == "agent" or not unsolved else clock
        return _go(_anew(clock), "running", now.at, hours, told) if now.spoke == "customer" and unsolved else clock
    ticking = clock.state in ("running", "paused")
    if metric in _BY_REPLY:
        if now.spoke == "agent":
            if ticking:
                clock = _go(clock, "done", now.at, hours, told)
            return _go(_anew(clock), phase, now.at, hours, told) if unsolved else clock
        return _go(clock, phase, now.at, hours, told) if ticking else clock
    if now.regrouped and ticking:
        clock, ticking = _go(clock, "done", now.at, hours, told), False
    if now.group_id is None or (clock.state == "off" and not unsolved):
        return clock
    if now.regrouped or clock.state == "off":
        return _go(_anew(clock), phase, now.at, hours, told) if unsolved else clock
    return _go(clock, phase, now.at, hours, told)


def _anew(clock: Clock) -> Clock:
    return Clock(clock.metric, "off", clock.instance + 1)


def elapsed(clock: Clock, at: int, hours: Callable[[], Hours | None]) -> tuple[int, int]:
    """Return the time a clock shows at a moment, in calendar and in business time."""
    if clock.state != "running":
        return clock.calendar, clock.business
    schedule, span = hours(), max(0, at - clock.since)
    return clock.calendar + span, clock.business + (schedule.worked(clock.since, at) if schedule else span)


def _go(clock: Clock, phase: str, at: int, hours: Callable[[], Hours | None], told: Told) -> Clock:
    """Move a clock into a phase and record the metric events."""
    if clock.state == phase:
        return clock
    change, instance = msgspec.structs.replace, clock.instance
    if clock.state == "off" or phase == "running":
        told.append(MetricEvent(clock.metric, instance, "activate", at))
        clock = change(clock, state="running", since=at)
        if phase == "running":
            return clock
    calendar, business = elapsed(clock, at, hours)
    told.append(MetricEvent(clock.metric, instance, "fulfill" if phase == "done" else "pause", at))
    told.append(MetricEvent(clock.metric, instance, "update_status", at, calendar, business))
    return change(clock, state=phase, calendar=calendar, business=business, breach_at=0)


def _aim(clock: Clock, at: int, hours: Callable[[], Hours | None], promised: Promised, told: Told) -> Clock:
    """Set the target of a running or paused clock, and compute when it will be missed."""
    found = promised(sla_metric_name(clock))
    if found is None:
        return msgspec.structs.replace(clock, policy=0, target=0, breach_at=0) if clock.policy else clock
    if (found.policy, found.target, found.business_hours) != (clock.policy, clock.target, clock.business_hours):
        kind = "apply_group_sla" if clock.metric == "group_ownership_time" else "apply_sla"
        told.append(
            MetricEvent(
                clock.metric,
                clock.instance,
                kind,
                at,
                policy=found.policy,
                target=found.target,
                business_hours=found.business_hours,
                title=found.title,
                description=found.description,
            )
        )
        clock = msgspec.structs.replace(
            clock,
            policy=found.policy,
            target=found.target,
            business_hours=found.business_hours,
            breach_at=0,
            breached=False,
            missed_at=0,
        )
    if clock.state == "running" and not clock.breached and not clock.breach_at:
        clock = breach(msgspec.structs.replace(clock, breach_at=_deadline(clock, hours)), at, told)
    return clock


def _deadline(clock: Clock, hours: Callable[[], Hours | None]) -> int:
    """Return when a running clock passes its target, 0 if never; one already passed counts from the clock's start."""
    schedule = hours() if clock.business_hours else None
    if schedule is None:
        shown = clock.business if clock.business_hours else clock.calendar
        return clock.since + max(0, clock.target * SECOND - shown)
    return schedule.until(clock.since, max(0, clock.target * SECOND - clock.business)) or 0
