"""Compare one claim or denial of a deed with the ledger: the deeds that stand at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import NINE, Claim
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import sends_other_goods
from diorama.rewards.claims.labels import BACK, is_of_a_parcel
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.money_destinations import CARD, STORE, wrong_destination
from diorama.rewards.claims.new_ones import is_a_part
from diorama.rewards.claims.parcel_words import ALREADY, waits_for_its_carrier
from diorama.rewards.claims.plans import was_resting
from diorama.rewards.claims.relations import given, is_new, rests_until, wrong_amounts
from diorama.rewards.claims.sendings import (
    contents_of,
    goods_of,
    kinds_of,
    mentions_of,
    tells_of_an_earlier_part,
    tells_of_an_order,
)
from diorama.rewards.claims.spans import are_ahead, is_dated
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.values import read_values, street_at
from diorama.rewards.claims.wording import claimed, denied, earlier, money, noun, numbers_of

SAME = {
    "refund": {"refund"},
    "credit": {"credit"},
    "cancellation": {"cancellation"},
    "pause": {"pause", "skip"},
    "resumption": {"resumption"},
    "address_change": {"address_change"},
    "replacement_machine": {"replacement_machine"},
    "part": {"part"},
    "reshipment": {"reshipment", "order"},
    "label": {"label"},
    "goods": {"replacement_machine", "part", "reshipment", "order"},
    "goes": {"address_change"},
    "stays": set(),
    "money": {"refund", "credit"},
    "plan_change": {"plan_change", "skip", "resumption", "pause"},
    "contact_change": {"contact_change"},
    "account_address": {"contact_change", "address_change"},
    "new_address": {"contact_change", "address_change"},
    "everything": {*NINE, "skip", "resumption", "plan_change"},
}
"""For each kind of claim, the deeds that make it true."""


def deeds_of(kind: str) -> frozenset[str]:
    """Return the kinds of deeds that make a claim of some kind true."""
    return frozenset(SAME.get(kind, ()))


def records_of(clause: Clause) -> tuple[str, ...]:
    """Return the record numbers of a clause."""
    return tuple(sorted({one.value for one in clause.values if one.kind == "record"}))


def deeds_for(case: Case, kind: str) -> list[Deed]:
    found = [one for one in case.deeds if one.kind in SAME[kind]]
    if kind == "account_address":
        found = [one for one in found if not one.subject.startswith(("ord_", "shp_"))]
    if kind == "credit":
        found += [one for one in case.deeds if one.kind == "refund" and one.destination == "store_credit"]
    return found


def wrong_claim(
    case: Case, claim: Claim, rest: Sequence[Clause] = (), before: Sequence[Clause] = (), text: str = ""
) -> tuple[str, str, str] | None:
    """Return how the ledger contradicts a claim: the kind of contradiction, expected, found.

    `rest` are the clauses that follow in the same sentence and claim nothing themselves, `before` those that stand
    before it, the nearest first.
    """
    claim = _of_a_whole_machine(claim, text)
    if claim.kind in _ALONE:
        wrong, settled = _without_deeds(case, claim, before, text)
        if settled:
            return wrong
    said_words = claim.clause.words
    elsewhere = CARD.search(said_words) or "bank" in said_words
    unclear = claim.kind == "refund" and STORE.search(said_words) and not elsewhere
    deeds = of_the_matter(claim, before, deeds_for(case, "money" if unclear else claim.kind))
    name = noun(claim.kind)
    moving = claim.kind in SAME["goods"] | {"goods"} and ALREADY.search(said_words)
    if claim.kind in _DATED - {"cancellation"} and claim.factual and not moving and not is_dated(case, claim.clause):
        near = (claim.clause, *before[:1])
        deeds = [one for one in deeds if not one.stands or any(in_question(case, clause, one) for clause in near)]
    if not deeds:
        if _is_meant_otherwise(case, claim) or _is_so_already(case, claim, before, text):
            return None
        if _follows(case, claim) or sends_other_goods(case, claim) or _is_history(case, claim, text):
            return None
        none = f"the records show that {denied(claim.kind)}"
        return "claimed", none, f"the text says that {claimed(claim.kind)}"
    if not any(one.stands for one in deeds):
        return None
    if wrong := _another_plan(case, claim, deeds, before, text):
        return wrong
    names = {word.upper() for one in deeds for word in (one.subject, *one.names)}
    families = {one.partition("-")[0] for one in names if "-" in one}
    said = records_of(claim.clause) or (records_of(rest[0]) if rest else ())
    said = said or next((found for one in before if (found := records_of(one))), ())
    about = [one for one in said if one in case.known.records and one.partition("-")[0] in families]
    if about and names - {""} and not names & set(about) and claim.kind in _OF_A_RECORD:
        return "subject", f"{name} for {numbers_of(deeds)}", f"the text says that it is for {', '.join(about)}"
    amounts = [int(one.value) for one in claim.clause.values if one.kind in {"amount", "number"}]
    if not amounts:
        amounts = [int(one.value) for clause in rest for one in clause.values if one.kind == "amount"][:1]
    earlier = [] if amounts or claim.kind not in MONEY else [cents for clause in before for cents in given(clause)]
    amounts = amounts or earlier
    mine = records_of(claim.clause)
    if len(mine) == 1 and sum(one.kind in {"amount", "number"} for one in claim.clause.values) == 1:
        deeds = [one for one in deeds if mine[0] in {word.upper() for word in (one.subject, *one.names)}] or deeds
    paid = [one.cents for one in deeds if one.cents]
    if claim.kind in MONEY and amounts and paid:
        sums = _sums(case, claim, deeds, amounts)
        if not sums & set(amounts) and sum(amounts) not in sums:
            return "amount", f"{name} of {money(paid)}", f"the text says {money(amounts)}"
        every = [one for one in deeds_for(case, "money") if one.stands]
        if bad := wrong_amounts(case, every, given(claim.clause) or earlier):
            return "amount", f"{name} of {money(paid)}", f"the text says {money(bad)}"
    paid_out = (
        _meant(case, claim, deeds_for(case, "money"), amounts)
        if claim.kind in MONEY and not _follows(case, claim)
        else ()
    )
    wrong = wrong_destination(claim, paid_out)
    return wrong or (None if _is_sent_again(case, claim, text) else _done_earlier(case, claim, deeds, amounts))


def _of_a_whole_machine(claim: Claim, text: str) -> Claim:
    """Return a claim of a part as one of a machine if that is what its words name: `máquina de recambio`.

    Something new for a machine, after its part was named, is not a machine.
    """
    if claim.kind == "replacement_machine" and is_a_part(claim.clause, text):
        return msgspec.structs.replace(claim, kind="goods")
    if claim.kind != "part" or _WHOLE_MACHINE.search(claim.clause.words) is None:
        return claim
    return msgspec.structs.replace(claim, kind="replacement_machine")


_WHOLE_MACHINE = re.compile(
    r"\b(?:(?:replacement|spare|exchange) (?:machine|grinder)|(?:ersatz|austausch)(?:maschine|gerat|gerät|muhle|mühle)"
    r"|(?:machine|appareil|moulin) de (?:remplacement|rechange)|(?:maquina|molino|aparato) de (?:recambio|repuesto"
    r"|reemplazo|sustitucion)|(?:vervangende?|vervangings|reserve) ?-?(?:machine|apparaat|toestel|molen))\b"
)
"""A whole machine that replaces another one, and no part of it."""


def _is_sent_again(case: Case, claim: Claim, text: str) -> bool:
    """Check whether all goods that a clause names are in what was sent just now: a lost parcel may hold a part."""
    if claim.kind not in SENDING:
        return False
    named = goods_of(case, claim.clause, text)
    sent = [one for one in case.new_deeds if one.kind in SAME["goods"]]
    held = set[str]().union(*(contents_of(case, one) for one in sent))
    return bool(named) and all(one.kinds & held for one in named)


def _is_history(case: Case, claim: Claim, text: str) -> bool:
    """Check whether a clause tells what an earlier order sent, what was sent again, or of a pause that was ended."""
    if _is_sent_again(case, claim, text):
        return True
    if claim.kind in {"part", "goods"}:
        return (
            tells_of_an_order(case, claim.clause, text)
            or tells_of_an_earlier_part(case, claim.clause)
            or _is_of_an_open_order(case, claim.clause, text)
        )
    if claim.kind == "cancellation" and _ENDED_IT.match(claim.clause.words):
        return any(one.kind == "resumption" and is_new(case, one) for one in case.deeds)
    return claim.kind == "pause" and was_resting(case, claim.clause)


def _is_of_an_open_order(case: Case, clause: Clause, text: str) -> bool:
    """Check whether all goods that a clause names are in orders that are open or on their way."""
    named = mentions_of(case, clause, text)
    held = {kind for one in case.things if one.moves(case.today) for good in one.goods for kind in kinds_of(good)}
    return bool(named) and all(one.kinds & held for one in named)


_ENDED_IT = re.compile(
    r"\W*(?:\w+\s){0,3}(?:ended|stopped|cancelled|canceled|lifted) (?:it|that|this|the pause|your pause)\b"
)
"""A pause that was ended, where a plan goes on again."""


def _is_meant_otherwise(case: Case, claim: Claim) -> bool:
    """Check whether words that look like a claim are about a parcel's label, a sender, an older change or a return."""
    said = claim.clause.words
    if claim.kind == "label":
        return is_of_a_parcel(case, claim.clause)
    if claim.kind in {"address_change", "contact_change", "account_address"}:
        earlier = claim.kind == "address_change" and is_dated(case, claim.clause) and not are_ahead(case, claim.clause)
        return earlier or _SENDERS.search(said) is not None or _MOVED.search(said) is not None
    opened = any(one.kind == "label" for one in case.deeds)
    return claim.kind in SAME["goods"] and opened and BACK.search(said) is not None


