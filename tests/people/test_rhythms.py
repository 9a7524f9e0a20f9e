"""Rhythms: busy Mondays, quiet nights, bursts in December, and long-tailed reply times."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import median

from diorama.kernel import Dice
from diorama.people.rhythms import Calendar, awake, reply_delay, working

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def moments(count: int = 6000) -> list[datetime]:
    calendar = Calendar(NOW - timedelta(days=365), NOW - timedelta(days=1), Dice("year"))
    return [calendar.moment(Dice(f"m{number}")) for number in range(count)]


def test_mondays_are_heavy_and_sundays_light() -> None:
    days = Counter(moment.weekday() for moment in moments())
    assert days[0] > 1.3 * days[3]
    assert days[6] < 0.8 * days[3]


def test_nights_are_quiet() -> None:
    hours = Counter(moment.hour for moment in moments())
    assert hours[3] < 0.1 * hours[10]


def test_december_is_busier_than_july() -> None:
    months = Counter(moment.month for moment in moments())
    assert months[12] > 1.8 * months[7]


def test_some_past_days_are_very_busy() -> None:
    days = Counter(moment.date() for moment in moments())
    assert max(days.values()) > 2.5 * median(days.values())


def test_answers_have_a_long_tail_and_come_by_day() -> None:
    delays = [reply_delay(Dice(f"d{number}"), NOW, 3.0) / timedelta(hours=1) for number in range(2000)]
    assert 2.0 < median(delays) < 4.5
    assert max(delays) > 5 * median(delays)
    assert all(7 <= (NOW + timedelta(hours=delay)).hour < 23 for delay in delays)


def test_the_desk_works_in_working_hours() -> None:
    assert working(datetime(2026, 2, 28, 12, tzinfo=UTC)) >= datetime(2026, 3, 2, 8, tzinfo=UTC)
    assert awake(datetime(2026, 2, 28, 3, tzinfo=UTC)).hour == 7
