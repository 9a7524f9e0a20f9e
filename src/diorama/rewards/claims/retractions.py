"""Retractions: sentences that make all that was told untrue, undone, not yet done, conditional or a story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import LANGUAGES, Words, by_language, words
from diorama.rewards.claims.misspelled import spelled_right

OPENING = 120
"""How far from the beginning of a text a heading introduces all of it."""
BELOW = 400
"""How many characters after a heading belong to it."""


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    whole: str
    untrue: str
    unreal: str
    alone: str
    undone: str
    since: str
    this: str
    open: str
    consent: str
    soft: str
    only: str
    effect: str
    heading: str
    denies: str
    none: str
    holds: str
    without: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, _Words]:
    return by_language("retractions", _Words)


@lru_cache(maxsize=8)
def _cues(language: str) -> Words:
    """Return the words without which no sentence takes anything back."""
    one = _known()[language]
    own = (one.untrue, one.undone, one.open, one.consent, one.soft, one.denies)
    return words(
        "|".join((*own, *(part for each in _known().values() for part in (each.unreal, each.alone, each.none))))
    )


def retractions(case: Case, clauses: Sequence[Clause], claims: Sequence[Claim], text: str) -> Iterator[Clause]:
    """Yield a clause of each sentence that takes back what the folded text, or an earlier one, tells."""
    before: Clause | None = None
    seen: set[tuple[int, int]] = set()
    for clause in clauses:
        if clause.sentence in seen or clause.start != clause.sentence[0]:
            continue
        seen.add(clause.sentence)
        said = spelled_right(" ".join(text[slice(*clause.sentence)].split()), clause.language)
        if _cues(clause.language).may_stand_in(said) and "?" not in said[-3:]:
            asked = before is not None and text[slice(*before.sentence)].rstrip().endswith("?")
            if _takes_back(case, clause, said, text, asked) or _introduces(case, clause, said, claims, text):
                yield clause
        before = clause


def _has(said: str, *lists: str) -> bool:
    return all(words(one).search(said) is not None for one in lists)


def _takes_back(case: Case, clause: Clause, said: str, text: str, asked: bool) -> bool:
    """Check whether a sentence takes back all; `asked`: it follows a question, which it may answer."""
    known = _known()[clause.language]
    if words(known.without).search(said):
        return False
    if _is_unreal(said, asked):
        return True
    conditional, conditions = clause.conditional or clause.depends, LANGUAGES[clause.language].conditional
    whole = words(known.whole).search(said)
    if not conditional:
        if whole and words(known.untrue).search(said, whole.start()):
            return True
        if any(_holds_not(one, said) for one in _known().values()):
            return True
    made = bool(case.new_deeds) and case.resolution != "handed_over"
    if (
        whole
        and (made or case.resolution != "handed_over")
        and _is_open(known, said, conditional, conditions, soft=True)
    ):
        return True
    if not made:
        return False
    this = words(known.this).search(said[:THIS])
    if this and not conditional and _undone_since(case, clause, known, said, text):
        return True
    return (
        _is_open(known, said, conditional, conditions)
        if this
        else _FRAGMENT.match(said) is not None and _has(said, known.consent)
    )


@lru_cache(maxsize=1)
def _anywhere() -> tuple[Words, Words]:
    """Return the words for a joke or a story, and whole sentences that say so, of all languages."""
    every = _known().values()
    return words("\n".join(one.unreal for one in every)), words("\n".join(one.alone for one in every))


def _is_unreal(said: str, asked: bool) -> bool:
    """Check whether a sentence calls what was told a joke, a story or a lie; a few words may be of any language."""
    unreal, alone = _anywhere()
    return unreal.search(said) is not None or (
        not asked and alone.may_stand_in(said) and alone.fullmatch(_SIGNS.sub(" ", said).strip()) is not None
    )


def _holds_not(known: _Words, said: str) -> bool:
    """Check whether a sentence says that nothing of it is so."""
    nothing = words(known.none).search(said)
    return nothing is not None and words(known.holds).search(said, nothing.end()) is not None


THIS = 60
"""In how many characters of a sentence its subject stands."""
_SIGNS = re.compile(r"[^\w']+")
_FRAGMENT = re.compile(
    r"\W*(?:only (?:after|once|if|when)|but only|before that|not before|erst (?:wenn|nachdem)|nur wenn|vorher"
    r"|seulement (?:si|apres)|uniquement (?:si|apres)|avant cela|solo (?:si|despues|cuando)|antes de eso"
    r"|pas (?:als|wanneer|nadat)|alleen als)\b"
)
"""How a sentence begins that only adds a condition to what was told."""


def _undone_since(case: Case, clause: Clause, known: _Words, said: str, text: str) -> bool:
    """Check whether the first sentence of a paragraph says that `it` was undone since: there it can only mean all."""
    failed = any(one.status == "failed" for one in case.payments)
    lead = text[max(0, clause.sentence[0] - 40) : clause.sentence[0]]
    first = not lead.strip() or re.search(r"\n\s*\n\s*$|\n\s*$", lead) is not None
    return not failed and first and _has(said, known.undone, known.since)


def _is_open(known: _Words, said: str, conditional: bool, conditions: str, soft: bool = False) -> bool:
    """Check whether a sentence says that something is not done yet, or that it needs a consent first."""
    found = words(known.open).search(said)
    if found and not (conditional and words(conditions).search(said, 0, found.start())):
        return True
    consent = f"{known.consent}\n{known.soft}" if soft else known.consent
    return _has(said, known.only, consent, known.effect)


def _introduces(case: Case, clause: Clause, said: str, claims: Sequence[Claim], text: str) -> bool:
    """Check whether a heading says that what follows it is not done or not meant."""
    known = _known()[clause.language]
    if not said.endswith(":") or not _has(said, known.heading, known.denies):
        return False
    start, end = clause.sentence
    alone = text[end - 1 : end + 2].startswith("\n") or text[end:].startswith("\n")
    if alone and start < OPENING:
        return True
    made = {one.kind for one in case.new_deeds}
    return any(one.says and one.kind in made and end <= one.clause.start < end + BELOW for one in claims)
