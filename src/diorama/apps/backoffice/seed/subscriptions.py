"""Past subscriptions, with an order for every renewal."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.rules.subscriptions import plan, renew_subscription
from diorama.apps.backoffice.schema import Customer, Subscription, SubscriptionStatus
from diorama.apps.backoffice.seed.orders import History, add_order_history
from diorama.kernel import Tx


def add_subscription_history(
    tx: Tx,
    customer: Customer,
    plan_code: str,
    started_at: datetime,
    *,
    status: SubscriptionStatus = "active",
    option: str = "",
    ended_at: datetime | None = None,
    cancel_reason: str = "",
    next_renewal_at: datetime | None = None,
    renewals: bool = True,
    live: bool = True,
) -> tuple[Subscription, list[History]]:
    """Add a subscription started on a past day, with an order for every renewal; `live` keeps it renewing.

    Without an option it has the plan's first.
    """
    chosen = plan(tx, plan_code)
    postal = default_address(tx, customer.id)
    step = timedelta(weeks=chosen.interval_weeks)
    end = min(ended_at or tx.now, tx.now)
    days = [started_at + step * count for count in range((end - started_at) // step + 1)] if end >= started_at else []
    due = next_renewal_at or started_at + step * len(days)
    over = ended_at if status == "cancelled" and ended_at is not None else started_at
    running = status in ("active", "past_due")
    subscription = tx.add(
        Subscription(
            customer_id=customer.id,
            plan_code=plan_code,
            status=status,
            option=option or next(iter(chosen.options), ""),
            shipping_address=postal,
            next_renewal_at=due if running else None,
            cancel_reason=cancel_reason,
            cancelled_at=ended_at if status == "cancelled" else None,
            renewals=len(days),
            created_at=started_at,
            updated_at=max(over, days[-1] if days else started_at),
        )
    )
    if running and live:
        subscription = tx.change(subscription, timer=tx.at(due, renew_subscription, subscription_id=subscription.id))
    past = []
    for day in days if renewals else ():
        past.append(add_renewal_history(tx, customer, subscription, day, live=live))
    return (tx.change(subscription, last_order_id=past[-1].order.id) if past else subscription), past


def add_renewal_history(
    tx: Tx, customer: Customer, subscription: Subscription, at: datetime, *, live: bool = True
) -> History:
    """Add one past renewal of a subscription."""
    chosen = plan(tx, subscription.plan_code)
    return add_order_history(
        tx,
        customer,
        [(chosen.sku, chosen.quantity)],
        at,
        address=subscription.shipping_address,
        channel="subscription",
        subscription_id=subscription.id,
        price_cents=chosen.price_cents,
        live=live,
    )
