"""Shifts: who takes a ticket, and when they are at work."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache

from diorama.kernel import Dice
from diorama.people.rhythms import awake
from diorama.worlds.larkspur.company import AT_THE_DESK, HOLIDAYS, Colleague

MORNING_HOURS = 5.0
"""So long it takes a colleague to get through what came while nobody was there."""


def pick_colleague(dice: Dice, group: str, language: str) -> Colleague:
    """Who takes it: somebody of the group, and far better one who speaks the language."""
    fluent = 2.5 if language == "en" else 9.0
    weights = [
        who.share * (1.0 if group in who.groups else 0.12) * (fluent if language in who.languages else 1.0)
        for who in AT_THE_DESK
    ]
    return dice.weighted(AT_THE_DESK, weights)


def on_shift(who: Colleague, moment: datetime, dice: Dice | None = None) -> datetime:
    """The moment, or the next one at which the colleague is at work; what waited is worked off over the morning."""
    asked, moment = moment, awake(moment, who.shift)
    while moment.weekday() not in who.days or moment.date() in holidays():
        moment = awake((moment + timedelta(days=1)).replace(hour=who.shift[0]), who.shift)
    if moment != asked and dice is not None:
        begins = moment.replace(hour=who.shift[0], minute=0)
        moment = begins + timedelta(hours=MORNING_HOURS * dice.uniform() ** 1.6)
    return max(moment, who.since).replace(microsecond=0)


def at_work(who: Colleague, moment: datetime) -> bool:
    """Whether the colleague is at the desk at this very moment."""
    return on_shift(who, moment) == moment.replace(microsecond=0)


@cache
def holidays() -> frozenset[date]:
    """Every day on which nobody is at the desk."""
    found = set[date]()
    for first, last in HOLIDAYS.values():
        day = date.fromisoformat(first)
        while day <= date.fromisoformat(last):
            found.add(day)
            day += timedelta(days=1)
    return frozenset(found)
