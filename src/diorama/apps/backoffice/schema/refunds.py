"""Refunds."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

RefundReason = Literal[
    "billing_error",
    "cancelled_order",
    "defective",
    "duplicate",
    "goodwill",
    "late_delivery",
    "not_received",
    "returned",
    "subscription",
    "wrong_item",
]
RefundStatus = Literal["pending", "succeeded", "failed"]
Destination = Literal["original_payment", "store_credit"]


@APP.record(
    "refunds",
    ids=token("re_"),
    index=[("charge_id",), ("order_id",), ("customer_id", "created_at"), ("status", "created_at"), ("created_at",)],
)
class Refund(Record):
    """Money on its way back to the customer."""

    id: str = ""
    charge_id: str
    order_id: str = ""
    customer_id: str
    amount_cents: int
    currency: str
    reason: RefundReason
    note: str = ""
    destination: Destination = "original_payment"
    status: RefundStatus = "pending"
    failure_code: str = ""
    approval_id: str = ""
    credit_id: str = ""
    created_by: str
    settled_at: datetime | None = None
    created_at: datetime
