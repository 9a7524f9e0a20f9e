"""Whether texts tell what must be told: a value of the case, or a deed, in any words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.addresses import tells_address
from diorama.rewards.claims.case import Case, Entity
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import claims_to_tell, tells, touches
from diorama.rewards.claims.effects import tells_effect
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.goods_told import says_again
from diorama.rewards.claims.hearsay import without_hearsay
from diorama.rewards.claims.histories import catches_up
from diorama.rewards.claims.ledger import (
    MONEY,
    OF_A_PLAN,
    ORDER_WORDS,
    PLAN_WORDS,
)
from diorama.rewards.claims.lexicon import words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.parcels import parcels_of
from diorama.rewards.claims.relations import is_new, is_own_act
from diorama.rewards.claims.sendings import contents_of, mentions_of
from diorama.rewards.claims.speech import says_how_it_stands
from diorama.rewards.claims.spelled import plain_words, says_amount
from diorama.rewards.claims.taking_apart import Reading
from diorama.rewards.claims.things import named_in
from diorama.rewards.claims.values import HALF, MONTHS, on_the_clock, street_at


def is_told(case: Case, entity: Entity, readings: Sequence[Reading]) -> bool:
    """Check whether one of the texts tells an entity; the customer's own words and acts tell no deed."""
    if not _is_told(case, entity, readings):
        return False
    return entity.kind != "deed" or _is_told_by_us(case, entity, readings)


def _is_told_by_us(case: Case, entity: Entity, readings: Sequence[Reading]) -> bool:
    """Check whether a deed is still told without what the customer did and said, other times and figures of speech."""
    kinds, ours, changed = frozenset(entity.values), list(readings), False
    for place, one in enumerate(ours):
        if (rest := without_hearsay(case, kinds, one.clauses, one.claims)) is not None:
            ours[place] = msgspec.structs.replace(one, clauses=rest[0], claims=rest[1])
            changed = True
    return not changed or _is_told(case, entity, ours)


def _is_told(case: Case, entity: Entity, readings: Sequence[Reading]) -> bool:
    """Check whether one of the texts tells an entity; a refund to store credit may be told as credit."""
    if entity.kind == "answer":
        return says_how_it_stands(readings)
    values = set(entity.values)
    if entity.kind == "deed" and "refund" in values:
        values |= {"credit" for one in case.deeds if one.kind == "refund" and one.destination == "store_credit"}
    if entity.kind == "deed" and "cancellation" in values and _only_plans(case):
        return any(
            tells("cancellation", [c for c in one.clauses if _of_a_plan(one, c)])
            or tells_effect(case, "cancellation", one.clauses, one.head)
            for one in readings
        )
    if entity.kind == "deed" and "address_change" in values and _moves_something(case):
        return any(_tells_change(case, one) for one in readings)
    if entity.kind == "deed" and values & SENT and any(_tells_goods(case, values, one) for one in readings):
        return True
    if entity.kind == "deed" and values & GOODS:
        sent = [one for one in case.new_deeds if one.kind in values]
        if any(_names_parcel(case, sent, one) or _goes_to_its_place(case, sent, one) for one in readings):
            return True
    if entity.kind == "deed" and "label" in values and any(_names_return(case, one) for one in readings):
        return True
    if entity.kind == "deed" and "resumption" in values:
        return any(_tells_resumption(case, one) for one in readings)
    return any(_tells(case, entity, value, reading) for reading in readings for value in sorted(values))


SENT = frozenset({"part", "replacement_machine"})


def _tells_goods(case: Case, kinds: set[str], reading: Reading) -> bool:
    """Check whether a text says that goods of a deed were ordered or arranged, whatever they are called."""
    held = set().union(*(contents_of(case, one) for one in case.new_deeds if one.kind in kinds))
    return any(
        (found := _ARRANGED.search(one.words)) is not None
        and not (one.conditional or one.question or one.depends or is_negated(one, found.end()))
        and any(
            good.kinds & held
            for other in reading.clauses
            if other.sentence == one.sentence and other.start <= one.start
            for good in mentions_of(case, other, reading.head)
        )
        for one in reading.clauses
    )


