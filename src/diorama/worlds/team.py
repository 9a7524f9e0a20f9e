"""The people who work at a company: who takes a ticket, and when they are at work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import msgspec

from diorama.kernel import Dice
from diorama.people.rhythms import awake

Habit = Literal["warm", "brisk", "macro", "chatty", "careful"]

BACKLOG_HOURS = 5.0
"""Hours until a colleague answers what arrived outside office hours."""
SETTLING_IN = timedelta(days=1)
"""How long a new colleague does not take tickets."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Colleague(msgspec.Struct, frozen=True, kw_only=True):
    """An employee of a company: role and team in every app, shift (in the company's hours) and desk habits."""

    email: str
    name: str
    role: Literal["agent", "lead", "manager"] = "agent"
    team: str = "Support"
    groups: tuple[str, ...] = ()
    habit: Habit = "warm"
    shift: tuple[int, int] = (8, 17)
    days: tuple[int, ...] = (0, 1, 2, 3, 4)
    languages: tuple[str, ...] = ("en",)
    speed: float = 1.0
    """How long they take, relative to an average colleague."""
    share: float = 1.0
    """Their share of the work."""
    tags: float = 0.7
    """Chance that they tag a ticket."""
    notes: float = 0.25
    """Chance that they leave a private note."""
    forgets: float = 0.05
    """Chance that they set an unsolved ticket to solved."""
    since: datetime = LONG_AGO

    @property
    def given(self) -> str:
        """The name they sign with."""
        return self.name.split()[0]


class Team:
    """The employees of a company, and its holidays."""

    def __init__(self, colleagues: Sequence[Colleague], holidays: Mapping[str, tuple[str, str]]) -> None:
        self.colleagues = tuple(colleagues)
        self.at_the_desk = tuple(one for one in colleagues if one.groups)
        self.lead = next(one for one in colleagues if one.role == "lead")
        self._by_email = {one.email: one for one in colleagues}
        self.holidays = frozenset(_days(holidays))

    def colleague(self, email: str) -> Colleague:
        """Return the colleague with this address."""
        return self._by_email[email]

    def pick(self, dice: Dice, group: str, language: str, at: datetime) -> Colleague:
        """Draw who takes a ticket: someone who speaks the language, if anyone does, and mostly of the group."""
        there = [who for who in self.at_the_desk if who.since + SETTLING_IN <= at]
        speakers = [who for who in there if language in who.languages] or there
        weights = [who.share * (1.0 if group in who.groups else 0.12) for who in speakers]
        return dice.weighted(speakers, weights)

    def on_shift(self, who: Colleague, moment: datetime, dice: Dice | None = None) -> datetime:
        """Return the moment, or the next one at which the colleague works; the backlog takes them a morning."""
        asked, moment = moment, awake(moment, who.shift)
        while moment.weekday() not in who.days or moment.date() in self.holidays:
            moment = awake((moment + timedelta(days=1)).replace(hour=who.shift[0]), who.shift)
        if moment != asked and dice is not None:
            begins = moment.replace(hour=who.shift[0], minute=0)
            moment = begins + timedelta(hours=BACKLOG_HOURS * dice.uniform() ** 1.6)
        return max(moment, who.since.astimezone(moment.tzinfo)).replace(microsecond=0)

    def at_work(self, who: Colleague, moment: datetime) -> bool:
        """Return whether the colleague is at the desk at this moment."""
        return self.on_shift(who, moment) == moment.replace(microsecond=0)


def _days(holidays: Mapping[str, tuple[str, str]]) -> set[date]:
    found = set[date]()
    for first, last in holidays.values():
        day = date.fromisoformat(first)
        while day <= date.fromisoformat(last):
            found.add(day)
            day += timedelta(days=1)
    return found
