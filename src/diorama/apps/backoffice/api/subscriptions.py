"""Subscriptions and plans."""

from diorama.apps.backoffice.api.request_parts import Body, Moment, Word, customer_filter, future_moment
from diorama.apps.backoffice.rules import subscriptions
from diorama.apps.backoffice.schema import APP, CancelReason, Plan, Postal, Subscription, SubscriptionStatus
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.subscriptions import PlanView, SubscriptionView, plan_view, subscription_view
from diorama.kernel import Refusal, Tx


@APP.get("/api/v1/plans", tags=("subscriptions",))
def list_plans(tx: Tx) -> Listing[PlanView]:
    """List the subscriptions that exist."""
    return Listing(
        url="/api/v1/plans", has_more=False, data=[plan_view(plan) for plan in tx.all(Plan, order="price_cents, code")]
    )


@APP.get("/api/v1/plans/{code}", tags=("subscriptions",))
def get_plan(tx: Tx, code: str) -> PlanView:
    """Get one plan by its code."""
    found = tx.first(Plan, "code = ?", code)
    if found is None:
        raise Refusal(404, "resource_missing", f"No such plan: '{code}'", fields={"param": "code"})
    return plan_view(found)


class NewSubscription(Body, frozen=True, kw_only=True):
    """The body that starts a subscription; without a first day it is charged now, with the plan's first option."""

    customer_id: Word
    plan: Word
    option: Word = ""
    address: Postal | None = None
    first_renewal_at: Moment | None = None


class Pause(Body, frozen=True, kw_only=True):
    """The end of a pause; without a day, the pause lasts until the subscription is resumed."""

    resumes_at: Moment | None = None


class Resumption(Body, frozen=True, kw_only=True):
    """The day of the next charge; without a day, tomorrow."""

    next_renewal_at: Moment | None = None


class PlanChange(Body, frozen=True, kw_only=True):
    """The plan to use from the next renewal on; without an option, the present one is kept if the plan offers it."""

    plan: Word
    option: Word = ""


class SubscriptionAddress(Body, frozen=True, kw_only=True):
    """The address for the next deliveries."""

    address: Postal


class SubscriptionEnd(Body, frozen=True, kw_only=True):
    """Why a subscription ends, and whether it ends now or at the next renewal."""

    reason: CancelReason = "other"
    at_renewal: bool = False


@APP.get("/api/v1/subscriptions", tags=("subscriptions",))
def list_subscriptions(
    tx: Tx,
    page: Page,
    customer: str | None = None,
    email: str | None = None,
    status: SubscriptionStatus | None = None,
    plan: str | None = None,
) -> Listing[SubscriptionView]:
    """List subscriptions, newest first."""
    filters = [
        ("customer_id = ?", customer_filter(tx, customer, email)),
        ("status = ?", status),
        ("plan_code = ?", plan),
    ]
    return listing(tx, Subscription, page, subscription_view, filters)


@APP.post("/api/v1/subscriptions", status=201, idempotent=True, seconds=1.5, tags=("subscriptions",))
def create_subscription(tx: Tx, body: NewSubscription) -> SubscriptionView:
    """Start a subscription."""
    return subscription_view(
        subscriptions.subscribe(
            tx,
            body.customer_id,
            body.plan,
            option=body.option,
            address=body.address,
            first_renewal_at=future_moment(tx, body.first_renewal_at, "first_renewal_at"),
        )
    )


@APP.get("/api/v1/subscriptions/{subscription_id}", tags=("subscriptions",))
def get_subscription(tx: Tx, subscription_id: str) -> SubscriptionView:
    """Get one subscription."""
    return subscription_view(tx.get(Subscription, subscription_id))


@APP.post("/api/v1/subscriptions/{subscription_id}/pause", tags=("subscriptions",))
def pause_subscription(tx: Tx, subscription_id: str, body: Pause) -> SubscriptionView:
    """Pause a subscription: nothing is sent or charged until it resumes."""
    until = future_moment(tx, body.resumes_at, "resumes_at")
    return subscription_view(subscriptions.pause_subscription(tx, subscription_id, until))


@APP.post("/api/v1/subscriptions/{subscription_id}/resume", tags=("subscriptions",))
def resume_subscription(tx: Tx, subscription_id: str, body: Resumption) -> SubscriptionView:
    """Resume a paused subscription."""
    when = future_moment(tx, body.next_renewal_at, "next_renewal_at")
    return subscription_view(subscriptions.resume_subscription(tx, subscription_id, when))


@APP.post("/api/v1/subscriptions/{subscription_id}/skip", tags=("subscriptions",))
def skip_subscription(tx: Tx, subscription_id: str) -> SubscriptionView:
    """Skip the next delivery."""
    return subscription_view(subscriptions.skip_renewal(tx, subscription_id))


@APP.post("/api/v1/subscriptions/{subscription_id}/plan", tags=("subscriptions",))
def change_subscription_plan(tx: Tx, subscription_id: str, body: PlanChange) -> SubscriptionView:
    """Change to another plan from the next renewal on; nothing is charged today."""
    return subscription_view(subscriptions.change_plan(tx, subscription_id, body.plan, body.option))


@APP.post("/api/v1/subscriptions/{subscription_id}/address", tags=("subscriptions",))
def change_subscription_address(tx: Tx, subscription_id: str, body: SubscriptionAddress) -> SubscriptionView:
    """Change the address for the next deliveries."""
    return subscription_view(subscriptions.change_subscription_address(tx, subscription_id, body.address))


@APP.post("/api/v1/subscriptions/{subscription_id}/cancel", tags=("subscriptions",))
def cancel_subscription(tx: Tx, subscription_id: str, body: SubscriptionEnd) -> SubscriptionView:
    """Cancel a subscription permanently; past charges are refunded separately."""
    return subscription_view(
        subscriptions.cancel_subscription(tx, subscription_id, reason=body.reason, at_renewal=body.at_renewal)
    )
