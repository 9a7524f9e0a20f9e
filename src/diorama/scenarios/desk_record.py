"""The field Record of the closing form: which rows a matter is about, and which of them its contact reason names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from diorama.apps.backoffice.schema import (
    Charge,
    Order,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.scenarios.cast import slots_of
from diorama.scenarios.past import Scene
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import ClosingForm

R = TypeVar("R")
MADE = {"refund": "refund", "tracking": "reshipment", "return": "label"}
"""The deed whose own number a kind of record can be, once it is done."""

DECIDED_BY = {"cancel": "cancellation", "address": "address_change", "goods_back": "label"}
"""The kind of deed that a fact of the form's table is about: of several things owed, its records count."""


class Rows:
    """The rows of a plan's cast that its matter is about, whatever their names are.

    A row belongs to the matter because something owed acts on it, or because it belongs to an order that something
    owed acts on. Where nothing is owed on an order, the order is the one in `about`.
    """

    def __init__(self, plan: Plan, scene: Scene, fact: str) -> None:
        self.cast = {id(one): one for one in scene.cast.values()}.values()
        decided = [due for due in plan.owed if due.kind == DECIDED_BY.get(fact)]
        owed = [scene.cast[name] for due in decided or plan.owed for name in due.rows]
        about = scene.cast.get(plan.about)
        self.about = about.id if isinstance(about, Order) else ""
        self.acted_on = {getattr(one, "id", "") for one in owed} - {""}
        acted = [one.id if isinstance(one, Order) else getattr(one, "order_id", "") for one in owed]
        orders = [one for one in dict.fromkeys(acted) if one] or [one for one in (self.about,) if one]
        self.orders = tuple(sorted(orders, key=lambda one: one != self.about))
        stated = [] if decided else [scene.cast.get(name) for name, _ in slots_of(plan.reply)]
        self.stated = tuple(one.id for one in stated if isinstance(one, Order))
        self.goods = {past.order.id: _goods(past.lines) for past in scene.histories.values()}
        self.customer = scene.customer.id

    def order_numbers(self) -> tuple[str, ...]:
        """Return the numbers of the matter's orders, and of those that a true reply states."""
        numbers = {one.id: one.number for one in self.cast if isinstance(one, Order)}
        return tuple(numbers[one] for one in dict.fromkeys((*self.orders, *self.stated)) if one in numbers)

    def refunds(self) -> list[Refund]:
        """Return the refunds that the customer waits for: of the order that they write about, else of the others."""
        rows = self.of(Refund)
        return [one for one in rows if one.order_id == self.about] or rows

    def of(self, kind: type[R]) -> list[R]:
        """Return the rows of a kind, oldest first: those acted on, else those of the matter's orders, else all."""
        every: dict[str, Any] = {one.id: one for one in self.cast if isinstance(one, kind)}  # type: ignore[attr-defined] # every kind is a Record, whose id is declared by each
        rows = sorted(every.values(), key=lambda one: getattr(one, "created_at", None) or one.sold_at)
        acted_on = [one for one in rows if one.id in self.acted_on]
        return acted_on or [one for one in rows if self.has(one)] or rows

    def has(self, row: Any) -> bool:
        """Check whether a row belongs to one of the matter's orders."""
        order = row.id if isinstance(row, Order) else getattr(row, "order_id", "")
        if isinstance(row, Subscription):
            mine = [one for one in self.cast if isinstance(one, Order) and one.id in self.orders]
            return any(one.subscription_id == row.id for one in mine)
        return bool(order) and order in self.orders

    def charges(self) -> list[Charge]:
        """Return the charges that the matter may be about, oldest first.

        Disputed ones come alone. Otherwise they are those of the matter's orders, and of orders of the same goods,
        whose line on a statement looks the same.
        """
        rows = [one for one in self.cast if isinstance(one, Charge)]
        rows = sorted({one.id: one for one in rows}.values(), key=lambda one: one.created_at)
        alike = {key for key, goods in self.goods.items() if any(goods == self.goods.get(one) for one in self.orders)}
        near = [one for one in rows if one.order_id in {*self.orders, *alike}] or rows
        return [one for one in near if one.disputed_at is not None] or near


def _goods(lines: Sequence[Any]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((line.sku, line.quantity) for line in lines))


def _serials(rows: Rows) -> tuple[str, ...]:
    """Return the serial numbers of the unit, and of the one that replaced it."""
    units = rows.of(Unit)
    if not units:
        return ()
    unit = units[-1]
    sent = [one.new_serial_number for one in rows.of(Replacement) if one.serial_number == unit.id]
    return (unit.id, *(one for one in sent if one))


_NUMBERS: Mapping[str, Callable[[Rows], tuple[str, ...]]] = {
    "order": Rows.order_numbers,
    "charge": lambda rows: tuple(one.id for one in rows.charges()[-1:]),
    "refund": lambda rows: tuple(one.id for one in rows.refunds()[-1:]),
    "tracking": lambda rows: tuple(one.tracking_number for one in rows.of(Shipment) if _is_mine(rows, one))[-1:],
    "subscription": lambda rows: tuple(one.id for one in rows.of(Subscription)[-1:]),
    "serial": _serials,
    "return": lambda rows: tuple(one.number for one in rows.of(Return) if _is_mine(rows, one))[-1:],
    "customer": lambda rows: (rows.customer,),
}
"""How the numbers of a kind of record are found; the keys are those of `worlds.closing.SOURCES`."""


def _is_mine(rows: Rows, row: Any) -> bool:
    return row.id in rows.acted_on or rows.has(row)


def record_of(form: ClosingForm, reason: str, plan: Plan, scene: Scene) -> tuple[str, tuple[str, ...]]:
    """Return the deed whose own number the field Record holds (or ""), and the numbers that are right already.

    The contact reason says which kinds of records count, the first that there is: see `worlds.closing.Reason`.
    """
    rows = Rows(plan, scene, form.deciding_fact(plan.facts))
    owed = {due.kind for due in plan.owed}
    for source in form.sources(reason):
        made = MADE.get(source, "")
        made = made if made in owed else ""
        found = _NUMBERS[source](rows)
        if made or found:
            return made, found
    return "", (rows.customer,)


__all__ = ["Rows", "record_of"]
