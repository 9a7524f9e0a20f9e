"""Cheap signs of values in a text: without its sign a pattern fits nowhere and need not be tried."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from diorama.kit.lazy_patterns import re

_DIGIT = re.compile(r"\d")
_THREE = re.compile(r"\d{3}")
_FOUR = re.compile(r"\d{4}")
MONEY = ("\u20ac", "$", "\u00a3", "eur", "cad", "usd", "gbp", "chf", "dollar", "dolar", "pound", "bucks", "quid")
"""Parts of every sign and word for a currency."""
PERCENT = ("%", "cent", "prozent", "ciento")
POSTCODE = ("post", "zip", "plz")
HOUSE = ("house", "haus", "maison", "casa", "huis")


class Cues(NamedTuple):
    """What a folded text has; the fields name what patterns need."""

    digits: int
    """How many digits."""
    three: bool
    """Three digits in a row."""
    four: bool
    """Four digits in a row."""
    marks: frozenset[str]
    """Which of the signs in dates, times and numbers."""
    money: bool
    percent: bool
    postcode: bool
    house: bool


EVERYTHING = Cues(99, True, True, frozenset("./-,:h_@"), True, True, True, True)
"""The cues of a text for which every pattern is tried."""


@lru_cache(maxsize=64)
def cues_of(text: str) -> Cues:
    """Return the cues of a folded text."""
    digits = len(_DIGIT.findall(text))
    three = digits > 2 and _THREE.search(text) is not None
    return Cues(
        digits,
        three,
        three and _FOUR.search(text) is not None,
        frozenset([one for one in "./-,:h_@" if one in text]),
        _has(text, MONEY),
        _has(text, PERCENT),
        digits > 0 and _has(text, POSTCODE),
        digits > 0 and _has(text, HOUSE),
    )


def _has(text: str, parts: tuple[str, ...]) -> bool:
    return any(one in text for one in parts)
