"""Deeds beside those of the ledger: an invoice, a discount, an appointment, a grind that nobody set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.relations import PAST, Wrong, follows_condition, is_own_act

ALLOWED: Mapping[str, frozenset[str]] = {
    "card": frozenset({"contact_change"}),
    "default_address": frozenset({"contact_change"}),
    "password": frozenset({"contact_change"}),
    "newsletter": frozenset({"contact_change"}),
    "discount": frozenset({"credit"}),
    "trace": frozenset({"trace"}),
    "ordering": frozenset({"order", "part", "replacement_machine", "reshipment", "subscription"}),
}
"""For each matter, the deeds that make it true; the others have no rows at all."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    acts: str
    other: str
    matters: dict[str, str]
    ordering: dict[str, str]
    grinds: dict[str, str]


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("extras", Words)


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    """Return the words without which no check finds anything."""
    known = _known()[language]
    return words("|".join([*known.matters.values(), *known.ordering.values(), *known.grinds.values()]))


def extras(case: Case, clauses: Sequence[Clause], _text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that tell a deed of which there is no row."""
    if not case.things:
        return
    for clause in clauses:
        if clause.question or not _cues(clause.language).may_stand_in(clause.words):
            continue
        wrong = _matter(case, clause) or _ordered(case, clause) or _grind(case, clause)
        if wrong:
            yield clause, wrong


def _is_done(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether some words are stated as done by the company: not denied, not dated before, not the customer's."""
    instead = _INSTEAD.search(clause.words, found.end())
    plain = msgspec.structs.replace(clause, words=clause.words[: instead.start()]) if instead else clause
    if is_own_act(clause) or is_negated(plain, found.end()) or words(_known()[clause.language].other).search(plain.words):
        return False
    if clause.conditional and not follows_condition(clause, found.end()):
        return False
    return is_stated(clause, [found.span()]) and not any(one.kind == "date" for one in clause.values)


def _matter(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if something was made, changed or sent that has no row."""
    known = _known()[clause.language]
    done = {one.kind for one in case.new_deeds}
    for name, nouns in known.matters.items():
        noun = words(nouns).search(clause.words)
        if noun is None or done & ALLOWED.get(name, frozenset()) or (name == "trace" and "trace" in case.stops):
            continue
        for verb in words(known.acts).finditer(clause.words):
            if verb.end() <= noun.start() or noun.end() <= verb.start():
                if _is_done(clause, verb) and _by_us(clause, verb.start()):
                    return "claimed", "only what the records show", f"the text says {noun[0]!r} and {verb[0]!r}"
    return None


_US = {
    "en": re.compile(r"\b(?:i|we|i've|we've|i'm|our team|my colleague)\b"),
    "de": re.compile(r"\b(?:ich|wir)\b"),
    "fr": re.compile(r"\b(?:j'ai|je|nous|j'avais|on)\b"),
    "es": re.compile(r"\b(?:he|hemos)\b"),
    "nl": re.compile(r"\b(?:ik|we|wij)\b"),
}
"""The company as the subject of a deed."""


def _by_us(clause: Clause, start: int) -> bool:
    """Check whether the company did it; German and Dutch may put the subject after the auxiliary."""
    return _US[clause.language].search(clause.words, 0, start) is not None


def _ordered(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if something was ordered for the customer, and there is no such order."""
    found = words(_known()[clause.language].ordering["verbs"]).search(clause.words)
    if found is None or {one.kind for one in case.new_deeds} & ALLOWED["ordering"]:
        return None
    if not _is_done(clause, found) or not _by_us(clause, found.end()):
        return None
    return "claimed", "the records show no new order", f"the text says {found[0]!r}"


def _grind(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a plan is said to come in another grind than it has."""
    plans = [one for one in case.things if one.kind == "plan" and one.option]
    if not plans or clause.conditional or PAST.search(clause.words):
        return None
    known, language = _known()[clause.language], LANGUAGES[clause.language]
    held = {one.option for one in plans}
    for name, ways in known.grinds.items():
        found = words(ways).search(clause.words)
        if found is None or name in held or (name == "ground" and held != {"whole_bean"}):
            continue
        if name == "whole_bean" and any(one.kind == "plan_change" for one in case.new_deeds):
            continue
        if is_negated(clause, found.end()) or clause.depends or is_own_act(clause) or found[0] in case.thread:
            continue
        unclear = (language.exempt, language.wish, language.reported)
        if any(words(one).search(clause.words) for one in unclear) or _INSTEAD.search(clause.words, 0, found.start()):
            continue
        return "state", f"a plan with {', '.join(sorted(held))}", f"the text says {found[0]!r}"
    return None


_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|statt|anstatt|au lieu d\w*|plutot que|en vez de|en lugar de|in plaats van|no longer"
    r"|from|nicht mehr|plus de)\b"
)
