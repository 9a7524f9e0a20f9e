"""The cast of a plan: named rows, the values that they hold, and how a text names them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import (
    Charge,
    Credit,
    Customer,
    Order,
    OrderLine,
    Postal,
    Refund,
    Return,
    Shipment,
    Subscription,
    Unit,
)

Cast = Mapping[str, Any]
"""Rows (and amounts in cents, and texts) by name."""
_BRACES = re.compile(r"\{([^{}.]+)(?:\.([^{}]+))?\}")
_SLOT = re.compile(r"\{([a-z_]+)(?:\.([a-z_]+))?\}")


class Phrase(str):
    """A sentence of a letter, with choices and slots of its own: a slot that names it is replaced by its words."""


class Worded(str):
    """A text of a plan in several languages: it is the English one, `in_language` gives the others."""

    others: Mapping[str, str]

    def __new__(cls, english: str, **others: str) -> Worded:
        """Take the English text, and the others by language: `Worded("Hello,", fr="Bonjour,")`."""
        made = super().__new__(cls, english)
        made.others = others
        return made


def in_language(text: str, language: str) -> str:
    """Return a text in a language, or in English if it has no other."""
    return text.others.get(language, str(text)) if isinstance(text, Worded) else text


class Value(msgspec.Struct, frozen=True):
    """A value of a named row: `Value("charge", "amount")`. Its kind is amount, day, number, name or address."""

    row: str
    kind: str

    def of(self, cast: Cast) -> Any:
        """Return it: cents, a date, or a text."""
        if self.row not in cast:
            raise LookupError(f"the cast has no {self.row!r}; it has {', '.join(sorted(cast))}")
        return value_of(cast[self.row], self.kind)

    def __str__(self) -> str:
        """The value as a plan writes it."""
        plain = ("amount", "day", "number", "name", "address")
        if self.kind in plain:
            return f'{self.kind}("{self.row}")'
        return f'{"day" if self.kind.endswith("_day") else "Value"}("{self.row}", "{self.kind}")'

    def spoken(self, cast: Cast, currency: str = "EUR") -> str:
        """Return it as a text states it."""
        return said(self.of(cast), currency)


def amount(row: str) -> Value:
    """The amount of a charge, a refund or a line; of an amount in cents, itself."""
    return Value(row, "amount")


def day(row: str, kind: str = "day") -> Value:
    """The day of a row: when an order, charge, refund, credit, return or plan was made, when a parcel is expected.

    Other days: `dispute_day` of a charge, `received_day` of a return, `left_day` and `arrived_day` of a parcel,
    `end_day` of a unit (of its warranty), `renewal_day` and `end_day` of a subscription.
    """
    return Value(row, kind)


def number(row: str) -> Value:
    """The number of an order or a return, the tracking number of a parcel, the id of a charge or another record."""
    return Value(row, "number")


def name(row: str) -> Value:
    """The name of a line's product, or of the person at an address."""
    return Value(row, "name")


def address(row: str) -> Value:
    """An address in one line."""
    return Value(row, "address")


def one_line(place: Postal) -> str:
    """Return an address as people write it in one line."""
    parts = [place.line1, place.line2, f"{place.postal_code} {place.city}", place.region, place.country]
    return ", ".join(part for part in parts if part.strip())


def _plain(key: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, key)


def _the_day(key: str) -> Callable[[Any], Any]:
    def read(row: Any) -> date:
        moment = getattr(row, key)
        if moment is None:
            raise LookupError(f"the {noun_of(type(row))} has no {key} in this past")
        return moment.date()  # type: ignore[no-any-return] # every such column is a datetime

    return read


