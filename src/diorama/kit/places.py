"""Compare addresses as people write them: case, accents, signs, blanks and the usual abbreviations do not count."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SHORT = {
    # English
    "street": "st", "saint": "st", "avenue": "av", "ave": "av", "road": "rd", "boulevard": "bd", "blvd": "bd",
    "drive": "dr", "lane": "ln", "court": "ct", "place": "pl", "square": "sq", "terrace": "ter", "terr": "ter",
    "crescent": "cres", "highway": "hwy", "parkway": "pkwy", "close": "cl", "gardens": "gdns", "mount": "mt",
    "apartment": "apt", "flat": "apt", "unit": "apt", "suite": "ste", "floor": "fl", "building": "bldg",
    "north": "n", "south": "s", "east": "e", "west": "w",
    # German
    "strasse": "str", "platz": "pl", "allee": "all", "wohnung": "apt", "whg": "apt", "etage": "fl", "sankt": "st",
    "postfach": "pf",
    # Spanish
    "calle": "c", "avenida": "av", "avda": "av", "plaza": "pl", "pza": "pl", "plza": "pl", "paseo": "p",
    "carretera": "ctra", "piso": "fl", "izquierda": "izq", "derecha": "dcha", "dch": "dcha",
    # French
    "rue": "r", "bld": "bd", "chemin": "ch", "che": "ch", "impasse": "imp", "route": "rte", "faubourg": "fbg",
    "sainte": "ste", "appartement": "apt", "app": "apt", "appt": "apt", "batiment": "bat", "quai": "q",
    # Dutch
    "straat": "str", "laan": "ln", "plein": "pln", "gracht": "gr", "kade": "kd", "verdieping": "fl", "sint": "st",
}  # fmt: skip
"""Abbreviations of the five languages; the long word and every short one become the same."""
_IGNORED = frozenset({"no", "nr", "num", "numero", "number", "nummer", "hausnummer", "de", "du", "des", "la"})
_ENDINGS = (
    ("strasse", "str"), ("straat", "str"), ("platz", "pl"), ("plein", "pln"), ("laan", "ln"), ("gracht", "gr"),
    ("kade", "kd"),
)  # fmt: skip
"""Words for a street at the end of its name, written as one word: Hauptstraße, Hauptstr."""
_LETTERS = str.maketrans({"ß": "ss", "ẞ": "ss", "ø": "o", "œ": "oe", "æ": "ae", "ł": "l", "đ": "d"})
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_FIRST_NUMBER = re.compile(r"^(\d+[a-z]?(?: ?(?:bis|ter))?)\b +(.*[a-z].*)$")
_COUNTRY_MARK = re.compile(r"^[a-z]{1,3}-(?=\d)")


def plain(text: str) -> str:
    """Return a text in lower case without accents and signs, with single blanks."""
    lower = unicodedata.normalize("NFKD", str(text).casefold().translate(_LETTERS))
    letters = "".join(one for one in lower if not unicodedata.combining(one))
    return " ".join(re.sub(r"[^\w]+", " ", letters).split())


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return a street, a town or a name in one form for all its ordinary spellings; house numbers come last."""
    words = _FIRST_NUMBER.sub(r"\2 \1", plain(text)).split()
    short = "".join(f" {one}" if one[0].isdigit() else one for one in map(_short, words) if one)
    return re.sub(r"(\d) ([a-z])$", r"\1\2", short).strip()


def _short(word: str) -> str:
    if word in _IGNORED:
        return ""
    if word in _SHORT:
        return _SHORT[word]
    for long, brief in _UMLAUTS:
        word = word.replace(long, brief)
    return next((word.removesuffix(long) + brief for long, brief in _ENDINGS if word.endswith(long)), word)


def same_part(part: str, one: str, other: str) -> bool:
    """Check whether two spellings of a part of an address, such as `line1` or `postal_code`, mean the same."""
    if part == "postal_code":
        return _code(one) == _code(other)
    return folded(one) == folded(other)


def _code(text: str) -> str:
    """Return a postcode without blanks, signs and the mark of a country: `NL-1012 ab` is 1012ab."""
    return plain(_COUNTRY_MARK.sub("", str(text).casefold().strip())).replace(" ", "")


def words_of(text: str) -> frozenset[str]:
    """Return the words of a part of an address, each in one form for all its spellings."""
    return frozenset(filter(None, map(_short, plain(text).split())))
