"""Phrases with choices: `[a|b]` picks one, `{slot}` is a fact of the writer, `<list>` a phrase of a named list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from diorama.kernel import Dice

FIRST_HOLE = 0xE000
"""Slots are rendered as private-use characters and filled last, so that typos and capitals cannot change a fact."""

_TOKEN = re.compile(r"\[|\]|\||\{[a-z_]+\}|<[a-z_]+>")
_HOLE = re.compile("[\ue000-\uf8ff]")


class Slot(NamedTuple):
    """A fact that the writer fills in."""

    name: str


class Named(NamedTuple):
    """A phrase from a list of the material."""

    name: str


class Branch(NamedTuple):
    """One alternative of a phrase, and the slots it requires."""

    parts: tuple[Part, ...]
    slots: frozenset[str]


class Choice(NamedTuple):
    """Several alternatives."""

    branches: tuple[Branch, ...]


Part = str | Slot | Named | Choice


@cache
def parse(text: str) -> Branch:
    """Parse a phrase into a tree."""
    tokens = _TOKEN.split(text)
    marks = _TOKEN.findall(text)
    stack: list[tuple[list[Branch], list[Part]]] = [([], [tokens[0]] if tokens[0] else [])]
    for mark, plain in zip(marks, tokens[1:], strict=True):
        parts = stack[-1][1]
        if mark == "[":
            stack.append(([], []))
        elif mark == "|" and len(stack) > 1:
            stack[-1][0].append(_branch(parts))
            stack[-1] = (stack[-1][0], [])
        elif mark == "]":
            if len(stack) == 1:
                raise ValueError(f"a bracket too many in {text!r}")
            branches, _ = stack.pop()
            stack[-1][1].append(Choice((*branches, _branch(parts))))
        else:
            parts.append(mark if mark == "|" else (Slot if mark[0] == "{" else Named)(mark[1:-1]))
        if plain:
            stack[-1][1].append(plain)
    if len(stack) != 1:
        raise ValueError(f"a bracket is missing in {text!r}")
    return _branch(stack[0][1])


def _branch(parts: list[Part]) -> Branch:
    """Build a branch with the slots it requires; a choice requires only the slots that all its branches require."""
    slots: set[str] = set()
    for part in parts:
        if isinstance(part, Slot):
            slots.add(part.name)
        elif isinstance(part, Choice):
            slots |= frozenset.intersection(*(branch.slots for branch in part.branches))
    return Branch(tuple(parts), frozenset(slots))


class Renderer:
    """Renders phrases for one text; it holds its dice, facts, lists, and the facts that were used."""

    __slots__ = ("dice", "facts", "holes", "lists", "used")

    def __init__(
        self, dice: Dice, facts: Mapping[str, str] | None = None, lists: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.dice = dice
        self.facts = facts or {}
        self.lists = lists or {}
        self.holes: list[str] = []
        self.used: dict[str, str] = {}

    def usable(self, phrases: Sequence[str]) -> list[str]:
        """Return the phrases whose slots are all known."""
        known = self.facts.keys()
        return [phrase for phrase in phrases if parse(phrase).slots <= known]

    def pick(self, phrases: Sequence[str]) -> str:
        """Pick a phrase that the facts allow and render it with its facts still hidden; return "" if none fits."""
        fitting = self.usable(phrases)
        return self.render(self.dice.pick(fitting)) if fitting else ""

    def render(self, phrase: str) -> str:
        """Render a phrase: make its choices and hide its facts."""
        out: list[str] = []
        self._walk(parse(phrase), out)
        return "".join(out)

    def hole(self, value: str) -> str:
        """Return the placeholder character for a fact."""
        if value in self.holes:
            return chr(FIRST_HOLE + self.holes.index(value))
        self.holes.append(value)
        return chr(FIRST_HOLE + len(self.holes) - 1)

    def fill(self, text: str) -> str:
        """Replace the placeholders in the text with their facts."""
        return _HOLE.sub(lambda found: self.holes[ord(found[0]) - FIRST_HOLE], text) if self.holes else text

    def _walk(self, branch: Branch, out: list[str]) -> None:
        for part in branch.parts:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, Slot):
                value = self.facts[part.name]
                self.used[part.name] = value
                out.append(self.hole(value) if value else "")
            elif isinstance(part, Named):
                self._walk(parse(self.dice.pick(self.usable(self.lists[part.name]))), out)
            else:
                known = self.facts.keys()
                ways = [way for way in part.branches if way.slots <= known]
                self._walk(self.dice.pick(ways), out)


def words_of(phrases: Sequence[str]) -> set[str]:
    """Return every word that the phrases can produce, in lower case: the vocabulary for counting typos."""
    found: set[str] = set()
    for phrase in phrases:
        found.update(WORD.findall(_TOKEN.sub(" ", phrase).lower()))
    return found


WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
