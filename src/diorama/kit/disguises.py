"""Other ways to read a text whose words are joined or set apart by signs that are drawn as nothing or as a mark."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache, partial
from urllib.parse import unquote_plus

LONGEST = 65_536
"""How many characters of one text are looked through."""
_INVISIBLE = re.compile(
    "(?<=\\w)[\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+(?=\\w)"
)
"""Characters that are not drawn, between letters."""
_MARKS = frozenset({"Mn", "Me", "Cf"})
_DOUBLED = re.compile(r"(?<=[^\W_])(?:__|\*\*)(?=[^\W_])")
_WORD = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
_STOPS = frozenset(".,;:!?\u2026'\"\u2019\u201c\u201d")
_ASIDE = re.compile('[()\\[\\]{}"\u201c\u201d\u201e\u00ab\u00bb]')
_CAMEL = re.compile(r"(?<![^\W_])(?:[A-Z]?[A-Z](?:-?[a-z])+){4,}(?![^\W_])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LEET = re.compile(
    r"(?<![^\W_])(?<!-)(?!\d+(?:e|er|re|st|nd|rd|th|[kc]?g|[cm]?m|[cm]?l|h|v|w|x|k|am|pm)(?![^\W_]))"
    r"(?=[A-Za-z][a-z]{0,12}[013457]|[013457])(?=[013457]{0,4}[A-Za-z])[A-Z]?[a-z013457]{2,24}(?![^\W_])(?!-\d)"
)
"""Small letters and digits in one word that is not a measure."""
_DIGIT_LETTERS = (str.maketrans("013457", "oieast"), str.maketrans("013457", "oleast"))
_WEB = re.compile(r"(?:https?://|\bwww\.)[^\s/?#<>\"]{1,200}([/?#][^\s<>\"]{1,2000})", re.IGNORECASE)
_WEB_SIGNS = re.compile(r"[/?&=#;_|~+.-]+")
_PAGE = re.compile(r"/hc/(?:[a-z]{2}(?:-[a-z]{2})?/)?(?:[a-z]+(?=/))?|\d{3,}", re.IGNORECASE)
PIECES, WORDS, LINKS = 4, 5, 2
"""How many pieces, words and words that only sentences have a text in pieces has at least."""
_WORDS = (
    "i we you your our my he she they have has had was were is are been be will would not nothing none never no please"
    " the a an of to on in at by for and it this that all from with left"
    " ich wir sie du ihr ihre ihren ihrem dein deine mein unser haben habe hat hatte wurde wurden ist sind wird werden"
    " bitte nicht nichts kein keine die der das den dem ein eine einen und zu f\u00fcr von vom am im um mit alle"
    " je j nous vous votre vos notre nos avons ai a \u00e9t\u00e9 est sont sera seront le la les un une des du pour"
    " rien ne pas et de en sur tout tous"
    " he hemos ha han su sus el los las se fue es ser\u00e1 para nada no y en al del una todo todos"
    " ik wij u uw jouw heb hebben heeft zijn wordt werd de het een niet niets en van voor op aan"
)
_LINKING = frozenset(_WORDS.split())
"""Words that stand in sentences and rarely in lists."""


@lru_cache(maxsize=64)
def other_readings(text: str) -> tuple[str, ...]:
    """Return the other ways in which a person can read a text; none for a text in plain words."""
    text = text[:LONGEST]
    found = [separated(text), *_in_pieces(_WEB.sub(" \n\n", text)), *_addresses(text)]
    if _DOUBLED.search(text):
        found.append(_DOUBLED.sub(" ", text))
    found += [_HUMP.sub(" ", one[0]) for one in _CAMEL.finditer(text)]
    lines = [one for one in text.splitlines() if len(_LEET.findall(one)) > LINKS]
    for letters in _DIGIT_LETTERS:
        found += [_LEET.sub(partial(_with_letters, letters), one) for one in lines]
    return tuple(dict.fromkeys(one for one in found if one))


def _with_letters(letters: dict[int, int], word: re.Match[str]) -> str:
    return word[0].translate(letters)


def separated(text: str) -> str:
    """Return a text with a space for what is not drawn by itself between letters; "" if there is nothing such."""
    if text.isascii():
        return ""
    found, count = _INVISIBLE.subn(" ", text)
    plain = unicodedata.normalize("NFC", found)
    marks = {one for one in set(plain) if one > "\u02ff" and unicodedata.category(one) in _MARKS}
    if marks:  # accents that belong to no letter
        signs = "".join(sorted(re.escape(one) for one in marks))
        plain, more = re.subn(f"(?<=\\w)[{signs}]+(?=\\w)", " ", plain)
        count += more
    return plain if count else ""


def _in_pieces(text: str) -> Iterator[str]:
    """Yield the sentences whose words stand in pieces of one, two or three, with marks or line ends between them."""
    pieces: list[list[str]] = []
    kind, before = "", None
    for word in _WORD.finditer(text):
        gap = text[before.end() : word.start()] if before is not None else "\n"
        before = word
        if gap.isspace() and "\n" not in gap and pieces:
            pieces[-1].append(word[0])
            continue
        fresh = _KINDS.get(gap) or _kind_of(gap)
        if pieces and (fresh != kind or len(pieces[-1]) > _most(kind)):
            yield from _sentence(pieces, kind)
            pieces = [pieces[-1]] if len(pieces[-1]) <= _most(fresh) else []
        kind = fresh
        pieces.append([word[0]])
    if pieces:
        yield from _sentence(pieces, kind)


def _most(kind: str) -> int:
    """Return how many words a piece has at most."""
    return _MOST[kind]


_MOST = {"": 3, "line": 3, "mark": 3, "stop": 1, "aside": 0}


def _kind_of(gap: str) -> str:
    """Return what stands between two words: the end of a line, brackets, a full stop or comma, or another mark."""
    if "\n" in gap:
        return "line"
    if gap[0].isspace() != gap[-1].isspace() and _ASIDE.search(gap):
        return "aside"  # as brackets and quotation marks are written
    return "stop" if _STOPS.issuperset(gap.strip()) and not gap[0].isspace() else "mark"


_KINDS = {one: _kind_of(one) for one in ("\n", "\n\n", "/", "-", "_", "*", "=", "#", ", ", ". ", ",", ".", "'")}
"""The kinds of the usual gaps."""


def _sentence(pieces: list[list[str]], kind: str) -> Iterator[str]:
    """Yield the words of a run of pieces if they may be a sentence."""
    if len(pieces) > 1 and len(pieces[-1]) > _most(kind):
        pieces = [*pieces[:-1], pieces[-1][:1]]
    words = [word for one in pieces for word in one]
    if len(pieces) < PIECES or len(words) < WORDS or len(words) > 2 * len(pieces):
        return
    if sum(one.lower() in _LINKING for one in words) >= LINKS:
        yield " ".join(words) + "."


def _addresses(text: str) -> Iterator[str]:
    """Yield the words of the paths of web addresses, without the numbers of pages."""
    for one in _WEB.finditer(text):
        words = _WEB_SIGNS.sub(" ", _PAGE.sub(" ", unquote_plus(one[1]))).split()
        if len(words) >= WORDS and sum(word.lower() in _LINKING for word in words) >= LINKS:
            yield " ".join(words) + "."


__all__ = ["other_readings", "separated"]
