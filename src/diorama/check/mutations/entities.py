"""Values in texts: ids, record numbers, amounts, dates and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Any

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero januari",
            "february feb februar février febrero februari",
            "march mar märz mars marzo maart",
            "april apr avril abril",
            "may mai mayo mei",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août agosto augustus",
            "september sep sept septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
"""The months in five languages."""
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)")
_POINTS = re.compile(r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](20\d\d)(?!\d)")
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?({_NAMES})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_NAMES})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*:)", re.IGNORECASE)
DAYS = (_ISO, _POINTS, _DAY_FIRST, _MONTH_FIRST)
"""The ways in which people write a day."""
AMOUNT = re.compile(
    r"(?:€|\$|EUR|CAD)\s?(\d{1,6}(?:[.,]\d{2})?)(?!\d)|"
    r"(?<![\d.,-])(\d{1,6}[.,]\d{2})(?![\d-]|\.\d)(?:\s?(?:€|\$|EUR|CAD|euros?|dollars?))?|"
    r"(?<![\d.,-])(\d{1,6})\s?(?:€|\$|EUR\b|CAD\b|euros?\b|dollars?\b)",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\b[A-Z]{2,4}-?\d{4,}(?:-[A-Z0-9]+)*\b|\b(?=[A-Z0-9]*\d{8})[A-Z0-9]{12,22}\b")
"""A record number such as LK-11410, a serial number, or a tracking number such as 05208307940202."""
TOKEN = re.compile(r"\b[a-z]{2,5}_(?=[A-Za-z0-9]*[A-Z0-9])[A-Za-z0-9]{8,}\b")
"""An id such as ch_3locLLawtKJr0BKz."""
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
Day = tuple[int, int]
"""Month and day; people leave the year out."""


@lru_cache(maxsize=4096)
def days_in(text: str) -> frozenset[Day]:
    """Return the days that a text names."""
    found = {(int(month), int(day)) for _, month, day in _ISO.findall(text)}
    found |= {(int(month), int(day)) for day, month, _ in _POINTS.findall(text)}
    found |= {(MONTHS[name.lower()], int(day)) for day, name in _DAY_FIRST.findall(text)}
    found |= {(MONTHS[name.lower()], int(day)) for name, day in _MONTH_FIRST.findall(text)}
    return frozenset(one for one in found if _is_day(one))


def _is_day(one: Day) -> bool:
    try:
        date(2024, *one)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)
def cents_in(text: str) -> frozenset[int]:
    """Return the amounts that a text states, in cents."""
    found = set()
    for groups in AMOUNT.findall(text):
        whole, _, rest = next(group for group in groups if group).replace(",", ".").partition(".")
        found.add(int(whole) * 100 + int(rest or 0))
    return frozenset(found)


def written(cents: int, currency: str) -> str:
    """Return an amount as people write it."""
    return f"{cents // 100}.{cents % 100:02d} {currency}"


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every plain value inside arguments, with the name of its field."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value
