"""Store credit, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Credit, CreditReason, CreditStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class CreditView(Shown, frozen=True, kw_only=True, tag="credit"):
    """Store credit."""

    id: str
    customer_id: str
    order_id: str | None
    amount_cents: int
    remaining_cents: int
    currency: str
    reason: CreditReason
    note: str | None
    status: CreditStatus
    approval_id: str | None
    created_by: str
    created_at: datetime


def credit_view(credit: Credit) -> CreditView:
    """Build the reply model of store credit."""
    return shown(CreditView, credit)
