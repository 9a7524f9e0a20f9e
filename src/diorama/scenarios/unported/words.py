"""Write and parse amounts, dates and claims in texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from diorama.people.reading import reads

_MONEY = re.compile(
    r"(?:€|\$|EUR|CAD)\s?(\d{1,6}(?:[.,]\d{2})?)(?!\d)|"
    r"(?<![\d.,-])(\d{1,6}[.,]\d{2})(?![\d-]|\.\d)(?:\s?(?:€|\$|EUR|CAD|euros?|dollars?))?|"
    r"(?<![\d.,-])(\d{1,6})\s?(?:€|\$|EUR\b|CAD\b|euros?\b|dollars?\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=[.!?])\s+|\n+|[;,]\s")
_NO = re.compile(r"\b(?:no|not|never|cannot|can't|neither|nor|without|unable|instead of)\b|n't\b", re.IGNORECASE)
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def money(cents: int, currency: str = "EUR") -> str:
    """Format cents: 12900 -> 129.00 EUR."""
    return f"{cents // 100}.{cents % 100:02d} {currency}"


@reads
def amounts_in(text: str) -> frozenset[int]:
    """Return every amount of money that a text states, in cents."""
    found = set()
    for groups in _MONEY.findall(text):
        number = next(group for group in groups if group).replace(",", ".")
        whole, _, rest = number.partition(".")
        found.add(int(whole) * 100 + int(rest or 0))
    return frozenset(found)


def spoken_dates(moment: datetime) -> tuple[str, ...]:
    """Return the ways in which people write a date."""
    month, day = MONTHS[moment.month - 1], moment.day
    ordinal = f"{day}{'th' if 10 <= day % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    return (
        f"{moment:%Y-%m-%d}",
        f"{day} {month}",
        f"{month} {day}",
        f"{day} {month[:3]}",
        f"{month[:3]} {day}",
        f"{ordinal} of {month}",
        f"{month} {ordinal}",
        f"{moment:%d.%m.%Y}",
        f"{moment:%d/%m/%Y}",
        f"{day}.{moment.month}.{moment.year}",
        f"{ordinal} {month}",
        f"{ordinal} {month[:3]}",
        f"{ordinal} of {month[:3]}",
        f"{month[:3]} {ordinal}",
        f"{moment:%d} {month}",
        f"{moment:%d} {month[:3]}",
    )


def mentions(text: str, way: str) -> bool:
    """Check whether a text contains these words, not inside a longer number: `1 May` is not in `21 May`."""
    place = text.find(way)
    while place >= 0:
        end = place + len(way)
        if not text[max(0, place - 1) : place].isdigit() and not text[end : end + 1].isdigit():
            return True
        place = text.find(way, place + 1)
    return False


def stated(text: str, patterns: Mapping[str, re.Pattern[str]]) -> frozenset[str]:
    """Return the kinds of statements that a text makes; clauses with a negation are ignored. Callers use `reads`."""
    clauses = dict.fromkeys(one for one in _CLAUSE.split(text) if not _NO.search(one))
    return frozenset(kind for kind, pattern in patterns.items() if any(pattern.search(one) for one in clauses))


@reads
def says_no(text: str) -> bool:
    """Check whether a text contains a negation."""
    return _NO.search(text) is not None
