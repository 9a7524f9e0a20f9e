"""How verdicts name deeds: plain sentences, with numbers as the records spell them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diorama.kit.deeds import Deed

_SENTENCES = {
    "refund": ("a refund", "a refund was made", "no refund was made"),
    "credit": ("store credit", "store credit was given", "no store credit was given"),
    "money": ("a payment", "money was paid to the customer", "no money was paid"),
    "cancellation": ("a cancellation", "something was cancelled", "nothing was cancelled"),
    "pause": ("a pause", "a plan was paused", "no plan was paused"),
    "skip": ("a skipped delivery", "a delivery was skipped", "no delivery was skipped"),
    "resumption": ("a restart", "a plan was resumed", "no plan was resumed"),
    "plan_change": ("a change of the plan", "a plan was changed", "no plan was changed"),
    "address_change": ("a change of address", "an address was changed", "no address was changed"),
    "goes": ("a change of address", "goods go to a new address", "nothing goes to a new address"),
    "contact_change": ("a change of contact details", "contact details were changed", "no contact data were changed"),
    "account_address": ("a change of address", "the address of the account was changed", "the account was not changed"),
    "new_address": ("a change of address", "a new address was stored", "no new address was stored"),
    "replacement_machine": ("a new machine", "a new machine was sent", "no new machine was sent"),
    "part": ("a part", "a part was sent", "no part was sent"),
    "reshipment": ("a second parcel", "a parcel was sent again", "no parcel was sent again"),
    "goods": ("goods", "goods were sent", "no goods were sent"),
    "label": ("a return label", "a return label was made", "no return label was made"),
    "everything": ("a deed", "something was done", "nothing was done"),
}
"""For each kind of claim: its noun, what a claim says, what a denial says."""
_DONE = {
    "refund": "was refunded",
    "credit": "was given as store credit",
    "cancellation": "was cancelled",
    "pause": "was paused",
    "skip": "had a delivery skipped",
    "resumption": "was resumed",
    "plan_change": "was changed",
    "address_change": "got a new address",
    "contact_change": "got new contact details",
    "replacement_machine": "was replaced by a new machine",
    "part": "got a new part",
    "reshipment": "was sent again",
    "label": "got a return label",
    "order": "was ordered",
}
"""What is said of the subject of a deed."""
SHOWN = 3
"""How many deeds a sentence names."""


def noun(kind: str) -> str:
    """Return the noun of a kind of claim with its article: `a refund`, `goods`."""
    return _SENTENCES[kind][0] if kind in _SENTENCES else f"a deed ({kind.replace('_', ' ')})"


def earlier(kind: str) -> str:
    """Return the noun for a deed of an earlier day: `an earlier part`, `earlier goods`."""
    article, _, rest = noun(kind).partition(" ")
    return f"an earlier {rest}" if article in {"a", "an"} else f"earlier {noun(kind)}"


def claimed(kind: str) -> str:
    """Return what a claim of this kind says: `a refund was made`."""
    return _SENTENCES[kind][1] if kind in _SENTENCES else f"{noun(kind)} was done"


def denied(kind: str) -> str:
    """Return what a denial of this kind says: `no refund was made`."""
    return _SENTENCES[kind][2] if kind in _SENTENCES else f"{noun(kind)} was not done"


def done(deeds: Iterable[Deed]) -> str:
    """Return what was done and at which event: `189.00 CAD was refunded (event 14)`."""
    return "; ".join(list(dict.fromkeys(map(_was_done, deeds)))[:SHOWN])


def _was_done(deed: Deed) -> str:
    subject = money([deed.cents], deed.currency) if deed.cents else number_of(deed)
    when = f" (event {deed.seq})" if deed.seq else f" ({deed.day})" if deed.day else ""
    return f"{subject} {_DONE.get(deed.kind, 'was changed')}{when}"


def number_of(deed: Deed) -> str:
    """Return the number by which people name the subject of a deed: of the order rather than of the charge."""
    named = [one for one in deed.names if "-" in one]
    return named[0] if named else deed.subject or next(iter(deed.names), "the record")


def numbers_of(deeds: Iterable[Deed]) -> str:
    """Return the numbers of several deeds."""
    return ", ".join(sorted({number_of(one) for one in deeds}))


def money(cents: Sequence[int], currency: str = "") -> str:
    """Return amounts as a person writes them."""
    return ", ".join(f"{one // 100}.{one % 100:02d}" + (f" {currency.upper()}" if currency else "") for one in cents)
