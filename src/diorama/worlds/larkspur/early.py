"""Larkspur's early orders: some customers bought something in the years before the desk's history begins."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer, Order
from diorama.kernel import Dice, Tx
from diorama.worlds.chronicle import Chronicle
from diorama.worlds.larkspur.catalogue import GOODS, OPENED
from diorama.worlds.office_teller import chronicle_order

SHARE = 0.4
"""How many early orders there are for each customer."""
MACHINES = tuple(one.sku for one in GOODS if one.kind in ("machine", "grinder") and one.active)
EXTRAS = tuple(one.sku for one in GOODS if one.kind == "accessory" and one.active)


def add_early_orders(tx: Tx, dice: Dice, chronicle: Chronicle) -> int:
    """Add orders between the opening of the shop and its first order so far, more of them in later years."""
    first = min(order.created_at for order in tx.all(Order))
    customers = tx.all(Customer, order="id")
    span = first - OPENED - timedelta(days=30)
    count = round(SHARE * len(customers))
    moments = sorted((_moment(first - span * dice.between(0.0, 1.0) ** 2, dice) for _ in range(count)), reverse=True)
    for moment in moments:  # from the newest to the oldest: each number is below the one before
        customer = tx.get(Customer, dice.pick(customers).id)
        goods = [dice.pick(MACHINES)] if dice.chance(0.7) else []
        goods += dice.sample(EXTRAS, dice.integer(0 if goods else 1, 2))
        if customer.created_at >= moment:
            tx.change(customer, created_at=moment - timedelta(seconds=dice.integer(600, 20_000)))
        past = seed.add_order_history(tx, customer, [(sku, 1) for sku in goods], moment, outcome="delivered")
        chronicle_order(chronicle, customer, past)
    return count


def _moment(day: datetime, dice: Dice) -> datetime:
    """Draw a moment of a shopping day up to eight days before."""
    return (day - timedelta(hours=dice.integer(8, 200))).replace(
        hour=dice.integer(7, 21), minute=dice.integer(0, 59), second=dice.integer(0, 59), microsecond=0
    )
