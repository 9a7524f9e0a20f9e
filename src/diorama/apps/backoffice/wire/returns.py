"""Returns, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Resolution, Return, ReturnReason, ReturnStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class ReturnView(Shown, frozen=True, kw_only=True, tag="return"):
    """A return."""

    id: str
    number: str
    customer_id: str
    order_id: str
    line_id: str
    sku: str
    quantity: int
    serial_number: str | None
    reason: ReturnReason
    resolution: Resolution
    note: str | None
    status: ReturnStatus
    condition: str | None
    tracking_number: str
    created_by: str
    received_at: datetime | None
    expires_at: datetime
    created_at: datetime
    updated_at: datetime


def return_view(rma: Return) -> ReturnView:
    """Build the reply model of a return."""
    return shown(ReturnView, rma)
