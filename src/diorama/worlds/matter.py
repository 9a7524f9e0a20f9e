"""The back-office rows of one matter, and what they show about it: the predicates of a company's table of reasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta

import msgspec

from diorama.apps.backoffice.schema import (
    Charge,
    CustomerEmail,
    Note,
    Order,
    OrderLine,
    Refund,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.kernel import Tx

ALIKE = timedelta(days=3)
"""Two charges for the same goods within this time look like one that was made twice."""
GONE = ("lost", "returned")
"""The states of a parcel that will not come any more."""


class Matter(msgspec.Struct, frozen=True, kw_only=True):
    """The rows that a ticket is about: of its orders, and of its customer's machines and coffee plans."""

    sender: str
    emails: tuple[str, ...]
    """The addresses of the account."""
    orders: tuple[Order, ...]
    charges: tuple[Charge, ...]
    refunds: tuple[Refund, ...]
    parcels: tuple[Shipment, ...]
    returns: tuple[Return, ...]
    notes: tuple[Note, ...]
    subscriptions: tuple[Subscription, ...]
    units: tuple[Unit, ...]
    owed: frozenset[str]
    """The kinds of deeds that are owed."""
    doubled: bool
    """Whether one order has two charges, or the same goods were paid twice within days."""

    @property
    def disputed(self) -> bool:
        """Whether the bank has a case about one of the charges."""
        return any(one.disputed_at is not None for one in self.charges)

    @property
    def charged_twice(self) -> bool:
        """Whether one order has two charges, and neither was paid back."""
        orders = [one.order_id for one in self.charges if not one.refunded_cents]
        return len(orders) > len(set(orders))

    @property
    def gone(self) -> bool:
        """Whether the newest parcel was lost or came back to us, and nothing was refunded for its order."""
        newest = max(self.parcels, key=lambda one: one.created_at, default=None)
        if newest is None or newest.status not in GONE or newest.reshipped_as:
            return False
        return not any(one.order_id == newest.order_id for one in self.refunds)

    @property
    def arrived(self) -> bool:
        """Whether a parcel was delivered."""
        return any(one.status == "delivered" for one in self.parcels)


Shows = Callable[[Matter], bool]
"""What rows show about a matter."""


def read_matter(
    tx: Tx, customer: str, sender: str, orders: Collection[str], owed: Mapping[str, Collection[str]]
) -> Matter:
    """Return the rows of a customer's matter; `owed` has the ids of the rows that each kind of deed owed acts on."""
    acted_on = {one for rows in owed.values() for one in rows}
    mine = tuple(one for one in tx.all(Order, "customer_id = ?", customer, order="created_at") if one.id in orders)
    every = tx.all(Charge, "customer_id = ?", customer, order="created_at")
    return Matter(
        sender=sender,
        emails=tuple(one.email for one in tx.all(CustomerEmail, "customer_id = ?", customer)),
        orders=mine,
        charges=tuple(one for one in every if one.order_id in orders),
        refunds=tuple(one for one in tx.all(Refund, "customer_id = ?", customer) if one.order_id in orders),
        parcels=tuple(
            one
            for one in tx.all(Shipment, "customer_id = ?", customer, order="created_at")
            if one.order_id in orders or one.id in acted_on or one.replacement_id
        ),
        returns=tuple(one for one in tx.all(Return, "customer_id = ?", customer) if one.order_id in orders),
        notes=tuple(tx.all(Note, "customer_id = ?", customer)),
        subscriptions=tuple(tx.all(Subscription, "customer_id = ?", customer)),
        units=tuple(
            one for one in tx.all(Unit) if one.customer_id == customer or one.order_id in orders or one.id in acted_on
        ),
        owed=frozenset(owed),
        doubled=_doubled(tx, every, orders),
    )


def _doubled(tx: Tx, charges: list[Charge], orders: Collection[str]) -> bool:
    """Check whether a charge of these orders looks like another charge of the customer."""
    goods: dict[str, list[tuple[str, int]]] = {}
    for one in charges:
        if one.order_id not in goods:
            lines = tx.all(OrderLine, "order_id = ?", one.order_id)
            goods[one.order_id] = sorted((line.sku, line.quantity) for line in lines)
    for one in charges:
        for other in charges:
            near = abs(one.created_at - other.created_at) < ALIKE
            alike = one.order_id == other.order_id or (near and goods[one.order_id] == goods[other.order_id])
            if one.id != other.id and one.order_id in orders and alike:
                return True
    return False


__all__ = ["Matter", "Shows", "read_matter"]
