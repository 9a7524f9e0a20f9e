"""Refunds: never more than was paid, never without authority, and not during a dispute."""

from datetime import timedelta
from typing import Any

from diorama.apps.backoffice.rules.approvals import spend_approval
from diorama.apps.backoffice.rules.charges import refundable_cents
from diorama.apps.backoffice.rules.credits import issue_credit
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.policies import current_policy, require_approval
from diorama.apps.backoffice.schema import (
    APP,
    Charge,
    Credit,
    Customer,
    Destination,
    Refund,
    RefundFailed,
    RefundReason,
    RefundRequested,
    RefundSucceeded,
)
from diorama.kernel import Refusal, Tx

SETTLES_AFTER_MINUTES = (4, 35)


def refund(
    tx: Tx,
    charge_id: str,
    amount_cents: int | None = None,
    *,
    reason: RefundReason,
    note: str = "",
    destination: Destination = "original_payment",
    approval_id: str = "",
) -> Refund:
    """Refund a charge, fully (no amount) or partly; above the actor's limit it needs an approval."""
    charge = tx.get(Charge, charge_id)
    amount = _possible_amount(charge, amount_cents)
    _with_authority(tx, charge, amount, approval_id)
    made = tx.add(
        Refund(
            charge_id=charge.id,
            order_id=charge.order_id,
            customer_id=charge.customer_id,
            amount_cents=amount,
            currency=charge.currency,
            reason=reason,
            note=note,
            destination=destination,
            approval_id=approval_id,
            created_by=tx.actor.name,
            created_at=tx.now,
        )
    )
    tx.change(charge, refunded_cents=charge.refunded_cents + amount)
    _announce(tx, RefundRequested, made)
    if destination == "store_credit":
        return _as_credit(tx, made)
    post(
        tx,
        "refund_requested",
        {"refunds": amount, "refunds_payable": -amount},
        customer_id=charge.customer_id,
        currency=charge.currency,
        charge_id=charge.id,
        refund_id=made.id,
    )
    minutes = tx.dice("refund settles", made.id).integer(*SETTLES_AFTER_MINUTES)
    tx.later(timedelta(minutes=minutes), settle_refund, refund_id=made.id)
    return made


@APP.command
def settle_refund(tx: Tx, refund_id: str) -> None:
    """Settle a refund: the payment processor reports that it succeeded or that the bank rejected it."""
    refund = tx.get(Refund, refund_id)
    if refund.status != "pending":
        return
    charge = tx.get(Charge, refund.charge_id)
    amount = refund.amount_cents
    failed = charge.refund_fails
    post(
        tx,
        "refund_failed" if failed else "refund_succeeded",
        {"refunds_payable": amount, "refunds" if failed else "processor": -amount},
        customer_id=refund.customer_id,
        currency=refund.currency,
        charge_id=charge.id,
        refund_id=refund.id,
    )
    if failed:
        tx.change(charge, refunded_cents=charge.refunded_cents - amount)
        tx.change(refund, status="failed", failure_code=failed, settled_at=tx.now)
        _announce(tx, RefundFailed, refund, failure_code=failed)
    else:
        tx.change(refund, status="succeeded", settled_at=tx.now)
        _announce(tx, RefundSucceeded, refund)


def _possible_amount(charge: Charge, asked: int | None) -> int:
    if charge.status == "disputed":
        raise Refusal(
            409,
            "charge_disputed",
            f"Charge {charge.id} is disputed since {charge.disputed_at:%Y-%m-%d}. The bank holds the money, "
            "it cannot be refunded until the dispute is closed.",
            fields={"param": "charge_id"},
        )
    if charge.status != "captured":
        raise Refusal(
            409, "charge_not_captured", f"Charge {charge.id} is {charge.status}.", fields={"param": "charge_id"}
        )
    left = refundable_cents(charge)
    amount = left if asked is None else asked
    if left == 0:
        raise Refusal(
            409,
            "charge_already_refunded",
            f"Charge {charge.id} has already been refunded.",
            fields={"param": "charge_id"},
        )
    if amount <= 0:
        raise Refusal(400, "amount_invalid", "amount_cents must be above zero.", fields={"param": "amount_cents"})
    if amount > left:
        raise Refusal(
            400,
            "amount_too_large",
            f"Refund amount ({amount}) is greater than what is left on the charge ({left}).",
            fields={"param": "amount_cents"},
        )
    return amount


def _with_authority(tx: Tx, charge: Charge, amount: int, approval_id: str) -> None:
    """Check the limit against all refunds of the charge made without approval, so splitting cannot bypass it."""
    if approval_id:
        current_policy(tx)
        spend_approval(tx, approval_id, "refund", charge.id, amount)
        return
    limit = current_policy(tx).refund_limit_cents
    earlier = tx.all(Refund, "charge_id = ? AND status != 'failed' AND approval_id = ''", charge.id)
    if sum(refund.amount_cents for refund in earlier) + amount > limit:
        require_approval(f"A refund of {amount} cents on this charge needs an approval.", limit, charge.currency)


def _as_credit(tx: Tx, refund: Refund) -> Refund:
    credit = Credit(
        customer_id=refund.customer_id,
        order_id=refund.order_id,
        amount_cents=refund.amount_cents,
        remaining_cents=refund.amount_cents,
        currency=refund.currency,
        reason="refund",
        note=refund.note,
        approval_id=refund.approval_id,
        created_by=refund.created_by,
        created_at=tx.now,
    )
    credit = issue_credit(tx, credit, "refund_to_credit", "refunds", charge_id=refund.charge_id, refund_id=refund.id)
    refund = tx.change(refund, status="succeeded", credit_id=credit.id, settled_at=tx.now)
    _announce(tx, RefundSucceeded, refund)
    return refund


def _announce(
    tx: Tx, notice: type[RefundRequested | RefundFailed | RefundSucceeded], refund: Refund, **more: Any
) -> None:
    tx.emit(
        notice(
            refund=refund.id,
            charge=refund.charge_id,
            customer=refund.customer_id,
            email=tx.get(Customer, refund.customer_id).email,
            amount_cents=refund.amount_cents,
            currency=refund.currency,
            **more,
        )
    )
