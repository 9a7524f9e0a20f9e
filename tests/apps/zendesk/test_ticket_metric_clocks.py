"""SLA clocks: their values and events match a minute-by-minute count for any history of a ticket."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules.schedules import Hours
from diorama.apps.zendesk.rules.ticket_metric_clocks import (
    RUNS,
    SECOND,
    SlaTarget,
    UpdateFacts,
    advance_clocks,
    elapsed,
)
from diorama.apps.zendesk.schema import Clock, Holiday, MetricEvent
from diorama.apps.zendesk.seed import weekly
from diorama.kernel import from_us, to_us

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime(2026, 3, 26, 14, 0, tzinfo=UTC)
"""A Thursday; daylight saving time in Europe starts on the following Sunday."""
MINUTE = 60 * SECOND
FREE = Holiday(id=1, name="Day off", start_date="2026-03-31", end_date="2026-03-31")
HOURS = Hours(BERLIN, weekly(9, 17), (FREE,))
UNSOLVED = ("new", "open", "pending", "hold")

Turn = tuple[int, str, str]
"""Minutes since the previous turn, the status after it, and who commented publicly."""
TURNS = st.lists(
    st.tuples(
        st.integers(1, 2000),
        st.sampled_from(["open", "pending", "hold", "solved"]),
        st.sampled_from(["agent", "customer", ""]),
    ),
    max_size=7,
)


def lived(turns: list[Turn], target: int, business: bool) -> tuple[tuple[Clock, ...], list[MetricEvent], int]:
    """Run a history through the desk's clocks; return the clocks and their events."""

    def promised(metric: str) -> SlaTarget:
        return SlaTarget(7, "Promise", None, target * 60, business)

    clocks, told = advance_clocks(
        (), UpdateFacts(to_us(START), "new", None, True, False, "customer"), lambda: HOURS, promised
    )
    at = to_us(START)
    for gap, status, spoke in turns:
        at += gap * MINUTE
        clocks, more = advance_clocks(clocks, UpdateFacts(at, status, spoke=spoke), lambda: HOURS, promised)
        told.extend(more)
    return clocks, told, at


def at_work(moment: datetime) -> bool:
    """Check whether this minute is in business hours: nine to five on weekdays that are not holidays."""
    local = moment.astimezone(BERLIN)
    return local.isoweekday() <= 5 and 9 <= local.hour < 17 and local.date().isoformat() != "2026-03-31"


class Counter:
    """One metric, counted minute by minute and restarted after each completed count."""

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.on = metric in ("agent_work_time", "requester_wait_time", "resolution_time", "reply_time")
        self.count = [0, 0]
        self.breached = False
        self.breaches: list[datetime] = []

    def hear(self, status: str, spoke: str) -> None:
        """Apply one turn of the history."""
        unsolved = status in UNSOLVED
        if self.metric == "reply_time":
            if self.on and (spoke == "agent" or not unsolved):
                self.on = False
            elif not self.on and spoke == "customer" and unsolved:
                self.anew()
        elif self.metric.endswith("update_time"):
            if not unsolved:
                self.on = False
            elif spoke == "agent":
                self.anew()

    def anew(self) -> None:
        self.on, self.count, self.breached = True, [0, 0], False

    def minute(self, moment: datetime, status: str, target: int, business: bool) -> None:
        """Count one more minute in a status."""
        pauses = {"agent_work_time": ("pending", "hold"), "requester_wait_time": ("pending",)}
        pauses["pausable_update_time"] = ("pending",)
        if not self.on or status not in UNSOLVED or status in pauses.get(self.metric, ()):
            return
        self.count[0] += 1
        self.count[1] += at_work(moment)
        if not self.breached and self.count[int(business)] >= target:
            self.breached = True
            self.breaches.append(moment + timedelta(minutes=1))


