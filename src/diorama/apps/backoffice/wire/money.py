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
from diorama.apps.backoffice.wire.people import Shown, shown


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
        opened, due = charge.disputed_at, charge.dispute_due_at
        dispute = shown(DisputeView, charge, reason=charge.dispute_reason, opened_at=opened, due_at=due)
    return shown(ChargeView, charge, refundable_cents=refundable_cents(charge), dispute=dispute)


def refund_view(refund: Refund) -> RefundView:
    """The shape of a refund."""
    return shown(RefundView, refund)


def credit_view(credit: Credit) -> CreditView:
    """The shape of store credit."""
    return shown(CreditView, credit)


def approval_view(approval: Approval) -> ApprovalView:
    """The shape of an approval."""
    return shown(ApprovalView, approval)


def plan_view(plan: Plan) -> PlanView:
    """The shape of a plan."""
    return shown(PlanView, plan)


def subscription_view(subscription: Subscription) -> SubscriptionView:
    """The shape of a subscription."""
    return shown(SubscriptionView, subscription, plan=subscription.plan_code)


def entry_view(entry: Entry, posting: Posting) -> EntryView:
    """The shape of a ledger entry."""
    return shown(
        EntryView,
        entry,
        posting_id=posting.id,
        kind=posting.kind,
        charge_id=posting.charge_id,
        refund_id=posting.refund_id,
        credit_id=posting.credit_id,
        by=posting.by,
        created_at=entry.at,
    )
