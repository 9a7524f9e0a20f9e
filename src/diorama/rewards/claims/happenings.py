"""Events that did not happen: what carriers, banks and the shop's own systems are said to have done.

Rows show five things about a parcel: its label, its collection, and that it was delivered, lost or returned. An attempt
to deliver, a neighbour who took it in and a customs office are in none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case, Grounds
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act
from diorama.rewards.claims.spans import by_sentence
from diorama.rewards.claims.things import named_in


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    attempt: str
    handed: str
    neighbour: str
    held: str
    express: str
    sends: str
    dispute: str
    decided: str
    outage: str
    down: str
    only: str
    charge: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("happenings", Words)


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    """Return the words without which no check finds anything."""
    known = _known()[language]
    return words(
        "|".join((known.attempt, known.neighbour, known.held, known.express, known.decided, known.down, known.only))
    )


def happenings(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that tell an event that no row shows."""
    if not case.things:
        return
    disputed = any(one in text for one in _DISPUTES)
    stated = sum(one.kind == "time" for clause in clauses for one in clause.values)
    timed = stated > 0 and sum(one.kind == "time" for one in case.tell) > 1  # the answer, not a mail before the end
    planned = any(one.kind == "plan" for one in case.things)
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        for clause in sentence:
            if clause.question or not _cues(clause.language).may_stand_in(clause.words):
                continue
            wrong = (
                _attempted(case, clause)
                or _handed(case, clause, [*before, *sentence])
                or _held(case, clause)
                or _express(case, clause)
                or (_decided(case, clause, [*before, *sentence]) if disputed else None)
                or (_down(clause, sentence) if timed else None)
                or (_only(case, clause, [*before, *sentence], text) if planned else None)
            )
            if wrong:
                yield clause, wrong
        before = sentence


def _states(clause: Clause, text: str) -> re.Match[str] | None:
    """Return the words of a list if a clause states them: not wished, reported, possible, conditional or denied."""
    found = words(text).search(clause.words)
    if found is None or clause.conditional or clause.depends or is_own_act(clause):
        return None
    language = LANGUAGES[clause.language]
    rest = clause.words[: found.start()] + " " + clause.words[found.end() :]
    unclear = (language.exempt, language.wish, language.reported, language.general)
    plain = msgspec.structs.replace(clause, words=_WITHOUT.sub(lambda one: " " * len(one[0]), clause.words))
    if is_negated(plain, found.end(), [found.span()]) or any(words(one).search(rest) for one in unclear):
        return None
    return found


_WITHOUT = re.compile(r"\b(?:without|ohne|sans|sin|zonder)\s[\w'-]+")
"""What follows is denied, and nothing before it: `tried to deliver without finding anybody`."""


def _is_noted(case: Case, stems: re.Pattern[str]) -> bool:
    """Check whether the customer or a colleague wrote about something."""
    return case.has_noted(stems) or stems.search(case.thread) is not None


# --- parcels


_TRIED = re.compile(
    r"attempt|nobody|no one|versuch|niemand|angetroffen|tentative|personne|intent|nadie|poging|not at home|not in"
)
_NEIGHBOUR = re.compile(r"neighbo|nachbar|voisin|vecin|buren|buur|concierge|porter|hausmeister|reception|gardien")
_CUSTOMS = re.compile(r"customs|zoll|douane|aduana")
_EXPRESS = re.compile(r"express|expres|overnight|next-day|next day|priority|urgen|spoed|eil(?:ig|send)")