def _is_so_already(case: Case, claim: Claim, before: Sequence[Clause], text: str) -> bool:
    """Check whether a plan goes to the address of a claim anyway, or was stopped only until a day: that is a pause."""
    if claim.kind == "address_change":
        return _BY_US.search(claim.clause.words) is None and _plan_goes_there(case, claim, before, text)
    return claim.kind == "cancellation" and rests_until(case, claim.clause)


_BY_US = words(
    "i | we | i've | we've | ich | wir | j'ai | je | nous | he | hemos | ik | wij | just | gerade | recién | net"
)
_SENDERS = re.compile(
    r"\b(?:same address|selbe[nr]? adresse|meme adresse|misma direccion|hetzelfde adres)\b|"
    r"\b(?:from|von|depuis|desde|vanaf|vanuit|vanaf)\b(?:\s\S+){0,4}?\s(?:address|adresse|e-mail-adresse"
    r"|mailadresse|direccion|adres"
    r"|mailadres|buzon|boite|mailbox|postfach)\b|\badresse (?:electronique|e-mail|mail)\b|\bcorreo electronico\b"
    r"|\b(?:against|gegen|contre|contra|tegen)\b(?:\s\S+){0,3}?\s(?:parcels?|orders?|goods|pakete?|colis"
    r"|paquetes?|pakketten)\b"
)
"""Where letters come from, and what is guarded against, change no address."""


