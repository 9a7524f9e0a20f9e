"""The days on which parcels arrived, compared with what a clause says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Parcel, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.parcel_words import BROUGHT, OF_TODAY, ORDER_CAME
from diorama.rewards.claims.relations import Wrong


def on_another_day(case: Case, clause: Clause, state: str, parcels: Sequence[Parcel]) -> Wrong | None:
    """Return the contradiction if a parcel arrived, was lost or returned on another day than a clause says."""
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    if state != "arrived" or len(days) != 1:
        return None
    own = {one.closed for one in parcels if one.status == state} - {""}
    if not own:
        return None
    if any(_is_near(case, reading, one) for reading in days[0].readings for one in own):
        return None
    received = any(one.kind == "return" and one.status == "received" for one in case.things)
    later = any(_with_year(case, reading) > max(own) for reading in days[0].readings)
    if (received and later) or _ORDERED.search(clause.words):  # the day of a return, or of the order
        return None
    return "state", f"arrived on {', '.join(sorted(own))}", f"the text says {days[0].value}"


_ORDERED = re.compile(
    r"\b(?:ordered|placed|bought|bestellt|gekauft|aufgegeben|commandee?s?|passee?|achetee?|pidio|pedid[oa]"
    r"|compr\w+|besteld"
    r"|geplaatst|gekocht)\b(?:\s\S+){0,3}?\sx(?:date|day)\b"
)
"""A day on which something was ordered."""


def _with_year(case: Case, reading: str) -> str:
    return case.today[:4] + reading[1:] if reading.startswith("--") else reading


def _is_near(case: Case, reading: str, day: str) -> bool:
    """Check whether a day is another one, or the one beside it: time zones differ."""
    said = day[:4] + reading[1:] if reading.startswith("--") else reading
    try:
        return abs((date.fromisoformat(said) - date.fromisoformat(day)).days) <= 1
    except ValueError:
        return True


def days_before(day: str, days: int) -> str:
    """Return the day that many days before another; "" if there is none."""
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat() if day else ""


def came_in_today(case: Case, clause: Clause, orders: Sequence[Thing | None]) -> bool:
    """Check whether what came in is an order of today, and no parcel: `your order of today has arrived`."""
    today = case.today[:10]
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    told = all(today in one.readings for one in days) and bool(days or OF_TODAY.search(clause.words))
    if not told or any(one is not None and one.placed != today for one in orders):
        return False
    return ORDER_CAME.search(clause.words) is not None and BROUGHT.search(clause.words) is None
