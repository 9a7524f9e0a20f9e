"""How goods travel: with which carrier, to which town and until when; and payments that are said to have failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Grounds
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act, roots_of
from diorama.rewards.claims.sendings import contents_of, is_lately_sent, kinds_of, mentions_of, sending_words
from diorama.rewards.claims.spans import by_sentence, days_in, is_beside


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    reaches: str
    same_for: str
    failed: str
    paying: str


@lru_cache(maxsize=1)
def journey_words() -> Mapping[str, Words]:
    """Return the words of each language."""
    return by_language("journeys", Words)


def journeys(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that send goods with another carrier, to another town, on another day, or tell of a failure."""
    if not case.things:
        return
    towns = {town for one in case.things for town in one.towns if len(town) > 2 and town in text}
    for sentence in by_sentence(clauses):
        for clause in sentence:
            if clause.question or clause.conditional:
                continue
            wrong = (
                _carrier(case, clause, sentence)
                or _on_its_day(case, clause, sentence)
                or (_town(case, clause, text, towns) if towns else None)
                or _failed(case, clause, sentence)
                or _sent_before(case, clause, text)
                or _all_go(case, clause, sentence)
                or _for_machine(case, clause, sentence)
                or _pickup(case, clause)
            )
            if wrong and not is_own_act(clause):
                yield clause, wrong


def _is_unclear(clause: Clause, *, rules: bool = True) -> bool:
    language = LANGUAGES[clause.language]
    lists = (language.reported, language.wish, *((language.exempt, language.general) if rules else ()))
    return any(words(one).search(clause.words) for one in lists)


# --- carriers


_CARRIERS = re.compile(
    r"\b(dhl|dpd|ups|fedex|postnl|gls|hermes|correos(?! de canad)|canada post|purolator|royal mail"
    r"|colissimo|chronopost|bpost|tnt)\b"
)


