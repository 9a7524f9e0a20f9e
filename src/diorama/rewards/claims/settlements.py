"""Money without its amount: where it goes, whether it has arrived, and what was never granted, taken off or given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.agreements import destination_in, destination_words
from diorama.rewards.claims.case import Case, Payment
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.heads import is_of_goods
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.parcels import is_later
from diorama.rewards.claims.relations import PAST, Wrong, is_asserted, is_own_act
from diorama.rewards.claims.spans import number_in
from diorama.rewards.claims.years import with_year

_CENTS = frozenset({"amount", "number"})
_MONEY = frozenset({"refund", "credit"})


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    money: str
    settled: str
    failed: str
    twice: str
    reserved: str
    fee: str
    approved: str
    gift: str
    free_of: str
    warranty: str
    spent: str
    credit: str
    new_one: str
    no_order: str
    released: str
    both: str
    also: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Words]:
    return by_language("settlements", Words)


@lru_cache(maxsize=8)
def _cues(language: str) -> lexicon.Words:
    """Return a pattern for the words without which no check finds anything."""
    known = _known()[language]
    lists = [getattr(known, one) for one in known.__struct_fields__ if one not in _WITH_OTHERS]
    return words("|".join([*lists, destination_words(language)]))


_WITH_OTHERS = frozenset({"money", "failed", "free_of", "credit", "both", "also"})
"""Lists whose words count only beside others."""


def settlements(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that send money elsewhere, or tell of payments, fees and gifts that no record shows."""
    if not case.things:
        return
    paid = [one for one in case.new_deeds if one.kind in _MONEY and one.cents]
    for place, clause in enumerate(clauses):
        if clause.question or clause.conditional:
            continue
        if wrong := _same_again(case, clauses, place):
            yield clause, wrong
            continue
        if not any(one.search(clause.words) for one in (_cues(clause.language), _EXPIRED, _OFTEN, _EXCHANGE, _PENDING)):
            continue
        near = [one for one in clauses[max(0, place - 4) : place + 1] if _is_near(clauses, place, one)]
        sentence = [one for one in clauses if one.sentence == clause.sentence]
        wrong = (
            _elsewhere(case, clause, near, sentence, paid)
            or _settled(case, clause, near, sentence)
            or _still_pending(case, clause, near)
            or _charges(case, clause, near)
            or _granted(case, clause, paid)
            or _spent(case, clause, near)
            or _expired(case, clause)
            or _instead(case, clause, sentence)
            or _no_order(case, clause)
            or _of_another(case, clause, sentence, paid)
        )
        if wrong:
            yield clause, wrong
    del text


def _is_near(clauses: Sequence[Clause], place: int, one: Clause) -> bool:
    """Check whether a clause is of the same sentence as another, or of the one before."""
    here = clauses[place].sentence
    return one.sentence == here or one.sentence[1] == here[0]


def _cents(clauses: Sequence[Clause]) -> set[int]:
    return {int(one.value) for clause in clauses for one in clause.values if one.kind in _CENTS}


def _says(clause: Clause, text: str) -> str:
    """Return the words of a list if a clause states them."""
    found = words(text).search(clause.words)
    if found is None or not is_asserted(clause, *found.span()):
        return ""
    return found[0]


def _destination(deed: Deed) -> str:
    return "store_credit" if deed.kind == "credit" else deed.destination


# --- where money goes


def _elsewhere(
    case: Case, clause: Clause, near: Sequence[Clause], sentence: Sequence[Clause], paid: Sequence[Deed]
) -> Wrong | None:
    """Return the contradiction if money without an amount goes to a card and all went to store credit, or reverse."""
    to = {_destination(one) for one in paid}
    if not paid and (stated := _cents(near)):
        to = {one.destination for one in case.payments if one.cents in stated and one.status != "failed"}
        to |= {_destination(one) for one in case.deeds if one.cents in stated and one.kind in _MONEY}
    if not to or _cents([clause]):
        return None
    said = destination_in(clause)
    if len(to) > 1:
        every = said and words(_known()[clause.language].both).search(clause.words)
        return ("destination", "money to a card and to store credit", f"the text says {said}") if every else None
    if not said or said in to or tells_of_a_failure(case, sentence):
        return None
    if any(one.to.get("resolution") for one in case.deeds if one.kind == "label" and one.stands and one.seq):
        return None
    if any(one.destination == said and one.status != "failed" and one.day >= _since(case) for one in case.payments):
        return None
    known = _known()[clause.language]
    named = words(known.money).search(clause.words)
    stated = _cents(near)
    if stated and paid and not stated & {one.cents for one in paid}:
        return None
    if not named and not stated:
        return None
    if said == "store_credit" and not named and any(one.cents for one in case.things if one.kind == "account"):
        return None
    return "destination", f"money to {next(iter(to))}", f"the text says that it goes to {said}"


