"""What words about a customer's orders, plans, machines, parcels and payments are compared with, made of their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial

import msgspec

from diorama.apps.backoffice.schema import (
    Address,
    Charge,
    Credit,
    Note,
    Order,
    OrderLine,
    Plan,
    Postal,
    Product,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.kernel import Record, Tx
from diorama.kernel.records import table_of
from diorama.rewards.claims import Parcel, Thing
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.things import (
    PARCEL_STATES,
    account_of,
    days_of_ended,
    renewal_days,
    return_of,
    short_name,
    streets_of,
    towns_of,
    with_due_days,
)
from diorama.scenarios.customer_rows import WHEN, CustomerRows

OF_THINGS: tuple[type[Record], ...] = (
    Address, Charge, Credit, Note, Order, OrderLine, Return, Shipment, Subscription, Unit
)  # fmt: skip
"""The records that `things` reads, beside plans and products."""
_SOLD = f"SELECT sku, name FROM {table_of(Product).name}"


def things(tx: Tx, customer_id: str, rows: CustomerRows) -> tuple[Thing, ...]:
    """Return the orders, plans, machines and the account of a customer, as they stand."""
    parcels: dict[str, list[Shipment]] = {}
    for parcel in rows.all(Shipment):
        parcels.setdefault(parcel.order_id, []).append(parcel)
    lines: dict[str, list[OrderLine]] = {}
    for line in rows.all(OrderLine):
        lines.setdefault(line.order_id, []).append(line)
    charges = Counter(one.order_id for one in rows.all(Charge) if one.status != "failed")
    plans, units = rows.all(Subscription, WHEN), rows.all(Unit)
    offers = {one.code: one for one in tx.all(Plan)} if plans else {}
    sold = dict[str, str](tx.rows(_SOLD)) if units else {}
    found = (
        *(
            _known_order(rows, one, tuple(parcels.get(one.id, ())), tuple(lines.get(one.id, ())), charges[one.id])
            for one in rows.all(Order, WHEN)
        ),
        *(_plan_thing(one, offers.get(one.plan_code)) for one in plans),
        *(
            Thing(
                "machine",
                one.id,
                (one.id.upper(),),
                short_name(sold.get(one.sku, "")),
                one.status,
                days=(f"{one.warranty_until:%Y-%m-%d}",),
            )
            for one in units
        ),
        *(
            return_of(
                one.number, one.status, _day(one.expires_at), _day(one.received_at), f"{one.note} {one.condition}"
            )
            for one in rows.all(Return, WHEN)
            if one.status != "cancelled"
        ),
        account_of(
            customer_id,
            [msgspec.structs.asdict(one.postal) for one in rows.all(Address)],
            sum(one.remaining_cents for one in rows.all(Credit) if one.status == "active"),
        ),
    )
    return with_due_days(found, [(one.order_id, one.body) for one in rows.all(Note, WHEN)])


def _known_order(
    rows: CustomerRows, order: Order, parcels: tuple[Shipment, ...], lines: tuple[OrderLine, ...], charges: int
) -> Thing:
    """Return the thing of an order; it is made again only when one of its rows has changed."""
    name, parts = ("thing", order.id), (order, parcels, lines, charges)
    return rows.same(name, parts, lambda: _order_thing(order, parcels, lines, charges))


def _order_thing(order: Order, parcels: Sequence[Shipment], lines: Sequence[OrderLine], charges: int) -> Thing:
    numbers = (order.number, *(one.tracking_number for one in parcels))
    to = [_place_of(one) for one in (order.shipping_address, *(parcel.address for parcel in parcels))]
    return Thing(
        "order",
        order.id,
        tuple(one.upper() for one in numbers if one),
        status=order.status,
        streets=tuple(dict.fromkeys(street for streets, _ in to for street in streets)),
        towns=tuple(dict.fromkeys(town for _, towns in to for town in towns)),
        cents=order.total_cents,
        renews=bool(order.subscription_id),
        goods=tuple(fold(line.name) for line in lines),
        arrived=max((_day(one.closed_at) for one in parcels if one.status == "delivered"), default=""),
        placed=_day(order.created_at),
        charges=charges,
    )


@lru_cache(maxsize=1024)
def _place_of(postal: Postal) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the street and the town of an address as a thing holds them."""
    to = msgspec.structs.asdict(postal)
    return streets_of(to), towns_of(to)


def _plan_thing(one: Subscription, offer: Plan | None) -> Thing:
    weeks = offer.interval_weeks if offer else 0
    streets, towns = _place_of(one.shipping_address)
    return Thing(
        "plan",
        one.id,
        name=short_name(offer.name if offer else one.plan_code),
        status=one.status,
        streets=streets,
        towns=towns,
        weeks=weeks,
        days=renewal_days(f"{one.next_renewal_at:%Y-%m-%d}", weeks)
        if one.next_renewal_at
        else days_of_ended(f"{one.created_at:%Y-%m-%d}", f"{one.cancelled_at:%Y-%m-%d}", weeks)
        if one.cancelled_at
        else (),
        option=one.option,
    )


# --- parcels and payments


def names_of_goods(tx: Tx) -> Mapping[str, str]:
    """Return the folded names of goods by their numbers."""
    return _folded_names(tuple(tx.rows(_SOLD)))


@lru_cache(maxsize=16)
def _folded_names(sold: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    return {sku: fold(name) for sku, name in sold}


def parcels(rows: CustomerRows, goods: Callable[[], Mapping[str, str]]) -> tuple[Parcel, ...]:
    """Return the parcels of a customer; `goods` returns the folded names of what they contain."""
    sent = rows.all(Shipment)
    names = goods() if sent else {}
    return tuple(rows.same(("parcel", one.id), (one, names), partial(_parcel, one, names)) for one in sent)


def _parcel(one: Shipment, names: Mapping[str, str]) -> Parcel:
    goods = [names.get(part.sku, "") for part in one.parcels]
    return Parcel(
        one.order_id,
        one.tracking_number.upper(),
        PARCEL_STATES[one.status],
        tuple(goods) if all(goods) else (),
        _day(one.created_at),
        _day(one.handed_over_at),
        _day(one.closed_at),
        _day(one.estimated_at),
        fold(one.carrier),
    )


def _day(moment: datetime | None) -> str:
    return moment.isoformat()[:10] if moment else ""
