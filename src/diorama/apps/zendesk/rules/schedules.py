"""Business hours: compute the working time in an interval, and when an amount of working time will be reached."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.time_zones import zone_of
from diorama.apps.zendesk.schema import Holiday, Interval
from diorama.kernel import Tx, from_us, to_us

MINUTE, DAY_MINUTES, DAY = 60_000_000, 24 * 60, timedelta(days=1)
FURTHEST_DAYS = 3660
"""A deadline more than ten years away is never reached."""


class Hours:
    """A schedule prepared for computing working time."""

    __slots__ = ("_closed", "_days", "_week", "_zone")

    def __init__(self, zone: ZoneInfo, intervals: tuple[Interval, ...], holidays: tuple[Holiday, ...]) -> None:
        self._zone = zone
        self._closed = [(date.fromisoformat(one.start_date), date.fromisoformat(one.end_date)) for one in holidays]
        self._days: dict[date, tuple[tuple[int, int], ...]] = {}
        self._week: list[list[tuple[int, int]]] = [[] for _ in range(7)]
        for one in sorted(intervals, key=lambda interval: interval.start_time):
            day = min(one.start_time // DAY_MINUTES, 6)
            self._week[day].append((one.start_time - day * DAY_MINUTES, one.end_time - day * DAY_MINUTES))

    def _moment(self, day: date, minute: int) -> int:
        on, at = (day + DAY, minute - DAY_MINUTES) if minute >= DAY_MINUTES else (day, minute)
        local = datetime(on.year, on.month, on.day, at // 60, at % 60, tzinfo=self._zone)
        return to_us(local.astimezone(UTC))

    def _day(self, day: date) -> tuple[tuple[int, int], ...]:
        """Return the working intervals of one local day; cached."""
        known = self._days.get(day)
        if known is None:
            closed = any(first <= day <= last for first, last in self._closed)
            listed = () if closed else self._week[day.isoweekday() % 7]
            known = tuple((self._moment(day, opens), self._moment(day, closes)) for opens, closes in listed)
            self._days[day] = known
        return known

    def stretches(self, start: int) -> Iterator[tuple[int, int]]:
        """Yield the working intervals that end after a moment, in order."""
        if not any(self._week):
            return
        day = from_us(start).astimezone(self._zone).date()
        for _ in range(FURTHEST_DAYS):
            for begin, end in self._day(day):
                if end > start:
                    yield max(begin, start), end
            day += DAY

    def worked(self, start: int, end: int) -> int:
        """Return the microseconds of working time between two moments."""
        if end <= start or not any(self._week):
            return 0
        total, day = 0, from_us(start).astimezone(self._zone).date()
        for _ in range(FURTHEST_DAYS):
            for begin, finish in self._days.get(day) or self._day(day):
                if begin >= end:
                    return total
                if finish > start:
                    total += min(finish, end) - max(begin, start)
            day += DAY
        return total

    def until(self, start: int, needed: int) -> int | None:
        """Return when this much working time will have passed, or None if never."""
        left = needed
        for begin, finish in self.stretches(start):
            if finish - begin >= left:
                return begin + max(left, 0)
            left -= finish - begin
        return None

    def since(self, end: int, needed: int) -> tuple[int, int] | None:
        """Return the earliest and latest start from which exactly this much working time passes until `end`."""
        left, found = needed, 0
        day = from_us(end).astimezone(self._zone).date()
        for _ in range(FURTHEST_DAYS if any(self._week) else 0):
            for begin, finish in reversed(self._day(day)):
                if begin >= end:
                    continue
                last = min(finish, end)
                if found:
                    return last, found
                if last - begin > left:
                    return (last - left, last - left) if left else (last, end)
                left -= last - begin
                found = begin if not left else 0
            day -= DAY
        return None


_intervals = msgspec.json.Decoder(tuple[Interval, ...]).decode
_holidays = msgspec.json.Decoder(tuple[Holiday, ...]).decode


@lru_cache(maxsize=256)
def _made(time_zone: str, intervals: str, holidays: str) -> Hours | None:
    zone = zone_of(time_zone)
    return Hours(zone, _intervals(intervals), _holidays(holidays)) if zone is not None else None


FIRST = "SELECT time_zone, intervals, holidays FROM zendesk_schedules ORDER BY id LIMIT 1"
_OWN = "SELECT time_zone, intervals, holidays FROM zendesk_schedules WHERE id = ?"


def hours_for(tx: Tx, schedule_id: int | None = None) -> Hours | None:
    """Return the hours for a ticket: of the schedule a rule set, else of the first; None without schedules."""
    rows = (tx.rows(_OWN, schedule_id) if schedule_id is not None else []) or tx.rows(FIRST)
    return _made(*rows[0]) if rows else None


Schedules = dict[int, Hours | None]
"""The hours of every schedule by its id; the first schedule comes first."""


def schedules(tx: Tx) -> Schedules:
    """Return the hours of all schedules."""
    rows = tx.rows("SELECT id, time_zone, intervals, holidays FROM zendesk_schedules ORDER BY id")
    return {number: _made(*rest) for number, *rest in rows}


LONGEST_HOLIDAY_DAYS = 730


def check_schedule(name: str, time_zone: str) -> None:
    """Raise 422 unless a schedule has a name and a known time zone."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    if zone_of(time_zone) is None:
        raise refusals.invalid("time_zone", "Time zone: is invalid", "InvalidValue")


def check_intervals(listed: list[Interval]) -> None:
    """Raise 422 unless each of the sorted intervals is inside one day and no two overlap."""
    last = -1
    for one in listed:
        day = one.start_time // DAY_MINUTES
        if not 0 <= one.start_time < one.end_time <= min((day + 1) * DAY_MINUTES, 7 * DAY_MINUTES):
            raise refusals.invalid("intervals", "Intervals: must lie within one day", "InvalidValue")
        if one.start_time < last:
            raise refusals.invalid("intervals", "Intervals: must not overlap", "InvalidValue")
        last = one.end_time


def check_holiday(holiday: Holiday) -> None:
    """Raise 422 unless a holiday has a name and ends on or after its first day."""
    if not holiday.name.strip():
        raise refusals.blank("name", "Name")
    try:
        first, last = date.fromisoformat(holiday.start_date), date.fromisoformat(holiday.end_date)
    except ValueError:
        raise refusals.invalid("start_date", "Start date: is invalid", "InvalidValue") from None
    if not 0 <= (last - first).days <= LONGEST_HOLIDAY_DAYS:
        raise refusals.invalid("end_date", "End date: must not precede the start date", "InvalidValue")
