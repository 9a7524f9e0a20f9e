"""A realistic customer base: purchases are drawn first, then inserted in chronological order."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from diorama.apps.backoffice.rules.settings import settings, zone
from diorama.apps.backoffice.schema import (
    Card,
    Charge,
    Customer,
    Postal,
    Refund,
    RefundReason,
    Segment,
    Subscription,
)
from diorama.apps.backoffice.seed.charges import add_dispute_history, add_second_charge
from diorama.apps.backoffice.seed.credits import add_credit_history
from diorama.apps.backoffice.seed.customers import add_customer, add_note_history, some_card
from diorama.apps.backoffice.seed.orders import History, Outcome, add_order_history
from diorama.apps.backoffice.seed.products import Good
from diorama.apps.backoffice.seed.refunds import add_refund_history
from diorama.apps.backoffice.seed.replacements import add_replacement_history
from diorama.apps.backoffice.seed.returns import add_return_history
from diorama.apps.backoffice.seed.subscriptions import add_renewal_history
from diorama.kernel import Dice, Tx
from diorama.people.rhythms import working
from diorama.worlds.chronicle import Chronicle
from diorama.worlds.office_teller import (
    chronicle_aftermath,
    chronicle_order,
    chronicle_refund,
    chronicle_subscription,
)

REFUND_REASONS: dict[RefundReason, float] = {
    "late_delivery": 0.28,
    "defective": 0.22,
    "returned": 0.2,
    "goodwill": 0.14,
    "wrong_item": 0.1,
    "billing_error": 0.06,
}
OUTCOME_SHARE: dict[Outcome, float] = {"delivered": 0.965, "lost": 0.008, "returned": 0.009, "cancelled": 0.018}
REASON_OF: dict[str, RefundReason] = {
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
    chronicle: Chronicle | None = None,
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
            author, text = mine.pick(shopping.authors), mine.pick(shopping.notes)
            add_note_history(tx, customer.id, text, author, min(_at_work(tx, wrote), end))
    last: dict[str, str] = {}
    for purchase in sorted(purchases, key=lambda one: (one.at, one.customer.id)):
        history = _insert(tx, purchase, dice, shopping, live)
        out[purchase.customer.id].append(history)
        if purchase.subscription is not None:
            last[purchase.subscription.id] = history.order.id
    for subscription_id, order_id in last.items():
        tx.change(tx.get(Subscription, subscription_id), last_order_id=order_id)
    if chronicle is not None:
        _keep(tx, chronicle, out)
    return out


def _keep(tx: Tx, chronicle: Chronicle, bought: Mapping[str, list[History]]) -> None:
    """Add everything that customers bought to the chronicle."""
    for plan in tx.all(Subscription, order="created_at"):
        chronicle_subscription(chronicle, tx.get(Customer, plan.customer_id), plan)
    numbers: dict[str, str] = {}
    for customer_id, histories in bought.items():
        customer = tx.get(Customer, customer_id)
        for history in histories:
            numbers[history.order.id] = history.order.number
            chronicle_order(chronicle, customer, history)
    chronicle_aftermath(tx, chronicle, numbers)
    for histories in bought.values():
        for history in histories:
            if history.refund is not None:
                chronicle_refund(chronicle, history.order.number, history.refund, history.refund.created_by)


def _insert(tx: Tx, purchase: Purchase, dice: Dice, shopping: Shopping, live: bool) -> History:
    if purchase.subscription is not None:
        return add_renewal_history(tx, purchase.customer, purchase.subscription, purchase.at, live=live)
    mine = dice.child("purchase", purchase.customer.id, purchase.at.isoformat())
    old = purchase.at < tx.now - timedelta(days=21)
    outcome: Outcome = mine.weighted(OUTCOME_SHARE) if old else "auto"
    history = add_order_history(tx, purchase.customer, purchase.goods, purchase.at, outcome=outcome, live=live)
    paid_back = _refunded(tx, history, purchase, mine, shopping) if old else None
    if paid_back is not None:
        return msgspec.structs.replace(history, refund=paid_back, charge=tx.get(Charge, history.charge.id))
    _aftermath(tx, history, mine, shopping, old)
    return history


def _refunded(tx: Tx, history: History, purchase: Purchase, dice: Dice, shopping: Shopping) -> Refund | None:
    """Refund an old order if something went wrong with it, when that was known; return None if nothing did."""
    worth = sum(shopping.goods[sku].price_cents * count for sku, count in purchase.goods)
    deposit = sum(shopping.goods[sku].price_cents for sku, _ in purchase.goods if sku in shopping.deposits)
    outcome = history.shipment.status if history.shipment is not None else history.order.status
    reason = REASON_OF.get(outcome)
    cents = worth
    if reason is None and dice.chance(0.04):
        drawn: RefundReason = dice.weighted(REFUND_REASONS)
        reason = drawn
        cents = worth if dice.chance(0.4) else max(200, worth * dice.integer(1, 5) // 20)
        if reason == "late_delivery" and not _was_late(history):
            reason = "goodwill"
    elif reason is None and deposit:
        reason, cents = "returned", deposit
    if reason is None:
        return None
    by = dice.pick(shopping.authors)
    known = _known_by(tx, history, reason, dice, by, deposit > 0)
    when = _at_work(tx, known + timedelta(minutes=dice.integer(40, 2_800), seconds=dice.integer(0, 59)))
    if when >= tx.now:
        return None
    return add_refund_history(tx, history.charge, when, by, cents=min(cents, worth), reason=reason)


def _was_late(history: History) -> bool:
    parcel = history.shipment
    return parcel is not None and parcel.closed_at is not None and parcel.closed_at.date() > parcel.estimated_at.date()


def _known_by(tx: Tx, history: History, reason: RefundReason, dice: Dice, by: str, rented: bool) -> datetime:
    """Return when the reason of a refund was known; goods that go back do so before their money."""
    parcel, placed = history.shipment, history.order.created_at
    if parcel is None:
        return history.order.cancelled_at or placed
    gone = parcel.updated_at if parcel.status == "lost" else None
    came = parcel.closed_at or gone or parcel.estimated_at + timedelta(days=dice.integer(4, 9))
    if reason == "returned" and not rented:
        back = add_return_history(tx, history, _later(dice, came, 2, 9), by, not_before=came)
        return back.received_at or tx.now
    if reason == "returned":
        return came + timedelta(days=dice.integer(11, 15))
    if reason == "billing_error":
        return placed + timedelta(days=dice.integer(1, 12))
    if reason == "not_received":  # no one misses a parcel before its day
        came = max(came, parcel.estimated_at)
    return came + timedelta(days=dice.integer(0, 9 if reason in ("defective", "goodwill") else 2))


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
        came = history.shipment.closed_at if history.shipment is not None else None
        at = max(_later(dice, placed, 8, 20), _later(dice, came or placed, 1, 3))
        add_return_history(tx, history, at, by, not_before=came)
    elif serials and dice.chance(0.06):
        line, serial = serials[0]
        fault = dice.pick(shopping.goods[line.sku].faults)
        latest = tx.now - timedelta(days=14, seconds=dice.integer(0, 80_000))
        at = _at_work(tx, min(_later(dice, placed, 12, 500), latest))
        if history.shipment is None or history.shipment.closed_at is None or history.shipment.closed_at >= at:
            return
        add_replacement_history(tx, history, serial, at, by, fault.symptom, fault.code, fault.part_sku)


def _at_work(tx: Tx, moment: datetime) -> datetime:
    """Return the moment, or the next one in working hours of the company."""
    return working(moment.astimezone(zone(settings(tx).time_zone))).astimezone(UTC)


def _later(dice: Dice, moment: datetime, low: int, high: int) -> datetime:
    """Return a moment some days later, at another minute of the day."""
    return moment + timedelta(
        days=dice.integer(low, high), minutes=dice.integer(-200, 200), seconds=dice.integer(0, 59)
    )
