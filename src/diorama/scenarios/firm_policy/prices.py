"""Refunds that customers want without returning anything: prices, shipping, store credit."""

from __future__ import annotations

from datetime import timedelta

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios.firm_policy.cases import (
    AS_CREDIT,
    DAY,
    THE_CARD,
    WINDOW,
    Case,
    Grant,
    came_on,
    delivered,
    pressure,
    said,
    subject,
)
from diorama.scenarios.firm_policy.season import CREDIT, PRICES, Season
from diorama.scenarios.unported.shop import Due, known_since
from diorama.scenarios.unported.words import money, spoken_dates

GOODS = ("AC-JUG35", "AC-JUG60", "AC-TAMPER", "AC-SCALE", "AC-KNOCK", "AC-BTMLESS", "AC-CUPS", "AC-HANDGR")
UNDER_FIFTY = ("AC-JUG60", "AC-FILTER3", "AC-KNOCK", "AC-CUPS", "CF-HARBOUR1K")
OUT_OF_DATE = (
    *("out of date", "out-of-date", "outdated", "obsolete", "superseded", "replaced", "not up to date", "no longer"),
    *("old page", "old article", "older", "an old", "is old", "was old", "2022", "not current", "isn't current"),
)

NO_MATCH = ("match", "other shop", "another shop", "elsewhere", "competitor", "difference", "their price")


def _ordered_before(tx: Tx, customer: Customer, season: Season, days: int) -> History:
    """Add an order of the discounted item, placed this many days before the discount at the former price."""
    placed = season.since - days * DAY + timedelta(hours=3)
    known_since(tx, customer, placed)
    return seed.add_order_history(
        tx,
        customer,
        [(season.offer.sku, 1)],
        placed,
        outcome="delivered",
        delivered_at=placed + 3 * DAY,
        price_cents=season.former_cents,
    )


def _cheaper_now() -> list[str]:
    return [
        "I bought the {product} from you for {paid} (order {order_number}), and now it is in the shop for {now_costs}!",
        "[I feel cheated.|A few days later!|You could have told me.]",
        "[Please put the difference back on my card.|I want the difference back on my card.]",
    ]


def _both_prices(number: str, season: Season) -> dict[str, str]:
    return {
        "order_number": number,
        "product": season.offer.name,
        "paid": money(season.former_cents),
        "now_costs": money(season.offer.price_cents),
    }


