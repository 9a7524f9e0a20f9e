"""A letter of a staged variant beside all rows of its customer, as the rules of plausibility read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import msgspec

from diorama.apps.backoffice.schema import (
    Charge,
    Credit,
    Customer,
    Note,
    Order,
    OrderLine,
    Product,
    Refund,
    Replacement,
    Return,
    Scan,
    Shipment,
    Subscription,
)
from diorama.apps.backoffice.schema.settings import Settings
from diorama.kernel import Tx
from diorama.worlds.firm import firm_of
from diorama.worlds.matter import Matter, read_matter
from diorama.worlds.team import Team

R = TypeVar("R", Refund, Return, Shipment, Note, Order, Charge, Subscription)
ROWS = (Refund, Return, Shipment, Note, Order, Charge, Subscription, Replacement, Credit)
"""The kinds of rows that the rules look at."""


class Act(msgspec.Struct, frozen=True):
    """Something that a colleague did."""

    what: str
    row: str
    by: str
    at: datetime


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A letter beside all rows of its customer."""

    letter: str
    at: datetime
    order_number: str
    """The order that it is about; "" if there is none."""
    rows: Matter
    """The rows of all of the customer's orders."""
    customer: Customer
    lines: tuple[OrderLine, ...] = ()
    """The lines of all of the customer's orders."""
    prices: Mapping[str, int] = {}
    """What products cost now, in cents by SKU."""
    scanned: Mapping[str, datetime] = {}
    """When each parcel was scanned last, by its id."""
    settings: Settings
    kinds: Mapping[str, str] = {}
    """The kind of each product, by SKU."""
    scans: Mapping[str, tuple[Scan, ...]] = {}
    """The scans of each parcel, in order, by its id."""
    acts: tuple[Act, ...] = ()
    """What colleagues did for the customer in the staged past."""
    team: Team | None = None
    plan: str = ""
    """The name of the variant's plan."""
    earlier: frozenset[str] = frozenset()
    """The ids of rows that are older than the variant: the company's own history is not looked at."""

    def staged(self, rows: Sequence[R]) -> list[R]:
        """Return the rows that the variant added."""
        return [one for one in rows if one.id not in self.earlier]

    def arrived(self, order_id: str) -> datetime | None:
        """Return when the first parcel of an order arrived, or None."""
        return min((one.closed_at for one in self._arrived(order_id) if one.closed_at), default=None)

    def _arrived(self, order_id: str) -> list[Shipment]:
        return [one for one in self.rows.parcels if one.order_id == order_id and one.status == "delivered"]

    def number(self, order_id: str) -> str:
        """Return the number of an order."""
        return next((one.number for one in self.rows.orders if one.id == order_id), order_id)

    @property
    def others(self) -> list[Order]:
        """The orders that the letter is not about."""
        return [one for one in self.rows.orders if one.number != self.order_number]


def read_written(
    tx: Tx,
    customer: str,
    letter: str,
    at: datetime,
    order_number: str,
    earlier: frozenset[str] = frozenset(),
    plan: str = "",
) -> Written:
    """Return a letter with the rows of its customer; `earlier` are the ids of rows that no rule looks at."""
    orders = [one.id for one in tx.all(Order, "customer_id = ?", customer)]
    rows = read_matter(tx, customer, "", orders, {})
    lines = tuple(line for one in orders for line in tx.all(OrderLine, "order_id = ?", one))
    scans = {one.id: tuple(tx.all(Scan, "shipment_id = ?", one.id, order="at")) for one in rows.parcels}
    firm = firm_of(tx.company)
    goods = tx.all(Product)
    return Written(
        letter=letter,
        at=at,
        order_number=order_number,
        rows=rows,
        customer=tx.get(Customer, customer),
        lines=lines,
        prices={one.sku: one.price_cents for one in goods},
        kinds={one.sku: one.kind for one in goods},
        scanned={parcel: max(one.at for one in each) for parcel, each in scans.items() if each},
        scans=scans,
        acts=tuple(one for one in _acts(tx, customer) if one.row not in earlier),
        team=firm.team if firm is not None else None,
        settings=tx.get(Settings, "company"),
        plan=plan,
        earlier=earlier,
    )


def _acts(tx: Tx, customer: str) -> Iterator[Act]:
    """Yield what colleagues did for a customer."""
    for note in tx.all(Note, "customer_id = ?", customer):
        yield Act("a note", note.id, note.author, note.created_at)
    made: list[Refund | Return | Replacement | Credit] = []
    made += tx.all(Refund, "customer_id = ?", customer)
    made += tx.all(Return, "customer_id = ?", customer)
    made += tx.all(Replacement, "customer_id = ?", customer)
    made += tx.all(Credit, "customer_id = ?", customer)
    for one in made:
        yield Act(f"a {type(one).__name__.lower()}", one.id, one.created_by, one.created_at)


def at(moment: datetime | None) -> str:
    """Return a moment as findings write it."""
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment is not None else "never"
