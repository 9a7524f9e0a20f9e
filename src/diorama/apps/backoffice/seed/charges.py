"""Second charges and disputes of past orders."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.charges import DISPUTE_LASTS
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.schema import Charge, DisputeReason
from diorama.apps.backoffice.seed.orders import SEED, History, add_charge
from diorama.kernel import Tx


def add_second_charge(tx: Tx, history: History, after: timedelta = timedelta(minutes=2)) -> Charge:
    """Add a duplicate charge for the same order."""
    return add_charge(tx, history.order, history.charge.card, at=history.charge.created_at + after)


def add_dispute_history(tx: Tx, charge: Charge, reason: DisputeReason, at: datetime) -> Charge:
    """Add a dispute that was opened on a past day and is still undecided."""
    held = charge.amount_cents - charge.refunded_cents
    post(
        tx,
        "dispute_opened",
        {"disputed": held, "processor": -held},
        customer_id=charge.customer_id,
        currency=charge.currency,
        charge_id=charge.id,
        at=at,
        by=SEED,
    )
    return tx.change(
        charge,
        status="disputed",
        dispute_reason=reason,
        disputed_cents=held,
        disputed_at=at,
        dispute_due_at=at + DISPUTE_LASTS,
    )
