"""How a customer skims a reply: what it asks for, what it claims is done, and what it promises by when."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import TypeVar

import msgspec

from diorama.people.material import load

R = TypeVar("R")
READ_AT_MOST = 6_000
"""How many characters of a text are read; the rest is ignored."""
SIGNS_AT_MOST = 40
"""How many signs and blanks in a row are read; the rest of them is left out."""
STRETCH = 400
"""After how many characters without an end of a sentence or line one is assumed, so that no pattern looks further."""


def too_long(text: str) -> bool:
    """Check whether a text is longer than what people read of it."""
    return len(text) > READ_AT_MOST


def reads(function: Callable[[str], R]) -> Callable[[str], R]:
    """Let a pure function of a text see what a person skims of it (`skimmed`), once per text.

    Replies are read again after every turn, so a result that is not kept makes each turn slower than the last.
    """
    kept = lru_cache(maxsize=256)(function)

    @wraps(function)
    def of(text: str) -> R:
        return kept(skimmed(text))

    return of


def skimmed(text: str) -> str:
    """Return the first `READ_AT_MOST` characters of a text, with short rows of signs and an end for long sentences.

    Patterns that begin anywhere and run on to the end of a sentence take a time that grows with the square of its
    length; here that is bounded.
    """
    shorter = _SIGNS.sub(r"\1", text[:READ_AT_MOST])
    return _STRETCH.sub(r"\g<0>.\n", shorter)


class Reading(msgspec.Struct, frozen=True):
    """What a person understood from a message."""

    asks: tuple[str, ...] = ()
    """Facts the writer asks for."""
    claims: tuple[str, ...] = ()
    """Actions the writer claims are done."""
    promise_hours: float | None = None
    rude: bool = False
    question: bool = False
    requests: bool = False
    """Whether the writer wants something of the reader, understood or not."""
    done: bool = False
    """Whether the writer says that something was done now."""
    points: tuple[str, ...] = ()
    """The dates and numbers of records that the text names."""


_SIGNS = re.compile(rf"(\W{{{SIGNS_AT_MOST}}})\W+")
_STRETCH = re.compile(rf"[^\n.!?]{{{STRETCH}}}(?![\n.!?])")
HOURS = {"hours": 1.0, "days": 24.0, "working_days": 34.0, "weeks": 168.0}
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r"[,;:] | (?:and|but|und|aber|et|mais|y|pero|en|maar) ")
_NUMBER = r"(?<!\d)[0-9]{1,4}(?!\d)"
"""A number of hours, days or weeks that a person takes seriously; a longer one is ignored."""
_CARD_IS_NAMED = re.compile(r"\b(?:end|termin|acaba|finit|eindig)\w*\W+(?:\w{2,4}\W+)?[*x•]*\d{4}\b", re.IGNORECASE)
"""A card that is named by its digits: "your card ending in 4242"."""
_POINT = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./](?:\d\d(?:\d\d)?)?"
    r"|\b\d{1,2}(?:st|nd|rd|th|er|\.)? (?:of |de )?(?:jan|feb|f[ée]v|mar|m[aä]r|maart|apr|avr|ma[iy]|mei|ju[nil]|"
    r"aug|ao[uû]|ago|sep|oct|okt|nov|dec|dez|d[ée]c)[a-zéû]*"
    r"|\b(?:jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b"
    r"|\b[A-Za-z]{1,4}[-_]?\d[A-Za-z0-9-]{3,40}|\b[a-z]{2,4}_[A-Za-z0-9]{6,40}|\b\d{7,40}\b",
    re.IGNORECASE,
)
"""A date, or the number of an order, a parcel or another record."""
_HISTORY = re.compile(r"^(?:-----Original|---------- |##-|(?:On|Am|Le|El|Op) .{4,80}:$)")


class _Patterns:
    """The compiled patterns for reading."""

    def __init__(self) -> None:
        raw = load("reading")
        marks, promises = raw["marks"], raw["promises"]
        self.items = {item: _any(words) for item, words in raw["items"].items()}
        self.deeds = {deed: _any(words) for deed, words in raw["deeds"].items()}
        groups = {name: _any(words) for name, words in raw["groups"].items()}
        self.gathered = {
            item: [[groups[name] for name in way] for way in ways] for item, ways in raw["gathered"].items()
        }
        self.asking, self.courtesy = _words_from(marks["asking"]), _words_from(marks["courtesy"])
        self.lacking, self.condition = _words(marks["lacking"]), _words(marks["condition"])
        self.giving = _words_from(marks["giving"])
        self.thanks = re.compile(rf"\b(?:{'|'.join(marks['thanks'])})\b[^,;.!?]*", re.IGNORECASE)
        self.reasons = re.compile("|".join(marks["reasons"]), re.IGNORECASE)
        self.fresh, self.past = _any(raw["fresh"]["claims"]), _words(raw["fresh"]["past"])
        self.request = re.compile(rf"\?|\b(?:{'|'.join(marks['request'])})", re.IGNORECASE)
        self.done, self.rude = _words(marks["done"]), _words(marks["rude"])
        self.not_done = re.compile(rf"\?|\b(?:{'|'.join(marks['not_done'])})\b", re.IGNORECASE)
        lead, spread = "|".join(promises["lead"]), "|".join(promises["range"])
        self.within = {
            unit: re.compile(
                rf"\b(?:{lead})\s+(?:{_NUMBER}\s*(?:{spread})\s*)?({_NUMBER})\s*(?:{'|'.join(promises[unit])})\b",
                re.IGNORECASE,
            )
            for unit in HOURS
        }
        self.soon = ((_words(promises["today"]), 12.0), (_words(promises["tomorrow"]), 30.0))


def _any(words: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


def _words_from(words: list[str]) -> re.Pattern[str]:
    """Return a pattern of words that may have any ending."""
    return re.compile(rf"\b(?:{'|'.join(words)})", re.IGNORECASE)


def _words(words: list[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


@cache
def _patterns() -> _Patterns:
    return _Patterns()


def load_patterns() -> None:
    """Compile the patterns that `read` needs."""
    _patterns()


PROMISE_AT_MOST_HOURS = 120.0


def fresh_part(text: str) -> str:
    """Return the new part of a mail, without quoted lines and the history below."""
    lines = []
    for line in text.split("\n"):
        if _HISTORY.match(line):
            break
        if not line.startswith(">"):
            lines.append(line)
    return "\n".join(lines)


@reads
def read(text: str) -> Reading:
    """Return what a message asks for, claims and promises; praise and politeness have no effect."""
    asks: list[str] = []
    claims: list[str] = []
    question = requests = done = False
    known, fresh = _patterns(), fresh_part(text)
    for sentence in _SENTENCE.split(fresh):
        if not sentence.strip():
            continue
        question |= "?" in sentence and not known.courtesy.search(sentence)
        wanted = known.request.search(sentence) is not None
        requests |= wanted
        fresh_words = known.thanks.sub(" ", sentence)  # what staff are thanked for was given
        fresh_words = known.reasons.sub(" ", fresh_words)  # why something is asked for, and what it is for
        if wanted or _is_lacking(known, fresh_words):
            asks += [item for item, pattern in known.items.items() if item not in asks and pattern.search(fresh_words)]
            asks += [item for item in _gathered(fresh_words) if item not in asks]
        elif known.asking.search(fresh_words):
            asks += [item for item in _gathered(fresh_words) if item not in asks]
        done |= any(_is_fresh(known, part) for part in (sentence, *_CLAUSE.split(sentence)))
        if not known.done.search(sentence):
            continue  # then none of its parts does
        for part in (sentence, *_CLAUSE.split(sentence)):
            if known.done.search(part) and not known.not_done.search(part):
                claims += [deed for deed, pattern in known.deeds.items() if deed not in claims and pattern.search(part)]
    return Reading(
        tuple(asks),
        tuple(claims),
        promise_of(fresh),
        bool(known.rude.search(fresh)),
        question,
        requests,
        done,
        tuple(dict.fromkeys(_POINT.findall(fresh))) if done else (),
    )


def _is_lacking(known: _Patterns, sentence: str) -> bool:
    """Check whether a sentence says that the writer lacks something, or acts only once they are given something."""
    if known.lacking.search(sentence):
        return True
    return known.condition.search(sentence) is not None and known.giving.search(sentence) is not None


def _is_fresh(known: _Patterns, part: str) -> bool:
    """Check whether a clause says that something was done now: not planned, not denied, not long ago."""
    return bool(known.fresh.search(part)) and not known.not_done.search(part) and not known.past.search(part)


def _gathered(sentence: str) -> list[str]:
    """Return the items that several words of a sentence ask for; a card whose digits are stated is not asked for."""
    if _CARD_IS_NAMED.search(sentence):
        return []
    found = []
    for item, ways in _patterns().gathered.items():
        if any(all(group.search(sentence) for group in way) for way in ways):
            found.append(item)
    return found


def promise_of(text: str) -> float | None:
    """Return the longest wait that a message announces, in hours, up to `PROMISE_AT_MOST_HOURS`; None without one."""
    known = _patterns()
    waits = [hours for pattern, hours in known.soon if pattern.search(text)]
    for unit, pattern in known.within.items():
        waits += [int(number) * HOURS[unit] for number in pattern.findall(text)]
    return min(max(waits), PROMISE_AT_MOST_HOURS) if waits else None
