"""Parcels: packed in the warehouse and moved by the carrier; unchangeable once handed over."""

from datetime import timedelta
from typing import Any

from diorama.apps.backoffice.rules.customers import check_postal
from diorama.apps.backoffice.rules.settings import (
    carrier_for,
    delivery_day,
    due_day,
    next_collection,
    next_delivery,
    settings,
    tracking_number,
)
from diorama.apps.backoffice.rules.stock import months_later, pick, product, put_back, reserve, serial_number
from diorama.apps.backoffice.schema import (
    APP,
    AddressChanged,
    Customer,
    Fate,
    Order,
    OrderLine,
    Parcel,
    Postal,
    Product,
    Replacement,
    Scan,
    Shipment,
    ShipmentCreated,
    ShipmentMoved,
    ShipmentStatus,
    TraceAnswered,
    Unit,
)
from diorama.kernel import Refusal, Tx, to_us

MOVES: dict[ShipmentStatus, tuple[ShipmentStatus, ...]] = {
    "label_created": ("in_transit", "cancelled"),
    "in_transit": ("delivered", "lost", "returned"),
    "lost": ("delivered", "returned"),
    "delivered": (),
    "returned": (),
    "cancelled": (),
}
TEXTS: dict[ShipmentStatus, str] = {
    "label_created": "Shipping label created",
    "in_transit": "Collected from sender",
    "delivered": "Delivered",
    "lost": "Parcel declared lost",
    "returned": "Returned to sender",
    "cancelled": "Label voided",
}


def travels(good: Product) -> bool:
    """Return whether a product is put into a parcel; a deposit is only money."""
    return good.kind != "deposit"


def ship(tx: Tx, order_id: str, *, carrier: str = "", fate: Fate = "", collect: bool = True) -> Shipment:
    """Pack an open order: take goods from stock, assign serial numbers and print a label."""
    order = tx.get(Order, order_id)
    if order.status != "open" or tx.count(
        Shipment, "order_id = ? AND replacement_id = '' AND status != 'cancelled'", order_id
    ):
        raise Refusal(409, "order_not_open", f"Order {order.number} is {order.status} or has a shipment already.")
    contents = []
    for line in tx.all(OrderLine, "order_id = ?", order_id, order="position"):
        good = product(tx, line.sku)
        pick(tx, good, line.quantity)
        serials: tuple[str, ...] = ()
        if good.serial_prefix:
            made = []
            for index in range(line.quantity):
                serial = serial_number(tx, good, tx.now - timedelta(days=40), line.id, index)
                made.append(serial)
                tx.add(
                    Unit(
                        id=serial,
                        sku=good.sku,
                        customer_id=order.customer_id,
                        order_id=order.id,
                        sold_at=order.created_at,
                        warranty_until=months_later(order.created_at, good.warranty_months),
                    )
                )
            serials = tuple(made)
            tx.change(line, serial_numbers=serials)
        if travels(good):
            contents.append(Parcel(sku=line.sku, quantity=line.quantity, serial_numbers=serials))
    return send(
        tx,
        order,
        tuple(contents),
        address=order.shipping_address,
        carrier=carrier,
        fate=fate,
        collect=collect,
    )


def send(
    tx: Tx,
    order: Order,
    contents: tuple[Parcel, ...],
    *,
    address: Postal,
    carrier: str = "",
    fate: Fate = "",
    collect: bool = True,
    **fields: Any,
) -> Shipment:
    """Print a label for goods already taken from stock, and schedule the pickup."""
    weight = sum(product(tx, parcel.sku).weight_grams * parcel.quantity for parcel in contents)
    dice = tx.dice("label", order.id, tx.count(Shipment, "order_id = ?", order.id))
    carrier = carrier or carrier_for(tx, address.country, weight, dice)
    number = tracking_number(tx, carrier, dice)
    while tx.count(Shipment, "tracking_number = ?", number):
        number = tracking_number(tx, carrier, dice)
    collection = next_collection(tx, tx.now)
    parcel = tx.add(
        Shipment(
            order_id=order.id,
            customer_id=order.customer_id,
            carrier=carrier,
            tracking_number=number,
            address=address,
            parcels=contents,
            fate=fate,
            estimated_at=due_day(tx, collection, address.country, dice),
            created_at=tx.now,
            updated_at=tx.now,
            **fields,
        )
    )
    tx.add(Scan(shipment_id=parcel.id, at=tx.now, status="label_created", text=TEXTS["label_created"]))
    if collect:
        tx.at(collection, hand_over, shipment_id=parcel.id)
    tx.emit(
        ShipmentCreated(
            shipment=parcel.id,
            order=order.id,
            customer=order.customer_id,
            email=tx.get(Customer, order.customer_id).email,
            carrier=carrier,
            tracking_number=number,
        )
    )
    return parcel


