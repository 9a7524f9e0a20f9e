"""What was sent in the episode: where a text says that it goes, and whether it names a part or a whole machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, is_asserted, is_new, is_own_act
from diorama.rewards.claims.sendings import (
    Mention,
    contents_of,
    goods_of,
    is_lately_sent,
    kinds_of,
    mentions_of,
    sending_words,
)
from diorama.rewards.claims.things import short_name, streets_of, towns_of
from diorama.rewards.claims.values import Value


def dispatches(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that send new goods elsewhere, mix two addresses, or name a part where a machine was sent."""
    if not case.things:
        return
    yield from _mixed(case, clauses, text)
    moved = [one for one in case.new_deeds if one.kind == "address_change" and one.subject.startswith("ord_")]
    if moved:
        yield from _not_redirected(case, clauses, text, {one.subject for one in moved})
    new = [one for one in case.new_deeds if one.kind in GOODS]
    if not new:
        return
    lately = [one for one in case.deeds if one.kind in GOODS and is_lately_sent(case, one)]
    towns = {town for one in case.things for town in one.towns if len(town) > 2 and town in text}
    machines_only = all(one.kind == "replacement_machine" for one in new) and not case.expected & GOODS
    for place, clause in enumerate(clauses):
        placed = any(one.kind == "street" for one in clause.values) or any(one in clause.words for one in towns)
        if clause.question or clause.conditional or not (placed or machines_only):
            continue
        found = sending_words(clause).search(clause.words) or _UNDER_WAY.search(clause.words)
        if found is None or not is_asserted(clause, *found.span()):
            continue
        wrong = _elsewhere(case, clause, text, lately, towns) if placed else None
        if wrong is None and machines_only:
            wrong = _only_a_part(case, clause, lately) or _one_of_it(case, clauses, place, text, lately)
        if wrong:
            yield clause, wrong


_UNDER_WAY = words("under way | underway | unterwegs | en route | en chemin | en camino | de camino | onderweg")


# --- where goods go


def _elsewhere(case: Case, clause: Clause, text: str, lately: Sequence[Deed], towns: set[str]) -> Wrong | None:
    """Compare the street or the town of a clause with where the goods that it names were sent."""
    objects = goods_of(case, clause, text)
    if len(objects) != 1:
        return None
    said = {one.value for one in clause.values if one.kind == "street"}
    near = set() if said else _towns_after(clause, text, towns, objects[0])
    meant = [one for one in lately if objects[0].kinds & contents_of(case, one)]
    if not (said or near) or not any(is_new(case, one) for one in meant) or said & case.company.streets:
        return None
    if objects[0].kinds & _kinds_on_the_way(case):
        return None
    if any(not one.to.get("line1") or said & set(streets_of(one.to)) or near & set(towns_of(one.to)) for one in meant):
        return None
    there = ", ".join(str(one.to["line1"]) for one in meant)
    return (
        "place",
        f"{objects[0].said} goes to {there}",
        f"the text says that it goes to {', '.join(sorted(said | near))}",
    )


def _kinds_on_the_way(case: Case) -> frozenset[str]:
    """Return the names of goods in orders that are still on their way."""
    return frozenset(good for one in case.things if one.moves(case.today) for good in one.goods)


def _towns_after(clause: Clause, text: str, towns: set[str], goods: Mention) -> set[str]:
    """Return the towns that stand after the goods of a clause and a word for a direction."""
    said = text[clause.start + goods.end : clause.end]
    return {one for one in towns if re.search(rf"\b(?:to|nach|a|vers|hacia|naar)\s{re.escape(one)}\b", said)}


