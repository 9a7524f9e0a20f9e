"""Numbers of past orders and returns: they grow with time, and abandoned drafts leave gaps between them."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

import msgspec

from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.rules.stock import next_number
from diorama.apps.backoffice.schema import Order, Return, Sequence
from diorama.kernel import Dice, Tx

Numbered = Literal["order", "return"]
RETURN_PREFIX = "RMA-"
BOUGHT = 0.1
"""The share of carts and drafts that become a record; the others leave gaps, as if they were drawn one by one."""
MOST_DRAFTS = 60
LOWEST_NUMBER = 1_001
ROOM = 5
"""In gaps wider than this a number is not next to another one.

Gaps are chosen by their time, not by their width, so narrow ones are chosen more often than chance would have it; this
and `NARROW` make up for it: a number is next to another one as often as numbers drawn one by one are.
"""
NARROW = 2
"""Gaps of this width, with one free number, are used only if there are no others near."""
NEIGHBOURS = 40
"""How many records before and after a moment are searched for a gap first; ten times as many if there is none."""
EARLY_DRAFTS = 4
"""The most numbers that are left free below the oldest record, apart from the days between."""
MOMENT = timedelta(minutes=5)
"""How long a gap after the earliest moment has to last."""
_RECORDS: dict[str, type[Order] | type[Return]] = {"order": Order, "return": Return}


class Place(msgspec.Struct, frozen=True):
    """A number, and the moment that it fits."""

    number: str
    at: datetime


def number_at(tx: Tx, kind: Numbered, at: datetime, not_before: datetime | None = None) -> Place:
    """Return a free number for a record of a past moment, so that numbers and dates of all records grow together.

    If the records before and after that moment have consecutive numbers, the moment moves to the nearest gap; never
    before `not_before`, if that is given: then the record may become the newest one.
    """
    at = max(at, not_before + MOMENT) if not_before is not None else at
    prefix = settings(tx).order_prefix if kind == "order" else RETURN_PREFIX
    record = _RECORDS[kind]
    gaps: list[tuple[_Point, _Point]] = []
    reach = NEIGHBOURS
    while not gaps:
        earlier = [_Point.of(one, prefix) for one in _near(tx, record, "created_at <= ?", at, "DESC", reach)][::-1]
        later = [_Point.of(one, prefix) for one in _near(tx, record, "created_at > ?", at, "", reach)]
        if not later:
            return Place(f"{prefix}{_newest(tx, kind)}", at)
        if not earlier:
            return Place(f"{prefix}{_before_all(later[0], at, tx.dice('early number', kind, later[0].number))}", at)
        gaps = [(one, other) for one, other in pairwise([*earlier, *later]) if other.number - one.number > 1]
        if not_before is not None:
            gaps = [(one, other) for one, other in gaps if other.at > not_before + MOMENT]
            if not gaps and len(later) < reach:
                since = max(later[-1].at, not_before)
                drawn = since + (tx.now - since) * tx.dice("newest record", kind, later[-1].number).between(0.1, 0.6)
                return Place(f"{prefix}{_newest(tx, kind)}", drawn)
        if not gaps and max(len(earlier), len(later)) < reach:
            raise LookupError(f"no free number for a past {kind} of {at:%Y-%m-%d}: all numbers are taken")
        reach *= 10
    wide = [(one, other) for one, other in gaps if other.number - one.number > NARROW]
    one, other = min(wide or gaps, key=lambda gap: max(gap[0].at - at, at - gap[1].at, timedelta(0)))
    dice = tx.dice("gap between numbers", kind, one.number, other.number)
    if not one.at <= at < other.at:
        at = _moment_near(at, max(one.at, not_before or one.at), other.at, dice)
    room = 2 if other.number - one.number > ROOM else 1
    return Place(f"{prefix}{dice.integer(one.number + room, other.number - room)}", at)


class _Point(msgspec.Struct, frozen=True):
    """The number and the moment of a record."""

    number: int
    at: datetime

    @classmethod
    def of(cls, record: Order | Return, prefix: str) -> _Point:
        """Read them from a record."""
        return cls(int(record.number.removeprefix(prefix)), record.created_at)


def _near(
    tx: Tx, record: type[Order] | type[Return], where: str, at: datetime, way: str, limit: int
) -> list[Order | Return]:
    return list(tx.all(record, where, at, order=f"created_at {way}, number {way}", limit=limit))


def _newest(tx: Tx, kind: Numbered) -> int:
    number = next_number(tx, kind)
    sequence = tx.get(Sequence, kind)
    dice, drafts = tx.dice("abandoned carts", kind, number), 0
    while drafts < MOST_DRAFTS and not dice.chance(BOUGHT):
        drafts += 1
    tx.change(sequence, next=sequence.next + drafts)
    return number


def _before_all(oldest: _Point, at: datetime, dice: Dice) -> int:
    """Return a number below the oldest record: a few records a day, counted back."""
    skipped = max((oldest.at - at) // timedelta(hours=8), dice.integer(0, EARLY_DRAFTS))
    number = oldest.number - 1 - skipped
    return max(min(LOWEST_NUMBER, oldest.number - 1), number)


def _moment_near(at: datetime, start: datetime, end: datetime, dice: Dice) -> datetime:
    """Draw a moment inside a gap, near the end of it that is closer to `at`, to the second."""
    inside = (end - start) * dice.between(0.02, 0.25)
    drawn = start + inside if start > at else end - inside
    whole = drawn.replace(microsecond=0)
    return whole if whole > start else drawn
