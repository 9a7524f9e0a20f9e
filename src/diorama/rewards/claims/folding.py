"""Fold a text for reading: lower case, no accents, no invisible characters, with a way back to the original places."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

_LETTERS = {
    "ß": "s",
    "ẞ": "s",
    "ø": "o",
    "Ø": "o",
    "œ": "o",
    "Œ": "o",
    "æ": "a",
    "Æ": "a",
    "ł": "l",
    "Ł": "l",
    "đ": "d",
}
_SIGNS = {
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u00b4": "'", "`": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2212": "-", "\u2013": "\u2013", "\u2014": "\u2013",
}  # fmt: skip


def _fold_letter(letter: str) -> str | None:
    """Return what one character is read as, or None if it is invisible."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter in "äöüÄÖÜ":
        return letter.lower()  # wurde and würde are different words
    if letter in _LETTERS:
        return _LETTERS[letter]
    category = unicodedata.category(letter)
    if category in {"Mn", "Me", "Cf"}:
        return None
    if category in {"Zs", "Zl", "Zp"}:
        return "\n" if category != "Zs" else " "
    plain = unicodedata.normalize("NFKD", letter)
    bases = [one for one in plain if not unicodedata.combining(one)]
    return bases[0].lower()[:1] if len(bases) == 1 else letter.lower()[:1]


class _Folds(dict[int, str | None]):
    """A table for `str.translate` that is filled when a character is first seen."""

    def __missing__(self, code: int) -> str | None:
        folded = _fold_letter(chr(code))
        if len(self) < 4096:  # a text with every character of Unicode must not keep them all
            self[code] = folded
        return folded


_TABLE = _Folds()


class Folded(NamedTuple):
    """A folded text and where its characters stood."""

    text: str
    dropped: tuple[int, ...]
    """For each dropped character, how many characters were kept before it."""

    def place(self, position: int) -> int:
        """Return the place in the original text of a place in the folded one."""
        return position + bisect_right(self.dropped, position) if self.dropped else position


def fold(text: str) -> str:
    """Return a text as it is read: lower case, without accents."""
    return text.lower() if text.isascii() else text.translate(_TABLE)


def fold_places(text: str) -> Folded:
    """Fold a text and remember which characters were dropped."""
    folded = fold(text)
    if len(folded) == len(text):
        return Folded(folded, ())
    invisible = re.compile("[" + "".join(re.escape(one) for one in set(text) if _TABLE[ord(one)] is None) + "]")
    dropped = [found.start() - before for before, found in enumerate(invisible.finditer(text))]
    return Folded(folded, tuple(dropped))