def _goes_to_its_place(case: Case, sent: Sequence[Deed], reading: Reading) -> bool:
    """Check whether a text says where goods go that were sent, whatever the verb: `a new one is bound for Leeds`."""
    for deed in sent:
        town, street = fold(str(deed.to.get("city") or "")), street_at(deed.to)
        if not town or town not in reading.head:
            continue
        held = contents_of(case, deed)
        for one in reading.clauses:
            place = one.words.find(town)
            stated = any(value.kind == "street" and value.value == street for value in one.values)
            if not (stated or (place > 0 and _TOWARDS.search(one.words[:place]))) or _NO_JOURNEY.search(one.words):
                continue
            if one.question or one.conditional or one.depends or is_negated(one, len(one.words)):
                continue
            near = [other for other in reading.clauses if other.sentence == one.sentence and other.start <= one.start]
            said = " ".join(other.words for other in near)
            named = any(good.kinds & held for other in near for good in mentions_of(case, other, reading.head))
            named = named or any(value.kind == "machine" for other in near for value in other.values)
            if says_again(said) or (named and deed.kind != "reshipment"):
                return True
    return False


_TOWARDS = re.compile(r"\b(?:to|for|nach|pour|vers|a|au|hacia|para|naar)\s$")
_NO_JOURNEY = words(
    "address | adresse | anschrift | dirección | adres | lost | missing | verloren | verschollen | perdu* | égaré*"
    " | perd* | extravi* | kwijt | zoek* | live | lives | wohn* | habit* | viv* | woon* | refund* | erstatt*"
    " | rembours* | reembols* | terugbetaal*"
)
"""Words beside which a town is not where goods go."""


def _names_parcel(case: Case, sent: Sequence[Deed], reading: Reading) -> bool:
    """Check whether a text states the tracking number of what was sent in the episode."""
    made = [part for one in sent for part in parcels_of(case, one)]
    numbers = {parcel.number.lower() for one in made for parcel in one.parcels} - {""}
    return any(
        number in reading.head[one.start : one.end]
        for number in numbers & set(_LONG.findall(reading.head) if numbers else ())
        for one in reading.clauses
        if not (one.question or one.conditional or is_negated(one, len(one.words)))
    )


_LONG = re.compile(r"\b(?=\w*\d)[a-z0-9]{8,30}\b")
"""What may be a tracking number."""


_ARRANGED = words(
    "ordered | on order | is booked | been booked | i booked | we booked | arranged | organised | organized"
    " | in auftrag gegeben | bestellt | angelegt | beauftragt | veranlasst | commandé | commandée | en commande"
    " | réservé | réservée | pedido para usted | hemos pedido | he pedido | encargado | encargada | besteld"
    " | in bestelling | geregeld | aangemaakt | aangemeld | voorgemeld | angemeldet | registered with | booked in with"
    " | announced to | enregistré* | annoncé* | registrad* en | registrad* con | dado de alta | dada de alta"
)


def _names_return(case: Case, reading: Reading) -> bool:
    """Check whether a text states the number of a return that was opened in the episode."""
    numbers = {name for one in case.new_deeds if one.kind == "label" for name in one.names if name.startswith("RMA-")}
    return any(
        value.kind == "record" and value.value in numbers
        for one in reading.clauses
        if not (one.question or one.conditional or is_negated(one, len(one.words)))
        for value in one.values
    )


def _moves_something(case: Case) -> bool:
    return any(one.kind == "address_change" and one.to.get("line1") for one in case.new_deeds)


def _tells_change(case: Case, reading: Reading) -> bool:
    """Check whether a text says that something goes elsewhere: by its verb, or by the new place."""
    new = [one.to for one in case.new_deeds if one.kind == "address_change"]
    places = {fold(str(one.get(name) or "")) for one in new for name in ("city", "postal_code", "line1")} - {""}
    for clause in reading.clauses:
        if not tells("address_change", [clause]) or is_own_act(clause):
            continue
        start, end = clause.sentence
        if any(one in reading.head[start:end] for one in places):
            return True
        if not _STAYS.search(clause.words) and tells("address_change", [_without_places(clause)]):
            return True
    return any(one.kind == "address_change" and one.says for one in reading.claims)


def _without_places(clause: Clause) -> Clause:
    """Return a clause without words that only name an address or a departure."""
    return msgspec.structs.replace(clause, words=_PLACES.sub(" ", clause.words))


