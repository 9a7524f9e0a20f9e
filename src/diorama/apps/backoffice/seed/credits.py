"""Credits given in the past."""

from datetime import datetime

from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.schema import Credit, CreditReason, Customer
from diorama.kernel import Tx


def add_credit_history(
    tx: Tx, customer: Customer, cents: int, at: datetime, by: str, reason: CreditReason = "goodwill", order_id: str = ""
) -> Credit:
    """Add unspent store credit that a colleague granted on a past day."""
    credit = tx.add(
        Credit(
            customer_id=customer.id,
            order_id=order_id,
            amount_cents=cents,
            remaining_cents=cents,
            currency=customer.currency,
            reason=reason,
            created_by=by,
            created_at=at,
        )
    )
    post(
        tx,
        "credit_granted",
        {"goodwill": cents, "store_credit": -cents},
        customer_id=customer.id,
        currency=customer.currency,
        credit_id=credit.id,
        at=at,
        by=f"agent:{by}",
    )
    return credit
