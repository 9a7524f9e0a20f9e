"""Claims of deeds in clauses: which of the nine kinds a text says were done, are promised, or were not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, Frame, Language, words

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
    implied: bool = False
    """A denial by words that do not name the deed itself."""


_COVERS = {
    "goods": {"replacement_machine", "part", "reshipment", "label"},
    "extra": {"credit"},
    "goes": {"address_change"},
    "money": {"refund", "credit"},
}
"""A general kind is not claimed where a special one is: a new parcel is a reshipment, a gift card is credit."""
NEAR = {"de": 40, "nl": 40, "es": 2}
NEAR_OTHERWISE = 12
"""How many characters after the words a negation still belongs to them; German and Dutch put it last, Spanish first."""


REPEATS = frozenset({"reshipment", "credit"})
"""Deeds whose own words also limit denials of others: `again` and `second`, `store credit`."""


def _fits(frame: Frame, clause: Clause, language: Language) -> list[tuple[int, int]] | None:
    """Return where the words of a frame are if all of them are in the clause."""
    text = clause.words
    verb = words(frame.verb).search(text)
    if verb is None:
        return None
    spans = [verb.span()]
    for need in frame.needs:
        found = words(need).search(text)
        if found is None:
            return None
        spans.append(found.span())
    if frame.without and words(frame.without).search(text):
        return None
    if frame.weak and (not words(language.aux).search(text) or words(language.wish).search(text)):
        return None
    return spans


def _limited(frame: Frame, clause: Clause, language: Language, own: list[tuple[int, int]]) -> bool:
    """Check for a word that limits a denial; of some deeds the words of the frame itself do not count."""
    found = (one.span() for one in words(language.limiting).finditer(clause.words))
    if frame.kind not in REPEATS:
        return any(True for _ in found)
    return any(not any(first <= start and end <= last for first, last in own) for start, end in found)


def claims_of(clause: Clause) -> Iterator[Claim]:
    """Yield the deeds that one clause claims or denies."""
    if clause.conditional or clause.question:
        return
    language = LANGUAGES[clause.language]
    exempt = bool(words(language.exempt).search(clause.words))
    rules = [one.span() for one in words(language.general).finditer(clause.words)]
    failed = bool(words(language.failed).search(clause.words))
    seen: set[str] = set()
    for frame in language.frames:
        if frame.denies:
            if _fits(frame, clause, language) is not None:
                yield Claim(frame.kind, says=False, factual=True, limited=False, clause=clause, implied=True)
            continue
        spans = None if frame.kind in seen else _fits(frame, clause, language)
        if spans is None or seen & _COVERS.get(frame.kind, set()):
            continue
        seen.add(frame.kind)
        general = any(not any(first <= start and end <= last for first, last in spans) for start, end in rules)
        negated = failed or is_negated(clause, max(end for _, end in spans))
        if (exempt or general) and not negated:
            continue
        yield Claim(
            frame.kind,
            says=not negated,
            factual=failed or not (exempt or frame.weak),
            limited=general or _limited(frame, clause, language, spans),
            clause=clause,
        )


def is_negated(clause: Clause, end: int) -> bool:
    """Check whether a negation stands before the end of some words or directly after it."""
    found = words(LANGUAGES[clause.language].negation).search(clause.words)
    return found is not None and found.start() < end + NEAR.get(clause.language, NEAR_OTHERWISE)


def read_claims(clauses: Iterable[Clause]) -> list[Claim]:
    """Return the claims of a text, in order."""
    return [claim for clause in clauses for claim in claims_of(clause)]


def tells(kind: str, clauses: Iterable[Clause]) -> bool:
    """Check whether a deed of this kind is told in any words that name it: not denied, and not under a condition."""
    return any(
        (pattern := LANGUAGES[clause.language].tells.get(kind)) is not None
        and (found := words(pattern).search(clause.words)) is not None
        and not (clause.conditional or clause.question or is_negated(clause, found.end()))
        for clause in clauses
    )


def touches(topic: str, clauses: Iterable[Clause]) -> bool:
    """Check whether a topic is mentioned."""
    return any(
        (pattern := LANGUAGES[clause.language].topics.get(topic)) is not None and words(pattern).search(clause.words)
        for clause in clauses
    )
