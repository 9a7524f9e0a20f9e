"""The roots of words for relations between values, by language (`lexicon/relations.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.lexicon import by_language


class Roots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The roots of one language; every text is a list of alternatives for `words`."""

    money: str
    """Money that moves to the customer, beside an amount."""
    gives: str
    """Verbs that give money, also without an amount."""
    kept: str
    whole: str
    """Words right before an amount when only a part of it is meant."""
    paid: str
    """Words around an amount that moved another way: paid, charged, the price."""
    sum: str
    """Nouns for money without an amount."""
    card: str
    store: str
    goes: str
    goes_on: str
    """Words of the present and the future: where goods go from now on."""
    place: str
    shipped: str
    delivered: str
    not_delivered: str
    open: str
    ends: str
    rests: str
    renewal: str
    delivery: str
    last: str
    """Words of one more delivery: still, the last."""
    earlier: str
    """Words that put something before a delivery, or end it."""
    bank: str
    us: str
    """The company as the subject, and the future."""
    thanks: str
    glad: str
    """Words that repeat good news of the customer."""
    others: str
    you: str
    yours: str
    """A subject before a root: the customer's own act."""
    change: str
    contact: str
    account: str
    address: str
    new: str
    sends: str
    redirects: str
    warranty: str
    expired: str
    bought: str
    every: str
    weeks: str


@lru_cache(maxsize=1)
def known_roots() -> Mapping[str, Roots]:
    """Return the roots of each language."""
    return by_language("relations", Roots)


GIVEN_BY_OTHERS = re.compile(
    r"\b(?:person|someone|somebody|friends?|whoever|who) (?:who |that )?(?:gave|gifted|bought) (?:it|you|this|them)\b"
    r"|\b(?:die|der|wer|jemand|freund\w*|person) (?:es|sie|ihn|das|die) (?:dir|ihnen) (?:geschenkt|geschenkt hat)\b"
    r"|\b(?:qui|personne qui) (?:vous |te |t')?(?:l' ?|les )?(?:vous )?a (?:offerte?|donnee?)s?\b"
    r"|\b(?:quien|que) (?:se |te )(?:lo|la|los|las) (?:regal|dio|ha regalado)\w*"
    r"|\b(?:die|wie) (?:het|hem|haar|ze) (?:aan )?(?:je|jou|u) (?:heeft )?(?:cadeau|gegeven|geschonken)\b"
)
"""A present that another person gave the customer is not a gift of ours."""
