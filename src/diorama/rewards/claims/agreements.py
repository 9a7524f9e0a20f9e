"""Values of one sentence that have to agree: an amount and where it went, a deed and its day, a record and its values.

Most checks need no verb: a value of a known deed beside a destination, a day or a record that is not the deed's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.agreement_words import Words, known_words
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.ledger import PLAN_WORDS, in_question
from diorama.rewards.claims.lexicon import LANGUAGES, NAMES, alternatives, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_asserted, is_new, is_own_act, roots_of
from diorama.rewards.claims.spans import by_sentence, is_dated
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.values import Value
from diorama.rewards.claims.years import with_year

_CENTS = frozenset({"amount", "number"})
_MONEY = frozenset({"refund", "credit"})


class Ledger(msgspec.Struct, frozen=True):
    """What the checks need of a case, found once for a text."""

    paid: tuple[Deed, ...]
    """The payments that stand."""
    unspent: int
    """The balance of store credit if none was ever spent, else 0."""
    ended: bool
    """Whether there are plans, and all have ended."""
    new: bool
    """Whether a payment was made in the episode."""


def _ledger(case: Case) -> Ledger:
    paid = tuple([one for one in case.deeds if one.cents and one.stands and one.kind in _MONEY])
    held = sum([one.cents for one in case.things if one.kind == "account"])
    plans = [one.status for one in case.things if one.kind == "plan"]
    ended = bool(plans) and all(one == "cancelled" for one in plans)
    unspent = held and held == sum([one.cents or 0 for one in paid if _destination(one) == "store_credit"])
    return Ledger(
        paid,
        held if unspent else 0,
        ended and not any(one.kind in {"subscription", "resumption", "order"} for one in case.new_deeds),
        any(is_new(case, one) for one in paid),
    )


def agreements(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the sentences whose values do not belong together."""
    if not case.things:
        return
    known = _ledger(case)
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        if not any(one.question for one in sentence):
            wrong = None
            if values := [one for clause in sentence for one in clause.values]:
                wrong = _in_sentence(case, sentence, values, known, text)
            if wrong is None and known.unspent:
                wrong = _spent(sentence, known.unspent)
            if wrong is None and known.ended:
                wrong = _resumed(sentence, before)
            if wrong is None and known.new and values and before:
                wrong = _this_is_of_another(case, sentence, before, known.paid)
            if wrong:
                yield wrong
        before = sentence


def _in_sentence(
    case: Case, sentence: Sequence[Clause], values: Sequence[Value], known: Ledger, text: str
) -> tuple[Clause, Wrong] | None:
    """Return the first contradiction between the values of a sentence."""
    kinds, wrong = {one.kind for one in values}, None
    if cents := _cents_of(values):
        wrong = _other_way(sentence, cents, known.paid) or _other_balance(case, sentence, cents)
        wrong = wrong or _not_coming(case, sentence, cents, known.paid)
        if wrong is None and known.new:
            wrong = _charged_once(case, sentence, cents, known.paid)
    if wrong is None and "record" in kinds:
        wrong = _other_parcel(case, sentence, values) or _other_resolution(case, sentence, values)
    if wrong is not None:
        return sentence[0], wrong
    for clause in _with_days(sentence) if kinds & {"date", "day"} else sentence:
        kinds = {one.kind for one in clause.values}
        if kinds & {"date", "day"}:
            wrong = _on_another_day(case, clause, cents, known.paid, text)
        if wrong is None and "record" in kinds:
            wrong = _other_order(case, clause, known.paid, cents) or _other_goods(case, clause)
        if wrong is None and kinds & _CENTS:
            wrong = _charged_for_nothing(case, clause)
        if wrong is not None:
            return clause, wrong
    return None


