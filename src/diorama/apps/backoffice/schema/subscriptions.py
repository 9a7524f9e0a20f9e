"""Plans and subscriptions."""

from datetime import datetime
from typing import Literal

from diorama.apps.backoffice.schema.app import APP
from diorama.apps.backoffice.schema.customers import Postal
from diorama.kernel import Record
from diorama.kernel.ids import token

SubscriptionStatus = Literal["active", "paused", "past_due", "cancelled"]
CancelReason = Literal["too_expensive", "too_much", "taste", "moving", "service", "payment_failed", "other"]


@APP.record("plans", ids=token("pln_"), unique=[("code",)], cached=True)
class Plan(Record):
    """A subscription plan."""

    id: str = ""
    code: str
    name: str
    sku: str
    quantity: int
    price_cents: int
    currency: str
    interval_weeks: int
    options: tuple[str, ...] = ()
    """What a subscriber chooses one of, such as a size; empty: nothing to choose."""
    active: bool = True


@APP.record(
    "subscriptions",
    ids=token("sub_"),
    index=[("customer_id", "created_at"), ("status", "next_renewal_at"), ("created_at",)],
)
class Subscription(Record):
    """A subscription to goods that are sent regularly; `timer` is the id of its next entry on the agenda."""

    id: str = ""
    customer_id: str
    plan_code: str
    status: SubscriptionStatus = "active"
    option: str = ""
    """One of the plan's options; "" if it has none."""
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
