"""Charges and disputes: taking money from cards, and banks that take it back."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.settings import included_vat
from diorama.apps.backoffice.schema import (
    Account,
    Card,
    Charge,
    ChargeDisputed,
    ChargeFailed,
    Customer,
    DisputeClosed,
    DisputeReason,
)
from diorama.kernel import Refusal, Tx

DISPUTE_LASTS = timedelta(days=14)


def sale_entries(tx: Tx, amount_cents: int, shipping_cents: int = 0, credit_cents: int = 0) -> dict[Account, int]:
    """Return the ledger sides of a sale: money at the processor, credit spent, revenue, shipping and VAT."""
    gross = amount_cents + credit_cents
    tax = included_vat(tx, gross)
    shipping = min(shipping_cents, gross - tax)
    return {
        "processor": amount_cents,
        "store_credit": credit_cents,
        "sales": -(gross - tax - shipping),
        "shipping": -shipping,
        "tax": -tax,
    }


def charge(
    tx: Tx,
    customer_id: str,
    amount_cents: int,
    *,
    order_id: str = "",
    subscription_id: str = "",
    description: str = "",
    card: Card | None = None,
    shipping_cents: int = 0,
    credit_cents: int = 0,
    refund_fails: str = "",
) -> Charge:
    """Charge the customer's card; an expired card is declined, and the declined charge is kept too."""
    customer = tx.get(Customer, customer_id)
    card = card or customer.card
    if card is None:
        raise Refusal(402, "card_missing", "This customer has no card on file.")
    if amount_cents < 0:
        raise Refusal(400, "amount_invalid", "amount_cents must not be below zero.", fields={"param": "amount_cents"})
    failure = "expired_card" if expired(card, tx.now) else ""
    taken = tx.add(
        Charge(
            customer_id=customer.id,
            order_id=order_id,
            subscription_id=subscription_id,
            amount_cents=amount_cents,
            currency=customer.currency,
            status="failed" if failure else "captured",
            description=description,
            card=card,
            failure_code=failure,
            refund_fails=refund_fails,
            created_at=tx.now,
        )
    )
    if failure:
        tx.emit(ChargeFailed(charge=taken.id, customer=customer.id, email=customer.email, failure_code=failure))
    else:
        post(
            tx,
            "charge",
            sale_entries(tx, amount_cents, shipping_cents, credit_cents),
            customer_id=customer.id,
            currency=customer.currency,
            charge_id=taken.id,
        )
    return taken


def refundable_cents(charge: Charge) -> int:
    """Return the amount that can still be refunded."""
    return charge.amount_cents - charge.refunded_cents if charge.status == "captured" else 0


def expired(card: Card, moment: datetime) -> bool:
    """Check whether a card has expired; cards are valid to the end of their month."""
    return (card.exp_year, card.exp_month) < (moment.year, moment.month)


def open_dispute(tx: Tx, charge_id: str, reason: DisputeReason = "fraudulent") -> Charge:
    """Open a dispute: the customer's bank takes back what was not yet refunded, until it decides."""
    charge = tx.get(Charge, charge_id)
    held = refundable_cents(charge)
    if not held:
        raise Refusal(409, "charge_not_disputable", f"Charge {charge.id} is {charge.status} with nothing left on it.")
    post(
        tx,
        "dispute_opened",
        {"disputed": held, "processor": -held},
        customer_id=charge.customer_id,
        currency=charge.currency,
        charge_id=charge.id,
    )
    email = tx.get(Customer, charge.customer_id).email
    tx.emit(ChargeDisputed(charge=charge.id, customer=charge.customer_id, email=email, reason=reason))
    return tx.change(
        charge,
        status="disputed",
        dispute_reason=reason,
        disputed_cents=held,
        disputed_at=tx.now,
        dispute_due_at=tx.now + DISPUTE_LASTS,
    )


def close_dispute(tx: Tx, charge_id: str, won: bool) -> Charge:
    """Close a dispute: the money goes back to the company, or stays with the customer permanently."""
    charge = tx.get(Charge, charge_id)
    if charge.status != "disputed":
        raise Refusal(409, "charge_not_disputed", f"Charge {charge.id} is not disputed.")
    held = charge.disputed_cents
    post(
        tx,
        "dispute_won" if won else "dispute_lost",
        {"processor": held, "disputed": -held} if won else {"dispute_losses": held, "disputed": -held},
        customer_id=charge.customer_id,
        currency=charge.currency,
        charge_id=charge.id,
    )
    email = tx.get(Customer, charge.customer_id).email
    tx.emit(DisputeClosed(charge=charge.id, customer=charge.customer_id, email=email, won=won))
    return tx.change(
        charge,
        status="captured" if won else "charged_back",
        disputed_cents=0 if won else held,
        dispute_due_at=None,
    )
