"""Replacements."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import token

ReplacementStatus = Literal["ordered", "shipped", "delivered", "cancelled"]


@APP.record(
    "replacements",
    ids=token("rpl_"),
    index=[("customer_id", "created_at"), ("order_id",), ("serial_number",), ("created_at",)],
)
class Replacement(Record):
    """A new unit, or a part for it, sent free of charge for a defective one."""

    id: str = ""
    customer_id: str
    order_id: str
    serial_number: str
    sku: str
    fault_code: str = ""
    reason: str
    status: ReplacementStatus = "ordered"
    new_serial_number: str = ""
    shipment_id: str = ""
    approval_id: str = ""
    created_by: str
    created_at: datetime
    updated_at: datetime