_MOVED = words(
    "you had moved | you have moved | you've moved | you moved | you'd moved | umgezogen | verzogen | deménagé"
    " | déménagé | se ha mudado | te has mudado | se mudó | se había mudado | bent verhuisd | was verhuisd | verhuisd"
)
"""That the customer has moved changes no address."""


def _sums(case: Case, claim: Claim, deeds: Sequence[Deed], amounts: Sequence[int]) -> set[int]:
    """Return the amounts that a claim of money may state: of single deeds, of several, and the balance of credit."""
    paid = [one.cents for one in deeds if one.cents]
    every_new = [one.cents for one in deeds_for(case, "money") if one.cents and one.stands and is_new(case, one)]
    sums = {*paid, sum(paid), sum(one.cents for one in deeds if one.cents and is_new(case, one))}
    if len(every_new) > 1 and sum(every_new) in amounts:
        sums.add(sum(every_new))
    if STORE.search(claim.clause.words) or claim.kind == "credit":
        sums |= {one.cents for one in case.things if one.kind == "account" and one.cents}
    return sums


def _is_regular(case: Case, claim: Claim) -> bool:
    """Check whether what goes out are the bags of a plan, which go regularly."""
    live = any(one.kind == "plan" and one.status != "cancelled" for one in case.things)
    spoken = PLAN_WORDS.search(claim.clause.words) or _REGULAR.search(claim.clause.words)
    done = words(LANGUAGES[claim.clause.language].perfect).search(claim.clause.words)
    return live and not done and bool(spoken) and not records_of(claim.clause)


