"""The form of a lexicon: frames of words that together claim a deed, and the words that change what a clause means."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from diorama.rewards.claims.folding import fold

MONEY = "xamount|xnumber"


@lru_cache(maxsize=4096)
def words(text: str) -> re.Pattern[str]:
    """Compile alternatives: `refund*` matches every word that begins so, `a+b` matches a, then b within four words."""
    alternatives = []
    for one in fold(text).split("|"):
        parts = [re.escape(part.strip()).replace(r"\*", r"[\w']*").replace(r"\ ", r"\s") for part in one.split("+")]
        alternatives.append(r"\b" + r"\b(?:\W+[\w'-]+){0,4}?\W+".join(parts) + r"(?!\w)")
    return re.compile("|".join(alternatives))


class Frame(msgspec.Struct, frozen=True):
    """Words that claim one kind of deed when they stand in one clause."""

    kind: str
    verb: str
    """Alternatives of which one must stand in the clause."""
    needs: tuple[str, ...] = ()
    """For each entry, one alternative must stand in the clause too."""
    without: str = ""
    """Words that make it another matter."""
    weak: bool = False
    """The verb is an infinitive or a plain present: it claims only with a subject or an auxiliary of its own."""


class Language(msgspec.Struct, frozen=True):
    """One language."""

    name: str
    small_words: frozenset[str]
    """Frequent words by which the language is recognised."""
    vocabulary: frozenset[str]
    """Plain words of the frames."""
    negation: re.Pattern[str]
    aux: re.Pattern[str]
    """Words that turn a weak verb into a claim: will, we, is being."""
    exempt: re.Pattern[str]
    """Modals, wishes, requests and promises of others: the clause claims nothing."""
    wish: re.Pattern[str]
    """Requests and wishes: a weak verb beside them claims nothing."""
    general: re.Pattern[str]
    """Words of a rule: always, only, usually."""
    conditional: re.Pattern[str]
    finished: re.Pattern[str]
    """Forms of the perfect: what they say does not depend on a condition."""
    failed: re.Pattern[str]
    """Words for a deed that did not succeed or was taken back: a denial even beside a modal."""
    limiting: re.Pattern[str]
    """Words that limit a denial: a second time, another, no longer, yet."""
    breaks: re.Pattern[str]
    """Where a clause ends without a comma: but, and we."""
    frames: tuple[Frame, ...]
    tells: dict[str, re.Pattern[str]]
    """For each kind of deed, words with which it can be told, read generously."""
    topics: dict[str, re.Pattern[str]]
    """For each topic that may have to be told, the words that tell it."""


def language(name: str, small: str, frames: tuple[Frame, ...], tells: dict[str, str], topics: dict[str, str], **marks: str) -> Language:
    """Make a language from plain alternatives."""
    return Language(
        name=name,
        small_words=frozenset(fold(small).split()),
        frames=frames,
        vocabulary=frozenset(
            word
            for frame in frames
            for part in (frame.verb, *frame.needs)
            for word in fold(part).split("|")
            if word.isalpha() and len(word) > 3 and not word.startswith("x")
        ),
        tells={kind: words(text) for kind, text in tells.items()},
        topics={kind: words(text) for kind, text in topics.items()},
        **{mark: re.compile(fold(text)) if mark in {"negation", "breaks"} else words(text) for mark, text in marks.items()},
    )
