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
    due_day,
    included_vat,
    next_collection,
    next_delivery,
    settings,
    shipping_cents,
    tracking_number,
)
from diorama.apps.backoffice.rules.shipments import TEXTS, arrive, hand_over
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
from diorama.apps.backoffice.seed.numbers import number_at
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

    `auto` derives its progress from the dates; `live` schedules what still has to happen to it. If there is no free
    number for its date, it is dated at the nearest moment that has one (`numbers.py`).
    """
    chosen = [(product(tx, sku), quantity) for sku, quantity in goods]
    place = number_at(tx, "order", placed_at)
    placed_at = place.at
    dice = tx.dice("order history", place.number)
    route = _route(tx, dice, placed_at, (address or default_address(tx, customer.id)), outcome, delivered_at)
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


def _route(
    tx: Tx, dice: Dice, placed: datetime, postal: Postal, outcome: Outcome, delivered_at: datetime | None
) -> _Route:
    packed = placed + timedelta(minutes=dice.integer(90, 600))
    collected = next_collection(tx, packed)
    estimated = due_day(tx, collected, postal.country, dice)
    late = timedelta(days=dice.weighted({0: 0.86, 1: 0.09, 3: 0.05}))
    closed = delivered_at or next_delivery(tx, estimated + late, postal.country, dice.integer(0, 540))
    if delivered_at is not None and collected >= delivered_at:  # it was brought to the carrier before the weekend
        collected = (packed + (delivered_at - packed) * 0.3).replace(microsecond=0)
    status = outcome
    if outcome == "auto":
        stages: list[tuple[datetime, Outcome]] = [
            (closed + FRESH, "delivered"),
            (collected, "in_transit"),
            (packed, "label_created"),
        ]
        status = next((stage for moment, stage in stages if moment <= tx.now), "open")
    if outcome in ("delivered", "returned") and delivered_at is None and closed > tx.now - FRESH:
        collected, closed = _in_time(tx, packed, collected, postal.country, dice.child("in time"))
    return _Route(
        postal=postal,
        status=status,
        packed=min(packed, tx.now),
        collected=min(collected, tx.now) if status != "label_created" else collected,
        estimated=estimated,
        closed=min(closed, tx.now),
    )


FRESH = timedelta(hours=2)
"""A parcel that has arrived did so at least this long ago: people open it before they write."""
LATELY = 4
"""Within how many days a parcel was closed whose usual time has not passed yet."""


def _in_time(tx: Tx, packed: datetime, collected: datetime, country: str, dice: Dice) -> tuple[datetime, datetime]:
    """Return when a parcel was collected and closed that has to have arrived before its usual time."""
    for back in dice.shuffle(range(1, LATELY + 1)):
        found = next_delivery(tx, tx.now - timedelta(days=back), country, dice.integer(0, 540))
        if collected + timedelta(hours=12) < found < tx.now - FRESH:
            return collected, found
    left = max(tx.now - FRESH - packed, timedelta(0))
    early = min(collected, packed + left * dice.between(0.1, 0.4))
    closed = early + (tx.now - FRESH - early) * dice.between(0.6, 0.95)
    return early.replace(microsecond=0), max(closed, early).replace(microsecond=0)


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
                Parcel(sku=line.sku, quantity=line.quantity, serial_numbers=line.serial_numbers) for line in lines
            ),
            fate="lost" if status == "lost" else fate,
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

    It arrived three days later, is still on its way and will arrive in time, or was declared lost.
    """
    dice = tx.dice("past parcel", order.id, sku, sent.isoformat())
    country = order.shipping_address.country
    carrier = carrier_for(tx, country, product(tx, sku).weight_grams, dice)
    collected = min(next_collection(tx, sent), tx.now) if status == "delivered" else sent + timedelta(hours=5)
    arrived = next_delivery(
        tx, max(sent + timedelta(days=3), collected + timedelta(days=1)), country, dice.integer(0, 540)
    )
    if status == "in_transit":
        arrived = next_delivery(tx, tx.now + timedelta(days=dice.integer(2, 4)), country, dice.integer(0, 540))
    closed = arrived if status == "delivered" else None
    gone = arrived + timedelta(seconds=dice.integer(5 * 86_400, 8 * 86_400)) if status == "lost" else None
    answer = "We could not find the parcel. It has been declared lost." if gone else ""
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
            estimated_at=arrived,
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