_REGULAR = words(
    "coffee | bags | next delivery | deliveries | kaffee | lieferungen | nächste lieferung | café | livraisons"
    " | prochaine livraison | entregas | próxima entrega | koffie | leveringen | volgende levering"
)
"""Words for what a plan sends."""


_ALONE = frozenset({"extra", "arrival", "goes", "stays", "reshipment", "goods", "new_address"})
"""Kinds that may be decided without a deed."""


def _without_deeds(
    case: Case, claim: Claim, before: Sequence[Clause], text: str
) -> tuple[tuple[str, str, str] | None, bool]:
    """Return a contradiction that needs no deed, and whether the claim is settled with it."""
    if claim.kind == "extra" and (_SHARE.search(claim.clause.words) or _is_free(case, claim)):
        return None, True
    if claim.kind == "extra" and (_RULE.search(claim.clause.words) or waits_for_its_carrier(case, claim.clause)):
        return None, True
    if claim.kind == "extra" or (claim.kind == "arrival" and not _known_arrival(case, claim)):
        what = "a promise or a gift" if claim.kind == "extra" else "a day of arrival"
        return ("extra", "only what the records show", f"{what} that no record shows: {claim.said!r}"), True
    if claim.kind == "new_address" and _address_is_known(case):
        return None, True
    if claim.kind in {"goes", "stays"} and _plan_goes_there(case, claim, before, text):
        return None, True
    if claim.kind in {"goes", "stays"} and (to := _goes_elsewhere(case, claim, before)):
        return ("place", f"goods that go to {to}", "the text says that it goes to another address"), True
    if claim.kind in {"arrival", "stays"} or (claim.kind == "goes" and _goes_there(case, claim)):
        return None, True
    return None, claim.kind in {"reshipment", "goods"} and _is_regular(case, claim)


def _is_free(case: Case, claim: Claim) -> bool:
    """Check whether what costs nothing are goods that were sent: `the valve is on the house`."""
    sent = any(one.kind in SAME["goods"] for one in case.new_deeds)
    return sent and _FREE.search(claim.clause.words) is not None