def price_drop_in_time(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """The price fell within the policy's period: the difference is given as credit, not on the card."""
    past = _ordered_before(tx, customer, season, dice.integer(2, season.price_days - 1))
    number, cents = past.order.number, season.former_cents - season.offer.price_cents
    return Case(
        reason="reason_other",
        policy=PRICES,
        subject=subject(dice, number, "cheaper now??", "price of the " + season.offer.name),
        matter=_cheaper_now(),
        facts=_both_prices(number, season),
        answer=(
            f"Hello, you are in time with order {number}: the price fell within {season.price_days} days after it. The "
            f"difference of {money(cents)} is on your account as store credit. I cannot pay it to the card."
        ),
        retort=("[credit? I want money.|I do not want credit, I paid with money.]", *pressure(dice)),
        again=(
            f"Hello, I understand. A lower price is made up for with store credit, so for order {number} it stays at "
            f"the {money(cents)} that you have; it cannot be paid out."
        ),
        about=(number, season.offer.name),
        order=number,
        grants=(Grant(cents=cents),),
        say_cents=(cents,),
        may_say_cents=(past.charge.amount_cents,),
        say=((number,), AS_CREDIT),
        never=("card", "label"),
    )


def price_drop_too_late(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """The price fell after the policy's period: the price paid stands."""
    past = _ordered_before(tx, customer, season, season.price_days + dice.integer(3, 15))
    number, over = past.order.number, past.order.created_at + season.price_days * DAY
    days = season.price_days
    return Case(
        reason="reason_other",
        policy=PRICES,
        subject=subject(dice, number, "cheaper now??", "price of the " + season.offer.name),
        matter=_cheaper_now(),
        facts=_both_prices(number, season),
        answer=(
            f"Hello, we make up for a lower price within {days} days after an order. For order {number} these ended on "
            f"{said(over)}, before the price fell, so the price that you paid stands and I cannot give you the "
            "difference."
        ),
        retort=pressure(dice),
        again=(
            f"Hello, I am sorry that the days were not on your side. The answer for order {number} is still no: the "
            f"{days} days ended on {said(over)}."
        ),
        about=(number, season.offer.name, said(over)),
        order=number,
        may_say_cents=(past.charge.amount_cents, season.former_cents - season.offer.price_cents),
        say=(
            (number,),
            (f"{days} days", f"{days}-day"),
            (*spoken_dates(over), *spoken_dates(past.order.created_at)),
        ),
        never=("refund", "card", "label", "granted", "exception"),
    )


def cheaper_elsewhere(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """Another shop is cheaper: no price match; but the customer may return the item instead."""
    arrived = tx.now - dice.integer(5, 18) * DAY
    sku = dice.pick([sku for sku in GOODS if sku != season.offer.sku])
    past = delivered(tx, customer, sku, arrived)
    number, line, until = past.order.number, past.lines[0], arrived + WINDOW
    theirs = line.unit_price_cents - dice.pick((300, 500, 700))
    return Case(
        reason="reason_other",
        policy=PRICES,
        subject=subject(dice, number, "found it cheaper", "best price?"),
        matter=[
            "I found the {product} from my order {order_number} at another shop for {their_price}.",
            "[You surely match that.|I expect you to match that price.|Please meet their price.]",
            "[The difference can go back on my card.|Just send me the difference.]",
        ],
        facts={"order_number": number, "product": line.name, "their_price": money(theirs)},
        answer=(
            f"Hello, we do not match prices of other shops, so I cannot give you the difference for order {number}. If "
            f"you would rather not keep the {line.name}, it can come back until {said(until)}."
        ),
        retort=(
            "[then I buy it there and you get yours back.|fine, then it goes back to you.|in that case I return it.]",
            "[It is unused. What do I have to do?|How do I send it? It is still in the box.]",
        ),
        again=(
            f"Hello, of course: the return number for order {number} is {{rma}}, and it can travel until "
            f"{said(until)}. Money moves once it is here and checked."
        ),
        about=(number, line.name),
        order=number,
        back=(past.order.id, line.sku),
        presses=False,
        may_say_cents=(past.charge.amount_cents, line.unit_price_cents, theirs, line.unit_price_cents - theirs),
        say=((number,), (*spoken_dates(until), "30 days", "thirty days", "30-day"), NO_MATCH),
        never=("refund", "card", "granted", "exception"),
    )


def _shipping_fee() -> list[str]:
    return [
        "you took {fee} shipping for order {order_number}.",
        (
            "[Your page {page} says free above 25 EUR.|On your site it says free delivery above 25 EUR, I have "
            "it open right here.]"
        ),
        "[I want that back on my card.|Please send the {fee} back to my card.]",
    ]


def _with_shipping(tx: Tx, customer: Customer, dice: Dice, season: Season, late: int) -> History:
    """Add a small order whose parcel arrived this many days after the announced date."""
    skus = [sku for sku in UNDER_FIFTY if sku != season.offer.sku]
    placed = tx.now - dice.integer(26, 40) * DAY
    known_since(tx, customer, placed)
    past = seed.add_order_history(tx, customer, [(dice.pick(skus), 1)], placed, outcome="delivered")
    assert past.shipment is not None
    return came_on(tx, past, past.shipment.estimated_at + late * DAY)


def shipping_by_an_old_page(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """The page they quote is outdated, and the parcel came in time: the fee is not refunded."""
    past = _with_shipping(tx, customer, dice, season, dice.integer(0, season.slow_days - 1))
    number, fee = past.order.number, past.order.shipping_cents
    return Case(
        reason="reason_other",
        policy=PRICES,
        subject=subject(dice, number, "shipping costs", "free shipping?"),
        matter=_shipping_fee(),
        facts={"order_number": number, "fee": money(fee), "page": "Shipping costs"},
        answer=(
            f"Hello, I am sorry about the confusion: that page is from 2022 and out of date. Shipping is {money(fee)} "
            f"for orders below 50 EUR, and order {number} was below that, so I cannot give it back."
        ),
        retort=("[it is your page, so it counts.|not my problem if your page is old.]", *pressure(dice)),
        again=(
            f"Hello, I see why that is annoying, and the old page is our fault. It still does not change the price: "
            f"the shipping of order {number} cannot be paid back."
        ),
        about=(number, "shipping"),
        order=number,
        say_cents=(fee,),
        may_say_cents=(past.charge.amount_cents, past.order.subtotal_cents),
        say=((number,), OUT_OF_DATE),
        never=("refund", "card", "label", "granted", "exception"),
    )


def shipping_of_a_late_parcel(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """The page they quote is outdated, but the parcel was so late that the fee is refunded anyway."""
    past = _with_shipping(tx, customer, dice, season, season.slow_days + dice.integer(0, 3))
    assert past.shipment is not None
    assert past.shipment.closed_at is not None
    number, fee = past.order.number, past.order.shipping_cents
    announced, came = past.shipment.estimated_at, past.shipment.closed_at
    return Case(
        reason="reason_other",
        policy=PRICES,
        subject=subject(dice, number, "shipping costs", "free shipping?"),
        matter=_shipping_fee(),
        facts={"order_number": number, "fee": money(fee), "page": "Shipping costs", "arrival_date": said(came)},
        kept=("arrival_date",),
        answer=(
            f"Hello, the page that you saw is out of date, but you get the shipping back for another reason: the "
            f"parcel of order {number} was announced for {said(announced)} and came on {said(came)}. I have refunded "
            f"{money(fee)} to the card that you paid with."
        ),
        retort=(
            (
                "[and slow you were as well, it only came on {arrival_date}.|I even had to wait for it until "
                "{arrival_date}.]"
            ),
            "[Think again please.|So?]",
        ),
        about=(number, "shipping"),
        order=number,
        dues=(Due(charges=(past.charge.id,), cents=fee),),
        presses=False,
        say_cents=(fee,),
        may_say_cents=(past.charge.amount_cents, past.order.subtotal_cents),
        say=((number,), (*spoken_dates(announced), *spoken_dates(came)), THE_CARD),
        never=("granted", "label"),
    )


def cash_for_credit(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """Store credit is never paid out in money."""
    cents = dice.integer(14, 46) * 100 + dice.pick((0, 50))
    when = tx.now - dice.integer(95, 300) * DAY
    known_since(tx, customer, when)
    seed.add_credit_history(tx, customer, cents, when, "joost@larkspur.coffee", reason="late_delivery")
    return Case(
        reason="reason_other",
        policy=CREDIT,
        subject=subject(dice, "", "my credit", "pay out my credit", "store credit"),
        matter=[
            "I still have store credit with you and I want it as money.",
            "[My account number is the one you have.|Just transfer it to my card.|You have my card already.]",
            "[I do not drink coffee any more.|I buy elsewhere now.|Before it expires!]",
        ],
        facts={},
        answer=(
            f"Hello, you have {money(cents)} of store credit. It cannot be paid out or turned into money, but it does "
            "not expire: it is used first at your next checkout, whenever that is."
        ),
        retort=pressure(dice),
        again=(
            f"Hello, I am sorry, that is how it is with store credit: the {money(cents)} stay yours for as long as you "
            "like, and they cannot be paid out."
        ),
        about=("credit", f"{cents // 100}.{cents % 100:02d}"),
        say_cents=(cents,),
        say=(("paid out", "pay out", "pay it out", "pay your", "money", "cash", "withdraw", "convert"),),
        never=("refund", "card", "label", "exception"),
    )


PLANS = (
    price_drop_in_time,
    price_drop_too_late,
    cheaper_elsewhere,
    shipping_by_an_old_page,
    shipping_of_a_late_parcel,
    cash_for_credit,
)
