"""Charges, refunds, credits, approvals, subscriptions and the ledger, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.rules.charges import refundable_cents
from diorama.apps.backoffice.schema import (
    Account,
    Approval,
    ApprovalKind,
    ApprovalStatus,
    Card,
    Charge,
    ChargeStatus,
    Credit,
    CreditReason,
    CreditStatus,
    Destination,
    Entry,
    Plan,
    Postal,
    Posting,
    PostingKind,
    Refund,
    RefundReason,
    RefundStatus,
    Subscription,
    SubscriptionStatus,
)
from diorama.apps.backoffice.wire.people import Shown, seconds, seconds_or_none


class DisputeView(msgspec.Struct, frozen=True, kw_only=True):
    """What the customer's bank says."""

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


class RefundView(Shown, frozen=True, kw_only=True, tag="refund"):
    """Money on its way back."""

    id: str
    charge_id: str
    order_id: str | None
    customer_id: str
    amount_cents: int
    currency: str
    reason: RefundReason
    note: str | None
    destination: Destination
    status: RefundStatus
    failure_code: str | None
    approval_id: str | None
    credit_id: str | None
    created_by: str
    settled_at: datetime | None
    created_at: datetime


class CreditView(Shown, frozen=True, kw_only=True, tag="credit"):
    """Store credit."""

    id: str
    customer_id: str
    order_id: str | None
    amount_cents: int
    remaining_cents: int
    currency: str
    reason: CreditReason
    note: str | None
    status: CreditStatus
    approval_id: str | None
    created_by: str
    created_at: datetime


class ApprovalView(Shown, frozen=True, kw_only=True, tag="approval"):
    """A question to a lead, and the answer."""

    id: str
    kind: ApprovalKind
    customer_id: str
    subject: str
    amount_cents: int
    currency: str
    reason: str
    justification: str
    status: ApprovalStatus
    requested_by: str
    assigned_to: str | None
    decided_by: str | None
    decided_at: datetime | None
    decision_note: str | None
    expires_at: datetime | None
    created_at: datetime


class PlanView(Shown, frozen=True, kw_only=True, tag="plan"):
    """A subscription that can be bought."""

    code: str
    name: str
    sku: str
    bags: int
    price_cents: int
    currency: str
    interval_weeks: int
    active: bool


class SubscriptionView(Shown, frozen=True, kw_only=True, tag="subscription"):
    """Coffee that comes by itself."""

    id: str
    customer_id: str
    plan: str
    status: SubscriptionStatus
    grind: str
    shipping_address: Postal
    next_renewal_at: datetime | None
    resumes_at: datetime | None
    cancel_at_renewal: bool
    cancel_reason: str | None
    cancelled_at: datetime | None
    failed_attempts: int
    renewals: int
    last_order_id: str | None
    created_at: datetime
    updated_at: datetime


class EntryView(Shown, frozen=True, kw_only=True, tag="ledger_entry"):
    """One side of a movement of money, with the movement it belongs to."""

    id: str
    posting_id: str
    kind: PostingKind
    account: Account
    amount_cents: int
    currency: str
    customer_id: str
    charge_id: str | None
    refund_id: str | None
    credit_id: str | None
    by: str
    created_at: datetime


class BalanceView(Shown, frozen=True, kw_only=True, tag="balance"):
    """What stands on one account."""

    account: str
    currency: str
    amount_cents: int


def charge_view(charge: Charge) -> ChargeView:
    """The shape of a charge; what the bank will answer to a refund stays inside."""
    dispute = None
    if charge.dispute_reason:
        dispute = DisputeView(
            reason=charge.dispute_reason,
            opened_at=seconds_or_none(charge.disputed_at),
            due_at=seconds_or_none(charge.dispute_due_at),
        )
    return ChargeView(
        id=charge.id,
        customer_id=charge.customer_id,
        order_id=charge.order_id or None,
        subscription_id=charge.subscription_id or None,
        amount_cents=charge.amount_cents,
        refunded_cents=charge.refunded_cents,
        refundable_cents=refundable_cents(charge),
        currency=charge.currency,
        status=charge.status,
        description=charge.description,
        card=charge.card,
        failure_code=charge.failure_code or None,
        dispute=dispute,
        created_at=seconds(charge.created_at),
    )


