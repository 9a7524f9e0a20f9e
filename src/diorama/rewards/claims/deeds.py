"""Claims of deeds in clauses: which of the nine kinds a text says were done, are promised, or were not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, Frame, Language
from diorama.rewards.claims.lexicon.form import words

NINE = (
    "refund", "credit", "cancellation", "pause", "address_change", "replacement_machine", "part", "reshipment", "label",
)  # fmt: skip
"""The kinds of deeds whose claims are read."""


class Claim(msgspec.Struct, frozen=True):
    """One deed that a clause says was done or will be done (`says`), or was not or will not be done."""

    kind: str
    says: bool
    factual: bool
    """A statement about what happened, not a refusal or an intention."""
    limited: bool
    """The clause has a word that limits a denial, such as `another` or `yet`."""
    clause: Clause


@lru_cache(maxsize=8)
def _frames(name: str) -> tuple[tuple[Frame, tuple[object, ...]], ...]:
    return tuple((one, ()) for one in LANGUAGES[name].frames)


def _fits(frame: Frame, clause: Clause, language: Language) -> bool:
    text = clause.words
    if not words(frame.verb).search(text):
        return False
    if any(not words(need).search(text) for need in frame.needs):
        return False
    if frame.without and words(frame.without).search(text):
        return False
    return not (frame.weak and not language.aux.search(text))


def claims_of(clause: Clause) -> Iterator[Claim]:
    """Yield the deeds that one clause claims or denies."""
    if clause.conditional or clause.question:
        return
    language = LANGUAGES[clause.language]
    negated = bool(language.negation.search(clause.words))
    exempt = bool(language.exempt.search(clause.words))
    general = bool(language.general.search(clause.words))
    if (exempt or general) and not negated:
        return
    seen = set()
    for frame in language.frames:
        if frame.kind in seen or not _fits(frame, clause, language):
            continue
        seen.add(frame.kind)
        yield Claim(
            frame.kind,
            says=not negated,
            factual=not exempt and not frame.weak,
            limited=general or bool(language.limiting.search(clause.words)),
            clause=clause,
        )


def read_claims(clauses: Iterable[Clause]) -> list[Claim]:
    """Return the claims of a text, in order."""
    return [claim for clause in clauses for claim in claims_of(clause)]


def tells(kind: str, clauses: Iterable[Clause]) -> bool:
    """Check whether a deed of this kind is told, in any words that name it."""
    return any(
        (pattern := LANGUAGES[clause.language].tells.get(kind)) is not None and pattern.search(clause.words)
        for clause in clauses
    )


def touches(topic: str, clauses: Iterable[Clause]) -> bool:
    """Check whether a topic is mentioned."""
    return any(
        (pattern := LANGUAGES[clause.language].topics.get(topic)) is not None and pattern.search(clause.words)
        for clause in clauses
    )
