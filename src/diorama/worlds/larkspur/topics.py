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
from diorama.people.grammar import words_of
from diorama.people.material import load
from diorama.people.writing import Letter, Writer, letter

MATERIAL = Path(__file__).parent / "material"


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of matter, as the desk sees it."""

    name: str
    order: str
    """Which order it is about: none, any, recent, delivered, goods (but no coffee), machine or coffee."""
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


def write_letter(
    dice: Dice,
    writer: Writer,
    topic: str,
    facts: Mapping[str, str],
    *,
    language: str = "",
    voice: str = "",
    embroider: bool = True,
) -> Letter:
    """A customer's first message on a topic; a topic that the language lacks is written about in English.

    Slots for facts: order, product, date, amount, carrier, tracking, serial, coffee, part, address, city, code.
    """
    language = language or writer.person.language
    if topic not in letters(language):
        language, voice = "en", voice or ("nonnative" if writer.voice == "plain" else "")
    material = letters(language)
    matter = next(one for one in topics() if one.name == topic)
    if matter.type == "question" and (voice or writer.voice) == "angry":
        voice = "terse"
    calm = matter.calm
    return letter(
        dice, writer, material[topic], facts, material["lists"], language, voice, embroider=embroider, calm=calm
    )


@cache
def vocabulary() -> frozenset[str]:
    """Every word that authored material can produce: what is not in it, and no name or fact, was mistyped."""
    words: set[str] = set()
    for language in ("en", "de", "fr", "es", "nl"):
        words |= words_of(_strings(load(language))) | words_of(_strings(letters(language)))
    return frozenset(words | words_of(_strings(desk())) | words_of(_strings(load("outages", MATERIAL))))


def _strings(tree: Any) -> Sequence[str]:
    if isinstance(tree, str):
        return [tree]
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [text for part in parts for text in _strings(part)]
