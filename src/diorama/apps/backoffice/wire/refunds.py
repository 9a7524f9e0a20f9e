"""Refunds, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Destination, Refund, RefundReason, RefundStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class RefundView(Shown, frozen=True, kw_only=True, tag="refund"):
    """A refund."""

    id: str
    charge_id: str
    order_id: str | None
    customer_id: str
    amount_cents: int
    currency: str
    reason: RefundReason
    note: str | None
    destination: Destination
    status: RefundStatus
    failure_code: str | None
    approval_id: str | None
    credit_id: str | None
    created_by: str
    settled_at: datetime | None
    created_at: datetime


def refund_view(refund: Refund) -> RefundView:
    """Build the reply model of a refund."""
    return shown(RefundView, refund)