def _since(case: Case) -> str:
    """Return the first day of the last weeks, in which a payment may be spoken of."""
    return (case.day - timedelta(days=RECENT_DAYS)).isoformat() if case.day else ""


RECENT_DAYS = 60
"""How many days ago a payment may have been made so that a text can speak of it without its day."""


def tells_of_a_failure(case: Case, clauses: Sequence[Clause]) -> bool:
    """Check whether some clauses tell that a payment failed, and one did."""
    if not any(one.status == "failed" for one in case.payments):
        return False
    return any(words(_known()[one.language].failed).search(one.words) for one in clauses)


# --- whether it has arrived


def _settled(case: Case, clause: Clause, near: Sequence[Clause], sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if money is said to have arrived at a bank, and no such payment has succeeded."""
    known = _known()[clause.language]
    found = words(known.settled).search(clause.words)
    if found is None or not case.payments or is_own_act(clause) or is_negated(clause, found.end(), [found.span()]):
        return None
    if destination_in(clause) == "store_credit":
        return None
    if not (words(known.money).search(" ".join(one.words for one in sentence)) or _cents(near)):
        return None
    if is_of_goods(clause, found, known.money):
        return None
    language = LANGUAGES[clause.language]
    if clause.depends or any(words(one).search(clause.words) for one in (language.exempt, language.reported)):
        return None
    meant = [] if is_later(clause, found) else _payments(case, clause, near)
    if not meant or any(one.status == "succeeded" for one in meant):
        return None
    return "claimed", f"a payment that is {meant[0].status}", f"the text says {found[0]!r}"


_PENDING = re.compile(
    r"\b(?:(?:still|currently|shows as|is|remains) (?:shown as )?pending|not (?:yet )?(?:been )?settled|(?:noch"
    r"|derzeit) (?:in bearbeitung"
    r"|ausstehend|offen)|steht noch aus|noch nicht (?:verbucht|abgewickelt)|(?:toujours|encore) en (?:attente"
    r"|cours)|(?:sigue|aun esta"
    r"|todavia esta|esta) (?:pendiente|en tramite)|nog (?:steeds )?in behandeling|nog niet (?:verwerkt|afgewikkeld))\b"
)


def _still_pending(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a payment is said to be pending that has succeeded."""
    found = _PENDING.search(clause.words)
    cents = _cents(near)
    if found is None or not cents or clause.conditional or clause.depends or is_own_act(clause):
        return None
    meant = [one for one in case.payments if one.cents in cents and one.status != "failed"]
    if not meant or any(one.status != "succeeded" for one in meant) or is_negated(clause, found.end(), [found.span()]):
        return None
    if any(one.day >= case.today[:10] for one in meant) or PAST.search(clause.words):
        return None
    return "state", f"a payment of {meant[0].day} that has succeeded", f"the text says {found[0]!r}"


def _payments(case: Case, clause: Clause, near: Sequence[Clause]) -> list[Payment]:
    """Return the payments to a card that a clause means: of its amount or day, or else all of the last weeks."""
    cards = [one for one in case.payments if one.destination == "original_payment" and one.day >= _since(case)]
    days = {day for one in clause.values if one.kind in {"date", "day"} for day in one.readings}
    days |= {with_year(one, clause.words, case.today) for one in days}
    dated = [one for one in cards if one.day in days]
    cents = _cents(near)
    return dated or [one for one in cards if one.cents in cents] or cards


# --- charges


def _charges(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Compare `charged twice` and `only a reservation` with the charges of orders."""
    known = _known()[clause.language]
    orders = [one for one in case.things if one.kind == "order" and one.charges]
    named = {value.value for value in clause.values if value.kind == "record"}
    meant = [one for one in orders if named & set(one.numbers)]
    if not named and (cents := _cents(near[-2:])):
        meant = [one for one in orders if one.cents in cents]
    if not meant and not named and _OFTEN.search(clause.words):  # `your card was charged three times`
        meant = [one for one in orders if one.charges > 1]
    if meant and (found := _says(clause, known.twice)) and all(one.charges == 1 for one in meant):
        return "state", f"{meant[0].numbers[0]} was charged once", f"the text says {found!r}"
    often = _OFTEN.search(clause.words)
    if meant and often and _CHARGED.search(clause.words) and all(one.charges < number_in(often[1]) for one in meant):
        return "state", f"{meant[0].numbers[0]} was charged {meant[0].charges} times", f"the text says {often[0]!r}"
    denied = words(known.reserved).search(clause.words)
    if denied is None or is_negated(clause, denied.end(), [denied.span()]):
        return None
    if words(LANGUAGES[clause.language].wish).search(clause.words) or is_of_the_order(clause):
        return None
    double = [one for one in orders if one.charges > 1]
    back = {one.cents for one in case.new_deeds if one.kind == "refund"}
    if any(one.cents in back for one in double) and not (meant and not set(meant) & set(double)):
        return "denied", f"{double[0].numbers[0]} was charged twice", f"the text says {denied[0]!r}"
    return None


def is_of_the_order(clause: Clause) -> bool:
    """Check whether a clause says how often an order was placed, and not how often it was paid."""
    return _PLACED.search(clause.words) is not None and _PAID.search(clause.words) is None


_PLACED = re.compile(
    r"\b(?:place[ds]?|registered|recorded|received|exists?|in our system|on our side|came in|angelegt"
    r"|eingegangen|erfasst"
    r"|aufgegeben|im system|bei uns|gespeichert|enregistree?|passee?|recue|saisie|dans notre systeme"
    r"|chez nous|registr\w+"
    r"|recib\w+|consta|figura|en nuestro sistema|geplaatst|binnengekomen|geregistreerd|vastgelegd"
    r"|in ons systeem|bij ons)\b"
)
_PAID = re.compile(
    r"\b(?:charg\w+|debit\w*|bill\w+|pa(?:id|y\w*)|taken|(?:ab)?gebucht\w*|\w*belast\w*|(?:be)?zahl\w*|\w*bezahl\w*"
    r"|prelev\w+|pay\w+|factur\w+|cobr\w+|cargo\w*|cargad\w+|pag\w+|afgeschreven|betaal\w*|betaling\w*|belast\w*)\b"
)
_OFTEN = re.compile(r"\b(three|four|drei|vier|trois|quatre|tres|cuatro|drie)\s?(?:times|mal|fois|veces|keer|maal)\b")
_CHARGED = words(
    "charged | debited | billed | taken | booked | abgebucht | belastet | berechnet | eingezogen | débité* | prélevé*"
    " | facturé* | cobr* | cargad* | carg* | afgeschreven | geïncasseerd | in rekening"
)


# --- what was never granted


def _granted(case: Case, clause: Clause, paid: Sequence[Deed]) -> Wrong | None:
    """Return a fee, a grant, a gift or a warranty that no record shows."""
    known = _known()[clause.language]
    cents = _cents([clause])
    if cents and paid and (found := _tells(clause, known.fee)) and not cents & _kept(case, paid):
        return "extra", "nothing that is taken off", f"the text says {found!r}"
    if paid and _SHIPPING_COST.search(clause.words) and (found := _shipping_kept(case, clause, known, paid)):
        return "extra", "a refund of the whole order, with its shipping", f"the text says {found!r}"
    given = {one.cents for one in case.deeds if one.cents} | {sum(one.cents or 0 for one in paid)}
    if cents and not cents & given and (found := _tells(clause, known.approved)):
        return "claimed", "an amount that was given", f"the text says {found!r}"
    if words(known.free_of).search(clause.words) and (found := _tells(clause, known.gift)):
        sent = any(one.kind in {"part", "replacement_machine", "reshipment"} for one in case.new_deeds)
        if not sent and not _SHIPPING.search(clause.words):
            return "extra", "only what the records show", f"the text says {found!r}"
    if found := _says(clause, known.warranty):
        return "extra", "a warranty as it is in the records", f"the text says {found!r}"
    return None


_SHIPPING_COST = words(
    "shipping | postage | delivery charge | delivery costs | shipping costs | versandkosten | versand | porto"
    " | lieferkosten | frais de port | frais d'envoi | frais de livraison | gastos de envío | portes | envío"
    " | verzendkosten | bezorgkosten | porto"
)


def _shipping_kept(case: Case, clause: Clause, known: Words, paid: Sequence[Deed]) -> str:
    """Return the words that say that shipping was not paid back, if the whole total of an order was."""
    totals = {one.cents for one in case.things if one.kind == "order"}
    if len(paid) != 1 or paid[0].cents not in totals or is_own_act(clause) or clause.depends:
        return ""
    kept = words(known.fee).search(clause.words)
    if kept is not None:
        return "" if is_negated(clause, kept.end()) else kept[0]
    back = words(known.released).search(clause.words) or _INCLUDED.search(clause.words)
    return back[0] if back is not None and is_negated(clause, back.end()) else ""


_INCLUDED = re.compile(
    r"\b(?:included|refundable|part of the refund|enthalten|inbegriffen|erstattungsfahig|erstattet|compris\w*|inclus\w*"
    r"|remboursables?|rembourse\w*|incluid\w*|reembols\w*|inbegrepen|vergoed\w*|terugbetaald|terugbetaalbaar)\b"
)


_SHIPPING = words(
    "shipping | postage | return label | versand* | rücksend* | frais de port | port | livraison gratuite | envío"
    " | gastos de envío | verzend* | verzending | free delivery | delivery is free | cancel* | kündig* | annul*"
    " | résili* | opzeg* | stop* | skip* | pause*"
)
"""What usually costs nothing."""


def _tells(clause: Clause, text: str) -> str:
    """Return the words of a list if a clause has them and neither denies them nor makes them depend on something."""
    found = words(text).search(clause.words)
    if found is None or clause.depends or is_own_act(clause) or is_negated(clause, found.end()):
        return ""
    unclear = (LANGUAGES[clause.language].exempt, LANGUAGES[clause.language].general)
    return "" if any(words(one).search(clause.words, 0, found.start()) for one in unclear) else found[0]


def _kept(case: Case, paid: Sequence[Deed]) -> set[int]:
    """Return the amounts that were kept: totals of the orders without what was paid back for them, and shipping."""
    found = {one.cents for one in case.things if one.kind == "order"}
    earlier = [one for one in case.deeds if one.stands and one.kind in _MONEY and one.cents and one not in paid]
    for deed in (*paid, *earlier):
        for one in case.things:
            if one.kind == "order" and {one.id, *one.numbers} & {deed.subject, *deed.names}:
                found.add(one.cents - (deed.cents or 0))
                if one.cents == deed.cents:
                    continue
                found |= {whole - (deed.cents or 0) for whole in case.known.amounts}
    return found


def _spent(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if store credit is said to be used, and all that was ever given is still there."""
    known = _known()[clause.language]
    found = words(known.spent).search(clause.words)
    if found is None or is_negated(clause, found.end()) or clause.depends:
        return None
    held = sum(one.cents for one in case.things if one.kind == "account")
    stores = [one.cents or 0 for one in case.deeds if one.stands and _destination(one) == "store_credit"]
    if not held or held != sum(stores) or not _cents(near) & set(stores):
        return None
    if any(words(one).search(clause.words) for one in (LANGUAGES[clause.language].exempt,)):
        return None
    return "state", f"store credit of {held / 100:.2f}", f"the text says {found[0]!r}"


_EXPIRED = re.compile(
    r"\b(?:(?:has|have) (?:now |already )?(?:expired|lapsed)|expired|(?:ist|sind) (?:\w+ ){0,3}(?:verfallen"
    r"|abgelaufen)|verfiel"
    r"|(?:a|est) (?:\w+ )?(?:expire|perime)e?|caduco|(?:ha|esta) (?:caducado|vencido)|vencio"
    r"|(?:is|zijn) (?:\w+ ){0,3}(?:verlopen|vervallen)|verliep)\b"
)
_CREDIT = words(
    "store credit | your credit | that credit | the credit | guthaben | gutschrift | avoir | votre crédit | ce crédit"
    " | crédito | saldo | tegoed | winkeltegoed"
)


def _expired(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if store credit is said to have expired that is still in the account."""
    found = _EXPIRED.search(clause.words)
    held = sum(one.cents for one in case.things if one.kind == "account")
    if found is None or not held or _CREDIT.search(clause.words) is None or is_negated(clause, found.end()):
        return None
    if clause.depends or is_own_act(clause):
        return None
    stores = [one.cents or 0 for one in case.deeds if one.stands and _destination(one) == "store_credit"]
    whole = {held, *(stores if held == sum(stores) else ())}
    if (cents := _cents([clause])) and not cents & whole:
        return None
    return "state", f"store credit of {held / 100:.2f}", f"the text says {found[0]!r}"


_SAME = re.compile(
    r"\W*(?:(?:and|und|et|y|en)\s)(?:(?:also|auch|aussi|tambien|ook)\s)?(?:the same|(?:das|den)selben?|dasselbe"
    r"|das gleiche|ebenso"
    r"|genauso|la meme (?:somme|chose)|le meme montant|de meme|autant|lo mismo|otro tanto|la misma cantidad"
    r"|hetzelfde)\b"
    r"(?:\s[\w-]+){0,3}?\s(?:for|für|fur|pour|por|voor)\s(?:[\w-]+\s){0,5}?xrecord\b"
)


def _same_again(case: Case, clauses: Sequence[Clause], place: int) -> Wrong | None:
    """Return the contradiction if `and the same for` names an order that got no money, after one that did."""
    clause = clauses[place]
    if place == 0 or _SAME.match(clause.words) is None or clauses[place - 1].sentence != clause.sentence:
        return None
    paid = [one for one in case.deeds if one.kind in _MONEY and one.stands]
    if not _cents([clauses[place - 1]]) & {one.cents for one in paid}:
        return None
    got = {name.upper() for one in paid for name in (one.subject, *one.names)}
    named = {value.value for value in clause.values if value.kind == "record"}
    wrong = [number for one in case.things if one.kind == "order" for number in one.numbers if number in named - got]
    return ("subject", f"no money for {wrong[0]}", "the text says that as much was paid for it") if wrong else None


# --- what follows a return, and what was ordered


def _instead(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if new goods are announced for a return that gives money."""
    opened = [one.to.get("resolution", "") for one in case.new_deeds if one.kind == "label"]
    if not opened or "replacement" in opened or any(one.kind in _GOODS for one in case.new_deeds):
        return None
    found = words(_known()[clause.language].new_one).search(clause.words) or _exchanged(clause, sentence)
    if found is None or is_own_act(clause) or is_negated(clause, found.end()):
        return None
    language = LANGUAGES[clause.language]
    if any(words(one).search(clause.words) for one in (language.exempt, language.reported, language.wish)):
        return None
    return "claimed", f"a return for {opened[0]}", f"the text says {found[0]!r}"


def _exchanged(clause: Clause, sentence: Sequence[Clause]) -> re.Match[str] | None:
    """Return the words for an exchange if the same sentence says that something was sent, and not money."""
    said = " ".join(one.words for one in sentence if one.start >= clause.start)
    sent = _SENT.search(said) is not None and _BACK.search(said) is None
    return _EXCHANGE.search(clause.words) if sent else None


_EXCHANGE = re.compile(r"\b(?:in exchange|im tausch|im austausch|im gegenzug|en echange|a cambio|in ruil)\b")
_SENT = re.compile(
    r"\b(?:sent|shipped|dispatched|on its way|geschickt|verschickt|versandt|unterwegs|expedi\w+|envoye\w*|parti\w*"
    r"|enviado"
    r"|enviada|mandado|mandada|gestuurd|verstuurd|verzonden|onderweg)\b"
)
_BACK = re.compile(
    r"\b(?:money|refund\w*|back|geld|erstatt\w*|zuruck\w*|zurück\w*|rembours\w*|argent|dinero|reembols\w*|devuel\w*"
    r"|terug\w*)\b"
)
_GOODS = frozenset({"part", "replacement_machine", "reshipment", "order"})


def _no_order(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if no order is said to have come in, and one was placed just now."""
    found = words(_known()[clause.language].no_order).search(clause.words)
    if found is None or clause.depends or any(one.kind == "record" for one in clause.values):
        return None
    since = (case.day - timedelta(days=1)).isoformat() if case.day else "9"
    made = [one for one in case.things if one.kind == "order" and one.placed >= since and one.status != "cancelled"]
    if not made or any(one.renews for one in made):
        return None
    return "denied", f"{made[0].numbers[0]} was placed", f"the text says {found[0]!r}"


def _of_another(case: Case, clause: Clause, sentence: Sequence[Clause], paid: Sequence[Deed]) -> Wrong | None:
    """Return the contradiction if the money of an order is said to come back that only others had back."""
    known = _known()[clause.language]
    if not paid or not words(known.released).search(clause.words):
        return None
    before = [one for one in sentence if one.start <= clause.start]
    named = {value.value for one in before for value in one.values if value.kind == "record"}
    orders = [one for one in case.things if one.kind == "order" and named & set(one.numbers)]
    done = {
        name
        for one in case.deeds
        if one.stands and one.kind in {*_MONEY, "cancellation", "label"}
        for name in one.names
    }
    if len(orders) != 1 or done & {orders[0].id, *orders[0].numbers}:
        return None
    if not _tells(clause, known.released) or not (destination_in(clause) or words(known.also).search(clause.words)):
        return None
    return (
        "subject",
        f"nothing was paid back for {orders[0].numbers[0]}",
        f"the text says {_tells(clause, known.released)!r}",
    )
