"""Orders and their lines."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.customers import Postal
from diorama.kernel import Record
from diorama.kernel.ids import token

OrderStatus = Literal["open", "shipped", "delivered", "cancelled"]
Channel = Literal["web", "phone", "subscription"]


@APP.record(
    "orders",
    ids=token("ord_"),
    unique=[("number",)],
    index=[("customer_id", "created_at"), ("created_at",), ("status", "created_at"), ("subscription_id",)],
)
class Order(Record):
    """What a customer bought, and where it should go."""

    id: str = ""
    number: str
    customer_id: str
    email: str
    status: OrderStatus = "open"
    channel: Channel = "web"
    subscription_id: str = ""
    currency: str
    subtotal_cents: int
    shipping_cents: int
    tax_cents: int
    credit_cents: int = 0
    total_cents: int
    shipping_address: Postal
    cancel_reason: str = ""
    cancelled_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("order_lines", ids=token("oli_"), index=[("order_id", "position"), ("sku",)])
class OrderLine(Record):
    """One line of an order."""

    id: str = ""
    order_id: str
    position: int
    sku: str
    name: str
    quantity: int
    unit_price_cents: int
    total_cents: int
    serial_numbers: tuple[str, ...] = ()
