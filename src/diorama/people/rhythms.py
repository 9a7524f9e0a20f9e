"""Rhythms: when people write, how volume varies by year and week, and how long an answer takes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate

from diorama.kernel import Dice

# Share of customer messages by hour on a working day and on a day off.
WORKDAY = (7, 4, 2, 2, 3, 7, 20, 44, 66, 71, 68, 62, 58, 56, 55, 54, 52, 50, 52, 58, 62, 56, 36, 16)
DAY_OFF = (12, 7, 4, 2, 2, 4, 9, 20, 38, 56, 64, 62, 54, 48, 46, 46, 48, 50, 52, 54, 52, 44, 30, 18)
WEEKDAYS = (1.42, 1.14, 1.04, 1.0, 0.9, 0.52, 0.60)
"""Relative volume by weekday; Monday includes the problems of the weekend."""
MONTHS = (1.28, 0.96, 0.92, 0.9, 0.94, 0.82, 0.74, 0.72, 0.94, 1.0, 1.34, 1.68)
"""Relative volume by month; presents are bought in November and December, and break in January."""

AWAKE = (7, 22)
AT_WORK = (8, 17)


def weight_of_day(day: datetime, months: Sequence[float] = MONTHS) -> float:
    """Return the volume of a day relative to an average one; it peaks around Black Friday and Christmas."""
    weight = WEEKDAYS[day.weekday()] * months[day.month - 1]
    if day.month == 11 and day.day >= 24:
        weight *= 1.5
    elif day.month == 12 and 10 <= day.day <= 23:
        weight *= 1.35
    elif day.month == 12 and day.day in (25, 26):
        weight *= 0.35
    elif day.month == 1 and day.day <= 8:
        weight *= 1.25
    return weight


@cache
def _cumulated(curve: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(curve))


def moment_of_day(dice: Dice, day: datetime) -> datetime:
    """Draw a time on this day at which a customer writes; on Mondays more of them before noon."""
    sums = _cumulated(DAY_OFF if day.weekday() >= 5 else WORKDAY)
    hour = bisect_right(sums, dice.integer(0, sums[-1] - 1))
    if day.weekday() == 0 and hour > 12 and dice.chance(0.35):
        hour = dice.integer(6, 10)
    midnight = datetime(day.year, day.month, day.day, tzinfo=day.tzinfo)
    return midnight + timedelta(hours=hour, seconds=dice.integer(0, 3599))


class Calendar:
    """A range of days from which moments are drawn as in a busy shop; some days have a burst of messages."""

    def __init__(self, first: datetime, last: datetime, dice: Dice, months: Sequence[float] = MONTHS) -> None:
        days = (last.date() - first.date()).days + 1
        start = datetime(first.year, first.month, first.day, tzinfo=first.tzinfo)
        self.days = [start + timedelta(days=number) for number in range(days)]
        self.bursts = {day for day in self.days if dice.child("burst", day.isoformat()).chance(0.02)}
        growth = [0.55 + 0.45 * number / max(1, days) for number in range(days)]
        self._sums = list(
            accumulate(
                weight_of_day(day, months) * rise * (2.6 if day in self.bursts else 1.0)
                for day, rise in zip(self.days, growth, strict=True)
            )
        )

    def moment(self, dice: Dice) -> datetime:
        """Draw a moment in the range."""
        place = bisect_right(self._sums, dice.uniform() * self._sums[-1])
        return moment_of_day(dice, self.days[min(place, len(self.days) - 1)])


def awake(moment: datetime, hours: tuple[int, int] = AWAKE) -> datetime:
    """Return the moment, or the next one at which the person is awake."""
    first, last = hours
    if moment.hour < first:
        return moment.replace(hour=first, minute=moment.minute, second=moment.second)
    if moment.hour >= last:
        return (moment + timedelta(days=1)).replace(hour=first)
    return moment


def working(moment: datetime, hours: tuple[int, int] = AT_WORK) -> datetime:
    """Return the moment, or the next one in working hours of a working day."""
    moment = awake(moment, hours)
    while moment.weekday() >= 5:
        moment = awake((moment + timedelta(days=1)).replace(hour=hours[0]), hours)
    return moment


def reply_delay(dice: Dice, now: datetime, median_hours: float = 3.0) -> timedelta:
    """Draw how long a customer takes to answer: long-tailed, and never ending in the middle of the night."""
    hours = min(max(dice.lognormal(median_hours, 0.9), 0.05), median_hours * 12)
    later = awake(now + timedelta(hours=hours))
    return timedelta(seconds=round((later - now).total_seconds()) + dice.integer(0, 59))
