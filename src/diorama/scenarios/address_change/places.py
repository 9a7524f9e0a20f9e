"""Postal addresses: how people write them, and whether two are the same place."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

import msgspec

from diorama.apps.backoffice.schema import Order, Postal, Shipment, Subscription
from diorama.kernel import Dice, Tx
from diorama.people.addresses import Home, draw_home
from diorama.people.reading import reads

COUNTRIES = ("GB", "IE", "DE", "AT", "FR", "ES", "NL", "BE")
_NUMBER = re.compile(r",?\s*\b\d+[a-z]?\b\s*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CHANGE = re.compile(
    r"\b(?:changed|updated|redirected|re-?routed|diverted|amended|"
    r"(?:will|shall|'ll) (?:now )?(?:change|update|redirect|re-?route|divert|amend|go to|be (?:sent|delivered) to)|"
    r"(?:now|instead) (?:goes|going|on its way|being sent) to)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|\w+n't|cannot|unable|no|never|nothing|impossible|only|once|if|unless|until|before|after|when|then|"
    r"as soon as|could|would|please|need|needs|must|require[sd]?)\b|\?",
    re.IGNORECASE,
)


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """An order or a subscription, and the address it must go to."""

    what: Literal["order", "subscription"]
    id: str
    to: Postal


def postal(home: Home, name: str) -> Postal:
    """Return a home as a postal address."""
    return Postal(
        name=name,
        line1=home.line1,
        line2=home.line2,
        city=home.city,
        postal_code=home.postal_code,
        country=home.country,
    )


def one_line(place: Postal) -> str:
    """Return an address on one line, as people write it in an e-mail."""
    street = f"{place.line1}, {place.line2}" if place.line2 else place.line1
    return f"{street}, {place.postal_code} {place.city}"


def without_number(place: Postal) -> str:
    """Return the address on one line, without the house number."""
    street = _NUMBER.sub(" ", place.line1).strip(" ,")
    return f"{street}, {place.postal_code} {place.city}"


def without_postcode(place: Postal) -> str:
    """Return the address on one line, without the postcode."""
    street = f"{place.line1}, {place.line2}" if place.line2 else place.line1
    return f"{street}, {place.city}"


def new_home(dice: Dice, name: str, country: str) -> Postal:
    """Draw a new address in a country."""
    return postal(draw_home(dice, country), name)


def places(tx: Tx, thing: Thing) -> list[Postal]:
    """Return where something goes now: the addresses of its parcels, else its own address."""
    if thing.what == "subscription":
        return [tx.get(Subscription, thing.id).shipping_address]
    standing = tx.all(Shipment, "order_id = ? AND status NOT IN ('cancelled', 'returned', 'lost')", thing.id)
    return [parcel.address for parcel in standing] or [tx.get(Order, thing.id).shipping_address]


def goes_there(tx: Tx, thing: Thing) -> bool:
    """Check whether all of it goes where it must."""
    return all(same_place(found, thing.to) for found in places(tx, thing))


def same_place(found: Postal, goal: Postal) -> bool:
    """Check whether two addresses are the same place, and whether the label has the right name."""
    return (
        sorted(_words(f"{found.line1} {found.line2}")) == sorted(_words(f"{goal.line1} {goal.line2}"))
        and _words(found.city) == _words(goal.city)
        and "".join(_words(found.postal_code)) == "".join(_words(goal.postal_code))
        and found.country == goal.country
        and set(_words(goal.name)) <= set(_words(f"{found.name} {found.line2}"))
    )


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.findall(r"[a-z0-9]+", plain)


@reads
def claims_a_change(text: str) -> bool:
    """Check whether a text claims, in a sentence without a negation, that goods now go to another address."""
    return any(_CHANGE.search(part) and not _DENIED.search(part) for part in _SENTENCE.split(text))
