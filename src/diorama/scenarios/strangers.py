"""The names of other customers that stand in texts: what is said about them is not for the recipient."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from diorama.rewards import View
from diorama.rewards.claims import Text
from diorama.rewards.claims.folding import fold
from diorama.scenarios.shop_part import has_shop

ASKED_AT_ONCE = 200
"""How many names one statement asks for."""
STEP = 20
"""Statements ask for a multiple of this many names, so that few of them have to be prepared."""
NAMES_AT_MOST = 2_000
"""How many runs of words of the texts are looked up; a text with more of them is too long anyway."""
LONGEST = 4
"""How many words a name has at most."""
_WORD = re.compile(r"[^\W\d_][^\W\d_'\u2019-]+|[^\W\d_](?=\.)")
_USERS = "SELECT name, role, email FROM zendesk_users WHERE name COLLATE NOCASE IN ({0})"
_CUSTOMERS = "SELECT name, 'end-user', id FROM backoffice_customers WHERE name COLLATE NOCASE IN ({0})"
_ADDRESSES = "SELECT postal FROM backoffice_addresses WHERE customer_id = ?"


def strangers_in(view: View, customer_id: str, thread: str, texts: Sequence[Text]) -> frozenset[str]:
    """Return the folded names of other customers that texts have.

    Colleagues, the recipients, the customer with the people at their addresses, and who is named in the folded thread
    are not strangers.
    """
    asked = tuple(dict.fromkeys(one for text in texts for one in _runs_of(text.body)))[:NAMES_AT_MOST]
    mails = frozenset(mail for text in texts for mail in text.to)
    tables = ("zendesk_users", "backoffice_customers", "backoffice_addresses")
    digest = blake2b("\n".join(asked).encode("utf-8", "replace"), digest_size=16).digest()  # the names are many
    name = ("strangers", customer_id, digest, mails)
    found = view.kept(name, tables, lambda: _strangers(view, customer_id, mails, asked))
    return frozenset(one for one in found if one not in thread and one not in fold(view.brief))


@lru_cache(maxsize=64)
def _runs_of(text: str) -> tuple[str, ...]:
    """Return the runs of words of a text that may be a name: a text is read again when the records have changed."""
    return tuple(_runs(text))


def _runs(text: str) -> Iterator[str]:
    """Yield the runs of words of a text that may be a name: two to four words with only blanks between them."""
    found = list(_WORD.finditer(text))
    for place, first in enumerate(found):
        run = first[0]
        for one, after in pairwise(found[place : place + LONGEST]):
            if (between := text[one.end() : after.start()]).strip() not in ("", ".") or not between:
                break
            run = f"{run} {after[0]}"
            if first[0][0].isupper() or len(first[0]) + len(after[0]) > SHORT:
                yield run


SHORT = 8
"""How many letters two words without a capital letter have at most that are not looked up: `is in`, `we will`."""


@lru_cache(maxsize=2 * ASKED_AT_ONCE // STEP)
def _named(count: int, shop: bool) -> str:
    """Return a statement for the people who have one of N names."""
    places = ", ".join(f"?{place + 1}" for place in range(count))
    return (f"{_USERS} UNION ALL {_CUSTOMERS}" if shop else _USERS).format(places)


def _strangers(view: View, customer_id: str, mails: frozenset[str], asked: tuple[str, ...]) -> frozenset[str]:
    tx, shop = view.tx, has_shop(view.tx.company)
    others, own = set[str](), set[str]()
    for first in range(0, len(asked), ASKED_AT_ONCE):
        part = asked[first : first + ASKED_AT_ONCE]
        part = (*part, *part[-1:] * (-len(part) % STEP))
        for name, role, key in tx.rows(_named(len(part), shop), *part):
            known = role != "end-user" or key == customer_id or key in mails
            (own if known else others).add(fold(name))
    if others and shop and customer_id:
        places = fold(" ".join(postal for (postal,) in tx.rows(_ADDRESSES, customer_id)))
        own |= {one for one in others if one in places}
    return frozenset(others - own)