def _attempted(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a carrier is said to have found no one; a parcel that came back may tell of that."""
    found = _states(clause, _known()[clause.language].attempt)
    if found is None or not case.parcels or any(one.status == "back" for one in case.parcels):
        return None
    if case.has_noted(_TRIED):
        return None
    return "state", "no attempt to deliver in any row", f"the text says {found[0]!r}"


def _handed(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a parcel that did not arrive is said to have been handed to someone else."""
    known = _known()[clause.language]
    found = _states(clause, known.neighbour)
    if found is None or words(known.handed).search(clause.words) is None or _is_noted(case, _NEIGHBOUR):
        return None
    said = {value.value for one in near for value in one.values if value.kind == "record"}
    orders = {one.id for one in case.things if one.kind == "order" and said & set(one.numbers)}
    meant = [one for one in case.parcels if one.number in said or one.order in orders]
    if not meant or any(one.status == "arrived" for one in meant):
        return None
    return "state", "a parcel that nobody else took in", f"the text says {found[0]!r}"


def _held(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a parcel is said to be at a customs office."""
    found = _states(clause, _known()[clause.language].held)
    if found is None or _is_noted(case, _CUSTOMS):
        return None
    return "state", "a parcel that no customs office has", f"the text says {found[0]!r}"


def _express(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if goods are said to travel by a faster service: all parcels go by the usual one."""
    known = _known()[clause.language]
    found = _states(clause, known.express)
    if found is None or words(known.sends).search(clause.words) is None:
        return None
    if PAST.search(clause.words) and _is_noted(case, _EXPRESS):
        return None
    return "claimed", "parcels by the usual service", f"the text says {found[0]!r}"


# --- banks


def _decided(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a bank is said to have decided a dispute: rows show only that one was opened."""
    known = _known()[clause.language]
    found = words(known.decided).search(clause.words)
    if found is None or clause.conditional or clause.depends or is_negated(clause, found.end(), [found.span()]):
        return None
    if _NO_DECISION.match(clause.words, found.start()):
        return None
    if words(LANGUAGES[clause.language].reported).search(clause.words) or not any(
        words(_known()[one.language].dispute).search(one.words) for one in near
    ):
        return None
    meant = _BANK.search(clause.words) or _IT.match(clause.words) or _FAVOUR.search(clause.words)
    if not (meant or words(known.dispute).search(clause.words)):
        return None
    if case.has_noted(_VERDICT, _OF_A_BANK):
        return None
    if not words(LANGUAGES[clause.language].perfect).search(clause.words):
        return None
    return "state", "a dispute without a decision", f"the text says {found[0]!r}"


_DISPUTES = (
    "bank", "banque", "banco",
    "disput", "chargeback", "contest", "litige", "oppos", "betwist", "beanstand", "angefocht", "anfecht", "widersproch",
    "ruckbuch", "rückbuch", "streitfall", "reklam", "impugn", "contracargo", "reclam", "terugboek", "geschil",
    "gestorn",
    "claim with", "retrofact",
)  # fmt: skip
"""How words for a contested payment begin."""
_BANK = re.compile(r"\b(?:bank|banque|banco|banco|card issuer|kartenherausgeber|case|fall|dossier|caso|zaak)\b")
_FAVOUR = re.compile(r"favou?r|gunsten|faveur|voordeel")
_IT = re.compile(
    r"\W*(?:and |und |et |y |en )?(?:it|this|that|which|they|es|das|die|der|diese[rs]?|elle|il|ce|cela|celle-ci|qui"
    r"|esta|este|eso|que|dit|dat|deze)\b"
)
_NO_DECISION = re.compile(r"over (?:that|the|this|your|a|an|xamount)\b|\w+er\b(?<!over)")
"""A dispute over something, and French infinitives: `la banque doit trancher`."""
_OF_A_BANK = re.compile(r"disput|bank|chargeback")
_VERDICT = re.compile(r"decid|ruled|won|lost|favou?r|closed|withdrawn|withdrew")


# --- outages


def _down(clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if an outage is said to go on whose end has to be told."""
    known = _known()[clause.language]
    found = words(known.down).search(clause.words)
    if found is None or clause.conditional or is_own_act(clause) or PAST.search(clause.words):
        return None
    if not any(words(known.outage).search(one.words) for one in sentence):
        return None
    language = LANGUAGES[clause.language]
    rest = clause.words[: found.start()] + " " + clause.words[found.end() :]
    if any(words(one).search(rest) for one in (language.wish, language.reported)):
        return None
    return "state", "an outage that is over", f"the text says {found[0]!r}"


# --- how often a plan was charged


def _only(case: Case, clause: Clause, near: Sequence[Clause], text: str) -> Wrong | None:
    """Return the contradiction if a plan is said to have been charged once, and it placed several orders."""
    known = _known()[clause.language]
    found = _states(clause, known.only)
    plans = [one for one in case.things if one.kind == "plan"]
    if found is None or not plans or case.private != Grounds():
        return None
    if (
        words(known.charge).search(clause.words) is None
        or _UNTIL_NOW.search(clause.words)
        or _NEXT.search(clause.words)
    ):
        return None
    if not any(_PLAN.search(one.words) for one in near):
        return None
    named = [one for one, _, _ in named_in(plans, text[near[0].start : near[-1].end])] or plans
    meant = named if len(plans) == 1 or len(named) == 1 else []
    made = [
        one
        for one in case.things
        if one.kind == "order"
        and one.renews
        and (len(plans) == 1 or any(plan.name and plan.name in good for plan in meant for good in one.goods))
    ]
    if len(meant) != 1 or len(made) < 2:
        return None
    return "state", f"{len(made)} orders of the plan", f"the text says {found[0]!r}"


_PLAN = words(
    "plan | plans | subscription | abo | kaffee-abo | kaffeeabo | abonnement | formule | suscripción"
    " | koffieabonnement | koffieplan"
)
_UNTIL_NOW = re.compile(
    r"\b(?:so far this|this year|dieses jahr|cette annee|este ano|dit jaar|since|seit|depuis|desde|sinds)\b"
)
_NEXT = re.compile(
    r"\b(?:will|next|new|wird|werden|nachste\w*|neue\w*|sera|prochain\w*|nouve\w+|sera|proxim\w+|nuev\w+|zal|volgende"
    r"|nieuwe|from now on|refund\w*|erstatt\w*|rembours\w*|reembols\w*|terugbeta\w*|xday|xdate)\b"
)
"""A first charge that is still to come."""
