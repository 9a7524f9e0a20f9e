"""Past orders with their charges, shipments and refunds, written without running commands."""

from collections.abc import Sequence as Many
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from diorama.apps.backoffice.rules.charges import sale_entries
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.orders import pack_order
from diorama.apps.backoffice.rules.settings import (
    carrier_for,
    delivery_day,
    delivery_days_later,
    included_vat,
    last_collection,
    next_collection,
    next_delivery,
    settings,
    shipping_cents,
    tracking_number,
    transit_days,
    transit_range,
    zone,
)
from diorama.apps.backoffice.rules.shipments import TEXTS, arrive, hand_over, travels
from diorama.apps.backoffice.rules.stock import months_later, product, serial_number
from diorama.apps.backoffice.schema import (
    Card,
    Channel,
    Charge,
    Customer,
    Fate,
    Order,
    OrderLine,
    OrderStatus,
    Parcel,
    Postal,
    Product,
    Refund,
    RefundReason,
    Scan,
    Shipment,
    ShipmentStatus,
    Stock,
    Unit,
)
from diorama.apps.backoffice.seed.customers import some_card
from diorama.apps.backoffice.seed.numbers import Place, number_at
from diorama.apps.backoffice.seed.refunds import SHOP, add_refund_history
from diorama.kernel import Dice, Tx

