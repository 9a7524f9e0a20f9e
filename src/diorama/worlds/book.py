"""What a company's customers and colleagues write: topics with their frequencies, letters, answers and macros."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from diorama.kernel import Dice
from diorama.people.grammar import Renderer, words_of
from diorama.people.material import load
from diorama.people.writing import Letter, Writer, letter
from diorama.worlds.team import Colleague


class Close(msgspec.Struct, frozen=True, kw_only=True):
    """A resolution of a topic, and where it fits."""

    how: str
    state: str = ""
    """How the parcel stands at the last answer."""
    says: str = ""
    """The name of a pattern that the last answer contains."""


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of request, as the desk classifies it."""

    name: str
    order: str
    """Which order it is about: none, or a kind that the company's orders know."""
    fact: str
    """The line of the company's table of contact reasons that it is."""
    tags: tuple[str, ...]
    sloppy: tuple[str, ...]
    group: str
    type: str | None = None
    closes: tuple[Close, ...] = ()
    """How it ends with an answer; the first that fits."""
    cases: dict[str, str] = {}
    """Facts of cases that are another line of the table."""
    asks: float = 0.25
    """Chance that the desk has to ask a question."""
    photos: float = 0.0
    screens: bool = False
    """Customers attach screenshots, not photographs."""
    ends: str = ""
    """How it ends when not with an answer: ignored, removed or thanked."""
    calm: bool = False
    """Whether the customer does not press for an answer."""
    quiet: bool = False
    """Whether it claims something about money; never left open in the history, as the ledger might disagree."""
    only: tuple[str, ...] = ()
    """Countries it occurs in; empty means all."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question of the desk, and what people answer to it."""

    ask: tuple[str, ...]
    back: tuple[str, ...]
    unless: str = ""
    """The fact that makes the question needless when the customer has stated it."""
    case: str = ""

    def sensible(self, marks: frozenset[str], told: Mapping[str, str]) -> bool:
        """Return whether a colleague who read the letter would ask this."""
        return self.unless not in told and (not self.case or bool(marks & set(self.case.split(","))))


class Canned(msgspec.Struct, frozen=True, kw_only=True):
    """A macro of the desk, and where colleagues use it."""

    title: str
    text: str
    tags: str
    status: str
    topic: str = ""
    part: str = ""
    when: str = ""


MACRO_HABIT = {"macro": 0.8, "brisk": 0.3, "warm": 0.12, "chatty": 0.06, "careful": 0.06}
"""How often colleagues of a habit use a macro where there is one."""


# --- cases: a phrase that begins with `@a,b` belongs to these cases of its topic


@cache
def tagged(phrase: str) -> tuple[frozenset[str], str]:
    """Return the cases a phrase belongs to (none if it fits all), and the phrase itself."""
    if not phrase.startswith("@"):
        return frozenset(), phrase
    marks, _, text = phrase[1:].partition(" ")
    return frozenset(marks.split(",")), text


def fitting(phrases: Sequence[str], marks: frozenset[str]) -> list[str]:
    """Return the phrases that fit a case, without their marks."""
    return [text for cases, text in map(tagged, phrases) if not cases or cases & marks]


