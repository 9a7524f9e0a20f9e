"""Update the metrics and clocks of a ticket with every update, and announce missed targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from diorama.apps.zendesk.rules import condition_sets
from diorama.apps.zendesk.rules.conditions import Facts, number
from diorama.apps.zendesk.rules.schedules import Hours, hours_for
from diorama.apps.zendesk.rules.ticket_metric_clocks import (
    SECOND,
    SlaTarget,
    UpdateFacts,
    advance_clocks,
    breach,
    elapsed,
    sla_metric_name,
)
from diorama.apps.zendesk.schema import (
    APP,
    Audit,
    Clock,
    Comment,
    Conditions,
    MetricEvents,
    PolicyMetric,
    Ticket,
    TicketMetric,
    User,
)
from diorama.kernel import Tx, from_us, table_of, to_us

POLICIES = (
    "SELECT 0, id, title, description, filter, policy_metrics, position FROM zendesk_sla_policies UNION ALL "
    "SELECT 1, id, title, description, filter, policy_metrics, position FROM zendesk_group_sla_policies ORDER BY 7"
)
_read_metrics = msgspec.json.Decoder(tuple[PolicyMetric, ...]).decode
_read_filter = msgspec.json.Decoder(Conditions).decode


@lru_cache(maxsize=1024)
def _targets(text: str) -> dict[str | None, list[PolicyMetric]]:
    """Return the targets of a policy by priority."""
    found: dict[str | None, list[PolicyMetric]] = {}
    for one in _read_metrics(text):
        found.setdefault(one.priority, []).append(one)
    return found


@lru_cache(maxsize=1024)
def _groups(text: str) -> frozenset[int]:
    """Return the groups that a group policy covers."""
    values: list[Any] = []
    for condition in _read_filter(text).all:
        values.extend(condition.value if isinstance(condition.value, list | tuple) else [condition.value])
    return frozenset(found for value in values if (found := number(value)) is not None)


class SlaTargets:
    """The targets of a ticket: of the first matching policy of each kind, looked up on first use."""

    __slots__ = ("_facts", "_found", "_tx")

    def __init__(self, tx: Tx, facts: Facts) -> None:
        self._tx = tx
        self._facts = facts
        self._found: dict[str, SlaTarget] | None = None

    def _find(self) -> dict[str, SlaTarget]:
        facts = self._facts
        priority, group = facts.ticket.priority, facts.ticket.group_id
        found: dict[str, SlaTarget] = {}
        seen = [False, False]
        for of_groups, policy, title, description, when, metrics, _ in self._tx.rows(POLICIES) if priority else ():
            if seen[of_groups]:
                continue
            if group in _groups(when) if of_groups else condition_sets.hold(when, facts):
                seen[of_groups] = True
                for one in _targets(metrics).get(priority, ()):
                    found[one.metric] = SlaTarget(policy, title, description, one.target, one.business_hours)
        return found

    def __call__(self, metric: str) -> SlaTarget | None:
        if self._found is None:
            self._found = self._find()
        return self._found.get(metric)


def cached_hours(tx: Tx, schedule_id: int | None = None) -> Callable[[], Hours | None]:
    """Return a function that looks up the hours in force on its first call, and caches them."""
    known: list[Hours | None] = []

    def find() -> Hours | None:
        if not known:
            known.append(hours_for(tx, schedule_id))
        return known[0]

    return find


def _span(hours: Callable[[], Hours | None], start: datetime, end: datetime) -> tuple[int, int]:
    """Return the calendar and business seconds between two moments."""
    begin, finish = to_us(start), to_us(end)
    schedule = hours()
    calendar = max(0, finish - begin)
    return calendar // SECOND, (schedule.worked(begin, finish) if schedule else calendar) // SECOND


class Update(msgspec.Struct, frozen=True):
    """One update, as the metrics need it."""

    before: Ticket | None
    after: Ticket
    comment: Comment | None
    by_staff: bool
    at: datetime

    @property
    def spoke(self) -> str:
        """Who wrote in public: `agent`, `customer`, or empty."""
        if self.comment is None or not self.comment.public:
            return ""
        return "agent" if self.by_staff else "customer"


def advance(
    row: TicketMetric,
    update: Update,
    hours: Callable[[], Hours | None],
    promised: Callable[[str], SlaTarget | None],
) -> tuple[dict[str, Any], list[Any]]:
    """Return the metrics of a ticket that an update changes, and the events of its clocks."""
    before, after, at = update.before, update.after, update.at
    regrouped = (before.group_id if before else None) != after.group_id
    happened = UpdateFacts(to_us(at), after.status, after.group_id, before is None, regrouped, update.spoke)
    clocks, events = advance_clocks(row.clocks, happened, hours, promised)
    fields: dict[str, Any] = {"clocks": clocks}
    if update.comment is not None:
        fields["latest_comment_added_at"] = at
    if update.spoke == "agent":
        fields["replies"] = row.replies + 1
        if row.first_reply is None and before is not None:
            fields["first_reply"] = _span(hours, after.created_at, at)
    if regrouped and after.group_id is not None:
        fields["group_stations"] = row.group_stations + 1
    if after.assignee_id is not None and (before is None or before.assignee_id != after.assignee_id):
        fields["assignee_stations"] = row.assignee_stations + 1
        if row.initially_assigned_at is None:
            fields["initially_assigned_at"] = at
    if before is not None and before.status != after.status:
        fields.update(_by_status(row, before, update, hours))
    return fields, events


def _by_status(row: TicketMetric, before: Ticket, update: Update, hours: Callable[[], Hours | None]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    column = {"pending": "agent_wait", "hold": "on_hold"}.get(before.status)
    if column is not None:
        calendar, business = _span(hours, before.status_updated_at, update.at)
        was = getattr(row, column)
        fields[column] = (was[0] + calendar, was[1] + business)
    done = update.after.status in ("solved", "closed")
    if done and before.status not in ("solved", "closed"):
        whole = _span(hours, update.after.created_at, update.at)
        fields["full_resolution"] = whole
        if row.first_resolution is None:
            fields["first_resolution"] = whole
    return fields


def empty_metrics(ticket: Ticket) -> TicketMetric:
    """Return the metrics of a ticket without any updates."""
    return TicketMetric(id=ticket.id, created_at=ticket.created_at)


def update_metrics(facts: Facts, after: Ticket, author: User, at: datetime, audit_id: int) -> None:
    """Update metrics and clocks after an update; `author` wrote the comment, or else made the update."""
    tx, before, comment = facts.tx, facts.before, facts.comment
    if before is not None and (before.status == "closed" or _over(before, after, comment)):
        return
    known = tx.find(TicketMetric, after.id) if before is not None else None
    row = known or empty_metrics(before or after)
    update = Update(before, after, comment, author.staff, at)
    if before is not None and before.schedule_id != after.schedule_id:
        row = msgspec.structs.replace(row, clocks=tuple(_reset(clock) for clock in row.clocks))
    fields, events = advance(row, update, cached_hours(tx, after.schedule_id), SlaTargets(tx, facts))
    if known is None:
        row = tx.add(row)
    if fields["clocks"] == row.clocks:
        del fields["clocks"]
    else:
        fields.update(schedule_next_breach(tx, row, fields["clocks"]))
    tx.change(row, **fields)
    if events:
        tx.add(MetricEvents(id=audit_id, ticket_id=after.id, at=at, events=tuple(events)))


def _reset(clock: Clock) -> Clock:
    """Clear the deadline of a clock in business hours, so that it is computed with the new schedule."""
    return msgspec.structs.replace(clock, breach_at=0) if clock.business_hours else clock


def _over(before: Ticket, after: Ticket, comment: Comment | None) -> bool:
    """Check whether metrics stay the same: still solved, same group and assignee, and no comment."""
    return (
        comment is None
        and before.status == "solved"
        and after.status in ("solved", "closed")
        and before.group_id == after.group_id
        and before.assignee_id == after.assignee_id
    )


def schedule_next_breach(tx: Tx, row: TicketMetric, clocks: Sequence[Clock]) -> dict[str, Any]:
    """Schedule the next breach, replacing the one scheduled before."""
    soonest = min((clock.breach_at for clock in clocks if clock.breach_at), default=0)
    planned = to_us(row.next_breach_at) if row.next_breach_at is not None else 0
    if soonest == planned:
        return {}
    if row.agenda_id:
        tx.cancel(row.agenda_id)
    if not soonest:
        return {"next_breach_at": None, "agenda_id": 0}
    return {"next_breach_at": from_us(soonest), "agenda_id": tx.at(from_us(soonest), miss_targets, ticket_id=row.id)}


@APP.command
def miss_targets(tx: Tx, ticket_id: int) -> None:
    """Record the targets that were missed by now."""
    row, ticket = tx.find(TicketMetric, ticket_id), tx.find(Ticket, ticket_id)
    if row is None or ticket is None or ticket.deleted_at is not None:
        return
    events: list[Any] = []
    clocks = tuple(breach(clock, tx.now_us, events) for clock in row.clocks)
    fields = schedule_next_breach(tx, msgspec.structs.replace(row, agenda_id=0), clocks)
    tx.change(row, clocks=clocks, **fields)
    if events:
        tx.add(MetricEvents(id=unused_audit_id(tx), ticket_id=ticket_id, at=tx.now, events=tuple(events)))


def unused_audit_id(tx: Tx) -> int:
    """Return an unused audit id."""
    audits = table_of(Audit)
    return int(tx.mint(audits.name, audits.ids))


def sla_deadlines(row: TicketMetric) -> Iterator[tuple[str, Clock, int]]:
    """Yield the targets of a ticket: name, clock, and when it is or was missed; 0 unless running."""
    for clock in row.clocks:
        if clock.policy:
            running = clock.state == "running"
            yield sla_metric_name(clock), clock, (clock.breach_at or clock.missed_at) if running else 0


def requester_wait(tx: Tx, row: TicketMetric, schedule_id: int | None) -> tuple[int, int]:
    """Return how long the requester has waited so far, in calendar and business seconds."""
    for clock in row.clocks:
        if clock.metric == "requester_wait_time":
            calendar, business = elapsed(clock, tx.now_us, cached_hours(tx, schedule_id))
            return calendar // SECOND, business // SECOND
    return 0, 0
