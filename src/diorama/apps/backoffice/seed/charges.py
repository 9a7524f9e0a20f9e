"""Second charges and disputes of past orders."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.charges import DISPUTE_LASTS
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.schema import Charge, DisputeReason
from diorama.apps.backoffice.seed.orders import History, add_charge
from diorama.apps.backoffice.seed.refunds import SHOP
from diorama.kernel import Tx


def add_second_charge(tx: Tx, history: History, after: timedelta | None = None) -> Charge:
    """Add a duplicate charge for the same order, a few seconds or minutes after the first unless `after` says when."""
    drawn = timedelta(seconds=tx.dice("second charge", history.charge.id).integer(8, 400))
    return add_charge(tx, history.order, history.charge.card, at=history.charge.created_at + (after or drawn))


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
        by=SHOP,
    )
    return tx.change(
        charge,
        status="disputed",
        dispute_reason=reason,
        disputed_cents=held,
        disputed_at=at,
        dispute_due_at=at + DISPUTE_LASTS,
    )
