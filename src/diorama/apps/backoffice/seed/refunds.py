"""Refunds of past charges, as a colleague made them and as the bank answered them."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.refunds import SETTLES_AFTER_MINUTES
from diorama.apps.backoffice.schema import Account, Charge, PostingKind, Refund, RefundReason
from diorama.kernel import Tx

SHOP = "system:backoffice"
"""Who posts what the shop does by itself: a sale, a dispute of the bank."""


def add_refund_history(
    tx: Tx,
    charge: Charge,
    at: datetime,
    by: str,
    *,
    cents: int | None = None,
    reason: RefundReason = "goodwill",
    note: str = "",
    failed: str = "",
) -> Refund:
    """Add a refund that a colleague made on a past day: all that is left, or `cents`; `failed`: the bank's code."""
    amount = charge.amount_cents - charge.refunded_cents if cents is None else cents
    dice = tx.dice("past refund", charge.id, charge.refunded_cents)
    settled = min(at + timedelta(minutes=dice.integer(*SETTLES_AFTER_MINUTES), seconds=dice.integer(0, 59)), tx.now)
    refund = tx.add(
        Refund(
            charge_id=charge.id,
            order_id=charge.order_id,
            customer_id=charge.customer_id,
            amount_cents=amount,
            currency=charge.currency,
            reason=reason,
            note=note,
            status="failed" if failed else "succeeded",
            failure_code=failed,
            created_by=by,
            settled_at=settled,
            created_at=at,
        )
    )
    if not failed:
        tx.change(charge, refunded_cents=charge.refunded_cents + amount)
    _post(tx, refund)
    return refund


def _post(tx: Tx, refund: Refund) -> None:
    """Post a settled refund of the past to the ledger."""
    cents, failed = refund.amount_cents, refund.status == "failed"
    by = f"agent:{refund.created_by}" if "@" in refund.created_by else SHOP
    kind: PostingKind = "refund_failed" if failed else "refund_succeeded"
    other: Account = "refunds" if failed else "processor"
    steps: list[tuple[PostingKind, dict[Account, int], datetime | None, str]] = [
        ("refund_requested", {"refunds": cents, "refunds_payable": -cents}, refund.created_at, by),
        (kind, {"refunds_payable": cents, other: -cents}, refund.settled_at, SHOP),
    ]
    for what, sides, at, author in steps:
        post(
            tx,
            what,
            sides,
            customer_id=refund.customer_id,
            currency=refund.currency,
            charge_id=refund.charge_id,
            refund_id=refund.id,
            at=at,
            by=author,
        )