@APP.command
def hand_over(tx: Tx, shipment_id: str) -> None:
    """Hand the parcel to the carrier; its address can no longer change."""
    parcel = tx.get(Shipment, shipment_id)
    if parcel.status != "label_created":
        return
    parcel = move(tx, shipment_id, "in_transit", place=settings(tx).scan_places[0])
    if parcel.fate != "lost":
        minutes = tx.dice("delivery hour", parcel.id).integer(0, 9 * 60)
        country = parcel.address.country
        soonest = delivery_day(tx, tx.now + timedelta(hours=12), country)
        tx.at(max(next_delivery(tx, parcel.estimated_at, country, minutes), soonest), arrive, shipment_id=parcel.id)


@APP.command
def arrive(tx: Tx, shipment_id: str) -> None:
    """Deliver the parcel, or return it if the address was undeliverable."""
    parcel = tx.get(Shipment, shipment_id)
    if parcel.status == "in_transit":
        move(tx, shipment_id, "returned" if parcel.fate == "undeliverable" else "delivered", place=parcel.address.city)


def move(tx: Tx, shipment_id: str, status: ShipmentStatus, *, place: str = "", text: str = "") -> Shipment:
    """Record a status reported by the carrier: picked up, delivered, lost or returned."""
    parcel = tx.get(Shipment, shipment_id)
    if status not in MOVES[parcel.status]:
        raise Refusal(409, "shipment_status", f"A shipment that is {parcel.status} cannot become {status}.")
    fields: dict[str, Any] = {"status": status, "updated_at": tx.now}
    if status == "in_transit":
        fields["handed_over_at"] = tx.now
    elif status != "lost":
        fields["closed_at"] = tx.now
    parcel = tx.change(parcel, **fields)
    tx.add(Scan(shipment_id=parcel.id, at=tx.now, status=status, place=place, text=text or TEXTS[status]))
    _follow(tx, parcel)
    tx.emit(
        ShipmentMoved(
            shipment=parcel.id,
            order=parcel.order_id,
            customer=parcel.customer_id,
            email=tx.get(Customer, parcel.customer_id).email,
            status=status,
            tracking_number=parcel.tracking_number,
        )
    )
    return parcel


def refuse_if_handed_over(parcel: Shipment) -> None:
    """Raise 409 if the parcel was handed over, because its address can no longer change."""
    if parcel.status not in ("label_created", "cancelled"):
        raise Refusal(
            409,
            "shipment_handed_over",
            f"Shipment {parcel.id} was handed to {parcel.carrier} and its address can no longer change.",
        )


def change_address(tx: Tx, shipment_id: str, address: Postal) -> Shipment:
    """Print a new label for a parcel that is still in the warehouse."""
    parcel = tx.get(Shipment, shipment_id)
    refuse_if_handed_over(parcel)
    if parcel.status == "cancelled":
        raise Refusal(409, "shipment_cancelled", f"Shipment {parcel.id} is cancelled.")
    check_postal(address)
    if address.country != parcel.address.country:
        raise Refusal(
            409,
            "country_change",
            "The country cannot change because the tax was charged for it.",
            fields={"param": "address.country"},
        )
    tx.emit(
        AddressChanged(
            subject=parcel.id,
            customer=parcel.customer_id,
            email=tx.get(Customer, parcel.customer_id).email,
            city=address.city,
        )
    )
    return tx.change(parcel, address=address, updated_at=tx.now)


def cancel_shipment(tx: Tx, parcel: Shipment) -> Shipment:
    """Cancel a parcel and restock its goods; only before it is handed over."""
    refuse_if_handed_over(parcel)
    for content in parcel.parcels:
        put_back(tx, product(tx, content.sku), content.quantity)
        for serial in content.serial_numbers:
            tx.remove(tx.get(Unit, serial))
    return move(tx, parcel.id, "cancelled")


