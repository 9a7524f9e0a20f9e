"""Split a text into sentences and clauses, and find what is quoted, asked or conditional."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from diorama.rewards.claims.lexicon import LANGUAGES, Language, breaks_of, evidence, words
from diorama.rewards.claims.values import CHARACTERS, Value

CLAUSES = 150
"""How many clauses of one text are read."""
LONGEST_CLAUSE = 400


class Clause(msgspec.Struct, frozen=True):
    """One clause of a folded text, with values replaced by words such as `xamount`."""

    start: int
    end: int
    sentence: tuple[int, int]
    words: str
    language: str
    conditional: bool = False
    """It states a condition, or depends on one in the same sentence."""
    question: bool = False
    values: tuple[Value, ...] = ()


_SENTENCE_END = re.compile(r"[.!?\u2026]+[\"')\]]*(?=\s|$)|\n\s*|;\s|\s[-\u2013\u2022*]\s|\s=\s")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|nr|no|st|co|ca|z|b|d|h|u|a|sr|sra|srta|mme|mlle|m|dhr|mevr|mw|bzw|inkl|zzgl|approx|tel|evtl|ggf|art"
    r"|jan|feb|fev|febr|mar|apr|jun|jul|aug|sep|sept|okt|oct|nov|dec|dez|janv|fevr|avr|juil|ene|abr|ago|dic|mrt))$"
)
_BREAK = re.compile(r"[,:()\[\]\u2013\u2014]\s|\s[(\u2013]|\)")


_EVEN_IF = words(
    "even if|as if|meme si|auch wenn|selbst wenn|aun si|ook als|zelfs als|as well as|wie auch|"
    "this once|just once|once more|once again|at once|only once|for once|more than once|"
    "once and for all|een keer als|una vez mas|en cuanto a|en cuanto al|selon nous|segun nosotros"
)
"""Words that look like a condition and are none."""


_ELIDED = re.compile(r"\W*(?:just )?(?:\w{3,}ed|sent|done|put|gestorniert|erledigt|geschickt|gek\w+digt|pausiert)\b")
"""A clause without a subject that begins with what was done: `paused the plan for you`."""


def sentences(text: str, values: Sequence[Value] = ()) -> list[tuple[int, int]]:
    """Return the places of the sentences of a folded text; a full stop inside a value ends none."""
    whole = [(one.start, one.end) for one in values if "." in text[one.start : one.end]]
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        if end[0][0] == "." and len(end[0]) == 1 and _ABBREVIATION.search(text, max(0, end.start() - 8), end.start()):
            continue
        if end[0][0] == "." and any(first < end.start() < last for first, last in whole):
            continue
        if end.end() > start and text[start : end.end()].strip():
            found.append((start, end.end()))
        start = end.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def language_of(text: str, otherwise: str = "en") -> str:
    """Return the language that most of the small words belong to."""
    said = re.findall(r"[a-zäöü']+", text)
    counts = {name: sum(weights.get(word, 0) for word in said) for name, weights in evidence().items()}
    best = max(counts, key=lambda name: (counts[name], name == otherwise))
    return best if counts[best] > 0 else otherwise


def read_clauses(text: str, values: Sequence[Value]) -> list[Clause]:
    """Return the clauses of a folded text, in order, up to the caps."""
    text = text[:CHARACTERS]
    main = language_of(text)
    found: list[Clause] = []
    for start, end in sentences(text, values):
        if len(found) >= CLAUSES:
            break
        name = language_of(text[start:end], main)
        found += _clauses_of(text, start, end, LANGUAGES[name], values)
    return found[:CLAUSES]


def _clauses_of(text: str, start: int, end: int, language: Language, values: Sequence[Value]) -> list[Clause]:
    inside = [one for one in values if start <= one.start and one.end <= end]
    covered = [(one.start, one.end) for one in inside]
    places = [start]
    for pattern in (_BREAK, breaks_of(language.name)):
        for cut in pattern.finditer(text, start, end):
            if not any(first < cut.start() + 1 <= last - 1 for first, last in covered):
                places.append(cut.end() if pattern is _BREAK else cut.start())
    places = sorted({*places, end})
    question = text[start:end].rstrip("\"') \n").endswith("?")
    clauses: list[Clause] = []
    condition = False
    for first, last in pairwise(places):
        here = [one for one in inside if first <= one.start and one.end <= last]
        masked = _masked(text, first, min(last, first + LONGEST_CLAUSE), here)
        if not masked.strip(" ,.:()-"):
            continue
        condition = condition or bool(words(language.conditional).search(_EVEN_IF.sub(" ", masked)))
        clauses.append(Clause(first, last, (start, end), masked, language.name, condition, question, tuple(here)))
    if condition:  # what is promised before "if" depends on it too; what is already done does not
        clauses = [
            one
            if one.conditional or words(language.finished).search(one.words) or _ELIDED.match(one.words)
            else msgspec.structs.replace(one, conditional=True)
            for one in clauses
        ]
    return clauses


def _masked(text: str, start: int, end: int, values: Sequence[Value]) -> str:
    """Return a stretch of text with its values replaced by words."""
    parts, place = [], start
    for one in values:
        if one.start >= end:
            break
        parts += [text[place : one.start], " x" + one.kind + " "]
        place = one.end
    parts.append(text[place:end])
    return " ".join("".join(parts).split())


_QUOTED = re.compile(r"(?m)^[ \t]*>.*$|\"[^\"\n]{8,600}\"")


def quotations(text: str, thread: str) -> list[tuple[int, int]]:
    """Return the places of quotations in a folded text that stand verbatim in the folded thread."""
    found = []
    for quote in _QUOTED.finditer(text):
        inner = " ".join(quote[0].strip('"> \t').split())
        if inner and inner in thread:
            found.append((quote.start(), quote.end()))
    return found
