"""Store credit."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

CreditReason = Literal["goodwill", "late_delivery", "service_failure", "refund", "promotion"]
CreditStatus = Literal["active", "spent", "voided"]


@APP.record("credits", ids=token("cr_"), index=[("customer_id", "created_at"), ("created_at",)])
class Credit(Record):
    """Store credit: money that the customer can spend in the shop."""

    id: str = ""
    customer_id: str
    order_id: str = ""
    amount_cents: int
    remaining_cents: int
    currency: str
    reason: CreditReason
    note: str = ""
    status: CreditStatus = "active"
    approval_id: str = ""
    created_by: str
    created_at: datetime