_FREE = re.compile(
    r"\b(?:on the house|on us|aufs haus|auf unsere (?:kosten|rechnung)|offerte?s?|a nos frais|de nuestra cuenta"
    r"|invita la casa|van het huis|op onze kosten|voor onze rekening)\b"
)
_SHARE = re.compile(
    r"\b(?<!at )(?<!for )half (?:of )?(?:the |its |their )?(?:price|value|cost) of\b"
    r"|\bh(?:a|ä)lfte (?:des|vom) (?:\w*preis\w*|wert\w*)\b|\bhalbe[rn]? (?:\w+)?preis (?:des|der|einer|eines|von)\b"
    r"|\b(?<!a )(?:la )?moitie (?:du|de son|de leur) prix\b|\bmitad (?:del|de su) precio\b"
    r"|\bhelft van (?:de|het) (?:prijs|aankoopbedrag)\b"
    r"|\bhalve prijs van\b"
)
"""What an amount is a share of: `that is half the price of one bag` is not a gift."""
_RULE = re.compile(
    r"\b(?:free|delivery|shipping|versand\w*|lieferung|livraison|envio|verzending|bezorging)\b(?:\s\S+){0,5}?\s"
    r"(?:starts?|begins?|applies|only (?:from|above|over)|above|beginnt|gilt|erst ab|ab (?:einem|xamount)"
    r"|a partir|commence"
    r"|empieza|a partir de|por encima|begint|geldt|vanaf)\b"
)
"""From which amount on delivery is free is a rule, and no gift."""


def _address_is_known(case: Case) -> bool:
    """Check whether the records hold an address that the customer named."""
    held = {street for one in case.things for street in one.streets}
    return any(one.kind == "street" and one.value in held for one in read_values(case.thread))


MONEY = frozenset({"refund", "credit", "money"})
SENDING = frozenset({"goods", "part", "replacement_machine", "reshipment"})


def _follows(case: Case, claim: Claim) -> bool:
    """Check whether a deed is announced that follows by itself: the money for an opened return."""
    open_returns = {one.to.get("resolution", "") for one in case.deeds if one.kind == "label" and one.stands}
    kinds = {*case.expected, *(_RESOLVED[one] for one in open_returns if one in _RESOLVED)}
    text = claim.clause.words
    announced = not words(LANGUAGES[claim.clause.language].finished).search(text)
    announced = announced and (claim.clause.depends or not _ELIDED.search(text))
    return announced and bool(kinds & (SAME[claim.kind] | {claim.kind}))


_ELIDED = re.compile(
    r"^\W*(?:(?:and|und|et|y|en)\s)?(?:(?:also|already|just|then|bereits|schon|deja|ya|al)\s)?"
    r"(?:refunded|credited|reimbursed|repaid|paid|returned|sent|put|transferred|erstattet|gutgeschrieben"
    r"|uberwiesen|überwiesen"
    r"|rembourse|credite|verse|reembolsado|abonado|devuelto|terugbetaald|teruggestort)\b(?!\s(?:on|upon|after"
    r"|bei|nach|a|al|bij)\s)"
    r"|\b(?:i|we) (?:\w+ly |also |just |already |even )?(?:issued|processed|triggered|initiated|pushed"
    r"|released|started"
    r"|booked|settled|arranged|made|sent|paid|put|gave|refunded|credited|reimbursed|transferred|returned)\b"
    r"|^\W*(?:refund|credit|erstattung|gutschrift|remboursement|reembolso|terugbetaling)\W+(?:done|erledigt"
    r"|fait|hecho|gedaan)\b"
    r"|\b(?:is|are) (?:now |hereby |fully |also )?(?:refunded|reimbursed|credited)\b"
    r"(?!.*\b(?:within|days|then|after|upon|later|receipt|arrival|arrives|here|received|follows?)\b)"
    r"|\b(?:refund|reimbursement|credit|erstattung|gutschrift|remboursement|reembolso|terugbetaling)\s"
    r"(?:(?:for|of) (?:the |your |order )?x\w+ ){0,2}"
    r"(?:processed|issued|made|sent|done|paid|triggered|went|has left|left us|veranlasst|gebucht|raus"
    r"|erledigt|effectue|fait"
    r"|parti|hecho|enviado|gedaan|verwerkt)\b"
)
"""What was done, without its auxiliary: `and refunded 12.00`, `label sent, refund processed`."""
_RESOLVED = {"refund": "refund", "store_credit": "credit", "replacement": "replacement_machine"}
"""What follows a return, by its resolution."""