Outcome = Literal["auto", "open", "label_created", "in_transit", "delivered", "lost", "returned", "cancelled"]
ORDER_STATUS: dict[str, OrderStatus] = {
    "open": "open",
    "label_created": "open",
    "in_transit": "shipped",
    "lost": "shipped",
    "returned": "shipped",
    "delivered": "delivered",
    "cancelled": "cancelled",
}


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The records of one past order."""

    order: Order
    lines: tuple[OrderLine, ...]
    charge: Charge
    shipment: Shipment | None = None
    refund: Refund | None = None


def add_order_history(
    tx: Tx,
    customer: Customer,
    goods: Many[tuple[str, int]],
    placed_at: datetime,
    *,
    outcome: Outcome = "auto",
    address: Postal | None = None,
    carrier: str = "",
    channel: Channel = "web",
    subscription_id: str = "",
    price_cents: int | None = None,
    serials: Many[str] = (),
    card: Card | None = None,
    refund_fails: str = "",
    refunded_cents: int = 0,
    refund_reason: RefundReason = "goodwill",
    refunded_at: datetime | None = None,
    refunded_by: str = "",
    delivered_at: datetime | None = None,
    fate: Fate = "",
    live: bool = True,
) -> History:
    """Insert a past order with lines, units, charge, ledger and parcel, in its current state.

    `auto` derives its progress from the dates; `live` schedules what still has to happen to it. `delivered_at`: when it
    arrived, on a day on which carriers deliver. If there is no free number for its date, it is dated at the nearest
    moment that has one (`numbers.py`); if its parcel cannot have come so far since then, some days earlier.
    """
    chosen = [(product(tx, sku), quantity) for sku, quantity in goods]
    postal = address or default_address(tx, customer.id)
    place = _dated(tx, placed_at, postal.country, outcome, delivered_at)
    placed_at = place.at
    dice = tx.dice("order history", place.number)
    route = _route(tx, dice, placed_at, postal, outcome, delivered_at)
    order = _order(tx, customer, chosen, place.number, placed_at, route, channel, subscription_id, price_cents)
    lines = _lines(tx, order, chosen, price_cents, serials, route.status not in ("open", "cancelled"))
    charge = add_charge(tx, order, card or customer.card or some_card(dice, tx.now), refund_fails)
    refund = None
    if refunded_cents:
        when = refunded_at or min(placed_at + timedelta(days=dice.integer(1, 12)), tx.now)
        by = refunded_by or SHOP.partition(":")[2]
        refund = add_refund_history(tx, charge, when, by, cents=refunded_cents, reason=refund_reason)
        charge = tx.get(Charge, charge.id)
    shipment = None
    if route.status == "open":
        _still_to_pack(tx, order, chosen, live)
    elif route.status != "cancelled":
        weight = sum(good.weight_grams * quantity for good, quantity in chosen)
        carrier = carrier or carrier_for(tx, route.postal.country, weight, dice)
        shipment = _shipment(tx, order, lines, route, carrier, fate, dice, live)
    return History(order=order, lines=lines, charge=charge, shipment=shipment, refund=refund)


class _Route(msgspec.Struct, frozen=True, kw_only=True):
    """When a parcel was packed, collected and closed, and its current status."""

    postal: Postal
    status: Outcome
    packed: datetime
    collected: datetime
    estimated: datetime
    closed: datetime


def _dated(tx: Tx, placed: datetime, country: str, outcome: Outcome, delivered_at: datetime | None) -> Place:
    """Return the number and the moment of an order, early enough for its parcel to be where it is."""
    while True:
        if _possible(tx, placed, country, outcome, delivered_at):
            place = number_at(tx, "order", placed)
            if _possible(tx, place.at, country, outcome, delivered_at):
                return place
        placed -= timedelta(days=1)


def _possible(tx: Tx, placed: datetime, country: str, outcome: Outcome, delivered_at: datetime | None) -> bool:
    if outcome not in ARRIVES or (placed < tx.now - LONG_AGO and delivered_at is None):
        return True
    quickest = _travel(tx, placed + QUICKEST_PACKING, country, outcome, transit_range(tx, country)[0], 0, 540)
    if delivered_at is not None:
        return quickest.closed.date() <= delivered_at.date()
    return quickest.reached(outcome) <= tx.now - FRESH


class _Travel(msgspec.Struct, frozen=True):
    """When a parcel was collected, due and closed."""

    collected: datetime
    estimated: datetime
    closed: datetime

    def reached(self, outcome: Outcome) -> datetime:
        """Return when the parcel was where it is now."""
        return self.collected if outcome == "in_transit" else self.closed


def _travel(
    tx: Tx, packed: datetime, country: str, outcome: Outcome, transit: int, late: int, minutes: int, waits: int = 0
) -> _Travel:
    """Return the times of a parcel: it takes `transit` delivery days, and is some days late.

    A parcel that cannot be delivered takes the same way back. One that is lost is searched once its day has passed and
    the tracking has shown nothing for a week, and `waits` days later.
    """
    collected = next_collection(tx, packed)
    estimated = delivery_days_later(tx, collected, country, transit)
    closed = next_delivery(tx, estimated + timedelta(days=late), country, minutes)
    home = settings(tx).country
    if outcome == "returned":
        closed = next_delivery(tx, delivery_days_later(tx, closed, country, transit), home, minutes)
    elif outcome == "lost":
        closed = next_delivery(tx, lost_since(collected, estimated) + timedelta(days=waits), home, minutes)
    return _Travel(collected, estimated, closed)


def lost_since(scanned: datetime, estimated: datetime) -> datetime:
    """Return since when a parcel can be declared lost: on the day after it was due and after a week without a scan."""
    return max(scanned + timedelta(days=8), estimated + timedelta(days=1))


def _route(
    tx: Tx, dice: Dice, placed: datetime, postal: Postal, outcome: Outcome, delivered_at: datetime | None
) -> _Route:
    country, least = postal.country, transit_range(tx, postal.country)[0]
    packed = placed + timedelta(minutes=dice.integer(90, 600))
    transit, minutes, waits = transit_days(tx, country, dice), dice.integer(0, 540), dice.integer(0, 3)
    late = dice.weighted({0: 0.86, 1: 0.09, 3: 0.05})
    if delivered_at is not None:
        packed, way = _backwards(tx, dice, placed, country, delivered_at, transit, minutes)
    else:
        ways = [(packed, transit, late, waits), (packed, least, 0, 0), (placed + QUICKEST_PACKING, least, 0, 0)]
        for packed, days, delay, longer in ways:
            way = _travel(tx, packed, country, outcome, days, delay, minutes, longer)
            if outcome not in ARRIVES or way.reached(outcome) <= tx.now - FRESH:
                break
    status = outcome
    if outcome == "auto":
        stages: list[tuple[datetime, Outcome]] = [
            (way.closed + FRESH, "delivered"),
            (way.collected, "in_transit"),
            (packed, "label_created"),
        ]
        status = next((stage for moment, stage in stages if moment <= tx.now), "open")
    estimated = way.estimated
    if outcome == "in_transit" and estimated <= tx.now:  # the tracking names another day
        estimated = delivery_day(tx, estimated + timedelta(days=(tx.now - estimated).days + 1), country)
    if packed > tx.now:
        packed = (placed + (tx.now - placed) * dice.between(0.3, 0.8)).replace(microsecond=0)
    return _Route(
        postal=postal,
        status=status,
        packed=packed,
        collected=way.collected,
        estimated=estimated,
        closed=way.closed,
    )


def _backwards(
    tx: Tx, dice: Dice, placed: datetime, country: str, delivered_at: datetime, transit: int, minutes: int
) -> tuple[datetime, _Travel]:
    """Return when a parcel was packed, and its times, for a known day of delivery."""
    closed = next_delivery(tx, delivered_at, country, minutes)
    least, most = transit_range(tx, country)
    soonest = placed + QUICKEST_PACKING
    found: list[tuple[int, datetime, int]] = []
    collected = last_collection(tx, closed)
    while collected > soonest and len(found) <= most + 1:
        days = next(n for n in range(60) if delivery_days_later(tx, collected, country, n).date() >= closed.date())
        found += [(abs(days - transit), collected, days)] if days >= least else []
        collected = last_collection(tx, collected)
    _, collected, days = min(found)
    packed = max(soonest, collected - timedelta(minutes=dice.integer(75, 420)))
    return packed, _Travel(collected, delivery_days_later(tx, collected, country, days), closed)


ARRIVES = ("in_transit", "delivered", "returned", "lost")
"""The outcomes of orders whose parcel has left."""
FRESH = timedelta(hours=2)
"""A parcel that has arrived did so at least this long ago: people open it before they write."""
QUICKEST_PACKING = timedelta(minutes=90)
"""How long after an order its parcel is packed at the earliest."""
LONG_AGO = timedelta(days=60)
"""Parcels of orders that are older had the time for everything that can happen to one."""


def _order(
    tx: Tx,
    customer: Customer,
    chosen: Many[tuple[Product, int]],
    number: str,
    placed: datetime,
    route: _Route,
    channel: Channel,
    subscription_id: str,
    price_cents: int | None,
) -> Order:
    subtotal = sum(good.price_cents * quantity for good, quantity in chosen) if price_cents is None else price_cents
    shipping = 0 if channel == "subscription" else shipping_cents(tx, subtotal)
    return tx.add(
        Order(
            number=number,
            customer_id=customer.id,
            email=customer.email,
            status=ORDER_STATUS[route.status],
            channel=channel,
            subscription_id=subscription_id,
            currency=customer.currency,
            subtotal_cents=subtotal,
            shipping_cents=shipping,
            tax_cents=included_vat(tx, subtotal + shipping),
            total_cents=subtotal + shipping,
            shipping_address=route.postal,
            cancelled_at=route.packed if route.status == "cancelled" else None,
            cancel_reason="customer request" if route.status == "cancelled" else "",
            created_at=placed,
            updated_at=route.closed if route.status in ("delivered", "lost", "returned") else route.packed,
        )
    )


def _lines(
    tx: Tx,
    order: Order,
    chosen: Many[tuple[Product, int]],
    price_cents: int | None,
    serials: Many[str],
    packed: bool,
) -> tuple[OrderLine, ...]:
    given = list(serials)
    lines = []
    for index, (good, quantity) in enumerate(chosen):
        mine: list[str] = []
        for count in range(quantity if good.serial_prefix and packed else 0):
            built = order.created_at - timedelta(days=45)
            mine.append(given.pop(0) if given else serial_number(tx, good, built, order.id, index, count))
            tx.add(
                Unit(
                    id=mine[-1],
                    sku=good.sku,
                    customer_id=order.customer_id,
                    order_id=order.id,
                    sold_at=order.created_at,
                    warranty_until=months_later(order.created_at, good.warranty_months),
                )
            )
        total = good.price_cents * quantity if price_cents is None else (price_cents if index == 0 else 0)
        lines.append(
            tx.add(
                OrderLine(
                    order_id=order.id,
                    position=index,
                    sku=good.sku,
                    name=good.name,
                    quantity=quantity,
                    unit_price_cents=total // quantity,
                    total_cents=total,
                    serial_numbers=tuple(mine),
                )
            )
        )
    return tuple(lines)


def add_charge(tx: Tx, order: Order, card: Card, refund_fails: str = "", at: datetime | None = None) -> Charge:
    """Add the charge of a past order."""
    charge = tx.add(
        Charge(
            customer_id=order.customer_id,
            order_id=order.id,
            subscription_id=order.subscription_id,
            amount_cents=order.total_cents,
            currency=order.currency,
            description=f"Order {order.number}",
            card=card,
            refund_fails=refund_fails,
            created_at=at or order.created_at,
        )
    )
    post(
        tx,
        "charge",
        sale_entries(tx, charge.amount_cents, order.shipping_cents),
        customer_id=order.customer_id,
        currency=order.currency,
        charge_id=charge.id,
        at=charge.created_at,
        by=SHOP,
    )
    return charge


def _still_to_pack(tx: Tx, order: Order, chosen: Many[tuple[Product, int]], live: bool) -> None:
    for good, quantity in chosen:
        if not good.made_to_order:
            stock = tx.get(Stock, good.sku)
            enough = max(stock.on_hand, stock.reserved + quantity)
            tx.change(stock, on_hand=enough, reserved=stock.reserved + quantity)
    if live:
        minutes = tx.dice("order packed", order.id).integer(30, 600)
        tx.later(timedelta(minutes=minutes), pack_order, order_id=order.id)


def _shipment(
    tx: Tx, order: Order, lines: Many[OrderLine], route: _Route, carrier: str, fate: Fate, dice: Dice, live: bool
) -> Shipment:
    status: ShipmentStatus = route.status  # type: ignore[assignment] # open, auto and cancelled have no parcel
    left = status != "label_created"
    closed = route.closed if status in ("delivered", "returned") else None
    parcel = tx.add(
        Shipment(
            order_id=order.id,
            customer_id=order.customer_id,
            carrier=carrier,
            tracking_number=_free_number(tx, carrier, dice),
            status=status,
            address=route.postal,
            parcels=tuple(
                Parcel(sku=line.sku, quantity=line.quantity, serial_numbers=line.serial_numbers)
                for line in lines
                if travels(product(tx, line.sku))
            ),
            fate="lost" if status == "lost" else fate,
            trace="answered" if status == "lost" else "",
            trace_answer=NOT_FOUND if status == "lost" else "",
            estimated_at=route.estimated,
            handed_over_at=route.collected if left else None,
            closed_at=closed,
            created_at=route.packed,
            updated_at=closed or (route.closed if status == "lost" else route.collected if left else route.packed),
        )
    )
    for at, stage, place in _stages(tx, route, status, dice):
        tx.add(Scan(shipment_id=parcel.id, at=at, status=stage, place=place, text=TEXTS[stage]))
    if live and status == "label_created":
        tx.at(route.collected, hand_over, shipment_id=parcel.id)
    elif live and status == "in_transit" and parcel.fate != "lost":
        country = route.postal.country
        soonest = delivery_day(tx, tx.now + timedelta(hours=dice.integer(2, 30)), country)
        tx.at(max(next_delivery(tx, route.estimated, country, 180), soonest), arrive, shipment_id=parcel.id)
    return parcel


NOT_FOUND = "We could not find the parcel. It has been declared lost."


def sent_in_time(tx: Tx, at: datetime, country: str, status: Outcome) -> datetime:
    """Return the moment, or the same hour of an earlier working day from which a parcel can be where it is now."""
    least = transit_range(tx, country)[0]
    while (
        at.astimezone(zone(settings(tx).time_zone)).weekday() > 4
        or _travel(tx, at, country, status, least, 0, 540).reached(status) > tx.now - FRESH
    ):
        at -= timedelta(days=1)
    return at


def add_parcel(
    tx: Tx,
    order: Order,
    sku: str,
    serial: str,
    sent: datetime,
    replacement_id: str,
    status: Literal["delivered", "in_transit", "lost"] = "delivered",
) -> Shipment:
    """Add a parcel with a single item that was sent after a past order.

    It arrived, is still on its way and will arrive in time, or was declared lost (see `sent_in_time`).
    """
    dice = tx.dice("past parcel", order.id, sku, sent.isoformat())
    country = order.shipping_address.country
    carrier = carrier_for(tx, country, product(tx, sku).weight_grams, dice)
    transit, minutes, waits = transit_days(tx, country, dice), dice.integer(0, 540), dice.integer(0, 3)
    way = _travel(tx, sent, country, status, transit, 0, minutes, waits)
    if way.reached(status) > tx.now - FRESH:
        way = _travel(tx, sent, country, status, transit_range(tx, country)[0], 0, minutes)
    collected, arrived = way.collected, way.closed
    if status == "in_transit":
        soonest = tx.now + timedelta(days=dice.integer(1, 3))
        arrived = next_delivery(tx, max(way.estimated, soonest), country, minutes)
    closed = arrived if status == "delivered" else None
    gone = arrived if status == "lost" else None
    estimated = way.estimated if gone else arrived
    answer = NOT_FOUND if gone else ""
    parcel = tx.add(
        Shipment(
            order_id=order.id,
            customer_id=order.customer_id,
            replacement_id=replacement_id,
            carrier=carrier,
            tracking_number=_free_number(tx, carrier, dice),
            status=status,
            address=order.shipping_address,
            parcels=(Parcel(sku=sku, quantity=1, serial_numbers=(serial,) if serial else ()),),
            fate="lost" if gone else "",
            trace="answered" if gone else "",
            trace_answer=answer,
            estimated_at=estimated,
            handed_over_at=collected,
            closed_at=closed,
            created_at=sent,
            updated_at=closed or gone or collected,
        )
    )
    tx.add(Scan(shipment_id=parcel.id, at=sent, status="label_created", text=TEXTS["label_created"]))
    if closed is None:
        place = dice.pick(settings(tx).scan_places)
        left = collected
        tx.add(Scan(shipment_id=parcel.id, at=left, status="in_transit", place=place, text=TEXTS["in_transit"]))
    if status == "in_transit":
        tx.at(arrived, arrive, shipment_id=parcel.id)
    else:
        tx.add(Scan(shipment_id=parcel.id, at=gone or arrived, status=status, text=TEXTS[status]))
    return parcel


def _stages(tx: Tx, route: _Route, status: ShipmentStatus, dice: Dice) -> list[tuple[datetime, ShipmentStatus, str]]:
    stages: list[tuple[datetime, ShipmentStatus, str]] = [(route.packed, "label_created", "")]
    if status != "label_created":
        stages.append((route.collected, "in_transit", dice.pick(settings(tx).scan_places)))
    if status in ("delivered", "lost", "returned"):
        stages.append((route.closed, status, route.postal.city if status == "delivered" else ""))
    return stages


def _free_number(tx: Tx, carrier: str, dice: Dice) -> str:
    while tx.count(Shipment, "tracking_number = ?", number := tracking_number(tx, carrier, dice)):
        continue
    return number
