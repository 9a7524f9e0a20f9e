"""What was paid, given back, promised and asked for."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.people import Card, Postal
from diorama.kernel import Record
from diorama.kernel.ids import token

ChargeStatus = Literal["captured", "failed", "disputed", "charged_back"]
DisputeReason = Literal["fraudulent", "product_not_received", "product_unacceptable", "duplicate", "unrecognized"]
RefundReason = Literal[
    "billing_error",
    "cancelled_order",
    "defective",
    "duplicate",
    "goodwill",
    "late_delivery",
    "not_received",
    "returned",
    "subscription",
    "wrong_item",
]
RefundStatus = Literal["pending", "succeeded", "failed"]
Destination = Literal["original_payment", "store_credit"]
CreditReason = Literal["goodwill", "late_delivery", "service_failure", "refund", "promotion"]
CreditStatus = Literal["active", "spent", "voided"]
ApprovalKind = Literal["refund", "credit", "replacement"]
ApprovalStatus = Literal["pending", "approved", "denied", "used"]
SubscriptionStatus = Literal["active", "paused", "past_due", "cancelled"]
CancelReason = Literal["too_expensive", "too_much_coffee", "taste", "moving", "service", "payment_failed", "other"]
PostingKind = Literal[
    "charge",
    "refund_requested",
    "refund_succeeded",
    "refund_failed",
    "refund_to_credit",
    "credit_granted",
    "credit_voided",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
]
Account = Literal[
    "processor",
    "sales",
    "shipping",
    "tax",
    "refunds",
    "refunds_payable",
    "store_credit",
    "goodwill",
    "disputed",
    "dispute_losses",
]


@APP.record(
    "charges",
    ids=token("ch_"),
    index=[
        ("customer_id", "created_at"),
        ("order_id",),
        ("status", "created_at"),
        ("created_at",),
        ("subscription_id",),
    ],
)
class Charge(Record):
    """Money taken from a card; `refund_fails` is what the bank will answer to a refund, and never leaves the house."""

    id: str = ""
    customer_id: str
    order_id: str = ""
    subscription_id: str = ""
    amount_cents: int
    refunded_cents: int = 0
    currency: str = "EUR"
    status: ChargeStatus = "captured"
    description: str = ""
    card: Card
    failure_code: str = ""
    dispute_reason: str = ""
    disputed_cents: int = 0
    disputed_at: datetime | None = None
    dispute_due_at: datetime | None = None
    refund_fails: str = ""
    created_at: datetime


@APP.record(
    "refunds",
    ids=token("re_"),
    index=[("charge_id",), ("order_id",), ("customer_id", "created_at"), ("status", "created_at"), ("created_at",)],
)
class Refund(Record):
    """Money on its way back to the customer."""

    id: str = ""
    charge_id: str
    order_id: str = ""
    customer_id: str
    amount_cents: int
    currency: str = "EUR"
    reason: RefundReason
    note: str = ""
    destination: Destination = "original_payment"
    status: RefundStatus = "pending"
    failure_code: str = ""
    approval_id: str = ""
    credit_id: str = ""
    created_by: str
    settled_at: datetime | None = None
    created_at: datetime


@APP.record("credits", ids=token("cr_"), index=[("customer_id", "created_at"), ("created_at",)])
class Credit(Record):
    """Store credit: money that the customer may spend with the company."""

    id: str = ""
    customer_id: str
    order_id: str = ""
    amount_cents: int
    remaining_cents: int
    currency: str = "EUR"
    reason: CreditReason
    note: str = ""
    status: CreditStatus = "active"
    approval_id: str = ""
    created_by: str
    created_at: datetime


@APP.record(
    "approvals",
    ids=token("apr_"),
    index=[("status", "created_at"), ("customer_id", "created_at"), ("created_at",)],
)
class Approval(Record):
    """A question to a lead, and the answer: the right to do one thing once."""

    id: str = ""
    kind: ApprovalKind
    customer_id: str
    subject: str
    amount_cents: int = 0
    currency: str = "EUR"
    reason: str
    justification: str
    status: ApprovalStatus = "pending"
    requested_by: str
    assigned_to: str = ""
    decided_by: str = ""
    decided_at: datetime | None = None
    decision_note: str = ""
    expires_at: datetime | None = None
    created_at: datetime


@APP.record("plans", ids=token("pln_"), unique=[("code",)])
class Plan(Record):
    """A coffee subscription that can be bought."""

    id: str = ""
    code: str
    name: str
    sku: str
    bags: int
    price_cents: int
    currency: str = "EUR"
    interval_weeks: int
    active: bool = True


@APP.record(
    "subscriptions",
    ids=token("sub_"),
    index=[("customer_id", "created_at"), ("status", "next_renewal_at"), ("created_at",)],
)
class Subscription(Record):
    """Coffee that comes by itself; `timer` is the agenda's number of what happens to it next."""

    id: str = ""
    customer_id: str
    plan_code: str
    status: SubscriptionStatus = "active"
    grind: str = "whole_bean"
    shipping_address: Postal
    next_renewal_at: datetime | None
    resumes_at: datetime | None = None
    cancel_at_renewal: bool = False
    cancel_reason: str = ""
    cancelled_at: datetime | None = None
    failed_attempts: int = 0
    renewals: int = 0
    last_order_id: str = ""
    timer: int = 0
    created_at: datetime
    updated_at: datetime


@APP.record("postings", ids=token("pst_"), index=[("charge_id",), ("refund_id",)], append_only=True)
class Posting(Record):
    """One movement of money: why, for whom and by whom; its entries add up to nothing."""

    id: str = ""
    kind: PostingKind
    customer_id: str
    charge_id: str = ""
    refund_id: str = ""
    credit_id: str = ""
    by: str
    at: datetime


@APP.record(
    "ledger",
    ids=token("led_"),
    index=[("posting_id",), ("account", "at"), ("customer_id", "at"), ("at",)],
    append_only=True,
)
class Entry(Record):
    """One side of a movement: a debit is above zero, a credit below."""

    id: str = ""
    posting_id: str
    account: Account
    amount_cents: int
    currency: str
    customer_id: str
    at: datetime
