"""Whose customers the people are: the name by which they call the company, and the time zone they live in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from diorama.kernel import Record, Tx
from diorama.people.schema import APP

_zone = lru_cache(maxsize=64)(ZoneInfo)


@APP.record("settings", cached=True)
class Settings(Record):
    """What the people of one world have in common; there is at most one row."""

    shop: str = ""
    """What customers call the company."""
    shop_name: str = ""
    time_zone: str = "UTC"
    days_off: tuple[str, ...] = ()
    """The days on which no one works at the company, as YYYY-MM-DD."""


def set_up(tx: Tx, *, shop: str, shop_name: str, time_zone: str, days_off: Iterable[date] = ()) -> Settings:
    """Write down whose customers the people of this world are, and when the company is closed."""
    closed = tuple(sorted(day.isoformat() for day in days_off))
    return tx.add(Settings(id=1, shop=shop, shop_name=shop_name, time_zone=time_zone, days_off=closed))


def settings(tx: Tx) -> Settings:
    """Return what the people of this world have in common; a world without a company has the defaults."""
    return tx.find(Settings, 1) or Settings(id=1)


def local_now(tx: Tx) -> datetime:
    """Return the time in the zone where people sleep, work and write."""
    return tx.now.astimezone(_zone(settings(tx).time_zone))
