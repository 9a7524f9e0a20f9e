"""Deeds that are told by what follows from them: `from 9 March you get Night Shift instead of the decaf`.

A clause tells a deed so only if it states a value of the deed itself: the new coffee or interval of a plan, the day
of its restart, the new street, the amount, the order or the part. So no words tell a deed that was not done.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Thing
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.intervals import weeks_in
from diorama.rewards.claims.ledger import PLAN_WORDS
from diorama.rewards.claims.lexicon import by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import roots_of
from diorama.rewards.claims.sendings import contents_of, goods_of
from diorama.rewards.claims.things import naming
from diorama.rewards.claims.values import street_at


class Effects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    changes: str
    starts: str
    ends: str
    back: str
    spend: str
    again: str
    coming: str
    goes: str


_LISTS = {
    "plan_change": "changes", "pause": "starts", "skip": "starts", "resumption": "starts", "cancellation": "ends",
    "refund": "back", "credit": "spend", "reshipment": "again", "part": "coming", "replacement_machine": "coming",
    "address_change": "goes",
}  # fmt: skip
"""For each kind of deed, the list of words for what follows from it."""


@lru_cache(maxsize=1)
def _known() -> dict[str, Effects]:
    return by_language("effects", Effects)


def tells_effect(case: Case, kind: str, clauses: Sequence[Clause], text: str) -> bool:
    """Check whether a clause tells what follows from a deed of this kind, with a value of the deed."""
    deeds = [one for one in case.deeds if one.kind == kind and one.stands] if kind in _LISTS else []
    deeds = [one for one in deeds if one.seq] or deeds
    if not deeds:
        return False
    things = {one.id: one for one in case.things}
    return any(
        _tells(clause, kind) and any(_states(case, one, things.get(one.subject), clause, text) for one in deeds)
        for clause in clauses
        if not (clause.conditional or clause.question or (clause.depends and not clause.apart))
    )


def _tells(clause: Clause, kind: str) -> bool:
    """Check whether a clause has words for what follows from a deed, and does not deny them."""
    if kind == "pause" and _UNTIL.search(clause.words) and not _RUNS.search(clause.words):
        return True
    found = words(getattr(_known()[clause.language], _LISTS[kind])).search(clause.words)
    if found is None:
        return False
    if kind == "cancellation" and not _WITHDRAWN.match(found[0]):  # its effects are themselves denials
        return True
    plain = _INSTEAD.sub(lambda fits: " " * len(fits[0]), clause.words)
    return not is_negated(msgspec.structs.replace(clause, words=plain), found.end(), [found.span()])


_WITHDRAWN = re.compile(
    r"scrap|off the|pulled|called|withdr|struck|taken|binned|dropped|gestrichen|zurückgez|rausgen|herausgen|aus de"
    r"|vom tisch"
    r"|eingest|retir|raye|supprim|sorti|laisse|borrad|eliminad|suprimid|quitad|fuera|ingetr|geschr|eruit|uit "
    r"|van de baan"
    r"|weggeh"
)
_UNTIL = re.compile(r"\b(?:until|till|bis(?: zum)?|jusqu'au|hasta(?: el)?|tot(?: en met)?)(?: \w+)? xdate\b")
_RUNS = words(
    "run | runs | running | renew* | active | valid | continu* | läuft | weiter* | gilt | gültig | aktiv | verlänger*"
    " | cour* | actif | active | valable | renouvel* | sigue* | activ* | válid* | renuev* | lopen | loopt | actief"
    " | geldig | verleng* | want* | wish* | ask* | möchte* | wünsch* | souhait* | voul* | quier* | quer* | wil | wilt"
    " | can | could | may | might | kann | könn* | peut | pouv* | pourr* | puede* | pued* | podr* | kan | kunt | kunnen"
)
"""A plan that rests until a day is told by that day, whatever the verb; one that runs until then is not."""
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|not before|statt|anstatt|anstelle|au lieu|plutot que|pas avant|en lugar de|en vez de"
    r"|no antes|in plaats van)\b"
)
"""What something replaces, and the day before which nothing comes: they do not deny what follows."""


def _states(case: Case, deed: Deed, thing: Thing | None, clause: Clause, text: str) -> bool:
    """Check whether a clause states a value of a deed."""
    said = text[clause.start : clause.end]
    if deed.kind == "plan_change":
        return thing is not None and _names_plan(thing, clause, said)
    if deed.kind in {"pause", "skip", "resumption"}:
        days = {deed.day, deed.to.get("until", "")[:10], *(thing.days[:1] if thing else ())} - {""}
        return _has_day(clause, days)
    if deed.kind in {"refund", "credit"}:
        return any(one.kind in {"amount", "number"} and one.value == str(deed.cents) for one in clause.values)
    if deed.kind == "address_change":
        return any(one.kind == "street" and one.value == street_at(deed.to) for one in clause.values)
    sentence = text[clause.sentence[0] : clause.sentence[1]]
    if deed.kind == "reshipment" and any(one.value == street_at(deed.to) for one in clause.values):
        return True
    if deed.kind == "cancellation" and deed.subject.startswith("sub_"):
        return _speaks_of_plan(thing, sentence)
    if deed.kind in {"part", "replacement_machine"}:
        sku = deed.to.get("sku", "").lower()
        if sku and sku in sentence:  # brackets around the number split the clause: `a collar (PT-COLLAR) is on order`
            return True
        contents = contents_of(case, deed)
        return any(one.kinds & contents for one in goods_of(case, clause, text))
    return _names_order(case, deed, sentence)


def _has_day(clause: Clause, days: set[str]) -> bool:
    wanted = days | {"-" + one[4:] for one in days}
    return any(one.kind in {"date", "day"} and wanted & set(one.readings) for one in clause.values)


def _names_plan(plan: Thing, clause: Clause, said: str) -> bool:
    """Check whether a clause names what a plan sends now, or how often; another interval than its own is wrong."""
    weeks = [*weeks_in(roots_of(clause).every, roots_of(clause).weeks, said).values()]
    if weeks and plan.weeks and weeks[-1] != plan.weeks:
        return False
    pattern = naming(plan.name)
    named = pattern is not None and pattern.search(said) is not None
    return named or bool(weeks and plan.weeks)


def _speaks_of_plan(plan: Thing | None, sentence: str) -> bool:
    pattern = naming(plan.name) if plan else None
    named = pattern is not None and pattern.search(sentence) is not None
    return named or PLAN_WORDS.search(sentence) is not None or _DELIVERIES.search(sentence) is not None


_DELIVERIES = words(
    "coffee | bag | bags | delivery | deliveries | renewal | renewals | kaffee | tüte | tüten | beutel | lieferung"
    " | lieferungen | café | sachet | sachets | livraison | livraisons | bolsa | bolsas | entrega | entregas | envío"
    " | envíos | koffie | zak | zakken | levering | leveringen"
)


def _names_order(case: Case, deed: Deed, sentence: str) -> bool:
    """Check whether a sentence names the order of a deed, or what it contains."""
    names = [one.lower() for one in (deed.subject, *deed.names) if one]
    if any(one in sentence for one in names):
        return True
    upper = {one.upper() for one in names}
    goods = {name for one in case.things if upper & {one.id.upper(), *one.numbers} for name in one.goods}
    patterns = (naming(one) for one in goods)
    return any(pattern is not None and pattern.search(sentence) for pattern in patterns)
