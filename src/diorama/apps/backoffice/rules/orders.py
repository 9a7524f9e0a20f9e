"""Orders: reserve goods, charge the card and schedule the packing."""

from collections.abc import Sequence
from datetime import timedelta

from diorama.apps.backoffice.rules import shipments
from diorama.apps.backoffice.rules.charges import charge
from diorama.apps.backoffice.rules.credits import spend_credit
from diorama.apps.backoffice.rules.customers import check_postal, default_address
from diorama.apps.backoffice.rules.settings import included_vat, settings, shipping_cents
from diorama.apps.backoffice.rules.stock import next_number, product, release, reserve
from diorama.apps.backoffice.schema import (
    APP,
    AddressChanged,
    Card,
    Channel,
    Charge,
    Customer,
    Order,
    OrderCancelled,
    OrderLine,
    OrderPlaced,
    Postal,
    Shipment,
)
from diorama.kernel import Refusal, Tx

PACKED_AFTER_MINUTES = (90, 600)


def place_order(
    tx: Tx,
    customer_id: str,
    goods: Sequence[tuple[str, int]],
    *,
    address: Postal | None = None,
    channel: Channel = "web",
    card: Card | None = None,
    use_credit: bool = False,
    price_cents: int | None = None,
    subscription_id: str = "",
    pack: bool = True,
) -> Order:
    """Place an order for (SKU, quantity) pairs; `price_cents` replaces list prices, as in a subscription."""
    customer = tx.get(Customer, customer_id)
    if not goods:
        raise Refusal(400, "order_empty", "An order needs at least one line.", fields={"param": "lines"})
    to = address or default_address(tx, customer_id)
    check_postal(to)
    chosen = [(product(tx, sku), quantity) for sku, quantity in goods]
    for good, quantity in chosen:
        if not 1 <= quantity <= 50:
            raise Refusal(400, "quantity_invalid", "quantity must be 1 to 50.", fields={"param": "lines.quantity"})
        if not good.active and not subscription_id:
            raise Refusal(409, "product_inactive", f"{good.sku} is no longer sold.", fields={"param": "lines.sku"})
        reserve(tx, good, quantity)
    subtotal = sum(g.price_cents * q for g, q in chosen) if price_cents is None else price_cents
    shipping = 0 if channel == "subscription" else shipping_cents(tx, subtotal)
    credit = spend_credit(tx, customer_id, subtotal + shipping) if use_credit else 0
    order = tx.add(
        Order(
            number=f"{settings(tx).order_prefix}{next_number(tx, 'order')}",
            customer_id=customer.id,
            email=customer.email,
            channel=channel,
            subscription_id=subscription_id,
            currency=customer.currency,
            subtotal_cents=subtotal,
            shipping_cents=shipping,
            tax_cents=included_vat(tx, subtotal + shipping),
            credit_cents=credit,
            total_cents=subtotal + shipping - credit,
            shipping_address=to,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    for index, (good, quantity) in enumerate(chosen):
        total = good.price_cents * quantity if price_cents is None else (price_cents if index == 0 else 0)
        tx.add(
            OrderLine(
                order_id=order.id,
                position=index,
                sku=good.sku,
                name=good.name,
                quantity=quantity,
                unit_price_cents=total // quantity,
                total_cents=total,
            )
        )
    paid = charge(
        tx,
        customer.id,
        order.total_cents,
        order_id=order.id,
        subscription_id=subscription_id,
        description=f"Order {order.number}",
        card=card,
        shipping_cents=shipping,
        credit_cents=credit,
    )
    if paid.status == "failed":
        raise Refusal(402, paid.failure_code, "The card was declined.", fields={"param": "card"})
    if pack:
        minutes = tx.dice("order packed", order.id).integer(*PACKED_AFTER_MINUTES)
        tx.later(timedelta(minutes=minutes), pack_order, order_id=order.id)
    tx.emit(
        OrderPlaced(
            order=order.id,
            number=order.number,
            customer=customer.id,
            email=customer.email,
            total_cents=order.total_cents,
            currency=order.currency,
        )
    )
    return order


@APP.command
def pack_order(tx: Tx, order_id: str) -> None:
    """Pack an order in the warehouse, if it is still open."""
    order = tx.get(Order, order_id)
    if order.status == "open" and not parcels_of(tx, order_id):
        shipments.ship(tx, order_id)


def lines_of(tx: Tx, order_id: str) -> list[OrderLine]:
    """Return the lines of an order."""
    return tx.all(OrderLine, "order_id = ?", order_id, order="position")


def lines_of_all(tx: Tx, order_ids: Sequence[str]) -> dict[str, list[OrderLine]]:
    """Return the lines of several orders by the order's id, in one read."""
    lines: dict[str, list[OrderLine]] = {order_id: [] for order_id in order_ids}
    if lines:
        marks = ", ".join("?" * len(lines))
        for line in tx.all(OrderLine, f"order_id IN ({marks})", *lines, order="order_id, position"):
            lines[line.order_id].append(line)
    return lines


def parcels_of(tx: Tx, order_id: str) -> list[Shipment]:
    """Return the parcels of an order, without those of replacements."""
    return tx.all(Shipment, "order_id = ? AND replacement_id = ''", order_id, order="created_at, id")


def charges_of(tx: Tx, order_id: str) -> list[Charge]:
    """Return the charges of an order; more than one may be a duplicate."""
    return tx.all(Charge, "order_id = ?", order_id, order="created_at, id")


def by_number(tx: Tx, number: str) -> Order | None:
    """Return the order with this number, given with or without its prefix, or None."""
    number = number.strip().lstrip("#").upper()
    prefix = settings(tx).order_prefix
    return tx.first(Order, "number = ?", number if number.startswith(prefix) else f"{prefix}{number}")


def cancel_order(tx: Tx, order_id: str, reason: str = "") -> Order:
    """Cancel an order that has not left the warehouse; the money is refunded separately."""
    order = tx.get(Order, order_id)
    if order.status == "cancelled":
        raise Refusal(409, "order_cancelled", f"Order {order.number} is cancelled already.")
    sent = parcels_of(tx, order_id)
    if any(parcel.status not in ("label_created", "cancelled") for parcel in sent):
        raise Refusal(409, "order_shipped", f"Order {order.number} has left the warehouse and can only be returned.")
    for parcel in sent:
        if parcel.status == "label_created":
            shipments.cancel_shipment(tx, parcel)
    for line in lines_of(tx, order_id):
        if sent:
            tx.change(line, serial_numbers=())
        else:
            release(tx, product(tx, line.sku), line.quantity)
    tx.emit(OrderCancelled(order=order.id, number=order.number, customer=order.customer_id, email=order.email))
    return tx.change(order, status="cancelled", cancel_reason=reason, cancelled_at=tx.now, updated_at=tx.now)


def change_order_address(tx: Tx, order_id: str, address: Postal) -> Order:
    """Change the address of an order, as long as none of its parcels was handed to the carrier."""
    order = tx.get(Order, order_id)
    check_postal(address)
    if order.status == "cancelled":
        raise Refusal(409, "order_cancelled", f"Order {order.number} is cancelled.")
    if address.country != order.shipping_address.country:
        raise Refusal(
            409,
            "country_change",
            "The country cannot change because the tax was charged for it. Cancel the order and place it again.",
            fields={"param": "address.country"},
        )
    sent = parcels_of(tx, order_id)
    for parcel in sent:
        shipments.refuse_if_handed_over(parcel)
    for parcel in sent:
        if parcel.status == "label_created":
            tx.change(parcel, address=address, updated_at=tx.now)
    tx.emit(AddressChanged(subject=order.id, customer=order.customer_id, email=order.email, city=address.city))
    return tx.change(order, shipping_address=address, updated_at=tx.now)