def _carrier(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if goods are said to travel with a carrier that has none of the customer's parcels."""
    found = _CARRIERS.search(clause.words)
    known = {one.carrier for one in case.parcels if one.carrier}
    if found is None or not known or found[1] in known or re.search(rf"\b{found[1]}\b", case.thread):
        return None
    if words(LANGUAGES[clause.language].negation).search(clause.words) or _is_unclear(clause):
        return None
    if any(one.kind == "label" and one.stands for one in case.deeds) and _is_of_a_return(case, sentence):
        return None
    return "state", f"parcels with {', '.join(sorted(known))}", f"the text says {found[1]!r}"


def _is_of_a_return(case: Case, sentence: Sequence[Clause]) -> bool:
    """Check whether a sentence is about a return: its carrier is in no row."""
    numbers = {name.upper() for one in case.deeds if one.kind == "label" for name in one.names}
    return any(
        _RETURN.search(one.words) or any(value.kind == "record" and value.value in numbers for value in one.values)
        for one in sentence
    )


_RETURN = words(
    "return* | label* | send+back | rücksend* | retour* | zurück* | etikett* | étiquette* | renvoy* | renvoi* | devol*"
    " | devuelv* | etiqueta* | terug*"
)


# --- the day of arrival


def _on_its_day(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the parcel of this moment is to arrive on another day than its carrier says."""
    days = [one for one in days_in(case, clause) if all(day > case.today[:10] for day in one)]
    if len(days) != 1 or not words(journey_words()[clause.language].reaches).search(clause.words):
        return None
    moving = [one for one in case.parcels if one.status in {"waiting", "moving"} and one.due]
    new = [one for one in moving if one.made >= case.today[:10]]
    if len(new) != 1 or not any(one.kind in GOODS for one in case.new_deeds):
        return None
    others = _OTHERS.search(" ".join(one.words for one in sentence)) or _TRIP.search(clause.words)
    if others or is_negated(clause, len(clause.words)):
        return None
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    known = {one.due for one in moving} | {day for one in case.things if one.kind == "plan" for day in one.days}
    if (named and not named & _names(case, new[0].number)) or any(
        is_beside(day, other) for day in days[0] for other in known
    ):
        return None
    return "state", f"a parcel that is due on {new[0].due}", f"the text says {min(days[0])}"


_OTHERS = re.compile(
    r"\b(?:plan|plans|abo|abonnement|formule|suscripcion|renewal|refund|xamount|label|etikett|etiquette|etiqueta|return"
    r"|reply|answer|bank|money|geld|argent|dinero|koffieplan)\b"
)
_TRIP = re.compile(r"\b(?:trip|reise|voyage|viaje|reis)\b")


def _names(case: Case, number: str) -> set[str]:
    """Return the numbers of the order that a parcel belongs to, and of the parcel."""
    return {number}.union(*(one.numbers for one in case.things if number in one.numbers)) | {
        name for one in case.new_deeds if one.kind in GOODS for name in one.names
    }


# --- towns


def _town(case: Case, clause: Clause, text: str, towns: set[str]) -> Wrong | None:
    """Return the contradiction if goods of an order that is under way are said to go to another town."""
    said = text[clause.start : clause.end]
    here = [
        one
        for one in towns
        if re.search(rf"\b(?:to|nach|a|vers|hacia|naar|en|in|a l'adresse de)\s{re.escape(one)}\b", said)
    ]
    if len(here) != 1 or PAST.search(clause.words) or any(one.kind == "record" for one in clause.values):
        return None
    goods = mentions_of(case, clause, text)
    way = [one for one in case.things if one.moves(case.today)]
    meant = (
        [one for one in way if any(goods[0].kinds & kinds_of(good) - {"coffee"} for good in one.goods)] if goods else []
    )
    if len(goods) != 1 or len(meant) != 1 or not meant[0].towns or here[0] in meant[0].towns:
        return None
    if is_negated(clause, len(clause.words)) or _is_unclear(clause, rules=False) or not _moves(clause):
        return None
    sent = {town for one in case.new_deeds for town in (one.to.get("city", "").lower(),)}
    if here[0] in sent and any(one.kind in GOODS for one in case.new_deeds):
        return None
    return "place", f"{goods[0].said} goes to {', '.join(meant[0].towns)}", f"the text says {here[0]!r}"


def _moves(clause: Clause) -> bool:
    roots = roots_of(clause)
    return bool(
        sending_words(clause).search(clause.words)
        or any(words(one).search(clause.words) for one in (roots.goes, roots.redirects, roots.change))
        or _SET.search(clause.words)
    )


_SET = re.compile(
    r"\b(?:omgezet|omgeleid|umgeleitet|umgestellt|redirected|moved|switched|rerouted|devie\w*|redirige\w*|desviad\w+"
    r"|redirigid\w+|gewijzigd|geandert|geändert|changed|modifie\w*|cambiad\w+)\b"
)


def _all_go(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if all orders of a list are said to go to one address, and one of them does not."""
    orders = {one.numbers[0]: one for one in case.things if one.kind == "order" and one.numbers}
    named = [orders[one.value] for one in clause.values if one.kind == "record" and one.value in orders]
    if len(named) < 2 or _LIST.search(clause.words) is None:
        return None
    streets = {value.value for one in sentence for value in one.values if value.kind == "street"}
    elsewhere = {value.value for one in sentence if one is not clause for value in one.values if value.kind == "record"}
    if len(streets) != 1 or elsewhere - {one.numbers[0] for one in named}:
        return None
    language = LANGUAGES[clause.language]
    whole = " ".join(one.words for one in sentence)
    if words(language.negation).search(whole) or PAST.search(whole) or any(one.conditional for one in sentence):
        return None
    wrong = [one for one in named if one.moves(case.today) and one.streets and not streets & set(one.streets)]
    if not wrong or not any(_moves(one) for one in sentence):
        return None
    return "place", f"{wrong[0].numbers[0]} goes to {', '.join(wrong[0].streets)}", f"the text says {min(streets)}"


_LIST = re.compile(
    r"\bxrecord\b(?: \( ?x\w+ ?\))?,? (?:and|und|et|y|en|&|sowie) (?:(?:your|the|order|ihre|votre|su|tu|je"
    r"|uw|die|la|el|de)\s)?xrecord\b"
)


def _sent_before(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if goods of this moment are said to have been sent on an earlier day."""
    found = sending_words(clause).search(clause.words)
    days = [one for one in days_in(case, clause) if all(day < case.today[:10] for day in one)] if found else []
    if found is None or len(days) != 1 or len(days_in(case, clause)) != 1:
        return None
    new = [one for one in case.new_deeds if one.kind in GOODS and one.day == case.today[:10]]
    goods = mentions_of(case, clause, text)
    if not new or not goods or any(one.kind == "record" for one in clause.values):
        return None
    kinds = frozenset().union(*(one.kinds for one in goods))
    held = [contents_of(case, one) for one in new]
    earlier = [one for one in case.parcels if one.made < case.today[:10]]
    sent = {day for one in earlier for day in (one.made, one.sent, one.closed)}
    known = {one.day for one in case.deeds if one.day} | {one.placed for one in case.things if one.kind == "order"}
    if not any(kinds & one for one in held) or days[0] & (sent | known) or is_negated(clause, found.end()):
        return None
    return "earlier", f"goods that were sent on {case.today[:10]}", f"the text says {min(days[0])}"


_PICKUP = re.compile(
    r"\b(?:pick-?up point|parcel shop|parcel locker|post office box|packstation|paketshop|abholstation|postfiliale"
    r"|point relais|consigne|punto de recogida|taquilla|afhaalpunt|pakketpunt|pakketautomaat|your office"
    r"|ihr buro|ihr büro"
    r"|your neighbour|ihr nachbar|votre voisin|su vecino|je buren|uw buren)\b"
)


def _pickup(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if goods that were sent now go to a place that is not their address."""
    found = _PICKUP.search(clause.words)
    sent = [one for one in case.new_deeds if one.kind in GOODS and one.to.get("line1")]
    if found is None or not sent or found[0] in case.thread or not _moves(clause):
        return None
    if is_negated(clause, len(clause.words)) or _is_unclear(clause) or PAST.search(clause.words):
        return None
    return "place", f"goods that go to {sent[0].to['line1']}", f"the text says {found[0]!r}"


_FOR = re.compile(
    r"\b(?:for|für|fur|pour|para|voor)\s(?:(?:the|your|die|den|ihre|ihren|deine|la|le|votre|ta|su|tu|el|de"
    r"|je|uw|jouw)\s)?xmachine\b"
)


def _for_machine(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was sent now is said to be for another machine of the customer."""
    new = [one for one in case.new_deeds if one.kind in {"part", "replacement_machine"}]
    said = [one.value for one in clause.values if one.kind == "machine"]
    if not new or len(said) != 1 or not _FOR.search(clause.words) or PAST.search(clause.words):
        return None
    machines = {one.id.upper(): one.name for one in case.things if one.kind == "machine"}
    own = {machines.get(one.subject.upper(), "") for one in new} | {
        machines.get(name.upper(), "") for one in new for name in one.names
    }
    lately = {
        machines.get(one.subject.upper(), "") for one in case.deeds if one.kind in GOODS and is_lately_sent(case, one)
    }
    own = {one for one in own if one}
    if not own or any(said[0].startswith(one) or one.startswith(said[0]) for one in own | lately if one):
        return None
    sends = any(sending_words(one).search(one.words) for one in sentence) or _ITS_FOR.match(clause.words)
    if not sends or is_negated(clause, len(clause.words)) or _is_unclear(clause):
        return None
    return "subject", f"goods for {', '.join(sorted(own))}", f"the text says for {said[0]}"


_ITS_FOR = re.compile(
    r"\W*(?:it is|it's|they are|es ist|sie ist|das ist|c'est|elle est|il est|es|son|het is|hij is"
    r"|die is)\s(?:for|für|fur|pour|para|voor)\b"
)


# --- failures


def _failed(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a payment is said to have failed, and no row shows a failure."""
    known = journey_words()[clause.language]
    if case.failed or case.private != Grounds() or any(one.kind == "time" for one in case.tell):
        return None
    found = words(known.failed).search(clause.words)
    own = [(found.start() - 1, found.end())] if found else []  # `failed` is a word of denial itself
    if found is None or not words(known.paying).search(clause.words) or is_negated(clause, found.end(), own):
        return None
    if _is_unclear(clause) or found[0] in case.thread or any(one.conditional for one in sentence):
        return None
    return "state", "payments that went through", f"the text says {found[0]!r}"