def _meant(case: Case, claim: Claim, deeds: Sequence[Deed], amounts: Sequence[int]) -> list[Deed]:
    """Return the deeds of the record and the amount that a claim names, or else all."""
    about = set(records_of(claim.clause))
    found = [one for one in deeds if one.stands]
    paid = [one for one in found if one.cents in amounts]
    if about:
        found = [one for one in paid or found if about & {word.upper() for word in (one.subject, *one.names)}] or found
    if amounts:
        found = [one for one in found if one.cents in amounts] or found
    return [one for one in found if is_new(case, one)] or found


def _another_plan(
    case: Case, claim: Claim, deeds: Sequence[Deed], before: Sequence[Clause], text: str
) -> tuple[str, str, str] | None:
    """Return the contradiction if a claim names a plan that the deed was not done to."""
    if claim.kind not in _OF_A_PLAN:
        return None
    said_records = {one for clause in (claim.clause, *before) for one in records_of(clause)}
    if claim.kind == "cancellation" and any(
        one.subject.startswith("ord_") and said_records & set(one.names) for one in deeds
    ):
        return None  # the order of a plan was cancelled, and its goods are named like the plan
    plans = [one for one in case.things if one.kind == "plan"]
    named = named_in(plans, text[claim.clause.start : claim.clause.end])
    if not named and before:
        named = named_in(plans, text[before[-1].start : before[0].end])
    done = {one.subject for one in deeds if one.stands}
    wrong = [
        one for one, _, _ in named if one.id not in done and one.name not in {p.name for p in plans if p.id in done}
    ]
    if not named or not wrong or (len(wrong) < len(named) and not _listed(text, named, claim)):
        return None
    subjects = ", ".join(sorted(one.name for one in plans if one.id in done)) or "none"
    said = ", ".join(one.name for one in wrong)
    return "subject", f"{noun(claim.kind)} of {subjects}", f"the text says that it is of {said}"


def _listed(text: str, named: Sequence[tuple[Thing, int, int]], claim: Claim) -> bool:
    """Check whether only a conjunction stands between the plans that a clause names."""
    if named[0][2] > claim.clause.end - claim.clause.start:
        return False
    said = text[claim.clause.start : claim.clause.end]
    between = [said[first[2] : second[1]] for first, second in pairwise(named)]
    return all(_AND.fullmatch(one) is not None for one in between)


_AND = re.compile(r"(?:\s\w+)?[\s,]*(?:and|und|et|y|en|&|plus|as well as|sowie|ainsi que|sowohl)[\s,]*(?:\w+\s)?")
_OF_A_PLAN = {"cancellation", "pause", "resumption"}
"""Claims that are wrong if they name another plan than the deed."""


ORDER_WORDS = words("order | bestellung | commande | pedido | bestelling")
_OF_A_RECORD = {"refund", "credit", "money", "cancellation", "reshipment", "address_change", "label"}
"""Claims that are wrong if they name another record than the deed."""
PLAN_WORDS = words(
    "subscription | subscriptions | plan | plans | abo | abos | abonnement | abonnements | abonnementen | kaffee-abo"
    " | kaffee-abos | kaffeeabos | kaffeeabo | koffieabonnement | formule | suscripción | suscripciones"
)