def _not_redirected(
    case: Case, clauses: Sequence[Clause], text: str, moved: set[str]
) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that say that an order could not be redirected which was redirected.

    The order is the one that the sentence names by its number or its goods, or else the only one on its way.
    """
    orders = [one for one in case.things if one.moves(case.today)]
    for place, clause in enumerate(clauses):
        found = _REDIRECTS.search(clause.words)
        if found is None or clause.question or clause.conditional or is_own_act(clause):
            continue
        language = LANGUAGES[clause.language]
        failed = words(language.failed).search(clause.words) or _TOO_LATE.search(clause.words)
        if _ANOTHER.search(clause.words) or not (failed or is_negated(clause, found.end())):
            continue
        near = [one for one in clauses[max(0, place - 2) : place + 1] if one.sentence == clause.sentence]
        numbers = {value.value for one in near for value in one.values if value.kind == "record"}
        kinds = frozenset().union(*(goods.kinds for one in near for goods in mentions_of(case, one, text)))
        meant = [one for one in orders if numbers & set(one.numbers)]
        meant = meant or [one for one in orders if any(kinds & kinds_of(good) for good in one.goods)]
        meant = meant or (orders if not (numbers or kinds) else [])
        if len(meant) == 1 and meant[0].id in moved:
            expected = f"{meant[0].numbers[0]} goes to {', '.join(meant[0].streets)}"
            yield clause, ("denied", expected, f"the text says that it was not {found[0]!r}")


_REDIRECTS = words(
    "redirect* | rerout* | divert* | readdress* | change the address | changed the address | address+be changed"
    " | address+changed | umgeleitet | umleiten | umgelenkt | adresse+ändern | adresse+geändert | redirig* | devier"
    " | devie | reachemin* | adresse+modifi* | changer l'adresse | desviar | desviado | cambiar la direccion"
    " | direccion+cambi* | omgeleid | omleiden | adres+wijzigen | adres+gewijzigd | adres+aanpassen"
)
_TOO_LATE = words("too late | zu spät | trop tard | demasiado tarde | te laat")
_ANOTHER = words(
    "other | another | plan | subscription | account | andere | anderen | abo | autre | abonnement | compte | otro"
    " | otra | suscripción | cuenta | ander"
)


# --- a street with the town or the postcode of another address


def _mixed(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that name a street and right after it the town or the postcode of another address."""
    places: dict[str, set[str]] | None = None
    for place, clause in enumerate(clauses):
        for street in clause.values:
            if street.kind != "street" or clause.question:
                continue
            if places is None:
                places = _towns_and_codes(case)
            right = places.get(street.value)
            if not right:
                continue
            after = [one for other in clauses[place : place + 3] for one in other.values if one.kind == "postcode"]
            wrong = _not_of(right, places, text, street, after)
            if wrong:
                yield clause, ("place", f"{street.value} in {', '.join(sorted(right))}", f"the text says {wrong!r}")


def _towns_and_codes(case: Case) -> dict[str, set[str]]:
    """Return for each street of the customer's records its towns and postcodes."""
    found: dict[str, set[str]] = {}
    for one in case.things:
        if len(one.streets) == 1:
            found.setdefault(one.streets[0], set()).update(one.towns)
    different = {(one.to.get("line1"), one.to.get("postal_code")): one.to for one in case.deeds if one.to.get("line1")}
    for to in different.values():
        code = re.sub(r"[\s-]", "", str(to.get("postal_code") or "")).upper()
        for street in streets_of(to):
            found.setdefault(street, set()).update({*towns_of(to), code} - {""})
    return found


_BETWEEN = re.compile(r"[\s,()]*(?:(?:in|at|a|en|te)\s)?[\s,]*")


def _not_of(right: set[str], places: Mapping[str, set[str]], text: str, street: Value, codes: Sequence[Value]) -> str:
    """Return the town or the postcode right after a street if it belongs to other streets only."""
    others = set().union(*places.values()) - right
    gap = _BETWEEN.match(text, street.end)
    start = gap.end() if gap else street.end
    code = next((one for one in codes if one.start == start), None)
    if code is not None:
        if code.value in others and any(one[:1].isdigit() or one.isupper() for one in right):
            return code.value
        gap = _BETWEEN.match(text, code.end)
        start = gap.end() if gap else code.end
    town = next((one for one in sorted(others) if one.islower() and text.startswith(one, start)), "")
    return town if town and not text[start + len(town) : start + len(town) + 1].isalnum() else ""


# --- a part instead of a machine