_PLACES = words(
    "xstreet | xpostcode | address | adresse | lieferadresse | anschrift | direccion | domicilio | adres | sal*"
    " | part | arriv* | coming | kommt | kommen | komt | komen | geliefert | sent | send | verschickt | versandt"
    " | verzonden | envio | envios | unterwegs | new one | delivered | zugestellt | livr* | entregad* | bezorgd"
    " | afgeleverd | geleverd | deliver* | shipping | shipment* | ship | ships | shipped | postage | lieferung*"
    " | zustellung* | versand* | liefern | livraison* | expédi* | envoi* | entrega* | envia* | levering*"
    " | bezorging* | verzending*"
)
_STAYS = words(
    "stay* | remain* | keep* | still | unchanged | bleib* | weiterhin | unverändert | reste* | toujours | inchangé*"
    " | sigue* | queda* | se mantiene | blijft | blijven | ongewijzigd | as it is | as it was | left+alone"
    " | untouched | unangetastet | so gelassen | unberührt | laissé* tel* | tel quel | telle quelle | tal cual"
    " | como estaba | gelaten zoals | ongemoeid"
)


def _tells_resumption(case: Case, reading: Reading) -> bool:
    """Check whether a text says that a plan runs again: in a sentence about a plan, and not about another one."""
    done = {one.subject for one in case.deeds if one.kind == "resumption" and one.stands}
    plans = [one for one in case.things if one.kind == "plan"]
    kept = []
    for clause in reading.clauses:
        named = {one.id for one, _, _ in named_in(plans, reading.folded.text[clause.start : clause.end])}
        sentence = reading.folded.text[clause.sentence[0] : clause.sentence[1]]
        spoken = named or PLAN_WORDS.search(sentence) or OF_A_PLAN.search(sentence)
        if spoken and (not named or not done or named & done):
            kept.append(clause)
    return tells("resumption", kept) or tells_effect(case, "resumption", reading.clauses, reading.head)


def _only_plans(case: Case) -> bool:
    """Check whether what was cancelled in the episode are plans and what was cancelled earlier are orders."""
    found = [one for one in case.deeds if one.kind == "cancellation" and one.stands]
    late = [one for one in found if one.seq or one.day >= case.today[:10]]
    return bool(late) and all(one.subject.startswith("sub_") for one in late) and len(late) < len(found)


def _of_a_plan(reading: Reading, clause: Clause) -> bool:
    """Check whether a clause can be about a plan: its sentence names a plan, or no order."""
    sentence = reading.folded.text[clause.sentence[0] : clause.sentence[1]]
    return PLAN_WORDS.search(sentence) is not None or ORDER_WORDS.search(sentence) is None


def _tells(case: Case, entity: Entity, value: str, reading: Reading) -> bool:
    kinds = {
        "amount": {"amount", "number"}, "date": {"date", "day"}, "time": {"time"}, "record": {"record"},
    }.get(entity.kind)  # fmt: skip
    if kinds is not None:
        wanted = {value, "-" + value[4:]} if entity.kind == "date" else {value}
        if any(one.kind in kinds and wanted & set(one.readings) for one in reading.values if one not in reading.denied):
            return True
        if entity.kind == "date":
            return _tells_day(value, reading)
        if entity.kind == "amount":
            return _tells_amount(int(value), reading) or _tells_sum(case, int(value), reading)
        if entity.kind == "time":
            hour, minute = value.split(":")
            for one in _CLOCK.finditer(reading.head):
                said = on_the_clock(int(one[1]), HALF.match(reading.head, one.end(2)))
                if said == int(hour) and one[2] == minute:
                    return True
            return minute == "00" and any(_is_hour(one, int(hour)) for one in _HOUR.finditer(reading.head))
        return entity.kind == "record" and _tells_record(value, reading)
    if entity.kind == "deed":
        clauses = [one for one in reading.clauses if value != "label" or not _only_allows(one)]
        told = tells(value, clauses) or claims_to_tell(value, reading.claims) or catches_up(value, reading)
        return told or tells_effect(case, value, reading.clauses, reading.head)
    if entity.kind == "topic":
        return touches(value, reading.clauses)
    if entity.kind == "address":
        return tells_address(value, reading.head, {one.value for one in reading.values if one.kind == "street"})
    return _tells_name(value, reading)


def _is_hour(found: re.Match[str], hour: int) -> bool:
    said = int(found[1])
    if found[3]:
        return said % 12 + (12 if found[3].startswith("p") else 0) == hour
    return said == hour


def _only_allows(clause: Clause) -> bool:
    """Check whether a clause only says that goods may be sent back, and names no label: `you may return it`."""
    return _LABEL.search(clause.words) is None and _MAY.search(clause.words) is not None


_LABEL = re.compile(
    r"label|etikett|etiquette|etiqueta|etiket|\brma\b|xrecord.*\brma|slip|schein|bordereau|sticker|aufkleber"
)
_MAY = re.compile(
    r"\b(?:you (?:may|can|could)|(?:durfen|dürfen|konnen|können) sie|(?:darfst|kannst) du|vous pouvez|(?:puede|puedes)"
    r"|(?:mag|kan|kun|kunt) (?:je|u)|(?:je|u) (?:mag|kan|kunt))\b"
)