def _with_days(sentence: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of a sentence; a day that stands alone goes with its neighbour: `On 23 May, we paid it`."""
    found: list[Clause] = []
    alone = False
    for clause in sentence:
        lone = any(one.kind in {"date", "day"} for one in clause.values) and _LONE_DAY.fullmatch(clause.words)
        if found and (alone or lone):
            last = found.pop()
            together = f"{last.words.strip(' ,')} {clause.words}"
            found.append(msgspec.structs.replace(last, words=together, values=(*last.values, *clause.values)))
            alone = False
        else:
            found.append(clause)
            alone = bool(lone)
    return found


_LONE_DAY = re.compile(r"\W*(?:[\w']+\s){1,3}x(?:date|day)\W*")


def _is(clause: Clause, text: str) -> bool:
    return words(text).search(clause.words) is not None


def _cents_of(values: Sequence[Value]) -> set[int]:
    return {int(one.value) for one in values if one.kind in _CENTS}


def _names(deed: Deed) -> set[str]:
    return {one.upper() for one in (deed.subject, *deed.names) if one}


def _destination(deed: Deed) -> str:
    return "store_credit" if deed.kind == "credit" else deed.destination


def _is_unsure(clause: Clause, said: str) -> bool:
    """Check whether what a clause says of a destination is denied, wished, compared or conditional."""
    language = LANGUAGES[clause.language]
    unclear = (known_words()[clause.language].unsure, language.negation, language.reported, language.wish)
    return clause.conditional or clause.depends or is_own_act(clause) or any(words(one).search(said) for one in unclear)


# --- where money went


def _other_way(sentence: Sequence[Clause], cents: set[int], paid: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if the one amount of a sentence went to a card and not to store credit, or reverse."""
    to = {_destination(one) for one in paid if one.cents in cents}
    if len(cents) != 1 or len(to) != 1:
        return None
    language = sentence[0].language
    known = known_words()[language]
    text = _plain(sentence, known)
    store, card = words(known.store).search(text), words(known.card).search(text)
    if bool(store) == bool(card) or words(known.taken).search(text):
        return None
    if (to == {"store_credit"}) == bool(store) or any(_is_unsure(one, text) for one in sentence):
        return None
    if card and not _goes_into(language).search(text):
        return None
    if words(known.usual).search(text, 0, (store or card).start()):  # type: ignore[union-attr] # one of them was found
        return None
    shown = f"{next(iter(cents)) / 100:.2f}"
    said = (store or card)[0]  # type: ignore[index] # one of them was found
    return "destination", f"{shown} to {next(iter(to))}", f"{shown} to {said!r}"


def _plain(sentence: Sequence[Clause], known: Words) -> str:
    """Return the words of a sentence without verbs of return, the card that was used, and a wish that was met."""
    text = _BANK.sub("card", " ".join(one.words for one in sentence))
    for one in (known.paid_with, known.asked, known.back):
        text = words(one).sub(" ", text)
    return text


_BANK = re.compile(r"\bbank (?:card|account)\b")


@lru_cache(maxsize=len(NAMES))
def _goes_into(language: str) -> re.Pattern[str]:
    """Return the pattern of a preposition shortly before a card."""
    known = known_words()[language]
    into, card = ("|".join(map(re.escape, alternatives(one))) for one in (known.into, known.card))
    return re.compile(rf"\b(?:{into})\s(?:[\w'-]+\s){{0,3}}(?:{card})\b")


def destination_words(language: str) -> str:
    """Return the words for cards and store credit in a language."""
    known = known_words()[language]
    return f"{known.card} | {known.store}"


def destination_in(clause: Clause) -> str:
    """Return where a clause says that money goes or went: store_credit, original_payment or nothing."""
    known = known_words()[clause.language]
    text = _plain([clause], known)
    store, card = words(known.store).search(text), _goes_into(clause.language).search(text)
    found = store or card
    if found is None or (store and card) or words(known.taken).search(text) or _is_unsure(clause, text):
        return ""
    if words(known.usual).search(text, 0, found.start()):
        return ""
    return "store_credit" if store else "original_payment"


def _other_resolution(case: Case, sentence: Sequence[Clause], values: Sequence[Value]) -> Wrong | None:
    """Return the contradiction if a named return is said to give store credit and gives a refund, or the reverse."""
    named = {number for one in case.things if one.kind == "return" for number in one.numbers}
    records = {one.value for one in values if one.value in named}
    if len(records) != 1 or _cents_of(values):
        return None
    meant = [one for one in case.deeds if one.kind == "label" and one.stands and records & _names(one)]
    found = {one.to.get("resolution", "") for one in meant}
    if len(found) != 1:
        return None
    clause = next(one for one in sentence if any(value.value in named for value in one.values))
    known, language = known_words()[clause.language], LANGUAGES[clause.language]
    text = _plain([clause], known)
    store, card = words(known.store).search(text), words(known.card).search(text)
    unclear = (language.negation, language.wish, language.reported, language.exempt)
    if bool(store) == bool(card) or clause.conditional or clause.depends:
        return None
    if any(words(one).search(text) for one in unclear):
        return None
    if store and found == {"refund"}:
        return "destination", "a return for a refund to the original payment", "the text says store credit"
    return None


# --- on which day


def _days_of(value: Value, said: str, today: str) -> set[str]:
    """Return the days that a value can mean, with the year that the words mean if it has none."""
    return {with_year(one, said, today) for one in value.readings}


def _past_day(case: Case, clause: Clause) -> set[str]:
    """Return the only day of a clause if it has passed."""
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    found = _days_of(days[0], clause.words, case.today) if len(days) == 1 else set()
    return found if all(one < case.today[:10] for one in found) else set()


def _on_another_day(case: Case, clause: Clause, cents: set[int], paid: Sequence[Deed], text: str) -> Wrong | None:
    """Return the contradiction if a payment or a cancellation is said to be of a past day that is not its own."""
    days = _past_day(case, clause)
    return (
        (_paid_another_day(case, clause, days, cents, paid) or _ended_another_day(case, clause, days, text))
        if days
        else None
    )


def _paid_another_day(
    case: Case, clause: Clause, days: set[str], cents: set[int], paid: Sequence[Deed]
) -> Wrong | None:
    """Return the contradiction if a payment is said to be of a past day that is not its own."""
    if not paid or any(one.day in days for one in paid):
        return None
    known, own_cents = known_words()[clause.language], _cents_of(clause.values)
    cents = own_cents or cents
    meant = [one for one in paid if one.cents in cents] if cents else [one for one in paid if _is_meant(case, one)]
    own = {one.day for one in meant}
    verbs = known.back if own_cents else known.refunded
    if _REFUND.search(clause.words):
        verbs = f"{verbs} | {_MADE}"
    back = _stands_by(clause, verbs) if meant and "" not in own else ""
    if not back:
        return None
    return "earlier", f"a payment of {', '.join(sorted(own))}", f"the text says {back!r} on {min(days)}"


_REFUND = words(
    "refund | repayment | erstattung | rückerstattung | rückzahlung | remboursement | reembolso | terugbetaling"
)
_MADE = (
    "made | issued | processed | done | carried out | initiated | triggered | executed | sent | veranlasst | ausgeführt"
    " | vorgenommen | angewiesen | durchgeführt | erfolgt | erfolgte | effectué | fait | lancé | émis | versé | hecho"
    " | realizado | se hizo | se realizó | emitido | ordenado | gedaan | uitgevoerd | verricht | gemaakt"
)
"""Verbs that pay beside the noun for a payment."""


def _is_meant(case: Case, deed: Deed) -> bool:
    return in_question(case, _NOTHING, deed)


_NOTHING = Clause(0, 0, (0, 0), "", "en")


def _ended_another_day(case: Case, clause: Clause, days: set[str], text: str) -> Wrong | None:
    """Return the contradiction if a cancellation is said to be of a past day that is not its own."""
    done = [one for one in case.deeds if one.stands and one.kind == "cancellation" and one.day]
    if not done or all(one.day in days for one in done):
        return None
    known = known_words()[clause.language]
    ended = "" if _is(clause, known.who) else _stands_by(clause, known.ended)
    if not ended or _is(clause, roots_of(clause).warranty):
        return None
    plans = named_in([one for one in case.things if one.kind == "plan"], text[clause.start : clause.end])
    named = {one.id for one, _, _ in plans}
    records = {one.value for one in clause.values if one.kind == "record"}
    meant = [one for one in done if one.subject in named or records & _names(one)] if named or records else done
    if not meant or days & {one.day for one in meant}:
        return None
    own = ", ".join(sorted({one.day for one in meant}))
    return "earlier", f"a cancellation of {own}", f"the text says {ended!r} on {min(days)}"


"""What ends without having been cancelled."""


def _stands_by(clause: Clause, verbs: str) -> str:
    """Return the verb whose day the day of a clause is: only small words stand between the two."""
    known = known_words()[clause.language]
    day = _DAY.search(clause.words)
    plain = words(verbs).sub(" ", clause.words)
    if day is None or words(known.taken).search(plain) or words(known.unsure).search(plain):
        return ""
    on = words(known.on)
    small = frozenset(word for one in alternatives(known.between) for word in one.split())
    lead = clause.words[: day.start()].split()
    if day[0] == "xday":  # `yesterday` and `last Friday` need no preposition
        small |= _BEFORE_A_DAY
    elif not lead or not any(on.fullmatch(" ".join(lead[-size:])) for size in (1, 2, 3) if size <= len(lead)):
        return ""
    for verb in words(verbs).finditer(clause.words):
        if verb.end() <= day.start():
            first, last = verb.end(), day.start()
        else:
            perfect = words(LANGUAGES[clause.language].perfect).finditer(clause.words, 0, day.start())
            first, last = max((one.start() for one in perfect), default=0), verb.start()
        between = _WORD.findall(clause.words[first:last])
        if all(one in small or one.startswith("x") for one in between) and is_asserted(clause, *verb.span()):
            return verb[0]
    return ""


_BEFORE_A_DAY = frozenset({
    "last", "past", "letzten", "vergangenen", "afgelopen", "vorige", "on", "am", "le", "el", "op", "already", "schon",
    "deja", "ya", "al", "your", "card", "karte", "carte", "kaart", "tarjeta", "to",
})  # fmt: skip
_DAY = re.compile(r"\bx(?:date|day)\b")
_WORD = re.compile(r"[\w'-]+")


# --- for which record


def _other_parcel(case: Case, sentence: Sequence[Clause], values: Sequence[Value]) -> Wrong | None:
    """Return the contradiction if the number of a parcel stands beside the one order of a sentence, and is not its."""
    records = {one.value for one in values if one.kind == "record"}
    if len(records) < 2:
        return None
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = records & orders.keys()
    if len(named) != 1:
        return None
    if any(words(LANGUAGES[one.language].negation).search(one.words) for one in sentence):
        return None
    for record in sorted(records - named):
        owners = {one.numbers[0] for one in orders.values() if record in one.numbers}
        for deed in case.deeds:
            if record in _names(deed):
                owners |= _names(deed) & orders.keys()
                owners |= {one.numbers[0] for one in orders.values() if one.id == deed.subject}
        if owners and _PARCEL.fullmatch(record) and not owners & named:
            return "subject", f"{record} belongs to {', '.join(sorted(owners))}", f"{record} and {min(named)}"
    return None


_PARCEL = re.compile(r"(?:[A-Z]{2,4}|\dS[A-Z]{3,5})?\d{9,22}")


def _other_order(case: Case, clause: Clause, paid: Sequence[Deed], near: set[int]) -> Wrong | None:
    """Return the contradiction if an amount is said to belong to an order, and is the total of others only."""
    known = known_words()[clause.language]
    found = words(known.concerns).search(clause.words)
    if found is None:
        return None
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    records = [one.value for one in clause.values if one.kind == "record"]
    if len(records) != 1 or records[0] not in orders or not is_asserted(clause, *found.span()):
        return None
    cents = _cents_of(clause.values)
    if not cents and _is(clause, known.this_amount):
        cents = {one.cents for one in paid if one.cents and is_new(case, one)}
    if not cents and len(near) == 1 and _WHICH.match(clause.words):
        cents = near
    whole = {number for number, one in orders.items() if one.cents in cents}
    own = {name for one in paid if one.cents in cents for name in _names(one)}
    if len(cents) != 1 or not whole or records[0] in whole | own:
        return None
    return "subject", f"an amount of {', '.join(sorted(whole))}", f"the text says that it is of {records[0]}"


_WHICH = re.compile(
    r"\W*(?:(?:and|und|et|y|en)\s)?(?:it|this|that|which|die|das|der|diese[rs]?|es|qui|elle|il|cela|celui-ci"
    r"|celle-ci|que|este"
    r"|ese|esta|corresponde|pertenece|dat|deze|dit)\b"
)
"""How a clause begins that goes on about the amount before it: `one payment of 12.00, and it belongs to LK-1`."""


def _this_is_of_another(
    case: Case, sentence: Sequence[Clause], before: Sequence[Clause], paid: Sequence[Deed]
) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if the payment of the sentence before is said to be of an order that has none."""
    cents = _cents_of([one for clause in before for one in clause.values])
    meant = [one for one in paid if one.cents in cents and is_new(case, one)]
    records = {one.value for clause in sentence for one in clause.values if one.kind == "record"} if meant else ()
    first = sentence[0]
    known = known_words()[first.language]
    if not records or not words(f"{known.this} | {known.this_amount}").match(first.words):
        return None
    found = words(known.concerns).search(first.words)
    orders = {one.numbers[0] for one in case.things if one.kind == "order" and one.numbers}
    named = orders.intersection(records)
    if found is None or len(named) != 1 or not is_asserted(first, *found.span()):
        return None
    if any(named & _names(one) for one in paid) or not all(_names(one) & orders for one in meant):
        return None
    own = ", ".join(sorted(_names(meant[0]) & orders))
    return first, ("subject", f"a payment for {own}", f"the text says {min(named)}")


def _other_goods(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if goods are said to be of an order, and only another order contains them."""
    pairs = [one for one in clause.values if one.kind in {"record", "product"}]
    if len({one.kind for one in pairs}) < 2 or words(LANGUAGES[clause.language].negation).search(clause.words):
        return None
    orders = {number: one for one in case.things if one.kind == "order" for number in one.numbers[:1]}
    places = list(_PAIRED.finditer(clause.words))
    if len(places) != len(pairs):
        return None
    has, of = _links(clause.language)
    for place in range(len(pairs) - 1):
        first, second = pairs[place : place + 2]
        link = clause.words[places[place].end() : places[place + 1].start()]
        if first.kind == second.kind or not (has if first.kind == "record" else of).fullmatch(link):
            continue
        record, goods = (first, second) if first.kind == "record" else (second, first)
        order = orders.get(record.value)
        if order is None or not order.goods or _contains(order, goods.value):
            continue
        others = [one for one in orders.values() if _contains(one, goods.value)]
        if others:
            return "subject", f"{goods.value} of {others[0].numbers[0]}", f"{goods.value} of {record.value}"
    return None


def _contains(order: Thing, name: str) -> bool:
    return any(good.startswith(name) or name.startswith(good) for good in order.goods)


_PAIRED = re.compile(r"\bx(?:record|product)\b")


@lru_cache(maxsize=len(NAMES))
def _links(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands between an order and what it contains, and between goods and their order."""
    known = known_words()[language]
    has, of = ("|".join(map(re.escape, alternatives(one))) for one in (known.has, known.of))
    small = r"(?:the|your|a|an|order|der|die|das|dem|den|ihrer|bestellung|le|la|les|l'|votre|commande|el|los|las|su|tu|pedido|de|het|je|uw|bestelling)"  # noqa: E501 - one list
    return (
        re.compile(rf"\s?(?:\(|,)?\s?(?:{has})\s(?:{small}\s?){{0,2}}"),
        re.compile(rf"\s?(?:\(|,)?\s?(?:{of})\s(?:{small}\s){{0,3}}"),
    )


# --- charges, and store credit that is gone


def _charged_for_nothing(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if what was sent free of charge is said to have been charged."""
    known = known_words()[clause.language]
    found = words(known.charged).search(clause.words)
    if found is None:
        return None
    sent = [one for one in case.new_deeds if one.kind in {"part", "replacement_machine", "reshipment"}]
    if not sent or is_dated(case, clause) or _is(clause, known.unsure):
        return None
    cents = _cents_of(clause.values)
    charged = {one.cents for one in case.things if one.kind == "order"} | {one.cents for one in case.deeds}
    if cents & charged or 0 in cents or not is_asserted(clause, *found.span()):
        return None
    if any(one.kind == "record" and one.value.partition("-")[0] in case.families for one in clause.values) and any(
        one.kind == "order" and one.numbers[:1] == (value.value,) for one in case.things for value in clause.values
    ):
        return None
    return "amount", "no charge for what was sent", f"the text says {found[0]!r}"


def _charged_once(case: Case, sentence: Sequence[Clause], cents: set[int], paid: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if a double charge that was returned is said to have been made once."""
    twice = [one for one in paid if one.cents in cents and is_new(case, one)]
    whole = {one.cents for one in case.things if one.kind == "order" and one.status == "delivered"} if twice else ()
    if not any(one.cents in whole for one in twice):
        return None
    returned = {name for one in case.deeds if one.kind == "label" for name in _names(one)}
    if any(_names(one) & returned for one in twice):
        return None
    for clause in sentence:
        known = known_words()[clause.language]
        once = words(known.once).search(clause.words)
        if once is None or not _is(clause, known.taken_once):
            continue
        if _is(clause, known.unsure) or _is(clause, LANGUAGES[clause.language].exempt):
            continue
        conjunction = clause.conditional and len(clause.words[once.end() :].split()) > 1  # `once we have it`
        if not conjunction and not is_negated(clause, once.end()):
            return "denied", "the second charge was returned", f"the text says {once[0]!r}"
    return None


def _spent(sentence: Sequence[Clause], unspent: int) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if store credit is said to be gone, and all that was ever given is still there."""
    for clause in sentence:
        known = known_words()[clause.language]
        spent = words(known.spent).search(clause.words)
        if spent is None or not any(_is(one, known.credit) for one in sentence):
            continue
        if not _is(clause, known.unsure) and is_asserted(clause, *spent.span()):
            return clause, ("state", f"store credit of {unspent / 100:.2f}", f"the text says {spent[0]!r}")
    return None


def _other_balance(case: Case, sentence: Sequence[Clause], cents: set[int]) -> Wrong | None:
    """Return the contradiction if the one amount of a sentence is said to be all store credit, and is not."""
    held = sum([one.cents for one in case.things if one.kind == "account"])
    if not held or held in cents or len(cents) != 1:
        return None
    text = " ".join([one.words for one in sentence])
    found = words(known_words()[sentence[0].language].balance).search(text)
    if found is None or PAST.search(text) or any(one.conditional or one.depends for one in sentence):
        return None
    known, language = known_words()[sentence[0].language], LANGUAGES[sentence[0].language]
    if words(known.unsure).search(text) or words(language.negation).search(text):
        return None
    return "amount", f"a balance of {held / 100:.2f}", f"the text says {found[0]!r} and {min(cents) / 100:.2f}"


def _not_coming(case: Case, sentence: Sequence[Clause], cents: set[int], paid: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if the total of an order comes back to a card, and nothing was done for that order."""
    if len(cents) != 1 or any(one.cents in cents for one in paid):
        return None
    orders = [one for one in case.things if one.cents in cents and one.kind == "order"]
    known = known_words()[sentence[0].language]
    if not orders:
        return None
    said = " ".join(one.words for one in sentence)
    if not words(f"{known.back} | {known.comes_back}").search(said) or not _goes_into(sentence[0].language).search(
        said
    ):
        return None
    done = {name for one in case.deeds if one.stands and one.kind in _RETURNS for name in _names(one)}
    text = _plain(sentence, known)
    if done & {name for one in orders for name in (one.id.upper(), *one.numbers)} or words(known.taken).search(text):
        return None
    if next(iter(cents)) == sum(one.cents or 0 for one in paid if is_new(case, one)):
        return None
    if words(known.usual).search(text) or any(_is_unsure(one, text) for one in sentence):
        return None
    return "claimed", f"no payment for {orders[0].numbers[0]}", "the text says that its total comes back"


_RETURNS = frozenset({"refund", "credit", "cancellation", "label"})


# --- a plan that was made active


def _resumed(sentence: Sequence[Clause], before: Sequence[Clause]) -> tuple[Clause, Wrong] | None:
    """Return the contradiction if a plan is said to run again, and all plans have ended."""
    for clause in sentence:
        found = words(known_words()[clause.language].resumed).search(clause.words)
        if found is None or clause.depends or not is_asserted(clause, *found.span()):
            continue
        if any(PLAN_WORDS.search(one.words) for one in (*before[-1:], *sentence)):
            return clause, ("claimed", "a plan that has ended", f"the text says {found[0]!r}")
    return None
