"""In what state a text says that parcels and returns are: on their way, not sent yet, found again, or too late."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.heads import has_another_head
from diorama.rewards.claims.lexicon import LANGUAGES, Words, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, is_asserted, is_own_act, orders_in, orders_of
from diorama.rewards.claims.sendings import RECENT_DAYS


class States(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    moving: str
    waiting: str
    other: str
    found: str
    no_more: str
    period: str
    repairer: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, States]:
    return by_language("states", States)


@lru_cache(maxsize=128)
def _cues(language: str, order: bool, kinds: frozenset[str]) -> Words | None:
    """Return a pattern for the words without which no check finds anything: with an order named, and after deeds."""
    known = _known()[language]
    lists = [known.moving, known.waiting] if order else []
    lists += [known.found, known.no_more] if "reshipment" in kinds else []
    lists += [known.period] if "label" in kinds else []
    lists += [known.repairer] if kinds & GOODS else []
    return words("|".join(lists)) if lists else None


_DEEDS = frozenset({"label", *GOODS})


def states(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say of a parcel or a return what its records contradict."""
    del text
    kinds = frozenset(one.kind for one in case.new_deeds) & _DEEDS
    named = {one.sentence for one in clauses for value in one.values if value.kind == "record"}
    if not case.things or not (named or kinds):
        return
    orders: dict[str, Thing] | None = None
    for clause in clauses:
        if clause.question or clause.conditional:
            continue
        cues = _cues(clause.language, clause.sentence in named, kinds)
        if cues is None or not cues.search(clause.words):
            continue
        if orders is None:
            orders = {number: one for one in case.things if one.kind == "order" for number in one.numbers}
        sentence = [one for one in clauses if one.sentence == clause.sentence]
        if has_another_head(sentence, clause, nouns=False):
            continue
        near = orders_in(orders, sentence)
        about = orders_of(orders, clause, near)
        known = _known()[clause.language]
        wrong = (
            _has_arrived(case, clause, about, known)
            or _sent_again(case, clause, about, known)
            or _in_time(case, clause, about, known)
            or _to_the_customer(case, clause, known)
        )
        if wrong:
            yield clause, wrong


def _names(deed: Deed) -> set[str]:
    return {one.upper() for one in (deed.subject, *deed.names) if one}


def _has_arrived(case: Case, clause: Clause, about: Sequence[Thing], known: States) -> Wrong | None:
    """Check that the only order of a clause is not said to be on its way, or not yet sent, after its arrival."""
    if len(about) != 1 or about[0].status != "delivered" or about[0].moves(case.today):
        return None
    order = about[0]
    found = words(known.moving).search(clause.words) or words(known.waiting).search(clause.words)
    if found is None or words(known.other).search(words(known.waiting).sub(" ", clause.words)):
        return None
    names = {order.id.upper(), *order.numbers}
    since = (case.day - timedelta(days=RECENT_DAYS)).isoformat() if case.day else ""
    if any(names & _names(one) and _is_late(one, since) for one in case.deeds if one.kind != "shipment"):
        return None
    if not _says_so(clause, found):
        return None
    return "state", f"{order.numbers[0]} was delivered", f"the text says {found[0]!r}"


def _is_late(deed: Deed, since: str) -> bool:
    """Check whether a deed is one of the episode, or of the last days."""
    return deed.stands and bool(deed.seq or not deed.day or deed.day >= since)


def _says_so(clause: Clause, found: re.Match[str]) -> bool:
    """Check whether some words are stated; those with a negation of their own are not denied by it."""
    language = LANGUAGES[clause.language]
    if not words(language.negation).search(found[0]):
        return is_asserted(clause, *found.span())
    if is_own_act(clause) or clause.depends:
        return False
    return not any(words(one).search(clause.words) for one in (language.exempt, language.wish, language.reported))


def _sent_again(case: Case, clause: Clause, about: Sequence[Thing], known: States) -> Wrong | None:
    """Check that a parcel that was sent again is not said to have been found, or to need no second one."""
    again = [one for one in case.new_deeds if one.kind == "reshipment"]
    if not again:
        return None
    no_more = words(known.no_more).search(clause.words)
    if no_more and not is_own_act(clause):
        return "denied", "the parcel was sent again", f"the text says {no_more[0]!r}"
    found = words(known.found).search(clause.words)
    if found is None or not (about or _PARCEL.search(clause.words)):
        return None
    names = set().union(*map(_names, again))
    if about and not any(names & {one.id.upper(), *one.numbers} for one in about):
        return None
    if not is_asserted(clause, *found.span()) or _WE_FOUND.search(clause.words):
        return None
    return "state", "a parcel that was lost and sent again", f"the text says {found[0]!r}"


_PARCEL = words(
    "parcel | package | it | paket | päckchen | sendung | es | colis | paquet | il | paquete | pakket | pakje | het"
)


_WE_FOUND = words("i found | we found | i've found | we've found | i have found | we have found")


def _in_time(case: Case, clause: Clause, about: Sequence[Thing], known: States) -> Wrong | None:
    """Check that the time for a return that was opened now is not said to be over."""
    opened = [one for one in case.new_deeds if one.kind == "label"]
    found = words(known.period).search(clause.words) if opened else None
    if found is None or is_negated(clause, found.end()):
        return None
    names = set().union(*map(_names, opened))
    if about and not any(names & {one.id.upper(), *one.numbers} for one in about):
        return None
    days = [day for one in clause.values if one.kind in {"date", "day"} for day in one.readings]
    if any(day[-5:] > case.today[5:10] if day.startswith("-") else day > case.today[:10] for day in days):
        return None
    language = LANGUAGES[clause.language]
    if any(words(one).search(clause.words) for one in (language.exempt, language.wish, language.reported)):
        return None
    return "state", "a return that was opened in time", f"the text says {found[0]!r}"


def _to_the_customer(case: Case, clause: Clause, known: States) -> Wrong | None:
    """Check that goods that went to the customer are not said to go to someone who repairs them."""
    sent = [one for one in case.new_deeds if one.kind in GOODS and one.to.get("line1")]
    found = words(known.repairer).search(clause.words) if sent else None
    if found is None or not words(LANGUAGES[clause.language].perfect).search(clause.words):
        return None
    if not is_asserted(clause, *found.span()):
        return None
    return "place", f"goods that go to {sent[0].to['line1']}", f"the text says {found[0]!r}"
