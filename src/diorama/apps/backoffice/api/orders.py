"""Orders: list, get, place, cancel, and change the address."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from diorama.apps.backoffice.api.request_parts import Body, Quantity, Word, customer_filter
from diorama.apps.backoffice.api.shipments import with_history
from diorama.apps.backoffice.rules import orders
from diorama.apps.backoffice.schema import (
    APP,
    Channel,
    Order,
    OrderStatus,
    Postal,
    Refund,
    Replacement,
    Return,
    Shipment,
)
from diorama.apps.backoffice.wire.charges import charge_view
from diorama.apps.backoffice.wire.orders import OrderDetail, OrderView, order_view
from diorama.apps.backoffice.wire.pagination import Listing, Page, page_of
from diorama.apps.backoffice.wire.refunds import refund_view
from diorama.apps.backoffice.wire.replacements import replacement_view
from diorama.apps.backoffice.wire.returns import return_view
from diorama.kernel import Missing, Tx


class NewLine(Body, frozen=True, kw_only=True):
    """A product and quantity to order."""

    sku: Word
    quantity: Quantity = 1


class NewOrder(Body, frozen=True, kw_only=True):
    """The body of an order; without an address it goes to the customer's default address."""

    customer_id: Word
    lines: Annotated[list[NewLine], msgspec.Meta(min_length=1, max_length=50)]
    address: Postal | None = None
    use_credit: bool = False


class Cancellation(Body, frozen=True, kw_only=True):
    """The reason why an order is cancelled."""

    reason: Word = ""


class NewDestination(Body, frozen=True, kw_only=True):
    """The new address of an order."""

    address: Postal


@APP.get("/api/v1/orders", tags=("orders",))
def list_orders(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    number: str | None = None,
    status: OrderStatus | None = None,
    channel: Channel | None = None,
    subscription: str | None = None,
) -> Listing[OrderView]:
    """List orders, newest first."""
    quoted = orders.by_number(tx, number) if number is not None else None
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("id = ?", None if number is None else quoted.id if quoted else ""),
        ("status = ?", status),
        ("channel = ?", channel),
        ("subscription_id = ?", subscription),
    ]
    found, has_more = page_of(tx, Order, page, filters)
    return Listing(url=page.path, has_more=has_more, data=all_with_lines(tx, found))


@APP.post("/api/v1/orders", status=201, idempotent=True, seconds=1.5, tags=("orders",))
def create_order(tx: Tx, body: NewOrder) -> OrderDetail:
    """Place an order for a customer by phone and charge the card on file."""
    goods = [(line.sku, line.quantity) for line in body.lines]
    order = orders.place_order(
        tx, body.customer_id, goods, address=body.address, channel="phone", use_credit=body.use_credit
    )
    return order_detail(tx, order)


@APP.get("/api/v1/orders/{order_id}", seconds=0.6, tags=("orders",))
def get_order(tx: Tx, order_id: str) -> OrderDetail:
    """Get an order by its id or number, with charges, refunds, parcels, returns and replacements."""
    order = tx.find(Order, order_id) or orders.by_number(tx, order_id)
    if order is None:
        raise Missing(Order, order_id)
    return order_detail(tx, order)


@APP.post("/api/v1/orders/{order_id}/cancel", tags=("orders",))
def cancel_order(tx: Tx, order_id: str, body: Cancellation) -> OrderDetail:
    """Cancel an order that has not left the warehouse; refund its charge separately."""
    return order_detail(tx, orders.cancel_order(tx, order_id, body.reason))


@APP.post("/api/v1/orders/{order_id}/address", tags=("orders",))
def change_order_address(tx: Tx, order_id: str, body: NewDestination) -> OrderDetail:
    """Change the address of an order, as long as none of its parcels was handed to the carrier."""
    return order_detail(tx, orders.change_order_address(tx, order_id, body.address))


def all_with_lines(tx: Tx, found: Sequence[Order]) -> list[OrderView]:
    """Return orders as lists show them."""
    lines = orders.lines_of_all(tx, [order.id for order in found])
    return [order_view(order, lines[order.id]) for order in found]


def with_lines(tx: Tx, order: Order) -> OrderView:
    """Return an order as lists show it."""
    return order_view(order, orders.lines_of(tx, order.id))


def order_detail(tx: Tx, order: Order) -> OrderDetail:
    """An order with its lines, charges, refunds, parcels, returns and replacements."""
    mine, oldest = "order_id = ?", "created_at, id"
    return OrderDetail(
        **msgspec.structs.asdict(with_lines(tx, order)),
        charges=[charge_view(charge) for charge in orders.charges_of(tx, order.id)],
        refunds=[refund_view(refund) for refund in tx.all(Refund, mine, order.id, order=oldest)],
        shipments=[with_history(tx, parcel) for parcel in tx.all(Shipment, mine, order.id, order=oldest)],
        returns=[return_view(rma) for rma in tx.all(Return, mine, order.id, order=oldest)],
        replacements=[replacement_view(one) for one in tx.all(Replacement, mine, order.id, order=oldest)],
    )
