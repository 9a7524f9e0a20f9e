"""The words of the values of one sentence that have to agree, by language (`lexicon/agreements.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from diorama.rewards.claims.lexicon import by_language


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language; every text is a list of alternatives for `words`."""

    card: str
    store: str
    into: str
    paid_with: str
    asked: str
    usual: str
    taken: str
    unsure: str
    back: str
    refunded: str
    comes_back: str
    ended: str
    on: str
    between: str
    who: str
    concerns: str
    this_amount: str
    this: str
    has: str
    of: str
    charged: str
    balance: str
    credit: str
    spent: str
    once: str
    taken_once: str
    resumed: str


@lru_cache(maxsize=1)
def known_words() -> Mapping[str, Words]:
    """Return the words of each language."""
    return by_language("agreements", Words)
