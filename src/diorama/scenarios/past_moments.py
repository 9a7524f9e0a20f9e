"""Moments of a past: when customers order, carriers deliver and colleagues work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

from diorama.apps.backoffice.rules.settings import delivery_day, next_working_moment, settings, zone
from diorama.kernel import Dice, Tx
from diorama.worlds.firm import firm_of
from diorama.worlds.team import Team

Days = tuple[int, int]
"""The fewest and the most days before the episode."""
WAKING = (7, 22)


class Moments:
    """Draws moments of a customer's past, in the time zone and working hours of the company."""

    def __init__(self, tx: Tx, dice: Dice, colleagues: Sequence[str]) -> None:
        self.tx = tx
        self.dice = dice
        self.colleagues = colleagues
        self.cast: dict[str, Any] = {}
        self._drawn = 0

    def roll(self, purpose: str) -> Dice:
        """Return fresh dice for one purpose."""
        self._drawn += 1
        return self.dice.child(purpose, self._drawn)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the company."""
        shop = any(one.name == "backoffice" for one in self.tx.company.apps)
        return zone(settings(self.tx).time_zone if shop else "UTC")

    def ago(self, days: Days) -> datetime:
        """Draw a moment some days ago, at a waking hour of the company's country, to the second."""
        dice = self.roll("moment")
        moment = self.tx.now - timedelta(seconds=dice.integer(days[0] * 86_400, days[1] * 86_400))
        local = moment.astimezone(self.zone)
        if not WAKING[0] <= local.hour < WAKING[1]:
            local = local.replace(hour=dice.integer(WAKING[0], WAKING[1] - 1))
        return min(local.astimezone(UTC).replace(microsecond=0), self.tx.now - timedelta(minutes=1))

    def delivered_ago(self, days: Days, country: str = "") -> datetime:
        """Draw a moment on a day some days ago on which carriers deliver; on an earlier one if there is none."""
        where = country or self.cast["home"].country
        first, last = self.tx.now - timedelta(days=days[1]), self.tx.now - timedelta(days=max(1, days[0]))
        every = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        open_days = [one for one in every if delivery_day(self.tx, one, where) == one]
        while not open_days:
            first -= timedelta(days=1)
            open_days = [first] if delivery_day(self.tx, first, where) == first else []
        return self.roll("delivered").pick(open_days)

    def at_work(self, moment: datetime, since: datetime | None = None) -> datetime:
        """Return a moment at which colleagues work: on the day of a moment or the last working day before it.

        It is after `since`, if that is given; then it may be on a later day.
        """
        dice, ours = self.roll("at work"), settings(self.tx)
        local = moment.astimezone(self.zone)
        if not self._at_work(local):
            hour = dice.integer(ours.day_begins_hour, ours.day_ends_hour - 2)
            local = local.replace(hour=hour, minute=dice.integer(0, 59), second=dice.integer(0, 59))
            while not self._at_work(local):
                local -= timedelta(days=1)
        found = min(local.astimezone(UTC), self.tx.now - timedelta(minutes=1))
        if since is not None and found <= since:
            local = (since + timedelta(seconds=dice.integer(600, 7_000))).astimezone(self.zone)
            if not self._at_work(local):
                begins = local.replace(
                    hour=ours.day_begins_hour, minute=dice.integer(1, 59), second=dice.integer(0, 59)
                )
                days = (begins + timedelta(days=number) for number in count())
                local = next(one for one in days if one > local and self._at_work(one))
            found = local.astimezone(UTC)
            if found >= self.tx.now:  # this morning, minutes ago
                found = max(self.tx.now - timedelta(seconds=dice.integer(60, 600)), since + timedelta(seconds=30))
        return found.replace(microsecond=0)

    def _at_work(self, local: datetime) -> bool:
        """Return whether one of the colleagues works at a moment, on a weekday in office hours."""
        if next_working_moment(self.tx, local) != local:
            return False
        return self._team is None or bool(self._on_shift(local))

    @property
    def _team(self) -> Team | None:
        firm = firm_of(self.tx.company)
        return firm.team if firm is not None else None

    def _on_shift(self, at: datetime) -> list[str]:
        """Return the colleagues who work at a moment."""
        team, local = self._team, at.astimezone(self.zone)
        known = {one.email: one for one in team.colleagues} if team is not None else {}
        return [one for one in self.colleagues if team and one in known and team.at_work(known[one], local)]

    def works_on(self, moment: datetime) -> bool:
        """Return whether the day of a moment is a working day of the company."""
        ours, day = settings(self.tx), moment.astimezone(self.zone).date()
        return day.weekday() < 5 and day.isoformat() not in ours.holidays.get(ours.country, ())

    def near(self, moment: datetime, after: bool = True) -> datetime:
        """Draw a moment up to some hours after (or before) another one."""
        drawn = timedelta(seconds=self.roll("near").integer(600, 20_000))
        return min(moment + drawn, self.tx.now - timedelta(seconds=40)) if after else moment - drawn

    def colleague(self, at: datetime | None = None) -> str:
        """Draw the colleague who did or wrote something, at a moment at which they work."""
        there = self._on_shift(at) if at is not None else []
        return self.roll("colleague").pick(there or self.colleagues)