def refund_view(refund: Refund) -> RefundView:
    """The shape of a refund."""
    return RefundView(
        id=refund.id,
        charge_id=refund.charge_id,
        order_id=refund.order_id or None,
        customer_id=refund.customer_id,
        amount_cents=refund.amount_cents,
        currency=refund.currency,
        reason=refund.reason,
        note=refund.note or None,
        destination=refund.destination,
        status=refund.status,
        failure_code=refund.failure_code or None,
        approval_id=refund.approval_id or None,
        credit_id=refund.credit_id or None,
        created_by=refund.created_by,
        settled_at=seconds_or_none(refund.settled_at),
        created_at=seconds(refund.created_at),
    )


def credit_view(credit: Credit) -> CreditView:
    """The shape of store credit."""
    return CreditView(
        id=credit.id,
        customer_id=credit.customer_id,
        order_id=credit.order_id or None,
        amount_cents=credit.amount_cents,
        remaining_cents=credit.remaining_cents,
        currency=credit.currency,
        reason=credit.reason,
        note=credit.note or None,
        status=credit.status,
        approval_id=credit.approval_id or None,
        created_by=credit.created_by,
        created_at=seconds(credit.created_at),
    )


def approval_view(approval: Approval) -> ApprovalView:
    """The shape of an approval."""
    return ApprovalView(
        id=approval.id,
        kind=approval.kind,
        customer_id=approval.customer_id,
        subject=approval.subject,
        amount_cents=approval.amount_cents,
        currency=approval.currency,
        reason=approval.reason,
        justification=approval.justification,
        status=approval.status,
        requested_by=approval.requested_by,
        assigned_to=approval.assigned_to or None,
        decided_by=approval.decided_by or None,
        decided_at=seconds_or_none(approval.decided_at),
        decision_note=approval.decision_note or None,
        expires_at=seconds_or_none(approval.expires_at),
        created_at=seconds(approval.created_at),
    )


def plan_view(plan: Plan) -> PlanView:
    """The shape of a plan."""
    return PlanView(
        code=plan.code,
        name=plan.name,
        sku=plan.sku,
        bags=plan.bags,
        price_cents=plan.price_cents,
        currency=plan.currency,
        interval_weeks=plan.interval_weeks,
        active=plan.active,
    )


def subscription_view(subscription: Subscription) -> SubscriptionView:
    """The shape of a subscription."""
    return SubscriptionView(
        id=subscription.id,
        customer_id=subscription.customer_id,
        plan=subscription.plan_code,
        status=subscription.status,
        grind=subscription.grind,
        shipping_address=subscription.shipping_address,
        next_renewal_at=seconds_or_none(subscription.next_renewal_at),
        resumes_at=seconds_or_none(subscription.resumes_at),
        cancel_at_renewal=subscription.cancel_at_renewal,
        cancel_reason=subscription.cancel_reason or None,
        cancelled_at=seconds_or_none(subscription.cancelled_at),
        failed_attempts=subscription.failed_attempts,
        renewals=subscription.renewals,
        last_order_id=subscription.last_order_id or None,
        created_at=seconds(subscription.created_at),
        updated_at=seconds(subscription.updated_at),
    )


def entry_view(entry: Entry, posting: Posting) -> EntryView:
    """The shape of a ledger entry."""
    return EntryView(
        id=entry.id,
        posting_id=posting.id,
        kind=posting.kind,
        account=entry.account,
        amount_cents=entry.amount_cents,
        currency=entry.currency,
        customer_id=entry.customer_id,
        charge_id=posting.charge_id or None,
        refund_id=posting.refund_id or None,
        credit_id=posting.credit_id or None,
        by=posting.by,
        created_at=seconds(entry.at),
    )
