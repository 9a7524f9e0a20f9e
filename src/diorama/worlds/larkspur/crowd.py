"""What Larkspur's customers buy: often a machine first, then what goes with it, coffee in between."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.subscriptions import plan, renew_subscription
from diorama.apps.backoffice.schema import Customer, Subscription, SubscriptionStatus
from diorama.kernel import Dice, Tx
from diorama.worlds.larkspur.catalogue import ACCESSORIES, COFFEES, GOODS, GRINDERS, OFFERS, PARTS
from diorama.worlds.larkspur.company import AT_THE_DESK
from diorama.worlds.purchases import Buyer, Purchase, Shopping

MACHINE_SHARE = {
    "LK-ARIA": 0.26,
    "LK-LARK": 0.24,
    "LK-ARIA-PID": 0.19,
    "LK-CALLA": 0.11,
    "LK-DUET": 0.08,
    "LK-TERN": 0.08,
    "LK-ATELIER": 0.015,
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


def _purchases(tx: Tx, customer: Customer, buyer: Buyer, dice: Dice, end: datetime, live: bool) -> list[Purchase]:
    """Draw all purchases of a customer."""
    at = buyer.since + timedelta(minutes=dice.integer(3, 90))
    out: list[Purchase] = []
    if dice.chance(0.72):
        machine = dice.weighted(MACHINE_SHARE)
        basket = [(machine, 1)]
        if dice.chance(0.3):
            basket.append((dice.pick(GRINDERS).sku, 1))
        if dice.chance(0.45):
            basket.append((dice.pick(ACCESSORIES).sku, 1))
        out.append(Purchase(at=at, customer=customer, goods=tuple(basket)))
    else:
        out.append(Purchase(at=at, customer=customer, goods=_small_basket(dice)))
    for _ in range(min(14, int(dice.lognormal(1.6, 0.9)))):
        at += timedelta(days=dice.lognormal(55, 0.8), minutes=dice.integer(0, 900))
        if at >= end:
            break
        out.append(Purchase(at=_waking(at), customer=customer, goods=_small_basket(dice)))
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


def _subscription(tx: Tx, customer: Customer, buyer: Buyer, dice: Dice, end: datetime, live: bool) -> list[Purchase]:
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
            option=dice.weighted({"whole_bean": 0.62, "espresso": 0.2, "filter": 0.1, "moka": 0.08}),
            shipping_address=buyer.postal,
            next_renewal_at=start + step * len(days) if fate == "active" else None,
            cancel_reason=dice.pick(("too_much", "too_expensive", "moving", "taste")) if fate == "cancelled" else "",
            cancelled_at=stop if fate == "cancelled" else None,
            renewals=len(days),
            created_at=start,
            updated_at=stop if fate != "active" else days[-1],
        )
    )
    if live and subscription.next_renewal_at is not None:
        timer = tx.at(subscription.next_renewal_at, renew_subscription, subscription_id=subscription.id)
        subscription = tx.change(subscription, timer=timer)
    return [Purchase(at=day, customer=customer, subscription=subscription) for day in days]


def _waking(moment: datetime) -> datetime:
    """Move a purchase at night to the morning."""
    return moment + timedelta(hours=7) if moment.hour < 6 else moment


SHOPPING = Shopping(
    draw=_purchases,
    goods={good.sku: good for good in GOODS},
    authors=tuple(one.email for one in AT_THE_DESK),
    notes=NOTES,
)
