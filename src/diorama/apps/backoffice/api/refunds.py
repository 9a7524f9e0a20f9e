"""Refunds."""

from diorama.apps.backoffice.api.request_parts import Body, Cents, Text, Word, customer_filter
from diorama.apps.backoffice.rules import refunds
from diorama.apps.backoffice.schema import APP, Destination, Refund, RefundReason, RefundStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.refunds import RefundView, refund_view
from diorama.kernel import Tx


class NewRefund(Body, frozen=True, kw_only=True):
    """The body of a refund; without an amount, all that is left on the charge is refunded."""

    charge_id: Word
    amount_cents: Cents | None = None
    reason: RefundReason
    note: Text = ""
    destination: Destination = "original_payment"
    approval_id: Word = ""


@APP.get("/api/v1/refunds", tags=("refunds",))
def list_refunds(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    charge: str | None = None,
    order: str | None = None,
    status: RefundStatus | None = None,
) -> Listing[RefundView]:
    """List refunds, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("charge_id = ?", charge),
        ("order_id = ?", order),
        ("status = ?", status),
    ]
    return listing(tx, Refund, page, refund_view, filters)


@APP.post("/api/v1/refunds", status=201, idempotent=True, seconds=1.5, tags=("refunds",))
def create_refund(tx: Tx, body: NewRefund) -> RefundView:
    """Refund a charge, fully or partly; above your limit it needs an approval_id."""
    return refund_view(
        refunds.refund(
            tx,
            body.charge_id,
            body.amount_cents,
            reason=body.reason,
            note=body.note,
            destination=body.destination,
            approval_id=body.approval_id,
        )
    )


@APP.get("/api/v1/refunds/{refund_id}", tags=("refunds",))
def get_refund(tx: Tx, refund_id: str) -> RefundView:
    """Get one refund; it is pending until the payment processor has answered."""
    return refund_view(tx.get(Refund, refund_id))