OF_A_PLAN = words(
    "coffee | bag | bags | beans | delivery | deliveries | renewal | renews | renew | pause | paused | unpaused | it"
    " | it's | resumed | restarted | reactivated | kaffee | tüte | tüten | bohnen | lieferung | lieferungen | pause"
    " | pausiert | es | reaktiviert | fortgesetzt | café | sachet | sachets | livraison | livraisons | envoi | envois"
    " | relancé | relancée | réactivé | réactivée | reprend | reprennent | pausa | bolsa | bolsas | entrega "
    "| entregas"
    " | envío | envíos | reactivado | reactivada | reanudado | reanudada | koffie | zak | zakken | levering"
    " | leveringen | pauze | hervat | geheractiveerd | het"
)
"""Words that a plan is spoken of with in a text about nothing else."""
_RENEWS = words(
    "subscribed | not renew | won't renew | n't renew | renew again | abonniert | verlängert sich"
    " | plus abonné | plus abonnée | sera plus renouvelé | renouvellera plus | suscrito | suscrita"
    " | volverá a renovar | geabonneerd | meer verlengd"
)
"""Words that only a plan is spoken of with."""
_SEVERAL = words(
    "both+plans | both+subscriptions | two+plans | two+subscriptions | three+plans | three+subscriptions | all+plans"
    " | all+subscriptions | beide+abos | beiden+abos | beide+kaffee-abos | beiden+kaffee-abos | beide+abonnements"
    " | beiden+abonnements | alle+abos | alle+abonnements | deux+abonnements | trois+abonnements | tous+abonnements"
    " | dos+suscripciones | ambas+suscripciones | tres+suscripciones | todas+suscripciones | beide+abonnementen"
    " | twee+abonnementen | drie+abonnementen | alle+abonnementen"
)


def of_the_matter(claim: Claim, before: Sequence[Clause], deeds: list[Deed]) -> list[Deed]:
    """Return the deeds that a claim can mean: a plan that was cancelled is not an order that was cancelled."""
    said = " ".join(one.words for one in (*reversed(before), claim.clause)).replace("plan b", "")
    if claim.kind not in {"cancellation", "pause", "plan_change"} or not (
        PLAN_WORDS.search(said) or _RENEWS.search(said)
    ):
        return deeds
    if records_of(claim.clause):
        return deeds
    plans = [one for one in deeds if not one.subject.startswith("ord_")]
    few = len(plans) == 1 and plans[0].subject.startswith("sub_")
    return [] if few and _SEVERAL.search(said) else plans


def _known_arrival(case: Case, claim: Claim) -> bool:
    """Check whether every day of arrival that a clause states is a day of the records, or has passed."""
    days = [one for one in claim.clause.values if one.kind in {"date", "day"}]
    known = case.known.dates | {"-" + one[4:] for one in case.known.dates if not one.startswith("--")}
    known |= {one for day in days for one in day.readings if "-" + one[4:] in known and case.knows_day(one)}
    if PERIOD.search(claim.clause.words):
        known |= {one for day in days for one in day.readings if case.knows_day(one)}
    return bool(days) and all(any(one in known for one in day.readings) for day in days)


PERIOD = re.compile(
    r"\b(?:\w*frist|return (?:period|window|time)|(?:30|14|thirty|fourteen)(?: days|-day)|deadline|time limit"
    r"|window|period"
    r"|delai\w*|plazo|periodo|termijn|retourtermijn|bedenktijd|retourperiode|widerruf\w*|ruckgabe\w*|rückgabe\w*)\b"
)
"""Words for the time in which goods may be sent back; its end is a day after an arrival."""


def _goes_elsewhere(case: Case, claim: Claim, before: Sequence[Clause]) -> str:
    """Return where an order goes since its address was changed, if a clause says that it goes elsewhere."""
    streets = {one.value for one in claim.clause.values if one.kind == "street"}
    changed = [one for one in case.deeds if one.stands and one.kind == "address_change" and one.to.get("line1")]
    to = {street_at(one.to) for one in changed}
    orders = [one for one in changed if one.subject.startswith("ord_")]
    said = set(records_of(claim.clause) or next((found for one in before if (found := records_of(one))), ()))
    if any(said & set(one.numbers) and streets & set(one.streets) for one in case.things):
        return ""
    return str(orders[0].to["line1"]) if orders and streets and not streets & to else ""


