"""Whether a text tells a postal address: its street with the number, and its town or its postcode, in any order."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.values import street_of

_POSTCODE = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|[A-Z]\d[\dW]\s[A-Z\d]{4}|\d{4}\s[A-Z]{2}"
    r"|\d{4,5})\b"
)
_COUNTRY = re.compile(r"[A-Z]{2}")


@lru_cache(maxsize=256)
def _parts(address: str) -> tuple[str, str, str]:
    """Return the line with the street, the postcode and the town of an address on one line; the country is left out."""
    pieces = [one.strip() for one in address.split(",") if one.strip()]
    if len(pieces) > 1 and _COUNTRY.fullmatch(pieces[-1]):
        pieces.pop()
    if len(pieces) < 2 or not any(map(str.isdigit, "".join(pieces[:-1]))):
        return ", ".join(pieces), "", ""
    found = _POSTCODE.search(pieces[-1])
    code = found[0] if found else ""
    return ", ".join(pieces[:-1]), code, pieces[-1].replace(code, "").strip() if code else pieces[-1]


def tells_address(address: str, text: str, streets: Collection[str]) -> bool:
    """Check whether a folded text tells an address; `streets` are the streets that were read in it."""
    line, code, town = _parts(address)
    if not (street_of(line) in streets or _stands(line, text)):
        return False
    return not (code or town) or _stands(code, text) or _stands(town, text)


def _stands(words: str, text: str) -> bool:
    """Check whether words stand in a folded text, with any spaces and commas between them and no apostrophes."""
    letters = re.findall(r"\w", fold(words))
    if not letters:
        return False
    return re.search(r"(?<!\w)" + r"[\s,.'-]{0,3}".join(map(re.escape, letters)) + r"(?!\w)", text) is not None
