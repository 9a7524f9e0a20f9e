"""Internal notes: where a text for a customer repeats what colleagues wrote for each other, word for word."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, InternalNote
from diorama.rewards.claims.folding import fold

RUN = 8
"""How many words in a row are a repetition; numbers, amounts, weekdays and names of goods do not count."""
INTRODUCED = 5
"""How many are one in a paragraph that names an internal note, or a note with a colon or a colleague's address."""
QUOTED = 5
"""How many are one in quotation marks; here numbers and names count, but two words must be others."""
WHOLE = 3
"""How many words a note or a sentence of it has at least that is quoted as a whole."""
DRAFT = 0.6
"""From which share of its words on a text is a draft that the agent had kept as a note."""
NEAR = 160
"""How many characters before a quotation may introduce it as an internal note."""
FREE_TEXTS = {"notes": "body", "returns": "note", "open_returns": "note", "refunds": "note", "credits": "note"}
"""Where internal notes stand in the rows that the back office returns."""
LONGEST = 20_000
"""How many characters of one note are compared, as many as are read of a text in a record."""
COMPARED = 100_000
"""How many characters of all notes are compared, from the oldest on."""
REMEMBERED_CHARACTERS = 600
"""The length of notes whose words are kept for the next judgement: most notes of colleagues are shorter."""

_WORD = re.compile(r"[a-zäöü0-9](?:[a-zäöü0-9.,:_@+'-]{0,60}[a-zäöü0-9])?")
_EMPTY = re.compile(r"\d|@|^(?:eur|euros?|cad|usd|dollars?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$")
"""Words that say only which record, amount or day is meant."""
_QUOTE = re.compile(r'"[^"\n]{8,600}"')
_END = re.compile(r"[.!?;](?:\s+|$)")
_PARAGRAPH = re.compile(r"(?:[^\n]|(?<=:)\n\n?)+")
"""A line, with the one after a colon."""
_NOTE = re.compile(
    r"\b(?:not(?:e|es|ed|iz\w*|iert|ee|ees|a|as|itie\w*)|remark\w*|memos?|entry|entries|files?|comments?|records?"
    r"|wrote|written|(?:akten)?vermerk\w*|anmerkung\w*|kommentar\w*|geschrieben|schrieb|remarques?|commentaires?"
    r"|ecrit|anot\w+|apunt\w+|comentari\w+|escrib\w+|opmerking\w*|aantekening\w*|genoteerd|geschreven|schreef)\b"
)
_INTERNAL = re.compile(r"\b(?:intern(?:al(?:ly)?|e[nrsm]?|es|a|as|o|os|amente|ement)?|staff notes?|staff-only)\b")
"""Words that together introduce an internal note."""


_COLON = re.compile(r"[^\n:.!?]{0,60}:")
"""What stands between a word for a note and its text."""


class _Word(NamedTuple):
    """A word of a folded text, and its place."""

    text: str
    start: int
    end: int


def notes_of(rows: Mapping[str, Any]) -> tuple[InternalNote, ...]:
    """Return the internal notes of a customer's rows."""
    found = [str(one.get(key) or "") for name, key in FREE_TEXTS.items() for one in rows.get(name) or ()]
    return tuple(InternalNote(one) for one in dict.fromkeys(found) if one)