def _plan_goes_there(case: Case, claim: Claim, before: Sequence[Clause], text: str) -> bool:
    """Check whether a clause speaks of a plan, and a plan goes to the address that it states."""
    start = before[-1].start if before else claim.clause.start
    said = text[start : claim.clause.end]
    plans = [one for one in case.things if one.kind == "plan"]
    meant = [one for one, _, _ in named_in(plans, said)] or (plans if PLAN_WORDS.search(said) else [])
    streets = {one.value for one in claim.clause.values if one.kind == "street"}
    return any(streets & set(one.streets) for one in meant)


def _goes_there(case: Case, claim: Claim) -> bool:
    """Check whether goods go to the address that a clause states."""
    streets = {one.value for one in claim.clause.values if one.kind == "street"}
    sent = [one for one in case.deeds if one.stands and one.kind in {*SAME["goods"], "shipment"}]
    to = {street_at(one.to) for one in sent}
    return bool(streets & to) or any(one.kind in SAME["goods"] for one in sent)


def _done_earlier(
    case: Case, claim: Claim, deeds: Iterable[Deed], amounts: Sequence[int]
) -> tuple[str, str, str] | None:
    """Return the contradiction if a text says that a deed was done just now, and all such deeds are from before."""
    if claim.kind not in _DATED or not case.today:
        return None
    if claim.kind == "cancellation" and _WAS_CANCELLED.search(claim.clause.words):
        return None
    standing = [one for one in deeds if one.stands]
    days = [one.day for one in standing if not one.seq and one.day and one.day < case.today[:10]]
    if not standing or len(days) < len(standing):
        return None
    if not is_of_today(case, claim) or _states_its_day(claim, days):
        return None
    before = f"{earlier(claim.kind)} ({', '.join(sorted(set(days)))})"
    return "earlier", before, f"the text says that {claimed(claim.kind)} just now"


def _states_its_day(claim: Claim, days: Sequence[str]) -> bool:
    """Check whether a clause states the day of a deed: `ended on 13 February and will not charge you again`."""
    said = {day for one in claim.clause.values if one.kind == "date" for day in one.readings}
    return bool(said & {*days, *("-" + one[4:] for one in days)})


_WAS_CANCELLED = re.compile(
    r"\bcancelled (?:booking|order|rental|plan|subscription|delivery)\b|\bstornierte[nr]? |\bcommande annulee\b"
    r"|\b(?:pedido|reserva) cancelad[oa]\b|\bgeannuleerde "
)
"""What was cancelled at some time, not a statement that it was done now."""


def is_of_today(case: Case, claim: Claim) -> bool:
    """Check whether a clause speaks of today, or of something that was just done."""
    fresh = words(LANGUAGES[claim.clause.language].fresh).search(claim.clause.words)
    return fresh is not None or any(
        one.kind in {"date", "day"} and case.today[:10] in one.readings for one in claim.clause.values
    )


_DATED = {"refund", "credit", "money", "cancellation", "replacement_machine", "part", "reshipment", "goods", "label"}
"""Deeds whose day is the day on which they were done."""


JUST_SENT = 7
"""For how many days goods that were sent before may be spoken of as just sent."""


def in_question(case: Case, clause: Clause, deed: Deed) -> bool:
    """Check whether a clause can be about a deed: one of the episode, or one of the records and values in question.

    Those are what the clause states, what has to be told, and what the thread names.
    """
    if is_new(case, deed) or not deed.day:
        return True
    if deed.kind in SAME["goods"] and case.day and deed.day >= (case.day - timedelta(days=JUST_SENT)).isoformat():
        return True
    names = {word.upper() for word in (deed.subject, *deed.names) if word}
    told = {value.upper() for one in case.tell for value in one.values}
    said = {value for one in clause.values for value in one.readings}
    values = {deed.day, "-" + deed.day[4:], *([str(deed.cents)] if deed.cents else [])}
    return bool((names | values) & (told | said)) or any(fold(one) in case.thread for one in names)
