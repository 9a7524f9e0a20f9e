"""Towns that a text names as the place of goods, and that no record, page or letter has."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims import lexicon
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import Wrong, is_own_act


@lru_cache(maxsize=1)
def _towns() -> tuple[re.Pattern[str], Mapping[str, frozenset[str]]]:
    """Return a pattern for a town after a preposition, and for each name those that mean the same town."""
    text = tomllib.loads((files(lexicon) / "towns.toml").read_text(encoding="utf-8"))["towns"]
    groups = [frozenset(map(_plain, one.split("="))) for one in text.replace("\n", "|").split("|") if one.strip()]
    same: dict[str, frozenset[str]] = {}
    for group in groups:
        for name in group:
            same[name] = same.get(name, frozenset()) | group
    ordered = "|".join(sorted(map(re.escape, same), key=lambda one: (-len(one), one)))
    return re.compile(rf"\b(?:{_BEFORE})\s({ordered})\b(?!-)"), same


_BEFORE = (
    r"to|in|at|near|for|towards|nach|in|bei|nahe|vers|a|au|pres de|en|hacia|cerca de|naar|te|bij|of|from|aus"
    r"|von|uit|de|"
    r"xstreet,?|xpostcode"
)


def _plain(name: str) -> str:
    return re.sub(r"[äöüß]", lambda found: {"ä": "a", "ö": "o", "ü": "u", "ß": "ss"}[found[0]], fold(name).strip())


def towns(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that put goods into a town that no record, page or letter has."""
    if not case.things:
        return
    pattern, same = _towns()
    has_address = any(value.kind in {"street", "postcode"} for one in clauses for value in one.values)
    if not has_address and pattern.search(_plain(text)) is None:
        return
    known: set[str] | None = None
    for place, clause in enumerate(clauses):
        if clause.question or clause.conditional or is_own_act(clause):
            continue
        said = _plain(clause.words)
        found = pattern.search(said)
        if found is None or is_negated(clause, found.start()):
            continue
        if not _GOES.search(clause.words) and not _goes_on(clauses, place):
            continue
        if words(LANGUAGES[clause.language].reported).search(clause.words):
            continue
        if known is None:
            known = _known(case)
        if wrong := _of_an_order(case, clause, said, same):
            yield clause, wrong
        elif not any(one in known for one in same[found[1]]) and not _in_thread(case, same[found[1]]):
            yield clause, ("place", f"one of {', '.join(sorted(known)[:4])}", f"the text says {found[1]!r}")


def _goes_on(clauses: Sequence[Clause], place: int) -> bool:
    """Check whether a clause of a few words only adds where goods go: `it left today, bound for Birmingham`."""
    clause, before = clauses[place], clauses[place - 1] if place else None
    few = len(clause.words.split()) <= FEW_WORDS and _BOUND.match(clause.words) is not None
    return few and before is not None and before.sentence == clause.sentence and _GOES.search(before.words) is not None


FEW_WORDS = 5
_BOUND = re.compile(
    r"\W*(?:bound for|destined for|to|towards|nach|richtung|a destination de|vers|direction|con destino a|hacia|rumbo a"
    r"|naar|met bestemming|richting)\b"
)


def _of_an_order(case: Case, clause: Clause, said: str, same: Mapping[str, frozenset[str]]) -> Wrong | None:
    """Return the contradiction if the one order of a clause is said to go to a town that is not its own."""
    numbers = {one.value for one in clause.values if one.kind == "record"}
    orders = [one for one in case.things if one.kind == "order" and numbers & set(one.numbers)]
    toward = [one for one in _towns()[0].finditer(said) if _DIRECTION.match(one[0])]
    if len(orders) != 1 or len(numbers) != 1 or len(toward) != 1 or clause.depends or not orders[0].towns:
        return None
    language = LANGUAGES[clause.language]
    if any(words(one).search(clause.words) for one in (language.negation, language.exempt, language.wish)):
        return None
    if _BACK.search(clause.words) or {_plain(one) for one in orders[0].towns} & same[toward[0][1]]:
        return None
    return "place", f"{orders[0].numbers[0]} goes to {orders[0].towns[0]}", f"the text says {toward[0][1]!r}"


_DIRECTION = re.compile(r"(?:to|nach|vers|hacia|naar|a)\s")
_BACK = words(
    "back | return* | zurück* | retour* | renvoy* | devol* | devuel* | volv* | vuel* | terug* | old | alte* | from"
)


def _known(case: Case) -> set[str]:
    """Return the towns of the customer's records."""
    found = {town for one in case.things for town in one.towns}
    found |= {fold(str(one.to.get("city") or "")) for one in case.deeds}
    return {part for one in found if one for part in (_plain(one), *_plain(one).split())} | case.stops


def _in_thread(case: Case, names: frozenset[str]) -> bool:
    thread = _plain(case.thread)
    return any(re.search(rf"\b{re.escape(one)}\b", thread) for one in names)


_GOES = words(
    "parcel | package | order | sent | send | sends | goes | go | went | going | ship* | deliver* | arriv* | reach*"
    " | office | address | depot | warehouse | store | carrier | courier | dhl | dpd | xrecord | xstreet "
    "| found | turned"
    " | paket | sendung | bestellung | geht | gehen | ging | gingen | geschickt | schicken | verschickt | versandt"
    " | geliefert | liefer* | zugestellt | adresse | büro | lager | zusteller | angekommen | unterwegs | aufgetaucht"
    " | colis | commande | part | parti | partie | envoy* | expédi* | livr* | arriv* | adresse | bureau | dépôt"
    " | transporteur | paquete | pedido | va | van | fue | envi* | entreg* | lleg* | dirección | oficina | almacén"
    " | transportista | pakket | bestelling | gaat | ging | gestuurd | verstuurd | verzonden | bezorg* | aangekomen"
    " | adres | kantoor | magazijn | onderweg | opgedoken"
)
"""Words of goods that are somewhere or go there."""
