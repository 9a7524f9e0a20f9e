"""Denials about other goods, plans or orders than those for which something was done."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.ledger import MONEY, records_of
from diorama.rewards.claims.sendings import contents_of, mentions_of
from diorama.rewards.claims.taking_apart import Reading
from diorama.rewards.claims.things import named_in


def denies_for_others(case: Case, reading: Reading, claim: Claim) -> bool:
    """Check whether a denial is about other goods, another plan or another order than the deeds of its kind."""
    return (
        _denies_for_other_goods(case, reading, claim.clause)
        or _denies_for_other_plans(case, reading, claim)
        or _denies_for_another_order(case, reading, claim.clause)
    )


def _denies_for_other_plans(case: Case, reading: Reading, claim: Claim) -> bool:
    """Check whether a clause names plans, and none of them was changed: `Explorer and Harbour go on`."""
    plans = [one for one in case.things if one.kind == "plan"]
    named = named_in(plans, reading.head[claim.clause.start : claim.clause.end])
    changed = {one.subject for one in case.new_deeds}
    names = {one.name for one in plans if one.id in changed}
    return bool(named) and not any(one.id in changed or one.name in names for one, _, _ in named)


def _denies_for_another_order(case: Case, reading: Reading, clause: Clause) -> bool:
    """Check whether a denial points back to an order of its sentence for which nothing was done: `nothing there`."""
    if _THERE.search(clause.words) is None or records_of(clause):
        return False
    before = [one for one in reading.clauses if one.start < clause.start and one.end <= clause.start]
    named = next((found for one in reversed(before[-NEAR:]) if (found := records_of(one))), ())
    done = {name.upper() for one in case.new_deeds for name in (one.subject, *one.names)}
    return bool(named) and not set(named) & done


NEAR = 4
"""How many clauses before a denial may name the order that it is about."""
_THERE = re.compile(
    r"\b(?:there|for (?:that|this)(?: one)?|on (?:that|this) one|for it|dort|da|dafur|dafür|hierfur|hierfür"
    r"|daran|darauf|la"
    r"|pour (?:celle-ci|celui-ci|celle-la|celui-la|cela|elle)|y|alli|ahi|por (?:ese|este|esa|esta|el|ella|eso)"
    r"|en (?:ese|este)"
    r"|daar\w*|hiervoor|hierop|voor (?:die|deze))\b"
)
"""Words that point back to what was named."""


def _denies_for_other_goods(case: Case, reading: Reading, clause: Clause) -> bool:
    """Check whether a denial names goods, and only goods for which no money was given: `none for the jug itself`."""
    named = mentions_of(case, clause, reading.head)
    before: list[Clause] = []
    if not named and _THERE.search(clause.words):
        lead = clause.sentence[0]
        before = [
            one for one in reading.clauses if lead in one.sentence and one.end <= clause.start
        ]  # and the one before
        named = next((found for one in reversed(before) if (found := mentions_of(case, one, reading.head))), [])
    paid = [one for one in case.new_deeds if one.kind in MONEY]
    if not named or not paid or any(one.kind == "record" for one in clause.values):
        return False
    held = set().union(*(contents_of(case, one) for one in paid))
    if not any(one.kinds & held for one in named):
        return bool(held)
    start, end = min(one.sentence[0] for one in (clause, *before)), clause.sentence[1]
    totals = {one.cents for one in case.things if one.kind == "order"}
    return not any(one.cents in totals for one in paid) and _KEPT.search(reading.head, start, end) is not None


_KEPT = re.compile(
    r"\b(?:you(?:'re| are| will|'ll)? (?:\w+ )?keep(?:ing)?|behalten sie|sie behalten|behältst du|du behältst"
    r"|vous (?:le |la )?"
    r"(?:gardez|conservez)|tu (?:le |la )?gardes|(?:te|se) l[ao]s? quedas?|conservas?|(?:je|u) (?:houdt?|behoudt?)"
    r"|(?:houdt?|behoudt?) (?:je|u)"
    r"|(?:was|were) (?:in the (?:box|parcel)|there|delivered|included)|(?:war|waren|lag|lagen) (?:\w+ )?(?:dabei"
    r"|im paket"
    r"|in der sendung)|(?:etait|etaient) (?:\w+ )?(?:dans le (?:colis|carton)|dedans|presente?s?)|(?:estaba|estaban"
    r"|venia"
    r"|venian) (?:\w+ )?(?:en el paquete|en la caja|dentro)|(?:zat|zaten) (?:er |wel |volgens ons )*(?:in|bij))\b"
)
"""Goods of a larger order that the customer keeps, or that were in the parcel."""
