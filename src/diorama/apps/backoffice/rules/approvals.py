"""Ask a lead for an approval, decide it, and use it."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.policies import current_policy, policy_of
from diorama.apps.backoffice.rules.settings import next_working_moment, settings
from diorama.apps.backoffice.schema import (
    APP,
    Approval,
    ApprovalDecided,
    ApprovalKind,
    ApprovalRequested,
    Charge,
    Customer,
    Policy,
    Product,
    Refund,
    Shipment,
    Staff,
    Unit,
)
from diorama.kernel import Refusal, Tx

APPROVAL_LASTS = timedelta(days=3)
LATE_AFTER = timedelta(days=7)


def request_approval(
    tx: Tx,
    kind: ApprovalKind,
    subject: str,
    *,
    amount_cents: int = 0,
    reason: str,
    justification: str,
) -> Approval:
    """Request approval to refund a charge, credit a customer or replace a unit out of warranty."""
    current_policy(tx)
    customer_id, currency = _about(tx, kind, subject)
    if kind != "replacement" and amount_cents <= 0:
        raise Refusal(400, "amount_invalid", "amount_cents must be above zero.", fields={"param": "amount_cents"})
    if not justification.strip():
        raise Refusal(400, "justification_missing", "Say why the lead should agree.", fields={"param": "justification"})
    if twin := tx.first(Approval, "kind = ? AND subject = ? AND status = 'pending'", kind, subject):
        raise Refusal(409, "approval_pending", f"{twin.id} already asks for this and is not decided yet.")
    lead = tx.first(
        Staff, "role IN ('lead', 'manager') AND active = 1 AND email != ?", tx.actor.name, order="role, email"
    )
    approval = tx.add(
        Approval(
            kind=kind,
            customer_id=customer_id,
            subject=subject,
            amount_cents=amount_cents,
            currency=currency,
            reason=reason,
            justification=justification,
            requested_by=tx.actor.name,
            assigned_to=lead.email if lead else "",
            created_at=tx.now,
        )
    )
    if lead:
        tx.at(_answer_moment(tx, approval), review_approval, approval_id=approval.id)
    tx.emit(
        ApprovalRequested(
            approval=approval.id, kind=kind, requested_by=approval.requested_by, assigned_to=approval.assigned_to
        )
    )
    return approval


@APP.command
def review_approval(tx: Tx, approval_id: str) -> None:
    """Decide a pending approval as the lead would, from the facts."""
    approval = tx.get(Approval, approval_id)
    if approval.status == "pending":
        approved, note = _assess(tx, approval)
        _answer(tx, approval, approved, note, approval.assigned_to)


def decide_approval(tx: Tx, approval_id: str, approve: bool, note: str = "") -> Approval:
    """Decide an approval by hand; the requester cannot decide their own."""
    approval = tx.get(Approval, approval_id)
    if not current_policy(tx).decides_approvals:
        raise Refusal(403, "not_allowed", "Only a lead may decide an approval.")
    if approval.requested_by == tx.actor.name:
        raise Refusal(403, "own_approval", "You cannot decide your own request.")
    if approval.status != "pending":
        raise Refusal(409, "approval_decided", f"This approval is {approval.status} already.")
    return _answer(tx, approval, approve, note, tx.actor.name)


def spend_approval(tx: Tx, approval_id: str, kind: ApprovalKind, subject: str, amount_cents: int = 0) -> Approval:
    """Use an approval once, for exactly what it was given for; raise 409 otherwise."""
    approval = tx.get(Approval, approval_id)
    wrong = ""
    if approval.kind != kind or approval.subject != subject:
        wrong = f"It was given for a {approval.kind} of {approval.subject}."
    elif approval.status != "approved":
        wrong = f"It is {approval.status}."
    elif approval.expires_at is not None and approval.expires_at < tx.now:
        wrong = "It has expired."
    elif amount_cents > approval.amount_cents:
        wrong = f"It was given for {approval.amount_cents} cents."
    if wrong:
        raise Refusal(
            409, "approval_unusable", f"Approval {approval.id} cannot be used. {wrong}", fields={"param": "approval_id"}
        )
    return tx.change(approval, status="used")


def _about(tx: Tx, kind: ApprovalKind, subject: str) -> tuple[str, str]:
    if kind == "refund":
        charge = tx.get(Charge, subject)
        return charge.customer_id, charge.currency
    if kind == "credit":
        customer = tx.get(Customer, subject)
        return customer.id, customer.currency
    return tx.get(Unit, subject).customer_id, settings(tx).currency


def _answer(tx: Tx, approval: Approval, approved: bool, note: str, by: str) -> Approval:
    tx.emit(
        ApprovalDecided(
            approval=approval.id, kind=approval.kind, requested_by=approval.requested_by, approved=approved, note=note
        )
    )
    return tx.change(
        approval,
        status="approved" if approved else "denied",
        decided_by=by,
        decided_at=tx.now,
        decision_note=note,
        expires_at=tx.now + APPROVAL_LASTS if approved else None,
    )


def _answer_moment(tx: Tx, approval: Approval) -> datetime:
    """Return when a lead answers: after some minutes, in working hours."""
    minutes = min(150.0, max(6.0, tx.dice("approval delay", approval.id).lognormal(22, 0.6)))
    return next_working_moment(tx, tx.now) + timedelta(seconds=round(minutes * 60))


def _assess(tx: Tx, approval: Approval) -> tuple[bool, str]:
    """Return the decision of a careful lead, based on the stored data and not on the justification."""
    limits = policy_of(tx, "lead")
    if approval.kind == "refund":
        return _assess_refund(tx, approval, limits)
    if approval.kind == "credit":
        customer = tx.get(Customer, approval.subject)
        limit = limits.vip_credit_limit_cents if customer.segment == "vip" else limits.credit_limit_cents
        if approval.amount_cents > limit:
            return False, f"Too much for goodwill. I can sign up to {limit} cents for this customer."
        return True, "Fine with me."
    unit = tx.get(Unit, approval.subject)
    product = tx.first(Product, "sku = ?", unit.sku)
    grace = timedelta(days=60 if tx.get(Customer, unit.customer_id).segment == "vip" else 30)
    if unit.status != "active":
        return False, f"Serial {unit.id} is {unit.status}, there is nothing to replace."
    if unit.warranty_until + grace < tx.now:
        name = product.name if product else unit.sku
        return False, f"Warranty of this {name} ended on {unit.warranty_until:%Y-%m-%d}. Offer a paid repair."
    return True, "Only just out of warranty. Go ahead."


def _assess_refund(tx: Tx, approval: Approval, limits: Policy) -> tuple[bool, str]:
    charge = tx.get(Charge, approval.subject)
    left = charge.amount_cents - charge.refunded_cents
    if charge.status != "captured":
        return False, f"The charge is {charge.status}. The bank decides about that money, not we."
    if approval.amount_cents > left:
        return False, f"Only {left} cents of this charge are left to refund."
    if approval.amount_cents > limits.refund_limit_cents:
        return False, "That is above what I may sign. Please take it to finance."
    if approval.reason == "goodwill" and approval.amount_cents * 2 > charge.amount_cents:
        return False, "Goodwill may not be more than half of what was paid."
    if approval.reason == "duplicate" and not _has_twin(tx, charge):
        return False, "I see no second charge of this amount for this customer."
    if approval.reason in ("not_received", "late_delivery") and charge.order_id:
        parcels = tx.all(Shipment, "order_id = ? AND replacement_id = ''", charge.order_id, order="created_at, id")
        if approval.reason == "not_received" and parcels and not any(_is_gone(tx, parcel) for parcel in parcels):
            return False, "The carrier does not say that this parcel is lost. Open a trace first."
    return True, "Approved."


def _has_twin(tx: Tx, charge: Charge) -> bool:
    twins = tx.all(
        Charge,
        "customer_id = ? AND amount_cents = ? AND id != ? AND status = 'captured'",
        charge.customer_id,
        charge.amount_cents,
        charge.id,
    )
    near = [twin for twin in twins if abs(twin.created_at - charge.created_at) <= timedelta(days=7)]
    return any(not tx.count(Refund, "charge_id = ? AND status != 'failed'", twin.id) for twin in near)


def _is_gone(tx: Tx, parcel: Shipment) -> bool:
    if parcel.status in ("lost", "returned"):
        return True
    return parcel.status == "in_transit" and parcel.estimated_at + LATE_AFTER < tx.now
