"""What Kittiwake's customers buy and rent: gear once, small things now and then, kits in the warm months."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from diorama.apps.backoffice.schema import Customer
from diorama.kernel import Dice, Tx
from diorama.worlds.kittiwake.catalogue import BY_SKU, DEPOSIT, GEAR, PARTS, RENTED, SMALL
from diorama.worlds.kittiwake.company import TEAM, ZONE
from diorama.worlds.purchases import Buyer, Purchase, Shopping

GEAR_SHARE = {
    "TN-FUNDY2": 0.22,
    "PK-ACADIA45": 0.18,
    "ST-EMBER": 0.16,
    "PK-ACADIA65": 0.12,
    "SB-EIDER0": 0.1,
    "TN-CABOT": 0.08,
    "TN-FUNDY4": 0.06,
    "SB-EIDER12": 0.04,
    "PD-TIDAL": 0.04,
}
WARM = range(5, 11)
"""Months in which kits are rented."""
NOTES = (
    "Guide, buys for the whole team in April.",
    "Parcels to the post office, never to the door.",
    "Prefers to be answered in French.",
    "Came by with the old tent, repaired on the spot.",
    "Asked for the student discount, has a card.",
    "Late with a rental once, called ahead.",
    "Teaches paddling in summer, hard to reach.",
    "Invoice has to carry the society's name.",
    "Has a cottage address for June to September.",
)


def _draw(tx: Tx, customer: Customer, buyer: Buyer, dice: Dice, end: datetime, live: bool) -> list[Purchase]:
    """Draw all orders of a customer: the first one, then more at growing intervals."""
    at = _awake(buyer.since + timedelta(minutes=dice.integer(3, 120)))
    out = [Purchase(at=at, customer=customer, goods=_first(dice, at))]
    for _ in range(min(9, int(dice.lognormal(1.7, 0.8)))):
        at = _awake(at + timedelta(days=dice.lognormal(60, 0.8), minutes=dice.integer(0, 900)))
        if at >= end:
            break
        out.append(Purchase(at=at, customer=customer, goods=_next(dice, at)))
    return [purchase for purchase in out if purchase.at < end]


def _first(dice: Dice, at: datetime) -> tuple[tuple[str, int], ...]:
    if at.month in WARM and dice.chance(0.22):
        return ((dice.pick(RENTED).sku, 1), (DEPOSIT.sku, 1))
    if dice.chance(0.78):
        basket = [(dice.weighted(GEAR_SHARE), 1)]
        if dice.chance(0.5):
            basket.append((dice.pick(SMALL).sku, 1))
        return tuple(basket)
    return _basket(dice)


def _next(dice: Dice, at: datetime) -> tuple[tuple[str, int], ...]:
    if at.month in WARM and dice.chance(0.3):
        return ((dice.pick(RENTED).sku, 1), (DEPOSIT.sku, 1))
    if dice.chance(0.25):
        return ((dice.pick(GEAR).sku, 1),)
    return _basket(dice)


def _basket(dice: Dice) -> tuple[tuple[str, int], ...]:
    basket: dict[str, int] = {}
    for _ in range(dice.weighted({1: 0.5, 2: 0.35, 3: 0.15})):
        goods = SMALL if dice.chance(0.8) else PARTS
        sku = goods[dice.zipf(len(goods), 0.7)].sku
        basket[sku] = basket.get(sku, 0) + 1
    return tuple(basket.items())


def _awake(moment: datetime) -> datetime:
    """Return the moment, or a later one if it is night in Halifax."""
    hour = moment.astimezone(ZoneInfo(ZONE)).hour
    return moment + timedelta(hours=8 - hour) if hour < 7 else moment


SHOPPING = Shopping(
    draw=_draw,
    goods=BY_SKU,
    authors=tuple(one.email for one in TEAM.at_the_desk),
    notes=NOTES,
    credits=(1_000, 1_500, 2_500),
    deposits=frozenset({DEPOSIT.sku}),
)