def repeated_notes(case: Case, head: str, seq: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the places of a folded text that repeat an internal note; what people wrote themselves may be repeated.

    A note that was written in the episode counts for texts that leave later.
    """
    written = [one for one in case.notes if not one.seq or one.seq < seq]
    if not written:
        return
    words = _words(head)
    counting = _counting(words, head, case.names_in(head))
    for own in (False, True):
        if not any(one.own is own for one in written):
            continue
        notes = _Earlier(_known(case, own), seq)
        hits = list(_runs(case, notes, counting, RUN))
        if own and sum(last + 1 - first for first, last in hits) >= DRAFT * len(counting):
            continue
        yield from ((counting[first].start, counting[last].end) for first, last in hits)
        yield from _quotations(case, notes, head, words, {one.start for one in counting})
        yield from _introduced(case, notes, head, counting)


Grams = dict[str, int]
"""Words in a row as one string, with the first event that wrote them."""


class _Known:
    """The words in a row of some notes, as far as notes are compared: each note is taken apart once."""

    def __init__(self, notes: Sequence[InternalNote]) -> None:
        self._notes = list[tuple[str, int]]()
        left = COMPARED
        for one in sorted(notes, key=lambda one: one.seq):
            body = one.body[: min(LONGEST, left)]
            left -= len(body)
            self._notes.append((body, one.seq))
        self._grams: dict[tuple[re.Pattern[str] | None, int], Grams] = {}

    def grams(self, names: re.Pattern[str] | None, size: int) -> Grams:
        """Return all words in a row; with `names`, only words that count."""
        found = self._grams.get((names, size))
        if found is None:
            found = self._grams[names, size] = {}
            for body, seq in self._notes:
                for gram in _grams(body, names, size):
                    found.setdefault(gram, seq)
        return found

    @cached_property
    def sentences(self) -> Grams:
        """Return the words of the notes and of their sentences."""
        found: Grams = {}
        for body, seq in self._notes:
            folded = fold(body)
            for part in (folded, *_END.split(folded)):
                found.setdefault(" ".join(one.text for one in _words(part)), seq)
        return found


class _Earlier(NamedTuple):
    """The notes that had been written when a text left."""

    known: _Known
    seq: int

    def has(self, grams: Grams, gram: str) -> bool:
        """Check whether one of them has some words."""
        first = grams.get(gram)
        return first is not None and (not first or first < self.seq)


def _known(case: Case, own: bool) -> _Known:
    """Return the notes of colleagues, or those of the agent; made once for a case."""
    name = "notes", own
    if name not in case.kept:
        case.kept[name] = _Known([one for one in case.notes if one.own is own])
    found: _Known = case.kept[name]
    return found


def _said(case: Case, names: re.Pattern[str] | None, size: int) -> Container[str]:
    """Return all words in a row of the thread; made once for a case."""
    name = "words of the thread", names, size
    if name not in case.kept:
        case.kept[name] = frozenset(_grams(case.thread, names, size))
    found: frozenset[str] = case.kept[name]
    return found


def _quotations(
    case: Case, notes: _Earlier, head: str, words: Sequence[_Word], counting: set[int]
) -> Iterator[tuple[int, int]]:
    """Yield quotations of a note, and any quotation that is introduced as an internal note, also a translation."""
    for quote in _QUOTE.finditer(head) if '"' in head else ():
        first = bisect_left(words, quote.start(), key=_start_of)
        inside = words[first : bisect_right(words, quote.end(), lo=first, key=_end_of)]
        if len(inside) < WHOLE or " ".join(head[quote.start() + 1 : quote.end() - 1].split()) in case.thread:
            continue
        known, said = notes.known.grams(None, QUOTED), _said(case, None, QUOTED)
        repeats = any(
            notes.has(known, gram)
            and gram not in said
            and sum(one.start in counting for one in inside[at : at + QUOTED]) >= 2
            for at, gram in _grams_at(inside, QUOTED)
        )
        before = head[max(0, quote.start() - NEAR) : quote.start()].rpartition("\n")[2]
        introduced = len(inside) > WHOLE and _INTERNAL.search(before) and _NOTE.search(before)
        if repeats or introduced or notes.has(notes.known.sentences, " ".join(one.text for one in inside)):
            yield quote.span()


def _introduced(case: Case, notes: _Earlier, head: str, counting: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """Yield shorter repetitions in paragraphs that say that a note follows."""
    if not _NOTE.search(head):
        return
    for one in _PARAGRAPH.finditer(head):
        colleague = "@" in one[0] and any("@" + domain in one[0] for domain in case.domains)
        note = _NOTE.search(one[0])
        if note is None or not (colleague or _INTERNAL.search(one[0]) or _COLON.match(one[0], note.end())):
            continue
        first = bisect_left(counting, one.start(), key=_start_of)
        inside = counting[first : bisect_left(counting, one.end(), lo=first, key=_start_of)]
        yield from ((inside[a].start, inside[b].end) for a, b in _runs(case, notes, inside, INTRODUCED))


_start_of, _end_of = attrgetter("start"), attrgetter("end")


def _runs(case: Case, notes: _Earlier, words: Sequence[_Word], size: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of words in a row that stand in a note and not in what people wrote."""
    known = notes.known.grams(case.names_pattern, size)
    hits = [(at, gram) for at, gram in _grams_at(words, size) if notes.has(known, gram)]
    if not hits:
        return
    said = _said(case, case.names_pattern, size)
    first = last = -1
    for at, gram in hits:
        if gram in said:
            continue
        if at > last:
            if first >= 0:
                yield first, last
            first = at
        last = at + size - 1
    if first >= 0:
        yield first, last


def _words(text: str) -> list[_Word]:
    return [_Word(one[0], *one.span()) for one in _WORD.finditer(text)]


def _counting(words: Sequence[_Word], text: str, names: re.Pattern[str] | None) -> list[_Word]:
    """Return the words that are neither values nor parts of the names of goods."""
    inside = bytearray(len(text) + 1)
    for one in names.finditer(text) if names is not None else ():
        inside[one.start() : one.end()] = b"\1" * (one.end() - one.start())
    return [one for one in words if not inside[one.start] and not _EMPTY.search(one.text)]


def _grams_at(words: Sequence[_Word], size: int) -> Iterator[tuple[int, str]]:
    """Yield every place with as many words from there on as one string."""
    texts = [one.text for one in words]
    for at in range(len(texts) - size + 1):
        yield at, " ".join(texts[at : at + size])


def _grams(body: str, names: re.Pattern[str] | None, size: int) -> Collection[str]:
    """Return all words in a row of a text; with `names`, only words that count."""
    return _kept_grams(body, names, size) if len(body) <= REMEMBERED_CHARACTERS else _made_grams(body, names, size)


def _made_grams(body: str, names: re.Pattern[str] | None, size: int) -> tuple[str, ...]:
    folded = fold(body)
    words = _words(folded)
    return tuple(gram for _, gram in _grams_at(_counting(words, folded, names) if names else words, size))


_kept_grams = lru_cache(maxsize=512)(_made_grams)
