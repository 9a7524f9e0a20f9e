"""What Larkspur's customers write about: topics with their frequencies, and the letters written on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from diorama.kernel import Dice
from diorama.people.grammar import Pen, words_of
from diorama.people.material import load
from diorama.people.writing import Letter, Writer, letter

MATERIAL = Path(__file__).parent / "material"


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of matter, as the desk sees it."""

    name: str
    order: str
    """Which order it is about: none, or one of those that `orders.WINDOWS` names."""
    reason: str
    """The contact reason it should be tagged with."""
    tags: tuple[str, ...]
    sloppy: tuple[str, ...]
    wrong: tuple[str, ...]
    group: str
    type: str | None = None
    asks: float = 0.25
    """Chance that the desk has to ask back."""
    photos: float = 0.0
    ends: str = ""
    """How it ends when not with an answer: ignored, or thanked."""
    calm: bool = False
    """Nobody presses for an answer."""
    quiet: bool = False
    """Rests on a claim about money, so it is never left open in the history: the ledger might deny it."""
    only: tuple[str, ...] = ()
    """Countries it occurs in; all where empty."""


@cache
def topics() -> tuple[Topic, ...]:
    """All topics, the most frequent first."""
    raw = load("topics", MATERIAL)["topics"]
    return tuple(msgspec.convert({"name": name, **facts}, Topic) for name, facts in raw.items())


@cache
def _sums() -> tuple[float, ...]:
    slope = load("topics", MATERIAL)["slope"]
    return tuple(accumulate((rank + 1) ** -slope for rank in range(len(topics()))))


def draw_topic(dice: Dice) -> Topic:
    """A topic, in Zipf's proportion."""
    sums = _sums()
    return topics()[bisect_right(sums, dice.uniform() * sums[-1])]


def letters(language: str) -> dict[str, Any]:
    """The authored phrases of a language: topics, and `lists`."""
    return load(f"letters_{language}", MATERIAL)


def desk() -> dict[str, Any]:
    """The authored phrases of Larkspur's own people."""
    return load("desk", MATERIAL)


# --- cases: a phrase that begins with `@a,b` belongs to these cases of its topic


@cache
def tagged(phrase: str) -> tuple[frozenset[str], str]:
    """The cases a phrase belongs to (none where it fits all), and the phrase itself."""
    if not phrase.startswith("@"):
        return frozenset(), phrase
    marks, _, text = phrase[1:].partition(" ")
    return frozenset(marks.split(",")), text


def fitting(phrases: Sequence[str], marks: frozenset[str]) -> list[str]:
    """The phrases that fit a case, without their marks."""
    return [text for cases, text in map(tagged, phrases) if not cases or cases & marks]


@cache
def phrases_of(language: str, topic: str, case: str) -> dict[str, list[str]]:
    """What a topic's letter on a case is made of, part by part; `lists` are the phrases that others name."""
    marks = frozenset((case,))
    return {part: fitting(phrases, marks) for part, phrases in letters(language)[topic].items()}


def draw_case(dice: Dice, language: str, topic: str, facts: Mapping[str, str], faults: Sequence[str] = ()) -> str:
    """What exactly is the matter; "" for a topic that has no cases. A fault must be one that the product can have."""
    if faults:
        told = [case for phrase in letters(language)["lists"]["fault"] for case in tagged(phrase)[0]]
        return dice.pick([case for case in told if case in faults])
    usable = Pen(dice, facts).usable([tagged(phrase)[1] for phrase in letters(language)[topic]["say"]])
    cases = [tagged(phrase)[0] for phrase in letters(language)[topic]["say"] if tagged(phrase)[1] in usable]
    found = dice.pick(cases) if cases else frozenset()
    return dice.pick(sorted(found)) if found else ""


def write_letter(
    dice: Dice, writer: Writer, topic: str, facts: Mapping[str, str], language: str, case: str = ""
) -> Letter:
    """A customer's first message on a case of a topic.

    Slots for facts: order, product, date, amount, carrier, tracking, serial, coffee, other, part, address, city, code.
    """
    parts, lists = phrases_of(language, topic, case), phrases_of(language, "lists", case)
    matter = next(one for one in topics() if one.name == topic)
    voice = "" if writer.voice != "angry" else "plain" if matter.calm else "terse" if matter.type == "question" else ""
    return letter(dice, writer, parts, facts, lists, language, voice, calm=matter.calm)


@cache
def vocabulary() -> frozenset[str]:
    """Every word that authored material can produce: what is not in it, and no name or fact, was mistyped."""
    words: set[str] = set()
    for language in ("en", "de", "fr", "es", "nl"):
        words |= words_of(_strings(load(language))) | words_of(_strings(letters(language)))
        words |= words_of(_strings(load(f"answers_{language}", MATERIAL)))
    return frozenset(words | words_of(_strings(desk())) | words_of(_strings(load("outages", MATERIAL))))


def _strings(tree: Any) -> Sequence[str]:
    if isinstance(tree, str):
        return [tagged(tree)[1]]
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [text for part in parts for text in _strings(part)]
