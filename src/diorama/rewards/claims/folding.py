"""Fold a text for reading: lower case, no accents, no disguises, with a way back to the original places.

Disguises are invisible characters, letters of other scripts that look Latin, and markup inside words.
"""

from __future__ import annotations

import html
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

from diorama.kit.lazy_patterns import re

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
    "\u3002": ".", "\uff61": ".", "\u2024": ".", "\u2044": "/", "\u2215": "/",
}  # fmt: skip
_LOOKALIKES = {
    ord(other): latin
    for others, latins in (
        (
            "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u0432\u043a\u043c\u043d\u0442\u0451\u0457",
            "aeopcyxijsdhbkmhtei",
        ),
        (
            "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405",
            "abekmhopctyxijs",
        ),
        ("\u03b1\u03bf\u03bd\u03c1\u03b9\u03ba\u03c4\u03c5\u03b5\u03b7\u03c7\u03b3\u03c3", "aovpiktuenxyo"),
        ("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7", "abezhikmnoptyx"),
        ("\u0131\u0251\u0261\u0269\u1d0f\u1d04\u1d07", "iagioce"),
    )
    for other, latin in zip(others, latins, strict=True)
}
"""Letters of other scripts that look like Latin ones."""
FOREIGN = re.compile(r"[\u0250-\u02af\u0370-\u1dff\u1f00-\u1fff\u2c80-\u2dff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]")
"""Letters that do not belong to the languages that are read, with those of phonetic spelling and turned ones."""
HIDING = re.compile("[\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010fffd]")
"""Characters that no program draws, in which a text can be hidden: tags, selectors of variants, private ones."""
FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
"""The flag of a part of a country, the one honest use of tag characters."""
REVERSED = re.compile(r"[\u202d\u202e]")
"""Characters that make a text run in another direction than it is stored."""
_BLANKS = frozenset("\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0\ufffc\U0001d159\u0640\u07fa")
"""Letters and signs that are drawn as a blank, or as a line on which letters stand."""
_ENCLOSED = {
    first + place: letter
    for first in (0x249C, 0x1F110, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
    for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
"""Letters in brackets, circles and squares, and the letters of flags."""
_LOW_LINE = re.compile("[_\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f]")
_WITH_LOW_LINES = re.compile(
    r"https?://\S{1,2000}|\bwww\.\S{1,2000}|(?<![\w.%+-])[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9][a-z0-9.-]{0,200}\.[a-z]{2,12}"
    r"|(?<![a-z0-9_])[a-z]{2,5}_(?=[a-z]{0,39}\d)[a-z0-9]{8,40}(?![a-z0-9_])",
    re.IGNORECASE,
)
"""Web addresses, e-mail addresses and ids, in which a low line is a letter."""
_BETWEEN_LATIN = re.compile(rf"(?<=[a-z0-9]){FOREIGN.pattern}+(?=[a-z0-9])")
_DISGUISE = re.compile(
    r"\*\*|__|</?(?:b|i|u|em|strong|span|font|small|mark)(?:\s[^<>\n]{0,80})?>|(?<=[^\W\d_])-\n(?=[^\W\d_])"
    r"|(?<=\bun)-(?=\w{4})|(?<=\bre)-(?=\w{4})|&#x?[0-9a-f]{1,6};|(?<=\n\n)\s+|(?<=[ \t][ \t])[ \t]+",
    re.IGNORECASE,
)
"""Markup inside words, hyphenation (also of `un-paused`), encoded characters, and blank space after two blanks."""


def _fold_letter(letter: str) -> str | None:
    """Return what one character is read as, or None if it is invisible."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter in "äöüÄÖÜ":
        return letter.lower()  # wurde and würde are different words
    if letter in _LETTERS:
        return _LETTERS[letter]
    if ord(letter) in _LOOKALIKES:
        return _LOOKALIKES[ord(letter)]
    if letter in _BLANKS:
        return " "
    if ord(letter) in _ENCLOSED:
        return _ENCLOSED[ord(letter)]
    category = unicodedata.category(letter)
    if category == "Nd":
        return str(unicodedata.decimal(letter))
    if category == "Lm" and "\u02b9" <= letter <= "\u02ff":
        return " "  # marks that are drawn as a line, a dot or a corner
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
    dropped: tuple[tuple[int, ...], ...]
    """For each pass over the text, from the last to the first: for each character that it dropped, how many were kept
    before it."""
    cased: str
    """The same text with its capital letters; a character stands where its folded one stands."""

    def place(self, position: int) -> int:
        """Return the place in the original text of a place in the folded one."""
        for dropped in self.dropped:
            position += bisect_right(dropped, position)
        return position


def fold(text: str) -> str:
    """Return a text as it is read: lower case, without accents; the Spanish yes stays apart from if."""
    if text.isascii():
        return text.lower()
    return (_YES.sub("sy", text) if "\u00ed" in text or "\u00cd" in text else text).translate(_TABLE)


_YES = re.compile(r"\bs\u00ed\b", re.IGNORECASE)


def fold_places(text: str) -> Folded:
    """Fold a text without its disguises, and remember which characters were dropped."""
    plain, first = _undisguise(text)
    plain = _apart(plain)
    folded = fold(plain)
    passes = [first] if first else []
    if len(folded) != len(plain):
        invisible = re.compile("[" + "".join(re.escape(one) for one in set(plain) if _TABLE[ord(one)] is None) + "]")
        places = (found.start() - before for before, found in enumerate(invisible.finditer(plain)))
        passes.insert(0, tuple(places))
        plain = invisible.sub("", plain)
    if not plain.isascii():
        folded = _BETWEEN_LATIN.sub(lambda found: " " * len(found[0]), folded)
    return Folded(folded, tuple(passes), plain)


def fold_words(text: str) -> str:
    """Return a text as a person reads it: folded, with its words apart where a low line joins them."""
    return fold(_apart(text))


def _apart(text: str) -> str:
    """Return a text of the same length with a blank for each low line that is not a letter of an address or an id."""
    if _LOW_LINE.search(text) is None:
        return text
    parts, place = [], 0
    for kept in _WITH_LOW_LINES.finditer(text):
        parts += [_LOW_LINE.sub(" ", text[place : kept.start()]), kept[0]]
        place = kept.end()
    return "".join([*parts, _LOW_LINE.sub(" ", text[place:])])


def _undisguise(text: str) -> tuple[str, tuple[int, ...]]:
    """Drop markup and blank space, and decode characters; return how many characters were kept before each dropped."""
    parts: list[str] = []
    dropped: list[int] = []
    place = kept = 0
    for found in _DISGUISE.finditer(text):
        said = html.unescape(found[0])[:1] if found[0].startswith("&") else ""
        parts += [text[place : found.start()], said]
        kept += found.start() - place + len(said)
        dropped += [kept] * (found.end() - found.start() - len(said))
        place = found.end()
    return ("".join([*parts, text[place:]]), tuple(dropped)) if place else (text, ())
