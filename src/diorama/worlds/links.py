"""The links of a shop: those of its desk, and the mails that the back office sends to customers."""

from __future__ import annotations

import diorama.worlds.checks  # noqa: F401 - declares what customers of a shop can need
from diorama import people
from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import (
    CreditGranted,
    Order,
    OrderCancelled,
    RefundFailed,
    RefundRequested,
    RefundSucceeded,
    ReplacementOrdered,
    ReturnOpened,
    ShipmentMoved,
    SubscriptionCancelled,
    SubscriptionChanged,
)
from diorama.kernel import Product, Tx
from diorama.worlds.desk_links import DESK_LINKS

LINKS = Product("links", title="Integrations", control=True)
LINKS.include(DESK_LINKS)


def _tell(tx: Tx, email: str, text: str) -> None:
    people.receive_message(tx, email, "email", "", text, {"automatic": True})


def _money(cents: int, currency: str) -> str:
    return f"{cents // 100}.{cents % 100:02d} {currency}"


@LINKS.on(RefundRequested)
def refund_is_announced(tx: Tx, event: RefundRequested) -> None:
    """Tell the customer that a refund was started."""
    _tell(tx, event.email, f"Your refund of {_money(event.amount_cents, event.currency)} is on its way.")


@LINKS.on(RefundSucceeded)
def refund_arrives(tx: Tx, event: RefundSucceeded) -> None:
    """Tell the customer that the money has arrived."""
    amount, shop = _money(event.amount_cents, event.currency), settings(tx).name
    _tell(tx, event.email, f"{amount} from {shop} was credited to your card.")


@LINKS.on(RefundFailed)
def refund_bounces(tx: Tx, event: RefundFailed) -> None:
    """Tell the customer that the bank refused the refund."""
    _tell(tx, event.email, f"Your refund of {_money(event.amount_cents, event.currency)} could not be credited.")


@LINKS.on(CreditGranted)
def credit_is_announced(tx: Tx, event: CreditGranted) -> None:
    """Tell the customer about store credit."""
    _tell(tx, event.email, f"You have {_money(event.amount_cents, event.currency)} of store credit.")


@LINKS.on(ReplacementOrdered)
def replacement_is_announced(tx: Tx, event: ReplacementOrdered) -> None:
    """Tell the customer about a replacement."""
    _tell(tx, event.email, f"We are sending you {event.sku} for {event.serial_number}.")


@LINKS.on(ReturnOpened)
def return_label_is_sent(tx: Tx, event: ReturnOpened) -> None:
    """Send the return number."""
    _tell(tx, event.email, f"Your return number is {event.number}.")


@LINKS.on(OrderCancelled)
def cancellation_is_confirmed(tx: Tx, event: OrderCancelled) -> None:
    """Confirm that an order was cancelled."""
    _tell(tx, event.email, f"Your order {event.number} was cancelled.")


@LINKS.on(ShipmentMoved)
def parcel_moves(tx: Tx, event: ShipmentMoved) -> None:
    """Send the carrier's mail about a parcel."""
    order = tx.find(Order, event.order)
    if event.status in ("in_transit", "delivered") and order is not None:
        _tell(
            tx,
            event.email,
            f"Parcel {event.tracking_number} of order {order.number}: {event.status.replace('_', ' ')}.",
        )


@LINKS.on(SubscriptionChanged)
def subscription_change_is_confirmed(tx: Tx, event: SubscriptionChanged) -> None:
    """Confirm a change of a subscription."""
    _tell(tx, event.email, f"Your subscription was changed: {event.what}.")


@LINKS.on(SubscriptionCancelled)
def subscription_end_is_confirmed(tx: Tx, event: SubscriptionCancelled) -> None:
    """Confirm that a subscription was cancelled."""
    _tell(tx, event.email, "Your subscription was cancelled.")