def trace(tx: Tx, shipment_id: str) -> Shipment:
    """Ask the carrier where a parcel is; the answer takes hours."""
    parcel = tx.get(Shipment, shipment_id)
    if parcel.status not in ("in_transit", "delivered"):
        raise Refusal(409, "shipment_not_traceable", f"A shipment that is {parcel.status} cannot be traced.")
    if parcel.trace == "open":
        raise Refusal(409, "trace_open", f"{parcel.carrier} is already looking for this parcel.")
    minutes = tx.dice("trace", parcel.id, to_us(parcel.updated_at)).integer(45, 300)
    tx.later(timedelta(minutes=minutes), answer_trace, shipment_id=parcel.id)
    return tx.change(parcel, trace="open", trace_answer="", traced_by=tx.actor.name, updated_at=tx.now)


@APP.command
def answer_trace(tx: Tx, shipment_id: str) -> None:
    """Record the carrier's reply to a trace; a parcel that cannot be found becomes lost."""
    parcel = tx.get(Shipment, shipment_id)
    if parcel.status == "in_transit" and parcel.fate == "lost":
        parcel = move(tx, shipment_id, "lost", text="Search closed without result, parcel declared lost")
        answer = "We could not find the parcel. It has been declared lost."
    elif parcel.status == "delivered":
        answer = (
            f"Delivered on {parcel.closed_at:%Y-%m-%d at %H:%M} UTC to {parcel.address.line1}, {parcel.address.city}."
        )
    elif parcel.status == "in_transit":
        answer = f"The parcel is in our network. Delivery is planned for {parcel.estimated_at:%Y-%m-%d}."
    else:
        answer = f"The parcel is {parcel.status.replace('_', ' ')}."
    tx.change(parcel, trace="answered", trace_answer=answer, updated_at=tx.now)
    tx.emit(
        TraceAnswered(
            shipment=parcel.id,
            order=parcel.order_id,
            customer=parcel.customer_id,
            email=tx.get(Customer, parcel.customer_id).email,
            answer=answer,
        )
    )


def reship(tx: Tx, shipment_id: str, address: Postal | None = None) -> Shipment:
    """Send the same goods again for a parcel that was lost or returned."""
    lost = tx.get(Shipment, shipment_id)
    if lost.status not in ("lost", "returned"):
        raise Refusal(
            409, "shipment_not_lost", f"Shipment {lost.id} is {lost.status}; only lost or returned parcels are resent."
        )
    if lost.reshipped_as:
        raise Refusal(409, "already_reshipped", f"Shipment {lost.id} was sent again as {lost.reshipped_as}.")
    to = address or lost.address
    check_postal(to)
    contents = []
    order = tx.get(Order, lost.order_id)
    for content in lost.parcels:
        good = product(tx, content.sku)
        reserve(tx, good, content.quantity)
        pick(tx, good, content.quantity)
        serials = tuple(_successor(tx, serial) for serial in content.serial_numbers)
        contents.append(Parcel(sku=content.sku, quantity=content.quantity, serial_numbers=serials))
    again = send(tx, order, tuple(contents), address=to, reship_of=lost.id, replacement_id=lost.replacement_id)
    tx.change(lost, reshipped_as=again.id, updated_at=tx.now)
    if again.replacement_id:
        tx.change(tx.get(Replacement, again.replacement_id), shipment_id=again.id, updated_at=tx.now)
    return again


def scans(tx: Tx, shipment_id: str) -> list[Scan]:
    """Return the tracking history, oldest first."""
    return tx.all(Scan, "shipment_id = ?", shipment_id, order="at, id")


def _successor(tx: Tx, serial: str) -> str:
    """Replace a unit that was lost in transit with a new one under the same warranty; return its serial number."""
    gone = tx.get(Unit, serial)
    good = product(tx, gone.sku)
    fresh = serial_number(tx, good, tx.now - timedelta(days=40), serial)
    tx.change(gone, status="replaced", replaced_by=fresh)
    tx.add(
        Unit(
            id=fresh,
            sku=gone.sku,
            customer_id=gone.customer_id,
            order_id=gone.order_id,
            sold_at=gone.sold_at,
            warranty_until=gone.warranty_until,
            replaces=gone.id,
        )
    )
    return fresh


def _follow(tx: Tx, parcel: Shipment) -> None:
    """Update the order or replacement of a parcel to match the parcel's status."""
    if parcel.replacement_id:
        step = {"in_transit": "shipped", "delivered": "delivered"}.get(parcel.status)
        if step:
            tx.change(tx.get(Replacement, parcel.replacement_id), status=step, updated_at=tx.now)
        return
    order = tx.get(Order, parcel.order_id)
    if parcel.status == "in_transit":
        tx.change(order, status="shipped", updated_at=tx.now)
    elif parcel.status == "delivered":
        tx.change(order, status="delivered", updated_at=tx.now)
