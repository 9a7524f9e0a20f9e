"""Lists of words: alternatives that are searched in a text, and compiled only if the text has their first word."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold


def alternatives(text: str) -> list[str]:
    """Return the folded alternatives of a list of words."""
    plain = _HYPHEN.sub("", fold(text)).replace("\n", "|")
    return [one.strip() for one in plain.split("|") if one.strip()]


_HYPHEN = re.compile(r"(?<=\bun)-(?=\w{4})|(?<=\bre)-(?=\w{4})")
"""A hyphen that texts are read without: `re-sent`."""
_WITHIN_FOUR = r"\b(?:\W++\w[\w'-]*+){0,3}?(?:\W++\w[\w'-]*)??\W+"
"""At most four words, whole ones but for the last: `l'` before `avons`. Ways to split a run of quotes are not tried."""
_WORD = re.compile(r"\w+")
SHORTEST, LONGEST = 2, 5
"""How many letters of a word that ends with * are compared."""
Found = re.Match[str]


def _pattern(alternative: str) -> str:
    parts = [re.escape(part.strip()).replace(r"\*", r"[\w']*").replace(r"\ ", r"\s") for part in alternative.split("+")]
    return r"\b" + _WITHIN_FOUR.join(parts) + r"(?!\w)"


@lru_cache(maxsize=32768)
def _compiled(alternative: str) -> re.Pattern[str]:
    return re.compile(_pattern(alternative))


def _forms(word: str) -> tuple[str, ...]:
    """Return a word and how it begins: `refunded` and `re*`, `ref*`, `refu*`, `refun*`."""
    return word, *[word[:length] + "*" for length in range(SHORTEST, LONGEST + 1)]


class _Index:
    """The lists that have an alternative with a word; a set of lists is a number with one bit for each."""

    __slots__ = ("_always", "_bits", "_by_form", "_numbers", "seen")

    def __init__(self) -> None:
        self._numbers = count()
        self._by_form: dict[str, list[int]] = {}
        """For every word that `needed_by` returns, the numbers of the lists that have it."""
        self._bits: dict[str, tuple[int, int]] = {}
        """How many these are, and their bits, as far as they were asked for."""
        self._always: list[int] = []
        """The numbers of the lists that may stand in any text."""
        self.seen: dict[str, tuple[int, tuple[str, ...]]] = {}
        """For words of texts: the lists that have one of their forms, and these forms. Another one for each new list.

        So a text whose words were looked up here knows every list that anyone has, also with several threads.
        """

    def add(self, needed: Iterable[str], always: bool) -> int:
        """Return the number of a new list, by which the words of a text find it."""
        number = next(self._numbers)
        for one in needed:
            self._by_form.setdefault(one, []).append(number)
        if always:
            self._always.append(number)
        self.seen = {}
        return number

    def always(self) -> int:
        """Return the lists that may stand in any text."""
        return _bits(self._always)

    def look_up(self, word: str) -> tuple[int, tuple[str, ...]]:
        """Return the lists that have a form of a word, and these forms."""
        lists, forms = 0, _forms(word)
        for one in forms:
            if (numbers := self._by_form.get(one)) is not None:
                known = self._bits.get(one)
                if known is None or known[0] != len(numbers):
                    known = self._bits[one] = len(numbers), _bits(numbers)
                lists |= known[1]
        return lists, forms


def _bits(numbers: Iterable[int]) -> int:
    found = 0
    for one in numbers:
        found |= 1 << one
    return found


_INDEX = _Index()
CLAUSE = 500
"""The length of texts whose words are kept: many lists are searched in one clause."""
WORDS = 20_000
"""How many words of texts are kept with their lists."""


class Spoken:
    """The words of a text with their beginnings, and the lists that have an alternative with one of them."""

    __slots__ = ("found", "lists", "seen", "words")

    def __init__(self, text: str) -> None:
        self.found: dict[int, Found | None] = {}
        """Where lists stand first, as far as they were searched in the whole text."""
        self.look_up(text)

    def look_up(self, text: str) -> None:
        """Find the lists; again when there are new ones."""
        seen = _INDEX.seen  # before the index is read
        lists, forms = _INDEX.always(), []
        for word in _WORD.findall(text):
            entry = seen.get(word)
            if entry is None:
                if len(seen) >= WORDS:
                    seen.clear()
                entry = seen[word] = _INDEX.look_up(word)
            lists |= entry[0]
            forms.append(entry[1])
        self.words = frozenset[str]().union(*forms)
        self.lists = lists
        self.seen = seen


_spoken_in_a_clause = lru_cache(maxsize=2048)(Spoken)


def said_in(text: str) -> frozenset[str]:
    """Return the words of a text and their beginnings, to be compared with what `needed_by` returns."""
    return _spoken(text).words


def _spoken(text: str) -> Spoken:
    spoken = _spoken_in_a_clause(text) if len(text) <= CLAUSE else Spoken(text)
    if spoken.seen is not _INDEX.seen:
        spoken.look_up(text)
    return spoken


def needed_by(alternative: str) -> str:
    """Return the longest word of an alternative, or its beginning (`refun*`): without it, the alternative stands in no
    text. Return "" if there is none."""
    best = ""
    for one in _WORD.finditer(alternative):
        if alternative[: one.start()].endswith("*"):
            continue  # it may stand inside a word
        word = one[0]
        if alternative[one.end() :].startswith("*"):
            word = word[:LONGEST] + "*" if len(word) >= SHORTEST else ""
        best = max(best, word, key=len)
    return best


_start = re.Match.start
NONE: tuple[int, ...] = ()


class Words:
    """A list of alternatives: it finds what one pattern of all of them would find.

    The words of a text, which many lists are compared with, decide which alternatives are searched at all: for most
    lists, none.
    """

    __slots__ = ("_always", "_every", "_needed", "_number", "_places")

    def __init__(self, text: str) -> None:
        self._every = alternatives(text)
        self._places: dict[str, list[int]] = {}
        for place, one in enumerate(self._every):
            self._places.setdefault(needed_by(one), []).append(place)
        self._always = tuple(self._places.pop("", NONE))
        self._needed = frozenset(self._places)
        self._number = _INDEX.add(self._needed, always=bool(self._always))

    def compile(self) -> None:
        """Compile every alternative now; else each is compiled when a text first has its longest word."""
        for one in self._every:
            _compiled(one)

    @property
    def pattern(self) -> str:
        """The pattern of all alternatives."""
        return "|".join(map(_pattern, self._every))

    def _candidates(self, spoken: Spoken) -> Sequence[int]:
        """Return the places of the alternatives that may stand in a text, in order."""
        said = self._needed & spoken.words
        if len(said) == 1 and not self._always:
            return self._places[next(iter(said))]
        found = [*self._always]
        for one in said:
            found += self._places[one]
        found.sort()
        return found

    def may_stand_in(self, text: str) -> bool:
        """Check whether an alternative may stand in a text; if not, none does."""
        return bool(_spoken(text).lists >> self._number & 1)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> Found | None:
        """Return the first place where an alternative stands; of several that begin there, the first of the list."""
        part, number = text[start:end], self._number
        spoken = _spoken_in_a_clause(part) if len(part) <= CLAUSE else Spoken(part)
        if spoken.seen is not _INDEX.seen:
            spoken.look_up(part)
        if not spoken.lists >> number & 1:
            return None  # as is usual
        if number in spoken.found and part is text:
            return spoken.found[number]
        best: Found | None = None
        for place in self._candidates(spoken):
            found = _compiled(self._every[place]).search(text, start, end)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
        if part is text:
            spoken.found[number] = best
        return best

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[Found]:
        """Yield all places, from left to right and without overlaps."""
        patterns = [_compiled(self._every[place]) for place in self._candidates(_spoken(text[start:end]))]
        ahead = [found for one in patterns if (found := one.search(text, start, end)) is not None]
        while ahead:
            best = min(ahead, key=_start)
            yield best
            last = best.end()
            ahead = [
                found
                for one in ahead
                if (found := one if one.start() >= last else one.re.search(text, last, end)) is not None
            ]

    def match(self, text: str, start: int = 0) -> Found | None:
        """Return the first alternative of the list that stands at the start."""
        tries = (_compiled(self._every[place]).match(text, start) for place in self._candidates(_spoken(text[start:])))
        return next(filter(None, tries), None)

    def fullmatch(self, text: str) -> Found | None:
        """Return the first alternative of the list that is the whole text."""
        tries = (_compiled(self._every[place]).fullmatch(text) for place in self._candidates(_spoken(text)))
        return next(filter(None, tries), None)

    def sub(self, by: str | Callable[[Found], str], text: str) -> str:
        """Return the text with every place replaced."""
        parts, last = [], 0
        for found in self.finditer(text):
            parts += [text[last : found.start()], by if isinstance(by, str) else by(found)]
            last = found.end()
        return "".join([*parts, text[last:]]) if parts else text


@lru_cache(maxsize=8192)
def words(text: str) -> Words:
    """Return a list of alternatives: `refund*` is every word that begins so, `a+b` is a, then b within four words."""
    return Words(text)