def counted(turns: list[Turn], target: int, business: bool) -> dict[str, Counter]:
    """Count the same history minute by minute."""
    counters = {metric: Counter(metric) for metric in RUNS if metric != "group_ownership_time"}
    moment, status = START, "new"
    for gap, after, spoke in turns:
        for _ in range(gap):
            for counter in counters.values():
                counter.minute(moment, status, target, business)
            moment += timedelta(minutes=1)
        status = after
        for counter in counters.values():
            counter.hear(status, spoke)
    return counters


@settings(max_examples=60, deadline=None)
@given(TURNS, st.integers(5, 1500), st.booleans())
def test_metric_clocks_agree_with_counting_every_minute(turns: list[Turn], target: int, business: bool) -> None:
    clocks, told, at = lived(turns, target, business)
    slow = counted(turns, target, business)
    for clock in clocks:
        if clock.metric not in slow:
            continue
        shown = [part // MINUTE for part in elapsed(clock, at, lambda: HOURS)]
        assert shown == slow[clock.metric].count, clock.metric
        missed = [from_us(one.at) for one in told if one.metric == clock.metric and one.type == "breach"]
        assert missed == slow[clock.metric].breaches, clock.metric


@settings(max_examples=60, deadline=None)
@given(TURNS)
def test_metric_events_come_in_a_valid_order(turns: list[Turn]) -> None:
    """Activate precedes pause and fulfill, time never goes back, and an instance starts only when it is due."""
    _, told, _ = lived(turns, 60, True)
    for metric in RUNS:
        running, instance, last = False, 0, 0
        for event in (one for one in told if one.metric == metric and one.type != "measure"):
            assert event.instance >= instance
            instance = event.instance
            if event.type == "activate":
                assert not running
                running = True
            elif event.type in ("pause", "fulfill"):
                running = False
            if event.type != "breach":
                assert event.at >= last
                last = event.at


@pytest.mark.parametrize(
    ("start", "end", "minutes"),
    [
        ("2026-03-27T08:00", "2026-03-27T16:00", 480),  # a Friday in winter time: nine to five in Berlin
        ("2026-03-27T15:00", "2026-03-30T08:00", 120),  # over the weekend on which summer time begins
        ("2026-03-28T00:00", "2026-03-29T22:00", 0),  # the weekend itself
        ("2026-03-30T06:00", "2026-04-01T08:00", 540),  # the holiday does not count
        ("2026-03-27T10:00", "2026-03-27T10:00", 0),
    ],
)
def test_business_hours_handle_weekends_holidays_and_dst(start: str, end: str, minutes: int) -> None:
    begin, finish = (to_us(datetime.fromisoformat(text).replace(tzinfo=UTC)) for text in (start, end))
    assert HOURS.worked(begin, finish) == minutes * MINUTE


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 20_000), st.integers(1, 5000))
def test_a_deadline_is_the_end_of_the_counted_time(offset: int, needed: int) -> None:
    begin = to_us(START) + offset * MINUTE
    due = HOURS.until(begin, needed * MINUTE)
    assert due is not None
    assert HOURS.worked(begin, due) == needed * MINUTE
    assert HOURS.worked(begin, due - 1) < needed * MINUTE


def test_a_schedule_without_hours_has_no_deadlines() -> None:
    assert Hours(BERLIN, (), ()).until(to_us(START), MINUTE) is None
    assert Hours(BERLIN, (), ()).worked(to_us(START), to_us(START) + 1000 * MINUTE) == 0


def test_a_ticket_opened_by_an_agent_has_no_first_reply_time() -> None:
    def promised(metric: str) -> Any:
        return SlaTarget(7, "Promise", None, 3600, False) if metric == "first_reply_time" else None

    now = UpdateFacts(to_us(START), "open", None, True, False, "agent")
    clocks, told = advance_clocks((), now, lambda: None, promised)
    assert not [one for one in told if one.type == "apply_sla"]
    clocks, told = advance_clocks(
        clocks, UpdateFacts(now.at + MINUTE, "open", spoke="customer"), lambda: None, promised
    )
    assert [(one.instance, one.type) for one in told if one.metric == "reply_time"] == [(2, "activate")]
