"""Returns."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

ReturnStatus = Literal["open", "in_transit", "received", "cancelled"]
ReturnReason = Literal["changed_mind", "defective", "wrong_item", "damaged_in_transit", "not_as_described"]
Resolution = Literal["refund", "replacement", "store_credit"]


@APP.record(
    "returns",
    ids=token("rma_"),
    unique=[("number",)],
    index=[("customer_id", "created_at"), ("order_id",), ("status", "created_at"), ("created_at",)],
)
class Return(Record):
    """Goods that a customer may send back, under a return number."""

    id: str = ""
    number: str
    customer_id: str
    order_id: str
    line_id: str
    sku: str
    quantity: int = 1
    serial_number: str = ""
    reason: ReturnReason
    resolution: Resolution = "refund"
    note: str = ""
    status: ReturnStatus = "open"
    condition: str = ""
    tracking_number: str
    created_by: str
    received_at: datetime | None = None
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
