"""What the rows of one customer show about payments: refunds, failures, and the brands of cards."""

from __future__ import annotations

from diorama.apps.backoffice.schema import Charge, Customer, Refund, Subscription
from diorama.rewards.claims import Payment
from diorama.scenarios.customer_rows import CustomerRows


def payments_of(rows: CustomerRows) -> tuple[Payment, ...]:
    """Return the refunds of a customer, also those that failed."""
    return rows.once(
        "payments",
        lambda: tuple(
            Payment(one.amount_cents, one.destination, one.status, one.order_id, f"{one.created_at:%Y-%m-%d}")
            for one in rows.all(Refund)
        ),
        Refund,
    )


def any_failed(rows: CustomerRows) -> bool:
    """Check whether a row shows a failed or disputed payment, a failed refund, or a renewal that was tried again."""
    return rows.once("failed", lambda: _any_failed(rows), Charge, Refund, Subscription)


def _any_failed(rows: CustomerRows) -> bool:
    return (
        any(one.status in {"failed", "disputed"} for one in rows.all(Charge))
        or any(one.status == "failed" for one in rows.all(Refund))
        or any(one.failed_attempts or one.status == "past_due" for one in rows.all(Subscription))
    )


def brands_of(rows: CustomerRows) -> frozenset[str]:
    """Return the brands of the cards that a customer has or paid with."""
    return rows.once("brands", lambda: _brands(rows), Charge, Customer)


def _brands(rows: CustomerRows) -> frozenset[str]:
    cards = [*(one.card for one in rows.all(Customer)), *(one.card for one in rows.all(Charge))]
    return frozenset(str(one.brand) for one in cards if one is not None)
