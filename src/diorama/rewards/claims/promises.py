"""Money that is promised beside what was paid, orders that were never called off, and senders who proved nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.agreement_words import known_words
from diorama.rewards.claims.case import Case, Grounds, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, by_language, words
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.offers import is_offer
from diorama.rewards.claims.relations import Wrong, is_own_act, roots_of, wrong_amounts
from diorama.rewards.claims.roots import known_roots
from diorama.rewards.claims.sendings import kinds_of, mentions_of, sending_words
from diorama.rewards.claims.spans import by_sentence, days_in, is_beside


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    gets: str
    not_money: str
    cancelled: str
    verified: str
    instead: str
    gave: str
    alone: str
    starts: str
    must: str
    refunds: str
    ordered: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("promises", Words)


@lru_cache(maxsize=len(NAMES))
def _cues(language: str) -> lexicon.Words:
    """Return the words without which no check finds anything."""
    known = _known()[language]
    return words(
        "|".join(
            (
                known_roots()[language].kept,
                known.gets,
                known.cancelled,
                known.verified,
                known.instead,
                known.gave,
                known.ordered,
                known.refunds,
            )
        )
    )


def promises(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that promise money, call orders cancelled or senders known, where no row says so."""
    if not case.things:
        return
    for sentence in by_sentence(clauses):
        for clause in sentence:
            if clause.question:
                continue
            if wrong := _brand(case, clause) or _by_itself(case, clause):
                yield clause, wrong
                continue
            if not _cues(clause.language).may_stand_in(clause.words):
                continue
            if wrong := _other_resolution(case, clause, sentence):
                yield clause, wrong
                continue
            if clause.conditional:
                if wrong := _gave_then(case, clause):
                    yield clause, wrong
                continue
            wrong = (
                _money(case, clause, clauses)
                or _cancelled(case, clause, text)
                or _kept(case, clause)
                or _verified(case, clause)
                or _from_its_place(case, clause, text)
                or _placed(case, clause)
            )
            if wrong:
                yield clause, wrong


def _states(clause: Clause, text: str) -> re.Match[str] | None:
    """Return the words of a list if a clause has them and neither denies nor reports them."""
    found = words(text).search(clause.words)
    if found is None or is_own_act(clause) or is_negated(clause, found.end(), [found.span()]):
        return None
    language = LANGUAGES[clause.language]
    rest = _ASKED.sub("", clause.words[: found.start()] + " " + clause.words[found.end() :])
    return None if any(words(one).search(rest) for one in (language.reported, language.wish)) else found


# --- money


