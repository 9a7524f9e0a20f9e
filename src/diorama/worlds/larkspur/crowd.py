"""A customer base as production has it: who bought what when, drawn first and inserted in the order of time."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice.rules.subscriptions import plan, renew_subscription
from diorama.apps.backoffice.schema import (
    Card,
    Customer,
    Postal,
    RefundReason,
    Segment,
    Subscription,
    SubscriptionStatus,
)
from diorama.apps.backoffice.seed.charges import add_dispute_history, add_second_charge
from diorama.apps.backoffice.seed.credits import add_credit_history
from diorama.apps.backoffice.seed.customers import add_customer, add_note_history, some_card
from diorama.apps.backoffice.seed.orders import History, Outcome, add_order_history
from diorama.apps.backoffice.seed.replacements import add_replacement_history
from diorama.apps.backoffice.seed.returns import add_return_history
from diorama.apps.backoffice.seed.subscriptions import add_renewal_history
from diorama.kernel import Dice, Tx
from diorama.worlds.larkspur.catalogue import ACCESSORIES, COFFEES, GRINDERS, MACHINES, OFFERS, PARTS
from diorama.worlds.larkspur.company import SUPPORT

MACHINE_SHARE = {
    "LK-ARIA": 0.26,
    "LK-LARK": 0.24,
    "LK-ARIA-PID": 0.19,
    "LK-CALLA": 0.11,
    "LK-DUET": 0.08,
    "LK-TERN": 0.08,
    "LK-ATELIER": 0.015,
}
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
SUBSCRIPTION_SHARE: dict[SubscriptionStatus, float] = {"active": 0.66, "cancelled": 0.24, "paused": 0.1}
NOTES = (
    "Prefers e-mail, never answers the phone.",
    "Called twice about the grinder, was sent the cleaning guide.",
    "Neighbour at number 14 takes parcels.",
    "Invoice must carry the company's VAT number.",
    "Very happy with the last exchange, wrote a review.",
    "Asked for a discount on burrs, politely declined.",
    "Moved house in autumn, old address still in the book.",
    "Speaks little English, write short sentences.",
    "Complained about late delivery, got 5 EUR credit.",
    "Machine was bought as a gift, the user is the daughter.",
    "Descaling explained step by step.",
    "Do not ship on Fridays, office closed at weekends.",
)
DESK = SUPPORT


class Buyer(msgspec.Struct, frozen=True, kw_only=True):
    """A person who will have bought things."""

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


class _Purchase(msgspec.Struct, frozen=True, kw_only=True):
    at: datetime
    customer: Customer
    goods: tuple[tuple[str, int], ...] = ()
    subscription: Subscription | None = None


def add_crowd(
    tx: Tx, buyers: Iterable[Buyer], dice: Dice, *, until: datetime | None = None, live: bool = False
) -> dict[str, list[History]]:
    """Insert buyers with everything they bought; answers the histories by customer id.

    A crowd that is not `live` stands still: nothing of it is on the agenda, so waiting costs nothing.
    """
    end = until or tx.now
    purchases: list[_Purchase] = []
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
        purchases += _purchases(tx, customer, buyer, mine, end, live)
        if mine.chance(0.12):
            wrote = buyer.since + (end - buyer.since) * mine.uniform()
            add_note_history(tx, customer.id, mine.pick(NOTES), DESK, wrote)
    last: dict[str, str] = {}
    for purchase in sorted(purchases, key=lambda one: (one.at, one.customer.id)):
        history = _insert(tx, purchase, dice, live)
        out[purchase.customer.id].append(history)
        if purchase.subscription is not None:
            last[purchase.subscription.id] = history.order.id
    for subscription_id, order_id in last.items():
        tx.change(tx.get(Subscription, subscription_id), last_order_id=order_id)
    return out


def _purchases(tx: Tx, customer: Customer, buyer: Buyer, dice: Dice, end: datetime, live: bool) -> list[_Purchase]:
    """What somebody buys: often a machine first, then what goes with it, coffee in between."""
    at = buyer.since + timedelta(minutes=dice.integer(3, 90))
    out: list[_Purchase] = []
    if dice.chance(0.72):
        machine = dice.weighted(MACHINE_SHARE)
        basket = [(machine, 1)]
        if dice.chance(0.3):
            basket.append((dice.pick(GRINDERS).sku, 1))
        if dice.chance(0.45):
            basket.append((dice.pick(ACCESSORIES).sku, 1))
        out.append(_Purchase(at=at, customer=customer, goods=tuple(basket)))
    else:
        out.append(_Purchase(at=at, customer=customer, goods=_small_basket(dice)))
    for _ in range(min(14, int(dice.lognormal(1.6, 0.9)))):
        at += timedelta(days=dice.lognormal(55, 0.8), minutes=dice.integer(0, 900))
        if at >= end:
            break
        out.append(_Purchase(at=_waking(at), customer=customer, goods=_small_basket(dice)))
    if dice.chance(0.38):
        out += _subscription(tx, customer, buyer, dice, end, live)
    return [purchase for purchase in out if purchase.at < end]


def _small_basket(dice: Dice) -> tuple[tuple[str, int], ...]:
    pools = {"coffee": 0.5, "accessory": 0.34, "part": 0.16}
    goods = {"coffee": COFFEES, "accessory": ACCESSORIES, "part": PARTS}
    basket: dict[str, int] = {}
    for _ in range(dice.weighted({1: 0.55, 2: 0.3, 3: 0.15})):
        kind = dice.weighted(pools)
        good = goods[kind][dice.zipf(len(goods[kind]), 0.9)]
        basket[good.sku] = basket.get(good.sku, 0) + (dice.integer(1, 3) if kind == "coffee" else 1)
    return tuple(basket.items())


def _subscription(tx: Tx, customer: Customer, buyer: Buyer, dice: Dice, end: datetime, live: bool) -> list[_Purchase]:
    code = dice.weighted({offer.code: 1.0 / (rank + 1) for rank, offer in enumerate(OFFERS)})
    if buyer.segment == "business" and dice.chance(0.7):
        code = "office-1w"
    chosen = plan(tx, code)
    step = timedelta(weeks=chosen.interval_weeks)
    start = _waking(buyer.since + timedelta(days=dice.lognormal(25, 0.9)))
    if start >= end:
        return []
    fate = dice.weighted(SUBSCRIPTION_SHARE)
    stop = end if fate == "active" else start + (end - start) * dice.between(0.2, 0.95)
    days = [start + step * count for count in range((stop - start) // step + 1)]
    subscription = tx.add(
        Subscription(
            customer_id=customer.id,
            plan_code=code,
            status=fate,
            grind=dice.weighted({"whole_bean": 0.62, "espresso": 0.2, "filter": 0.1, "moka": 0.08}),
            shipping_address=buyer.postal,
            next_renewal_at=start + step * len(days) if fate == "active" else None,
            cancel_reason=dice.pick(("too_much_coffee", "too_expensive", "moving", "taste"))
            if fate == "cancelled"
            else "",
            cancelled_at=stop if fate == "cancelled" else None,
            renewals=len(days),
            created_at=start,
            updated_at=stop if fate != "active" else days[-1],
        )
    )
    if live and subscription.next_renewal_at is not None:
        timer = tx.at(subscription.next_renewal_at, renew_subscription, subscription_id=subscription.id)
        subscription = tx.change(subscription, timer=timer)
    return [_Purchase(at=day, customer=customer, subscription=subscription) for day in days]


def _insert(tx: Tx, purchase: _Purchase, dice: Dice, live: bool) -> History:
    if purchase.subscription is not None:
        return add_renewal_history(tx, purchase.customer, purchase.subscription, purchase.at, live=live)
    mine = dice.child("purchase", purchase.customer.id, purchase.at.isoformat())
    old = purchase.at < tx.now - timedelta(days=21)
    outcome: Outcome = mine.weighted(OUTCOME_SHARE) if old else "auto"
    worth = sum(_price(sku) * count for sku, count in purchase.goods)
    refund, reason = 0, mine.weighted(REFUND_REASONS)
    if outcome in ("lost", "cancelled", "returned"):
        refund, reason = worth, REASON_OF[outcome]
    elif old and mine.chance(0.04):
        refund = worth if mine.chance(0.4) else max(200, worth * mine.integer(1, 5) // 20)
    history = add_order_history(
        tx,
        purchase.customer,
        purchase.goods,
        purchase.at,
        outcome=outcome,
        refunded_cents=min(refund, worth),
        refund_reason=reason,
        live=live,
    )
    if not refund:
        _aftermath(tx, history, mine, old)
    return history


def _aftermath(tx: Tx, history: History, dice: Dice, old: bool) -> None:
    """What happens to a few orders later on."""
    placed = history.order.created_at
    customer = tx.get(Customer, history.order.customer_id)
    if not old:
        if dice.chance(0.004):
            add_dispute_history(tx, history.charge, "unrecognized", min(tx.now, placed + timedelta(days=4)))
        return
    serials = [(line, serial) for line in history.lines for serial in line.serial_numbers]
    if dice.chance(0.003):
        add_second_charge(tx, history)
    elif dice.chance(0.03):
        add_credit_history(tx, customer, dice.pick((500, 1_000, 1_500)), placed + timedelta(days=9), DESK)
    elif dice.chance(0.02):
        add_return_history(tx, history, placed + timedelta(days=dice.integer(8, 20)), DESK)
    elif serials and dice.chance(0.06):
        line, serial = serials[0]
        fault = dice.pick(_FAULTS[line.sku])
        at = min(placed + timedelta(days=dice.integer(12, 500)), tx.now - timedelta(days=5))
        add_replacement_history(tx, history, serial, at, DESK, fault.symptom, fault.code, fault.part_sku)


_PRICES = {good.sku: good.price_cents for good in (*MACHINES, *GRINDERS, *PARTS, *ACCESSORIES, *COFFEES)}
_FAULTS = {good.sku: good.faults for good in (*MACHINES, *GRINDERS)}


def _price(sku: str) -> int:
    return _PRICES[sku]


def _waking(moment: datetime) -> datetime:
    """Hardly anybody shops at four in the morning."""
    return moment + timedelta(hours=7) if moment.hour < 6 else moment
