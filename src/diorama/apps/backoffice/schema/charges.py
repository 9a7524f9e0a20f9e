"""Charges and disputes."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.customers import Card
from diorama.kernel import Record
from diorama.kernel.ids import token

ChargeStatus = Literal["captured", "failed", "disputed", "charged_back"]
DisputeReason = Literal["fraudulent", "product_not_received", "product_unacceptable", "duplicate", "unrecognized"]


@APP.record(
    "charges",
    ids=token("ch_"),
    index=[
        ("customer_id", "created_at"),
        ("order_id",),
        ("status", "created_at"),
        ("created_at",),
        ("subscription_id",),
    ],
)
class Charge(Record):
    """Money taken from a card; `refund_fails` is how the bank will answer a refund, and is never shown."""

    id: str = ""
    customer_id: str
    order_id: str = ""
    subscription_id: str = ""
    amount_cents: int
    refunded_cents: int = 0
    currency: str
    status: ChargeStatus = "captured"
    description: str = ""
    card: Card
    failure_code: str = ""
    dispute_reason: str = ""
    disputed_cents: int = 0
    disputed_at: datetime | None = None
    dispute_due_at: datetime | None = None
    refund_fails: str = ""
    created_at: datetime