def _money(case: Case, clause: Clause, clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the customer gets an amount that was not paid, or for an order without a payment."""
    amounts = [int(one.value) for one in clause.values if one.kind == "amount"]
    if len(amounts) != 1 or clause.depends or case.expected or _PRICE.search(clause.words):
        return None
    found = _states(clause, _known()[clause.language].gets)
    if found is None or words(_known()[clause.language].not_money).search(_ORDER.sub("", clause.words)):
        return None
    if words(LANGUAGES[clause.language].exempt).search(_ASKED.sub("", clause.words)) or is_offer(clause, clauses):
        return None
    if any(one.kind == "label" and one.stands for one in case.deeds if one.seq):
        return None
    paid = [one for one in case.deeds if one.stands and one.cents and one.kind in {"refund", "credit"}]
    shown = ", ".join(sorted({f"{(one.cents or 0) / 100:.2f}" for one in paid})) or "nothing"
    if wrong_amounts(case, paid, amounts):
        return "claimed", f"payments of {shown}", f"the text says {found[0]!r}: {amounts[0] / 100:.2f}"
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = [one.value for one in clause.values if one.kind == "record" and one.value in orders]
    got = {name.upper() for one in paid for name in (one.subject, *one.names)}
    if named and not any({one, orders[one].id.upper()} & got for one in named):
        return "subject", f"no payment for {named[0]}", f"the text says {found[0]!r}"
    return None


_ORDER = re.compile(
    r"\b(?:(?:for|of|from|für|von|aus|pour|de|del|por|voor|van)\s(?:\w+\s)?(?:order|parcel|bestellung|paket|commande"
    r"|colis|pedido|paquete|bestelling|pakket))\b"
)
_PRICE = re.compile(
    r"\b(?:for|at|für|fur|zu|zum preis von|pour|a|au prix de|por|voor|tegen)\s(?:(?:only|just|nur)\s)?xamount\b"
)
"""What something costs: `you get it every two weeks for 17.90 EUR`."""
_ASKED = re.compile(r"\b(?:you (?:asked|wanted|hoped) for|by xday|due)\b")


def _gave_then(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if an amount was given at an earlier time, `when we gave you`, that never was."""
    amounts = [int(one.value) for one in clause.values if one.kind == "amount"]
    back = words(f"{known_words()[clause.language].back} | {_known()[clause.language].gave}").search(clause.words)
    paid = [one for one in case.deeds if one.stands and one.cents and one.kind in {"refund", "credit"}]
    if len(amounts) != 1 or back is None or not paid or _WHEN.match(clause.words) is None:
        return None
    if words(known_words()[clause.language].taken).search(clause.words) or not wrong_amounts(case, paid, amounts):
        return None
    shown = ", ".join(sorted({f"{(one.cents or 0) / 100:.2f}" for one in paid}))
    return "amount", f"payments of {shown}", f"the text says {amounts[0] / 100:.2f}"


_WHEN = re.compile(
    r"\W*(?:when|als|quand|lorsque|cuando|toen|wobei|where)\s(?:we|i|wir|ich|nous|je|le|te|les|you|ihnen|vous|u|ik)\b"
)


# --- cards


_BRANDS = {
    "visa": "visa",
    "mastercard": "mastercard",
    "master card": "mastercard",
    "amex": "amex",
    "american express": "amex",
}
_BRAND = re.compile(r"\b(visa|mastercard|master card|amex|american express)\b")


def _brand(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a card is named that the customer neither has nor paid with."""
    found = _BRAND.search(clause.words) if case.brands else None
    if found is None or _BRANDS[found[1]] in case.brands or found[1] in case.thread:
        return None
    if words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    return "destination", f"a card of {', '.join(sorted(case.brands))}", f"the text says {found[1]!r}"


# --- plans that rest


def _by_itself(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a plan that rests until a day is said not to go on by itself then."""
    if not any(one.kind == "pause" and one.to.get("until") for one in case.new_deeds):
        return None
    known = _known()[clause.language]
    alone, starts = words(known.alone).search(clause.words), words(known.starts).search(clause.words)
    must = None if clause.depends else words(known.must).search(clause.words)
    denied = words(LANGUAGES[clause.language].negation).search(clause.words)
    wrong = (starts and alone and denied) or (starts and must and not denied and must.start() < starts.start())
    if not wrong or _EARLIER.search(clause.words):
        return None
    return "state", "a plan that goes on by itself", f"the text says {(alone or must or starts)[0]!r}"  # type: ignore[index] # one was found


_EARLIER = re.compile(
    r"\b(?:earlier|sooner|before|fruher|früher|eher|vorher|plus tot|avant|antes|eerder|if you|wenn sie"
    r"|si vous|si quiere|als je)\b"
)


# --- what follows a return


def _other_resolution(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if money is announced for a return that gives new goods."""
    opened = {one.to.get("resolution", "") for one in case.new_deeds if one.kind == "label"}
    if opened != {"replacement"} or any(one.kind in {"refund", "credit"} for one in case.new_deeds):
        return None
    known, language = known_words()[clause.language], LANGUAGES[clause.language]
    found = words(f"{known.back} | {_known()[clause.language].refunds}").search(clause.words)
    later = clause.depends or clause.conditional or any(one.conditional for one in sentence)
    if found is None or not later or is_negated(clause, found.end()) or is_own_act(clause):
        return None
    if any(words(one).search(clause.words) for one in (language.exempt, language.wish, language.reported)):
        return None
    return "destination", "a return for new goods", f"the text says {found[0]!r}"


# --- orders


def _placed(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if an order is said to have been placed on another day than it was."""
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = [orders[one.value] for one in clause.values if one.kind == "record" and one.value in orders]
    days = [frozenset(_not_to_come(case, day) for day in one) for one in days_in(case, clause)]
    found = words(_known()[clause.language].ordered).search(clause.words)
    if found is None or len(named) != 1 or len(days) != 1 or not named[0].placed or is_negated(clause, found.end()):
        return None
    order = named[0]
    parcels = {
        day for one in case.parcels if one.order == order.id for day in (one.made, one.sent, one.closed, one.due)
    }
    done = {one.day for one in case.deeds if {order.id, *order.numbers} & {one.subject, *one.names}}
    back = {one.arrived for one in case.things if one.kind == "return"}
    own = {order.placed, order.arrived, *parcels, *done, *back} - {""}
    if any(is_beside(day, other) for day in days[0] for other in own):
        return None
    return "state", f"{order.numbers[0]} was placed on {order.placed}", f"the text says {min(days[0])}"


def _cancelled(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if an order is said to be cancelled that is not."""
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = [orders[one.value] for one in clause.values if one.kind == "record" and one.value in orders]
    if not named and not any(one.kind == "record" for one in clause.values):
        named = _by_goods(case, clause, text)
    if len(named) != 1 or clause.depends or named[0].status in {"cancelled", ""}:
        return None
    found = _states(clause, _known()[clause.language].cancelled)
    if found is None or words(LANGUAGES[clause.language].exempt).search(clause.words):
        return None
    done = {name for one in case.deeds if one.kind == "cancellation" for name in (one.subject, *one.names)}
    plan = any(one.subject.startswith("sub_") and one.kind == "cancellation" for one in case.deeds)
    if done & {named[0].id, *named[0].numbers} or plan or _PLAN.search(clause.words):
        return None
    return "claimed", f"{named[0].numbers[0]} is {named[0].status}", f"the text says {found[0]!r}"


def _by_goods(case: Case, clause: Clause, text: str) -> list[Thing]:
    """Return the only order whose goods a clause names, if it is not delivered goods that are meant."""
    goods = mentions_of(case, clause, text)
    if len(goods) != 1:
        return []
    kinds = goods[0].kinds - {"coffee", "machine", "grinder"}
    found = [one for one in case.things if one.kind == "order" and any(kinds & kinds_of(good) for good in one.goods)]
    return found if len(found) == 1 else []


def _kept(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a part of a deposit is said to be kept, and none was settled."""
    deposits = [one for one in case.things if one.kind == "order" and "rental deposit" in one.goods]
    names = {name for one in deposits for name in (one.id.upper(), *one.numbers)}
    settled = [one for one in case.deeds if one.kind in {"refund", "credit"}]
    if not deposits or any(one in case.new_deeds for one in settled):
        return None
    if any(names & {name.upper() for name in (one.subject, *one.names)} for one in settled):
        return None
    amounts = {int(one.value) for one in clause.values if one.kind == "amount"}
    found = words(roots_of(clause).kept).search(clause.words)
    if not amounts or found is None or not is_stated(clause, [found.span()]) or is_negated(clause, found.end()):
        return None
    if 10_000 in amounts or clause.conditional:
        return None
    return "claimed", "no deposit was settled", f"the text says {found[0]!r}"


_PLAN = re.compile(r"\b(?:plan|plans|abo|abos|abonnement|formule|suscripcion|subscription|charge|payment|dispute)\b")


# --- who writes


def _verified(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a sender is said to have proved who they are, and has not."""
    if case.private == Grounds() or clause.depends:
        return None
    found = _states(clause, _known()[clause.language].verified)
    if found is None or words(LANGUAGES[clause.language].exempt).search(clause.words):
        return None
    return "claimed", "a sender who has proved nothing", f"the text says {found[0]!r}"


# --- places


def _from_its_place(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if goods go elsewhere `instead of` to the place where all of them go."""
    said = text[clause.start : clause.end]
    sent = [one for one in case.new_deeds if one.to.get("city") and one.kind in _GOES]
    if not sent or any(one.kind == "address_change" for one in sent):
        return None
    towns = {fold(one.to["city"]) for one in sent}
    goes = sending_words(clause).search(clause.words) or words(roots_of(clause).goes).search(clause.words)
    if len(towns) != 1 or not goes:
        return None
    town = next(iter(towns))
    place = said.find(town)
    lead = words(_known()[clause.language].instead).search(said)
    if place < 0 or lead is None or not lead.end() <= place or place - lead.end() > REACH:
        return None
    return "place", f"goods that go to {town}", f"the text says {lead[0]!r} {town}"


REACH = 60
"""How many characters may stand between `instead of` and a town."""
_GOES = frozenset({"part", "replacement_machine", "reshipment", "order", "address_change"})


def _not_to_come(case: Case, day: str) -> str:
    """Return the last such day: an order was placed in the past."""
    return f"{int(day[:4]) - 1}{day[4:]}" if case.today and day > case.today[:10] else day