_READ: dict[type, dict[str, Callable[[Any], Any]]] = {
    Order: {
        "number": _plain("number"),
        "amount": _plain("total_cents"),
        "shipping": _plain("shipping_cents"),
        "tax": _plain("tax_cents"),
        "goods": _plain("subtotal_cents"),
        "day": _the_day("created_at"),
        "address": lambda row: one_line(row.shipping_address),
        "name": lambda row: row.shipping_address.name,
    },
    Charge: {
        "amount": _plain("amount_cents"),
        "day": _the_day("created_at"),
        "dispute_day": _the_day("disputed_at"),
        "number": _plain("id"),
    },
    Customer: {"name": _plain("name"), "number": _plain("id")},
    OrderLine: {"name": _plain("name"), "amount": _plain("total_cents")},
    Refund: {"amount": _plain("amount_cents"), "day": _the_day("created_at"), "number": _plain("id")},
    Credit: {"amount": _plain("amount_cents"), "day": _the_day("created_at"), "number": _plain("id")},
    Return: {"number": _plain("number"), "day": _the_day("created_at"), "received_day": _the_day("received_at")},
    Shipment: {
        "number": _plain("tracking_number"),
        "day": _the_day("estimated_at"),
        "left_day": _the_day("created_at"),
        "arrived_day": _the_day("closed_at"),
    },
    Unit: {"number": _plain("id"), "day": _the_day("sold_at"), "end_day": _the_day("warranty_until")},
    Subscription: {
        "day": _the_day("created_at"),
        "renewal_day": _the_day("next_renewal_at"),
        "end_day": _the_day("cancelled_at"),
        "number": _plain("id"),
        "address": lambda row: one_line(row.shipping_address),
    },
    Postal: {"address": one_line, "name": _plain("name")},
    int: {"amount": int},
    str: {"name": str, "number": str},
    datetime: {"day": datetime.date},
}
VALUE_KINDS = frozenset(kind for known in _READ.values() for kind in known)
"""Every kind of value that a row can state."""
_FIRST = {
    Charge: "amount",
    Credit: "amount",
    Refund: "amount",
    int: "amount",
    OrderLine: "name",
    Postal: "address",
    str: "name",
}
"""What a bare slot states; for every other row its number."""


ROW_TYPES: dict[str, type] = {
    "order": Order,
    "charge": Charge,
    "line": OrderLine,
    "parcel": Shipment,
    "refund": Refund,
    "return": Return,
    "subscription": Subscription,
    "unit": Unit,
    "customer": Customer,
    "home": Postal,
}
"""What the last word of a usual name of the cast stands for: `order`, `other_order`."""


def type_named(name: str) -> type | None:
    """Return the kind of row that a name of the cast stands for; None if the name alone does not say it."""
    return ROW_TYPES.get(name.rpartition("_")[2])


def noun_of(kind: type) -> str:
    """Return how a plan calls a kind of row: an `order`, a `parcel`."""
    return next((noun for noun, one in ROW_TYPES.items() if one is kind), kind.__name__.lower())


def kinds_of(kind: type) -> tuple[str, ...]:
    """Return the kinds of values that such a row can state."""
    return tuple(_READ.get(kind, {}))


def bare_kind(kind: type) -> str:
    """Return the kind of value that a bare slot of such a row states."""
    return _FIRST.get(kind, "number")


def value_of(row: Any, kind: str = "") -> Any:
    """Return a value of a row: cents, a date, or a text; without a kind, the one that a bare slot states."""
    known = _READ.get(type(row), {})
    kind = kind or bare_kind(type(row))
    if kind not in known:
        raise LookupError(f"a {type(row).__name__} has no {kind}; it has {', '.join(known) or 'nothing to state'}")
    return known[kind](row)


def said(value: Any, currency: str = "EUR") -> str:
    """Return a value as a text states it: 51.90 EUR, 2026-02-27, LK-11410."""
    if isinstance(value, int):
        return f"{value // 100}.{value % 100:02d} {currency}"
    return value.isoformat() if isinstance(value, date) else str(value)


def spoken(text: str, cast: Cast, currency: str = "EUR") -> str:
    """Fill the slots of a text from the cast: `{order}`, `{charge.day}`."""

    def fill(found: re.Match[str]) -> str:
        if found[1] not in cast:
            raise LookupError(f"the cast has no {found[1]!r}; it has {', '.join(sorted(cast))}")
        return said(value_of(cast[found[1]], found[2] or ""), currency)

    return _SLOT.sub(fill, text)


def slots_of(text: str) -> list[tuple[str, str]]:
    """Return the slots of a text, also those with an impossible name: the name of the row, and the kind or ""."""
    return [(found[1], found[2] or "") for found in _BRACES.finditer(text)]


def slots(
    texts: Any, cast: Cast, currency: str = "EUR", say_day: Callable[[date], str] = date.isoformat
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return texts whose slots are plain names (`{charge_day}`), and what each of these states.

    `say_day` writes the days as the writer of the texts does.
    """
    facts: dict[str, str] = {}

    def plain(found: re.Match[str]) -> str:
        key = "_".join(part for part in found.groups() if part)
        if isinstance(cast.get(found[1]), Phrase):
            return _SLOT.sub(plain, cast[found[1]])
        if found[1] in cast:
            value = value_of(cast[found[1]], found[2] or "")
            facts[key] = say_day(value) if isinstance(value, date) else said(value, currency)
        return f"{{{key}}}"

    return tuple(_SLOT.sub(plain, text) for text in texts), facts
