"""A realistic customer base: purchases are drawn first, then inserted in chronological order."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice.schema import Card, Customer, Postal, RefundReason, Segment, Subscription
from diorama.apps.backoffice.seed.charges import add_dispute_history, add_second_charge
from diorama.apps.backoffice.seed.credits import add_credit_history
from diorama.apps.backoffice.seed.customers import add_customer, add_note_history, some_card
from diorama.apps.backoffice.seed.orders import History, Outcome, add_order_history
from diorama.apps.backoffice.seed.products import Good
from diorama.apps.backoffice.seed.replacements import add_replacement_history
from diorama.apps.backoffice.seed.returns import add_return_history
from diorama.apps.backoffice.seed.subscriptions import add_renewal_history
from diorama.kernel import Dice, Tx

REFUND_REASONS: dict[RefundReason, float] = {
    "late_delivery": 0.28,
    "defective": 0.22,
    "returned": 0.2,
    "goodwill": 0.14,
    "wrong_item": 0.1,
    "billing_error": 0.06,
}
OUTCOME_SHARE: dict[Outcome, float] = {"delivered": 0.965, "lost": 0.008, "returned": 0.009, "cancelled": 0.018}
REASON_OF: dict[Outcome, RefundReason] = {
    "lost": "not_received",
    "cancelled": "cancelled_order",
    "returned": "not_received",
}


class Buyer(msgspec.Struct, frozen=True, kw_only=True):
    """A person to add as a customer with past purchases."""

    name: str
    emails: tuple[str, ...]
    postal: Postal
    since: datetime
    phone: str = ""
    company: str = ""
    segment: Segment = "standard"
    locale: str = "en"
    card: Card | None = None
    more_addresses: tuple[Postal, ...] = ()


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    """One order to come: goods with their quantities, or a renewal of a subscription."""

    at: datetime
    customer: Customer
    goods: tuple[tuple[str, int], ...] = ()
    subscription: Subscription | None = None


class Shopping(msgspec.Struct, frozen=True, kw_only=True):
    """What people buy at a company, and what colleagues note down about them."""

    draw: Callable[[Tx, Customer, Buyer, Dice, datetime, bool], list[Purchase]]
    """Draw everything that one buyer orders before a moment; the last argument says whether it goes on by itself."""
    goods: Mapping[str, Good]
    """The catalogue by SKU."""
    authors: tuple[str, ...]
    """Who wrote the notes, credits, refunds and returns."""
    notes: tuple[str, ...]
    credits: tuple[int, ...] = (500, 1_000, 1_500)
    deposits: frozenset[str] = frozenset()
    """Goods whose price is paid back once the order is settled."""


def add_crowd(
    tx: Tx,
    buyers: Iterable[Buyer],
    dice: Dice,
    shopping: Shopping,
    *,
    until: datetime | None = None,
    live: bool = False,
) -> dict[str, list[History]]:
    """Insert buyers with everything they bought; return the histories by customer id.

    Unless `live`, nothing of it is on the agenda, so waiting costs nothing.
    """
    end = until or tx.now
    purchases: list[Purchase] = []
    out: dict[str, list[History]] = {}
    for buyer in buyers:
        mine = dice.child("buyer", buyer.emails[0])
        customer = add_customer(
            tx,
            buyer.name,
            buyer.emails,
            buyer.postal,
            created_at=buyer.since,
            card=buyer.card or some_card(mine, tx.now, expired=mine.chance(0.02)),
            phone=buyer.phone,
            company=buyer.company,
            segment=buyer.segment,
            locale=buyer.locale,
            more_addresses=buyer.more_addresses,
        )
        out[customer.id] = []
        purchases += shopping.draw(tx, customer, buyer, mine, end, live)
        if mine.chance(0.12):
            wrote = buyer.since + (end - buyer.since) * mine.uniform()
            add_note_history(tx, customer.id, mine.pick(shopping.notes), mine.pick(shopping.authors), wrote)
    last: dict[str, str] = {}
    for purchase in sorted(purchases, key=lambda one: (one.at, one.customer.id)):
        history = _insert(tx, purchase, dice, shopping, live)
        out[purchase.customer.id].append(history)
        if purchase.subscription is not None:
            last[purchase.subscription.id] = history.order.id
    for subscription_id, order_id in last.items():
        tx.change(tx.get(Subscription, subscription_id), last_order_id=order_id)
    return out


def _insert(tx: Tx, purchase: Purchase, dice: Dice, shopping: Shopping, live: bool) -> History:
    if purchase.subscription is not None:
        return add_renewal_history(tx, purchase.customer, purchase.subscription, purchase.at, live=live)
    mine = dice.child("purchase", purchase.customer.id, purchase.at.isoformat())
    old = purchase.at < tx.now - timedelta(days=21)
    outcome: Outcome = mine.weighted(OUTCOME_SHARE) if old else "auto"
    worth = sum(shopping.goods[sku].price_cents * count for sku, count in purchase.goods)
    refund, reason = 0, mine.weighted(REFUND_REASONS)
    if outcome in ("lost", "cancelled", "returned"):
        refund, reason = worth, REASON_OF[outcome]
    elif old and mine.chance(0.04):
        refund = worth if mine.chance(0.4) else max(200, worth * mine.integer(1, 5) // 20)
    deposit = sum(shopping.goods[sku].price_cents for sku, _ in purchase.goods if sku in shopping.deposits)
    refunded_at = None
    if old and deposit and not refund:
        refund, reason = deposit, "returned"
        refunded_at = purchase.at + timedelta(days=mine.integer(15, 20), minutes=mine.integer(0, 300))
    history = add_order_history(
        tx,
        purchase.customer,
        purchase.goods,
        purchase.at,
        outcome=outcome,
        refunded_cents=min(refund, worth),
        refund_reason=reason,
        refunded_at=refunded_at,
        refunded_by=mine.pick(shopping.authors),
        live=live,
    )
    if not refund:
        _aftermath(tx, history, mine, shopping, old)
    return history


def _aftermath(tx: Tx, history: History, dice: Dice, shopping: Shopping, old: bool) -> None:
    """Let something happen to a few orders later on."""
    placed = history.order.created_at
    customer = tx.get(Customer, history.order.customer_id)
    if not old:
        if dice.chance(0.004):
            add_dispute_history(tx, history.charge, "unrecognized", min(tx.now, placed + timedelta(days=4)))
        return
    serials = [(line, serial) for line in history.lines for serial in line.serial_numbers]
    by = dice.pick(shopping.authors)
    if dice.chance(0.003):
        add_second_charge(tx, history)
    elif dice.chance(0.03):
        add_credit_history(tx, customer, dice.pick(shopping.credits), _later(dice, placed, 9, 9), by)
    elif dice.chance(0.02):
        add_return_history(tx, history, _later(dice, placed, 8, 20), by)
    elif serials and dice.chance(0.06):
        line, serial = serials[0]
        fault = dice.pick(shopping.goods[line.sku].faults)
        at = min(placed + timedelta(days=dice.integer(12, 500)), tx.now - timedelta(days=5))
        add_replacement_history(tx, history, serial, at, by, fault.symptom, fault.code, fault.part_sku)


def _later(dice: Dice, moment: datetime, low: int, high: int) -> datetime:
    """Return a moment some days later, at another minute of the day."""
    return moment + timedelta(
        days=dice.integer(low, high), minutes=dice.integer(-200, 200), seconds=dice.integer(0, 59)
    )
