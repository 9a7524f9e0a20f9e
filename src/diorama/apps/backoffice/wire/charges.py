"""Charges and disputes, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.rules.charges import refundable_cents
from diorama.apps.backoffice.schema import Card, Charge, ChargeStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a dispute with the customer's bank."""

    reason: str
    opened_at: datetime | None
    due_at: datetime | None


class ChargeView(Shown, frozen=True, kw_only=True, tag="charge"):
    """Money taken from a card."""

    id: str
    customer_id: str
    order_id: str | None
    subscription_id: str | None
    amount_cents: int
    refunded_cents: int
    refundable_cents: int
    currency: str
    status: ChargeStatus
    description: str
    card: Card
    failure_code: str | None
    dispute: DisputeView | None
    created_at: datetime


def charge_view(charge: Charge) -> ChargeView:
    """Build the reply model of a charge; `refund_fails` is left out."""
    dispute = None
    if charge.dispute_reason:
        opened, due = charge.disputed_at, charge.dispute_due_at
        dispute = shown(DisputeView, charge, reason=charge.dispute_reason, opened_at=opened, due_at=due)
    return shown(ChargeView, charge, refundable_cents=refundable_cents(charge), dispute=dispute)
