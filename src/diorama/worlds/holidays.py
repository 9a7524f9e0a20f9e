"""Public holidays by country: days on which carriers neither collect nor deliver."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache

FIXED: dict[str, tuple[tuple[int, int], ...]] = {
    "AT": ((1, 1), (1, 6), (5, 1), (8, 15), (10, 26), (11, 1), (12, 8), (12, 25), (12, 26)),
    "BE": ((1, 1), (5, 1), (7, 21), (8, 15), (11, 1), (11, 11), (12, 25)),
    "CA": ((1, 1), (7, 1), (11, 11), (12, 25), (12, 26)),
    "DE": ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26)),
    "ES": ((1, 1), (1, 6), (5, 1), (8, 15), (10, 12), (11, 1), (12, 6), (12, 8), (12, 25)),
    "FR": ((1, 1), (5, 1), (5, 8), (7, 14), (8, 15), (11, 1), (11, 11), (12, 25)),
    "GB": ((1, 1), (12, 25), (12, 26)),
    "IE": ((1, 1), (3, 17), (12, 25), (12, 26)),
    "NL": ((1, 1), (4, 27), (12, 25), (12, 26)),
    "US": ((1, 1), (7, 4), (12, 25)),
}
"""Month and day of holidays with a fixed date."""
EASTER: dict[str, tuple[int, ...]] = {
    "AT": (1, 39, 50, 60),
    "BE": (1, 39, 50),
    "CA": (-2,),
    "DE": (-2, 1, 39, 50),
    "ES": (-2,),
    "FR": (1, 39, 50),
    "GB": (-2, 1),
    "IE": (1,),
    "NL": (1, 39, 50),
    "US": (),
}
"""Days after Easter Sunday: Good Friday, Easter Monday, Ascension Day, Whit Monday, Corpus Christi."""

MOVABLE: dict[str, tuple[tuple[int, int, int], ...]] = {
    "CA": ((5, 18, 0), (9, 1, 0), (10, 8, 0)),
    "GB": ((5, 1, 0), (5, 25, 0), (8, 25, 0)),
    "IE": ((2, 1, 0), (5, 1, 0), (6, 1, 0), (8, 1, 0), (10, 25, 0)),
    "US": ((1, 15, 0), (2, 15, 0), (5, 25, 0), (9, 1, 0), (11, 22, 3)),
}
"""Holidays on the first such weekday (0 is Monday) on or after a month and day: Victoria Day, bank holidays ..."""


def easter(year: int) -> date:
    """Return Easter Sunday of a year (Gregorian computus)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap = century - century // 4 - (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + leap + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


@cache
def public_holidays(country: str, year: int) -> frozenset[date]:
    """Return the public holidays of a country in a year; empty for a country that is not listed."""
    found = {date(year, month, day) for month, day in FIXED.get(country, ())}
    found |= {easter(year) + timedelta(days=days) for days in EASTER.get(country, ())}
    return frozenset(found | {_weekday_from(date(year, *day), weekday) for *day, weekday in MOVABLE.get(country, ())})


def _weekday_from(day: date, weekday: int) -> date:
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def closed_days(countries: Iterable[str], years: Iterable[int]) -> dict[str, tuple[str, ...]]:
    """Return the public holidays of several countries as ISO dates, as the back office's settings hold them."""
    listed = list(years)
    return {
        country: tuple(sorted(day.isoformat() for year in listed for day in public_holidays(country, year)))
        for country in countries
    }
