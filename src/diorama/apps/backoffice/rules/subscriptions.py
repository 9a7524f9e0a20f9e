"""Subscriptions: renewed automatically until paused, cancelled or no longer paid."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.charges import charge, expired
from diorama.apps.backoffice.rules.customers import check_postal, default_address
from diorama.apps.backoffice.rules.orders import charges_of, place_order
from diorama.apps.backoffice.schema import (
    APP,
    AddressChanged,
    CancelReason,
    Customer,
    Plan,
    Postal,
    Subscription,
    SubscriptionCancelled,
    SubscriptionChanged,
    SubscriptionRenewed,
    SubscriptionStarted,
)
from diorama.kernel import Refusal, Tx

RETRY_AFTER = timedelta(days=3)
MAX_ATTEMPTS = 3


def plan(tx: Tx, code: str) -> Plan:
    """Return the plan with this code."""
    found = tx.first(Plan, "code = ?", code)
    if found is None:
        raise Refusal(400, "plan_unknown", f"No such plan: '{code}'", fields={"param": "plan"})
    return found


def subscribe(
    tx: Tx,
    customer_id: str,
    plan_code: str,
    *,
    option: str = "",
    address: Postal | None = None,
    first_renewal_at: datetime | None = None,
) -> Subscription:
    """Start a subscription, by default with the plan's first option; it is charged at once unless a day is given."""
    customer = tx.get(Customer, customer_id)
    chosen = plan(tx, plan_code)
    if not chosen.active:
        raise Refusal(409, "plan_inactive", f"Plan '{plan_code}' is no longer sold.", fields={"param": "plan"})
    option = _offered(chosen, option) if option else _kept(chosen, "")
    to = address or default_address(tx, customer_id)
    check_postal(to)
    subscription = tx.add(
        Subscription(
            customer_id=customer.id,
            plan_code=plan_code,
            option=option,
            shipping_address=to,
            next_renewal_at=first_renewal_at or tx.now,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    tx.emit(SubscriptionStarted(subscription=subscription.id, customer=customer.id, email=customer.email))
    if first_renewal_at is None:
        if customer.card is None or expired(customer.card, tx.now):
            raise Refusal(402, "card_missing", "This customer has no card that can be charged.")
        renew_subscription(tx, subscription.id)
        return tx.get(Subscription, subscription.id)
    return _set_timer(tx, subscription, first_renewal_at)


@APP.command
def renew_subscription(tx: Tx, subscription_id: str) -> None:
    """Charge and send the next delivery if the subscription is active and due."""
    subscription = tx.get(Subscription, subscription_id)
    due = subscription.next_renewal_at
    if subscription.status not in ("active", "past_due") or due is None or due > tx.now:
        return
    if subscription.cancel_at_renewal:
        _end(tx, subscription, subscription.cancel_reason)
        return
    customer = tx.get(Customer, subscription.customer_id)
    chosen = plan(tx, subscription.plan_code)
    if customer.card is None or expired(customer.card, tx.now):
        _declined(tx, subscription, customer, chosen)
        return
    order = place_order(
        tx,
        customer.id,
        [(chosen.sku, chosen.quantity)],
        address=subscription.shipping_address,
        channel="subscription",
        price_cents=chosen.price_cents,
        subscription_id=subscription.id,
    )
    subscription = tx.change(
        subscription,
        status="active",
        failed_attempts=0,
        renewals=subscription.renewals + 1,
        last_order_id=order.id,
        updated_at=tx.now,
    )
    _set_timer(tx, subscription, due + timedelta(weeks=chosen.interval_weeks))
    tx.emit(
        SubscriptionRenewed(
            subscription=subscription.id,
            order=order.id,
            charge=charges_of(tx, order.id)[0].id,
            customer=customer.id,
            email=customer.email,
            amount_cents=order.total_cents,
            currency=order.currency,
        )
    )


def pause_subscription(tx: Tx, subscription_id: str, until: datetime | None = None) -> Subscription:
    """Pause a subscription until a day, or until it is resumed."""
    subscription = _standing(tx, subscription_id)
    if subscription.status == "paused":
        raise Refusal(409, "subscription_paused", "This subscription is paused already.")
    if until is not None and until <= tx.now:
        raise Refusal(400, "resumes_at_past", "resumes_at must be in the future.", fields={"param": "resumes_at"})
    _stop_timer(tx, subscription)
    timer = tx.at(until, end_pause, subscription_id=subscription.id) if until else 0
    _announce(tx, subscription, "paused")
    return tx.change(
        subscription, status="paused", next_renewal_at=None, resumes_at=until, timer=timer, updated_at=tx.now
    )


@APP.command
def end_pause(tx: Tx, subscription_id: str) -> None:
    """Resume a subscription whose pause has ended."""
    subscription = tx.get(Subscription, subscription_id)
    if subscription.status == "paused" and subscription.resumes_at is not None and subscription.resumes_at <= tx.now:
        resume_subscription(tx, subscription_id)


def resume_subscription(tx: Tx, subscription_id: str, next_renewal_at: datetime | None = None) -> Subscription:
    """Resume a subscription; the next delivery is charged tomorrow unless another day is given."""
    subscription = _standing(tx, subscription_id)
    if subscription.status != "paused":
        raise Refusal(409, "subscription_not_paused", f"This subscription is {subscription.status}.")
    when = next_renewal_at or tx.now + timedelta(days=1)
    if when <= tx.now:
        raise Refusal(
            400, "next_renewal_past", "next_renewal_at must be in the future.", fields={"param": "next_renewal_at"}
        )
    _stop_timer(tx, subscription)
    _announce(tx, subscription, "resumed")
    return _set_timer(tx, tx.change(subscription, status="active", resumes_at=None, updated_at=tx.now), when)


def skip_renewal(tx: Tx, subscription_id: str) -> Subscription:
    """Skip the next delivery."""
    subscription = _standing(tx, subscription_id)
    if subscription.status != "active" or subscription.next_renewal_at is None:
        raise Refusal(409, "subscription_not_active", f"This subscription is {subscription.status}.")
    _stop_timer(tx, subscription)
    weeks = plan(tx, subscription.plan_code).interval_weeks
    _announce(tx, subscription, "skipped")
    later = subscription.next_renewal_at + timedelta(weeks=weeks)
    return _set_timer(tx, tx.change(subscription, updated_at=tx.now), later)


def change_plan(tx: Tx, subscription_id: str, plan_code: str, option: str = "") -> Subscription:
    """Change the plan from the next renewal on; without an option, keep the present one if the plan offers it."""
    subscription = _standing(tx, subscription_id)
    chosen = plan(tx, plan_code)
    if not chosen.active:
        raise Refusal(409, "plan_inactive", f"Plan '{plan_code}' is no longer sold.", fields={"param": "plan"})
    option = _offered(chosen, option) if option else _kept(chosen, subscription.option)
    _announce(tx, subscription, "plan_changed")
    return tx.change(subscription, plan_code=plan_code, option=option, updated_at=tx.now)


def change_subscription_address(tx: Tx, subscription_id: str, address: Postal) -> Subscription:
    """Change the address for the next deliveries; existing parcels keep their labels."""
    subscription = _standing(tx, subscription_id)
    check_postal(address)
    customer = tx.get(Customer, subscription.customer_id)
    tx.emit(AddressChanged(subject=subscription.id, customer=customer.id, email=customer.email, city=address.city))
    return tx.change(subscription, shipping_address=address, updated_at=tx.now)


def cancel_subscription(
    tx: Tx, subscription_id: str, *, reason: CancelReason = "other", at_renewal: bool = False
) -> Subscription:
    """Cancel a subscription now or at the next renewal; past charges are not refunded."""
    subscription = _standing(tx, subscription_id)
    if at_renewal and subscription.status == "active":
        _announce(tx, subscription, "cancels_at_renewal")
        return tx.change(subscription, cancel_at_renewal=True, cancel_reason=reason, updated_at=tx.now)
    return _end(tx, tx.change(subscription, cancel_at_renewal=False), reason)


def _standing(tx: Tx, subscription_id: str) -> Subscription:
    subscription = tx.get(Subscription, subscription_id)
    if subscription.status == "cancelled":
        raise Refusal(409, "subscription_cancelled", f"Subscription {subscription.id} is cancelled for good.")
    return subscription


def _end(tx: Tx, subscription: Subscription, reason: str) -> Subscription:
    _stop_timer(tx, subscription)
    email = tx.get(Customer, subscription.customer_id).email
    tx.emit(
        SubscriptionCancelled(
            subscription=subscription.id, customer=subscription.customer_id, email=email, reason=reason
        )
    )
    return tx.change(
        subscription,
        status="cancelled",
        next_renewal_at=None,
        resumes_at=None,
        cancel_reason=reason,
        cancelled_at=tx.now,
        timer=0,
        updated_at=tx.now,
    )


def _declined(tx: Tx, subscription: Subscription, customer: Customer, chosen: Plan) -> None:
    """Record a declined renewal; retry every three days, and cancel the subscription after the last attempt."""
    if customer.card is not None:
        charge(
            tx,
            customer.id,
            chosen.price_cents,
            subscription_id=subscription.id,
            description=f"{chosen.name} (declined)",
        )
    attempts = subscription.failed_attempts + 1
    if attempts >= MAX_ATTEMPTS:
        _end(tx, subscription, "payment_failed")
        return
    subscription = tx.change(subscription, status="past_due", failed_attempts=attempts, updated_at=tx.now)
    _set_timer(tx, subscription, tx.now + RETRY_AFTER)


def _set_timer(tx: Tx, subscription: Subscription, moment: datetime) -> Subscription:
    timer = tx.at(moment, renew_subscription, subscription_id=subscription.id)
    return tx.change(subscription, next_renewal_at=moment, timer=timer)


def _stop_timer(tx: Tx, subscription: Subscription) -> None:
    if subscription.timer:
        tx.cancel(subscription.timer)


def _offered(chosen: Plan, option: str) -> str:
    """Return an option if the plan offers it."""
    if option in chosen.options:
        return option
    offers = f"option must be one of {', '.join(chosen.options)}" if chosen.options else "it has no options"
    raise Refusal(400, "option_unknown", f"Plan '{chosen.code}': {offers}.", fields={"param": "option"})


def _kept(chosen: Plan, option: str) -> str:
    """Return an option if the plan offers it, else the plan's first option, or "" if it has none."""
    return option if option in chosen.options else next(iter(chosen.options), "")


def _announce(tx: Tx, subscription: Subscription, what: str) -> None:
    email = tx.get(Customer, subscription.customer_id).email
    tx.emit(
        SubscriptionChanged(subscription=subscription.id, customer=subscription.customer_id, email=email, what=what)
    )
