"""The back office's share of the chronicle: what happened to orders, and the rows that tell it."""

from __future__ import annotations

from diorama.apps.backoffice.schema import Customer, Refund, Replacement, Return, Subscription
from diorama.apps.backoffice.seed.orders import History
from diorama.kernel import Tx
from diorama.worlds.chronicle import Chronicle, Happening, Known

ENDS = {"delivered": "delivered", "returned": "came_back", "lost": "lost"}
"""What happened to a parcel, by its status."""


def chronicle_order(chronicle: Chronicle, customer: Customer, history: History) -> Happening:
    """Add an order and its parcel to the chronicle; return the order."""
    order, parcel, number = history.order, history.shipment, history.order.number
    goods = ", ".join(f"{line.quantity} x {line.sku}" for line in history.lines)
    first = chronicle.latest(order.subscription_id, order.created_at) if order.subscription_id else None
    ordered = chronicle.add("ordered", order.created_at, [customer.email], number, cause=first, goods=goods)
    chronicle.told(ordered, order, history.charge)
    if order.cancelled_at is not None:
        cancelled = chronicle.add("cancelled", order.cancelled_at, [customer.email], number, cause=ordered)
        chronicle.told(cancelled, order)
    if parcel is None:
        return ordered
    sent = ordered
    if parcel.handed_over_at is not None:
        due = parcel.estimated_at.date().isoformat()
        sent = chronicle.add("sent", parcel.handed_over_at, [], number, cause=ordered, carrier=parcel.carrier, due=due)
        chronicle.told(sent, parcel)
        chronicle.learn(sent, customer.email, parcel.handed_over_at, "mail")
    if parcel.status in ENDS:
        at = parcel.closed_at or parcel.estimated_at
        learned = [Known(customer.email, at, "parcel")] if parcel.status == "delivered" else []
        chronicle.told(chronicle.add(ENDS[parcel.status], at, [], number, cause=sent, learned=learned), parcel)
    return ordered


def chronicle_refund(chronicle: Chronicle, number: str, refund: Refund, by: str) -> None:
    """Add the refund of an order."""
    cause = chronicle.latest(number, refund.created_at)
    cents = str(refund.amount_cents)
    made = chronicle.add("refunded", refund.created_at, [by], number, cause=cause, reason=refund.reason, cents=cents)
    chronicle.told(made, refund)


def chronicle_aftermath(tx: Tx, chronicle: Chronicle, numbers: dict[str, str]) -> None:
    """Add the returns, replacements and subscriptions of the back office; `numbers` are those of orders by id."""
    for back in tx.all(Return, order="created_at"):
        number = numbers[back.order_id]
        cause = chronicle.latest(number, back.created_at)
        opened = chronicle.add(
            "return_opened", back.created_at, [back.created_by], number, cause=cause, reason=back.reason
        )
        chronicle.told(opened, back)
        if back.received_at is not None:
            came = chronicle.add("return_received", back.received_at, [], number, cause=opened)
            chronicle.told(came, back)
    for new in tx.all(Replacement, order="created_at"):
        number = numbers[new.order_id]
        cause = chronicle.latest(number, new.created_at)
        failed = chronicle.add(
            "failed", new.created_at, [], number, cause=cause, fault=new.reason, serial=new.serial_number
        )
        made = chronicle.add("replaced", new.created_at, [new.created_by], number, cause=failed, sku=new.sku)
        chronicle.told(made, new)


def chronicle_subscription(chronicle: Chronicle, customer: Customer, plan: Subscription) -> None:
    """Add a subscription and its end."""
    begun = chronicle.add("subscribed", plan.created_at, [customer.email], plan.id, plan=plan.plan_code)
    chronicle.told(begun, plan)
    if plan.cancelled_at is not None:
        ended = chronicle.add(
            "unsubscribed", plan.cancelled_at, [customer.email], plan.id, cause=begun, reason=plan.cancel_reason
        )
        chronicle.told(ended, plan)