_FOR = {
    "en": r"(?:for|of)\s(?:(?:the|your)\s)?",
    "de": r"(?:für|fur)\s(?:(?:die|den|das|ihre|ihren|ihr|deine|deinen|dein)\s)?",
    "fr": r"pour\s(?:(?:la|le|l'|votre|ta|ton)\s?)?",
    "es": r"para\s(?:(?:la|el|su|tu)\s)?",
    "nl": r"voor\s(?:(?:de|het|je|jouw|uw)\s)?",
}
_NEW = {
    "en": r"(?:a|an|the)\s(?:(?:brand-?new|new|replacement|spare|fresh)\s)?",
    "de": r"(?:ein|eine|einen|der|die|das|den)\s(?:(?:neue|neuen|neuer|neues|passende|passenden)\s)?",
    "fr": r"(?:un|une|le|la)\s(?:(?:nouveau|nouvelle|nouvel)\s)?",
    "es": r"(?:un|una|el|la)\s(?:(?:nuevo|nueva)\s)?",
    "nl": r"(?:een|de|het)\s(?:(?:nieuwe|nieuw|passende)\s)?",
}
_WHOLE = words(
    "replacement | replacements | one | machine | unit | appliance | device | grinder | swap | exchange | successor"
    " | substitute | parcel | package | box | carton | label | instructions | guide | manual | reservation | shipment"
    " | delivery | tracking | confirmation | warranty | case | ticket | e-mail | email | message | link | list"
    " | ersatz | ersatzgerät | austausch | austauschgerät | gerät | maschine | mühle | paket | karton | etikett"
    " | anleitung | sendung | lieferung | neue | neues | neuen | bestätigung | versand* | tausch"
    " | remplacement | remplaçante | remplaçant | appareil | moulin | échange | colis | carton | étiquette | notice"
    " | envoi | nouvelle | nouveau | confirmation | reemplazo | sustituto | máquina | aparato | molino | cambio"
    " | paquete | caja | etiqueta | instrucciones | envío | nueva | nuevo | vervang* | apparaat | molen | pakket"
    " | doos | handleiding | zending | omruil* | nieuwe | nieuw | bevestiging | order | return | pick-up | collection"
    " | xproduct | xmachine | kind | sort | number | free | second | pair"
)
_MACHINE = r"(?:xmachine|machine|maschine|maquina|machine|apparaat)\b"


def _only_a_part(case: Case, clause: Clause, lately: Sequence[Deed]) -> Wrong | None:
    """Check that not only something for a machine is said to be sent where a whole machine was sent."""
    found = re.search(
        rf"\b{_NEW[clause.language]}((?:[\w-]+\s){{1,4}}?){_FOR[clause.language]}{_MACHINE}", clause.words
    )
    if found is None or _WHOLE.search(found[1]) or _RELATIVE.search(found[1]):
        return None
    parts = [one for one in lately if one.kind == "part"]
    if parts and (not found[0].endswith("xmachine") or _of_their_machines(case, clause, parts)):
        return None
    if words(LANGUAGES[clause.language].distant).search(clause.words):
        return None
    return "claimed", "a whole machine that was sent", f"the text says that {found[1].strip()!r} was sent"


def _of_their_machines(case: Case, clause: Clause, parts: Sequence[Deed]) -> bool:
    """Check whether a clause names a machine that parts were sent for."""
    names = {one.name for one in case.things if one.kind == "machine" and one.id in {part.subject for part in parts}}
    return any(one.kind == "machine" and short_name(one.value) in names for one in clause.values)


_RELATIVE = words("we | i | that | which | you | wir | ich | nous | je | que | qui | hemos | we | ik | die | dat")


_ONE = {
    "en": re.compile(r"\b(?:you|out|off|posted|sent|sending|shipped|mailing|posting) (?:a new )?one\b"),
    "de": re.compile(r"\b(?:ihnen|dir) (?:heute |gleich )?(?:eins|einen|eine|eines)\b(?!\s\w+e?n?\s\w)"),
    "fr": re.compile(r"\b(?:vous|t')\s?en (?:avons |envoyons |ai |expedions |envoie )(?:\w+ )?une?\b"),
    "es": re.compile(r"\b(?:le|te) (?:hemos |he )?(?:enviado|mandado|enviamos|mandamos) un[oa]\b"),
    "nl": re.compile(r"\b(?:je|u) er (?:een|eentje)\b"),
}


def _one_of_it(case: Case, clauses: Sequence[Clause], place: int, text: str, lately: Sequence[Deed]) -> Wrong | None:
    """Check that `we have sent you one` does not mean a part that was named just before."""
    clause = clauses[place]
    if place == 0 or _ONE[clause.language].search(clause.words) is None or goods_of(case, clause, text):
        return None
    named = goods_of(case, clauses[place - 1], text)
    sent = set().union(*(contents_of(case, one) for one in lately))
    if not named or named[-1].kinds & (sent | {"machine", "grinder", "coffee"}):
        return None
    return "claimed", "a whole machine that was sent", f"the text says that {named[-1].said!r} was sent"
