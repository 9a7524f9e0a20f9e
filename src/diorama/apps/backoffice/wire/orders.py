"""Orders and their lines, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.schema import Channel, Order, OrderLine, OrderStatus, Postal
from diorama.apps.backoffice.wire.charges import ChargeView
from diorama.apps.backoffice.wire.refunds import RefundView
from diorama.apps.backoffice.wire.replacements import ReplacementView
from diorama.apps.backoffice.wire.returns import ReturnView
from diorama.apps.backoffice.wire.shapes import Shown, shown
from diorama.apps.backoffice.wire.shipments import ShipmentView


class LineView(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an order."""

    id: str
    sku: str
    name: str
    quantity: int
    unit_price_cents: int
    total_cents: int
    serial_numbers: tuple[str, ...]


class OrderView(Shown, frozen=True, tag="order"):
    """An order with its lines."""

    id: str
    number: str
    customer_id: str
    email: str
    status: OrderStatus
    channel: Channel
    subscription_id: str | None
    currency: str
    subtotal_cents: int
    shipping_cents: int
    tax_cents: int
    credit_cents: int
    total_cents: int
    lines: list[LineView]
    shipping_address: Postal
    cancel_reason: str | None
    cancelled_at: datetime | None
    created_at: datetime
    updated_at: datetime


class OrderDetail(OrderView, frozen=True, tag="order"):
    """An order with its lines, charges, refunds, parcels, returns and replacements."""

    charges: list[ChargeView]
    refunds: list[RefundView]
    shipments: list[ShipmentView]
    returns: list[ReturnView]
    replacements: list[ReplacementView]


def line_view(line: OrderLine) -> LineView:
    """Build the reply model of an order line."""
    return shown(LineView, line)


def order_view(order: Order, lines: list[OrderLine]) -> OrderView:
    """Build the reply model of an order."""
    return shown(OrderView, order, lines=[line_view(line) for line in lines])