def _tells_day(day: str, reading: Reading) -> bool:
    """Check for a day whose month stands elsewhere in its sentence: `in mid-July last year, on the 19th`."""
    bare = [one for one in _BARE_DAY.finditer(reading.head) if int(next(filter(None, one.groups()))) == int(day[8:])]
    if not bare:
        return False
    spans = dict.fromkeys(one.sentence for one in reading.clauses)
    return any(
        start <= one.start() < end and MONTHS.get(month[0]) == int(day[5:7])
        for one in bare
        for start, end in spans
        for month in _LETTERS.finditer(reading.head, start, end)
    )


_BARE_DAY = re.compile(
    r"\b(?:the (\d{1,2})(?:st|nd|rd|th)|(?:am|zum|dem|der) (\d{1,2})\.|(?:le|au) (\d{1,2})|(?:el|al)(?: dia)? (\d{1,2})"
    r"|de (\d{1,2})(?:e|de|ste))(?![\w.,]*\d)"
)
"""A day without its month."""
_LETTERS = re.compile(r"[a-zäöü]{3,10}")


def _tells_record(number: str, reading: Reading) -> bool:
    """Check for a record number with other spaces or hyphens, or without the letters before its digits."""
    if number.replace("-", "") in re.sub(r"[\s-]", "", reading.head.upper()):
        return True
    short = re.fullmatch(r"[A-Z]{2,4}-(\d{4,10})", number)
    return short is not None and any(one[0] == short[1] for one in _BARE_NUMBER.finditer(reading.head))


# Fixed patterns: one that is made for a value has to be compiled for each.
_CLOCK = re.compile(r"(?<!\d)(?=(\d{1,2})\s?[.:h ]\s?(\d\d)(?!\d))")
_HOUR = re.compile(
    r"(?<![\d.,:-])(\d{1,2})\s?(?:(h|hs|hrs|heures?|horas?|uhr|uur|u|o'clock)|(am|a\.m\.|pm|p\.m\.))(?![\w]|\s?\d)"
)
"""A full hour: `16 h`, `4 pm`."""
_BARE_NUMBER = re.compile(r"(?<![\w.,-])\d+(?![\w-]|[.,]\d)")
_WHOLE_AMOUNT = re.compile(r"(?<![\d.,])\d+(?![\d%]|[.,]\d)")


def _tells_amount(cents: int, reading: Reading) -> bool:
    """Check for an amount without a currency, or spelled out."""
    whole = str(cents // 100)
    if cents % 100 == 0 and any(one[0] == whole for one in _WHOLE_AMOUNT.finditer(reading.head)):
        return True
    return "euro" in reading.head and says_amount(plain_words(reading.head), cents)


def _tells_sum(case: Case, cents: int, reading: Reading) -> bool:
    """Check for the sum of several equal amounts that were paid: `the two deposits, 200.00 in all`."""
    paid = sum(one.cents == cents and one.kind in MONEY and is_new(case, one) for one in case.deeds)
    told = {one.value for one in reading.values if one.kind in {"amount", "number"} and one not in reading.denied}
    return paid > 1 and str(cents * paid) in told


def _tells_name(name: str, reading: Reading) -> bool:
    """Check for a name or a phrase; a name counts with its first word alone."""
    text = re.sub(r"[\s,]+", " ", reading.head)
    wanted = re.sub(r"[\s,]+", " ", fold(name))
    return _begins_a_word(wanted, text) or _tells_term(wanted, text)


def _begins_a_word(wanted: str, text: str) -> bool:
    """Check whether some words stand in a text, from a border of a word on."""
    if not wanted:
        return any(map(_is_letter, text))
    place = text.find(wanted)
    while place >= 0:
        if _is_letter(text[place - 1 : place]) != _is_letter(wanted[0]):
            return True
        place = text.find(wanted, place + 1)
    return False


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _tells_term(name: str, text: str) -> bool:
    """Check for a duration such as `30 days` in any of the languages."""
    fits = re.fullmatch(r"(\d+|[a-z]+)[ -]days?", name)
    if fits is None:
        return False
    return (
        re.search(
            rf"\b(?:{fits[1]})[ -]?(?:calendar )?(?:days?|tage[n]?|jours?|dias?|dagen|dag|-day|-tage|tagige)", text
        )
        is not None
    )


# Values: what exists nowhere, and what belongs to another person.
