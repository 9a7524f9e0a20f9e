"""Plans and subscriptions, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Plan, Postal, Subscription, SubscriptionStatus
from diorama.apps.backoffice.wire.shapes import Shown, shown


class PlanView(Shown, frozen=True, kw_only=True, tag="plan"):
    """A subscription plan."""

    code: str
    name: str
    sku: str
    quantity: int
    price_cents: int
    currency: str
    interval_weeks: int
    options: tuple[str, ...]
    active: bool


class SubscriptionView(Shown, frozen=True, kw_only=True, tag="subscription"):
    """A subscription to goods that are sent regularly."""

    id: str
    customer_id: str
    plan: str
    status: SubscriptionStatus
    option: str
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


def plan_view(plan: Plan) -> PlanView:
    """Build the reply model of a plan."""
    return shown(PlanView, plan)


def subscription_view(subscription: Subscription) -> SubscriptionView:
    """Build the reply model of a subscription."""
    return shown(SubscriptionView, subscription, plan=subscription.plan_code)