class Book:
    """The authored texts of one company: a folder of material, in the languages its customers write.

    `topics.toml` lists the topics; `letters_LANGUAGE` and `answers_LANGUAGE` hold the phrases of customers and of the
    desk by topic; `desk.toml` how colleagues write, `rules.toml` the macros, triggers and views.
    """

    def __init__(self, folder: Path, languages: Sequence[str]) -> None:
        self.folder = folder
        self.languages = tuple(languages)
        self._phrases: dict[tuple[str, str, str], dict[str, list[str]]] = {}
        self._questions: dict[tuple[str, str], tuple[Question, ...]] = {}

    def load(self, name: str) -> dict[str, Any]:
        """Return one file of the folder."""
        return load(name, self.folder)

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Return all topics, the most frequent first."""
        raw = self.load("topics")["topics"]
        return tuple(msgspec.convert({"name": name, **facts}, Topic) for name, facts in raw.items())

    @cache  # noqa: B019 - a book lives as long as its company
    def says(self, name: str) -> str:
        """Return the pattern of what an answer says, in any of the desk's languages."""
        return "|".join(self.load("topics")["says"][name].values())

    @cached_property
    def _sums(self) -> tuple[float, ...]:
        slope = self.load("topics")["slope"]
        return tuple(accumulate((rank + 1) ** -slope for rank in range(len(self.topics))))

    def topic(self, name: str) -> Topic:
        """Return the topic of this name."""
        return next(one for one in self.topics if one.name == name)

    def draw_topic(self, dice: Dice) -> Topic:
        """Draw a topic, in Zipf's proportion."""
        return self.topics[bisect_right(self._sums, dice.uniform() * self._sums[-1])]

    # --- what customers write

    def letters(self, language: str) -> dict[str, Any]:
        """Return the phrases of customers in a language: topics, and `lists`."""
        return self.load(f"letters_{language}")

    def phrases_of(self, language: str, topic: str, case: str) -> dict[str, list[str]]:
        """Return what a letter on a case of a topic is made of, part by part; `lists` are phrases that others name."""
        key = (language, topic, case)
        if key not in self._phrases:
            marks = frozenset((case,))
            parts = self.letters(language)[topic]
            self._phrases[key] = {part: fitting(phrases, marks) for part, phrases in parts.items()}
        return self._phrases[key]

    def draw_case(
        self, dice: Dice, language: str, topic: str, facts: Mapping[str, str], faults: Sequence[str] = ()
    ) -> str:
        """Draw what exactly is the matter; "" for a topic without cases. With `faults` it is one of those."""
        letters = self.letters(language)
        if faults:
            told = [case for phrase in letters["lists"]["fault"] for case in tagged(phrase)[0]]
            return dice.pick([case for case in told if case in faults])
        usable = Renderer(dice, facts).usable([tagged(phrase)[1] for phrase in letters[topic]["say"]])
        cases = [tagged(phrase)[0] for phrase in letters[topic]["say"] if tagged(phrase)[1] in usable]
        found = dice.pick(cases) if cases else frozenset()
        return dice.pick(sorted(found)) if found else ""

    def write_letter(
        self, dice: Dice, writer: Writer, topic: str, facts: Mapping[str, str], language: str, case: str = ""
    ) -> Letter:
        """Write a customer's first message on a case of a topic; the facts fill the slots of its phrases."""
        parts, lists = self.phrases_of(language, topic, case), self.phrases_of(language, "lists", case)
        matter, voice = self.topic(topic), ""
        if writer.voice == "angry":
            voice = "plain" if matter.calm else "terse" if matter.type == "question" else ""
        return letter(dice, writer, parts, facts, lists, language, voice, calm=matter.calm)

    # --- what the desk writes

    def desk(self) -> dict[str, Any]:
        """Return how colleagues and customers write once a conversation runs."""
        return self.load("desk")

    def answers(self, language: str) -> dict[str, Any]:
        """Return the phrases of the desk in a language, by topic."""
        return self.load(f"answers_{language}")

    def phrases(self, language: str, topic: str, part: str, marks: frozenset[str]) -> list[str]:
        """Return the phrases of the desk that fit a case of a topic."""
        return fitting(self.answers(language).get(topic, {}).get(part, ()), marks)

    def questions(self, language: str, topic: str) -> tuple[Question, ...]:
        """Return what the desk can ask about a topic."""
        key = (language, topic)
        if key not in self._questions:
            raw = self.answers(language).get(topic, {}).get("questions", [])
            self._questions[key] = msgspec.convert(raw, tuple[Question, ...])
        return self._questions[key]

    @cached_property
    def macros(self) -> tuple[Canned, ...]:
        """Return all macros of the desk."""
        return msgspec.convert(self.load("rules")["macros"], tuple[Canned, ...])

    def draw_macro(self, dice: Dice, who: Colleague, topic: str, part: str, marks: frozenset[str]) -> Canned | None:
        """Draw the macro that a colleague uses instead of own words, or None."""
        fits = [
            one
            for one in self.macros
            if one.topic == topic and one.part == part and (not one.when or marks & set(one.when.split(",")))
        ]
        return dice.pick(fits) if fits and dice.chance(MACRO_HABIT[who.habit]) else None

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that the texts can produce: other words, except names and facts, are typing errors."""
        words: set[str] = set()
        for language in self.languages:
            words |= words_of(_strings(load(language)))
        for path in sorted(self.folder.glob("*.toml")):
            if path.stem not in NOT_WRITTEN:
                words |= words_of(_strings(self.load(path.stem)))
        return frozenset(words)


NOT_WRITTEN = ("topics", "rules", "guide", "forwards")
"""Files whose words customers do not write in their first messages."""


def rendered(macro: Canned, given: str, name: str, who: Colleague) -> str:
    """Return a macro's text with its placeholders filled."""
    filled = {
        "{{ticket.requester.first_name}}": given,
        "{{ticket.requester.name}}": name,
        "{{current_user.first_name}}": who.given,
        "{{current_user.name}}": who.name,
    }
    text = macro.text
    for hole, value in filled.items():
        text = text.replace(hole, value)
    return text


def spoken(texts: Sequence[str]) -> str:
    """Join sentences, without the empty ones."""
    return " ".join(text for text in texts if text)


def _strings(tree: Any) -> Sequence[str]:
    if isinstance(tree, str):
        return [tagged(tree)[1]]
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [text for part in parts for text in _strings(part)]
