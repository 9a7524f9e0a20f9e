"""Plans for what is behind a charge on a bank statement: each stages its case in the back office."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.rules.subscriptions import plan as plan_of
from diorama.apps.backoffice.schema import Customer, Subscription
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios import cases
from diorama.scenarios.shop import Due
from diorama.scenarios.words import money, spoken_dates
from diorama.worlds.larkspur.catalogue import OFFERS

DAY = timedelta(days=1)
SMALL = ("AC-TAMPER", "AC-JUG35", "AC-KNOCK", "AC-WDT", "AC-FILTER3", "CF-KOCHERE", "CF-NYERI", "AC-CUPS")
CHEAP = ("AC-JUG35", "AC-WDT", "AC-FILTER3", "CF-KOCHERE", "CF-NYERI")
"""Goods cheap enough that shipping costs extra."""
ENDED = ("cancelled", "canceled", "ended", "stopped")
CHILDREN = ("Mila", "Jonas", "Theo", "Ines", "Ruben", "Nora", "Elif", "Oscar")


class Case(cases.Case, kw_only=True):
    """A charge that the customer does not recognise."""

    subject: str = ""
    """Drawn from subjects that customers use for such mails."""
    past: History
    answer: str
    subscription_id: str = ""
    pays: bool = False
    """Whether a reply may say that money was refunded."""


def _goods(dice: Dice, low: int = 1, high: int = 2) -> list[tuple[str, int]]:
    return [(sku, 1) for sku in dice.sample(SMALL, dice.integer(low, high))]


def _day(past: History) -> str:
    return f"{past.charge.created_at:%Y-%m-%d}"


def quoted_less(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a promised price that differs from the price charged."""
    past = seed.add_order_history(tx, customer, _goods(dice, 2, 3), tx.now - dice.integer(6, 14) * DAY)
    off = dice.integer(4, 14) * 50
    agreed, number = past.charge.amount_cents - off, past.order.number
    seed.add_note_history(
        tx,
        customer.id,
        f"Agreed on the phone: {number} for {money(agreed)} all in, because of the long wait last time.",
        dice.pick(("devon@larkspur.coffee", "soraya@larkspur.coffee")),
        past.order.created_at - timedelta(hours=2),
    )
    return Case(
        reason="reason_refund",
        past=past,
        matter=[
            (
                "[your colleague gave me a price on the phone for {order_number}, and you took more.|"
                "{order_number} was supposed to be cheaper, we had agreed on that.]"
            ),
            "You booked {amount} on {day}.",
            "[Please look at your notes.|I do not remember the exact figure, your colleague wrote it down.]",
        ],
        answer=f"Hello, for order {number} we had agreed on {money(agreed)} and took "
        f"{money(past.charge.amount_cents)}. "
        f"I have refunded the difference of {money(off)} to your card.",
        dues=(Due(charges=(past.charge.id,), cents=off),),
        say_cents=(off,),
        may_say_cents=(agreed, past.charge.amount_cents),
        say=((number,),),
        pays=True,
    )


def _plan(tx: Tx, customer: Customer, dice: Dice) -> tuple[Subscription, list[History]]:
    offer = dice.pick([one for one in OFFERS if one.active and one.interval_weeks <= 4])
    began = tx.now - dice.integer(2, 3) * timedelta(weeks=offer.interval_weeks) - dice.integer(6, 11) * DAY
    return seed.add_subscription_history(tx, customer, offer.code, began)


def plan_too_dear(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a renewal that was charged above the plan's price."""
    made, _ = _plan(tx, customer, dice)
    chosen = plan_of(tx, made.plan_code)
    more = dice.integer(3, 12) * 50
    past = seed.add_order_history(
        tx,
        customer,
        [(chosen.sku, chosen.quantity)],
        tx.now - dice.integer(4, 5) * DAY,
        channel="subscription",
        subscription_id=made.id,
        price_cents=chosen.price_cents + more,
    )
    number = past.order.number
    return Case(
        reason="reason_subscription",
        past=past,
        matter=[
            "my coffee plan was {amount} this time, on {day}.",
            "[It was always less.|That is not what I signed up for.]",
            "[Give back what is too much. I want to keep the plan.|The plan itself is fine, the sum is not.]",
        ],
        answer=f"Hello, order {number} should have cost {money(chosen.price_cents)} like every bag of your "
        "plan. I have "
        f"refunded the {money(more)} that were too much to your card; the plan goes on as before.",
        dues=(Due(charges=(past.charge.id,), cents=more),),
        say_cents=(more,),
        may_say_cents=(chosen.price_cents, past.charge.amount_cents),
        say=((number,),),
        pays=True,
    )


def own_renewal(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage the renewal of a plan that the customer forgot and wants to keep."""
    _, bags = _plan(tx, customer, dice)
    past = bags[-1]
    number = past.order.number
    return Case(
        reason="reason_subscription",
        past=past,
        matter=[
            "what is this {amount} of {day}? I ordered nothing that day.",
            (
                "[If it is my coffee plan then fine, that one I want to keep.|My plan should have been booked "
                "another day.]"
            ),
            "[Otherwise I want it back.|If it is a mistake, please return it.]",
        ],
        answer=f"Hello, the {money(past.charge.amount_cents)} of {_day(past)} are the renewal of your coffee "
        "plan, order "
        f"{number}. The charge is correct, so nothing is refunded and the plan goes on.",
        say_cents=(past.charge.amount_cents,),
        say=((number,), ("renew", "subscription", "plan"), spoken_dates(past.charge.created_at)),
    )


def plan_nobody_wants(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a correct renewal of a plan that the customer wants to cancel."""
    made, bags = _plan(tx, customer, dice)
    past = bags[-1]
    number = past.order.number
    return Case(
        reason="reason_subscription",
        past=past,
        matter=[
            "you booked {amount} on {day} and I never wanted a coffee plan, [I thought it was one bag.|I misclicked.]",
            "[The coffee is drunk, keep that money, but stop it.|I drank it, so be it, but this has to stop.]",
            "[No more bookings please.|End it today.]",
        ],
        answer=f"Hello, the {money(past.charge.amount_cents)} of {_day(past)} were a renewal of your coffee "
        "plan, order "
        f"{number}. The plan is cancelled now and nothing more will be charged.",
        say_cents=(past.charge.amount_cents,),
        say=((number,), ENDED),
        subscription_id=made.id,
    )


def somebody_at_home(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage an order made from the same account for a family member."""
    family = customer.name.split()[-1]
    child = f"{dice.pick(CHILDREN)} {family}"
    home = default_address(tx, customer.id)
    past = seed.add_order_history(
        tx,
        customer,
        _goods(dice),
        tx.now - dice.integer(7, 16) * DAY,
        outcome="delivered",
        address=msgspec.structs.replace(home, name=child),
    )
    number = past.order.number
    return Case(
        reason="reason_other",
        past=past,
        matter=[
            "there is {amount} from you on my card, {day}, and I did not order anything.",
            "[Nobody here knows about it.|I asked my family, they all shrug.]",
            "[Is my card stolen? Give it back!|I want the money back at once.]",
        ],
        answer=f"Hello, the {money(past.charge.amount_cents)} are order {number}, placed in your own account on "
        f"{_day(past)} and delivered to {child}. So the charge is correct; please ask at home first.",
        say_cents=(past.charge.amount_cents,),
        say=((number,), (child, child.split()[0])),
    )


def taken_twice(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage one order that was paid twice."""
    past = seed.add_order_history(tx, customer, _goods(dice), tx.now - dice.integer(5, 12) * DAY, outcome="delivered")
    second = seed.add_second_charge(tx, past)
    cents, number = past.charge.amount_cents, past.order.number
    return Case(
        reason="reason_double_charge",
        past=past,
        matter=[
            "I find {amount} of {day} that I cannot place.",
            "[There is one more just like it but that was my order.|The other one of that day is fine.]",
            "[What is it?|Somebody made a mistake there.]",
        ],
        answer=f"Hello, order {number} was charged twice on {_day(past)}. I have refunded one of the two, "
        f"{money(cents)}, "
        "to your card.",
        dues=(Due(charges=(past.charge.id, second.id), cents=cents),),
        say_cents=(cents,),
        say=((number,),),
        pays=True,
    )


def bank_has_it(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a charge that the customer has already disputed with the bank."""
    past = seed.add_order_history(tx, customer, _goods(dice), tx.now - dice.integer(16, 28) * DAY, outcome="delivered")
    when = tx.now - dice.integer(2, 6) * DAY
    seed.add_dispute_history(tx, past.charge, "unrecognized", when)
    number = past.order.number
    return Case(
        reason="reason_dispute",
        past=past,
        matter=[
            "{amount} on {day} is not mine, [I told my bank as well.|the bank knows, too.]",
            "[Please return it anyway, you are faster.|Send it back now.]",
        ],
        answer=f"Hello, your bank opened a dispute about order {number} on {when:%Y-%m-%d}. While that runs the bank "
        "holds the money and we cannot pay it out ourselves; the bank decides.",
        may_say_cents=(past.charge.amount_cents,),
        say=((number,), ("dispute", "chargeback"), ("your bank", "the bank"), spoken_dates(when)),
    )


def with_shipping(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a charge that is higher than the goods because it includes shipping."""
    past = seed.add_order_history(tx, customer, [(dice.pick(CHEAP), 1)], tx.now - dice.integer(6, 14) * DAY)
    number, total, extra = past.order.number, past.charge.amount_cents, past.order.shipping_cents
    goods = past.order.subtotal_cents
    return Case(
        reason="reason_other",
        past=past,
        matter=[
            "{order_number} cost {goods} and you took {amount} on {day}.",
            "[Where does the rest come from?|That is more than on the page.]",
            "[Please return the difference.|I want the difference back.]",
        ],
        answer=f"Hello, order {number} is {money(goods)} for the goods and {money(extra)} for shipping, {money(total)} "
        "together. The charge is correct, so there is nothing to give back.",
        say_cents=(extra,),
        may_say_cents=(goods, total),
        say=((number,), ("shipping", "delivery", "postage")),
        facts={"goods": money(goods)},
    )


def called_off(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage an order that was cancelled in time but not refunded."""
    past = seed.add_order_history(tx, customer, _goods(dice), tx.now - dice.integer(7, 16) * DAY, outcome="cancelled")
    cents, number = past.charge.amount_cents, past.order.number
    return Case(
        reason="reason_refund",
        past=past,
        matter=[
            "why is there {amount} of {day} on my statement?",
            "[Nothing ever came.|I have nothing to show for it.]",
            "[I called something off around then, is it that?|There was an order, but I stopped it the same day.]",
        ],
        answer=f"Hello, order {number} was cancelled the same day, and the money should have gone back then. I have "
        f"refunded {money(cents)} to your card now.",
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        say=((number,),),
        pays=True,
    )


def back_already(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a wrong charge that a colleague has already refunded."""
    past = seed.add_order_history(tx, customer, _goods(dice), tx.now - dice.integer(14, 22) * DAY, outcome="cancelled")
    when = tx.now - dice.integer(2, 4) * DAY
    now = tx.now_us
    tx.now_us = now - (tx.now - when) // timedelta(microseconds=1)
    refund = office.refund(tx, past.charge.id, reason="cancelled_order", note="Was never paid back")
    office.settle_refund(tx, refund.id)
    tx.now_us = now
    cents, number = past.charge.amount_cents, past.order.number
    return Case(
        reason="reason_refund",
        past=past,
        matter=[
            "{amount} of {day} was wrong, I had called that order off.",
            "[I do not see it coming back.|Where is it?|My statement still has it.]",
        ],
        answer=f"Hello, we have refunded {money(cents)} for order {number} on {when:%Y-%m-%d}; your bank may "
        "take up to "
        "five working days to show it.",
        say_cents=(cents,),
        say=((number,), spoken_dates(when)),
        pays=True,
    )


def tax_inside(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a charge whose price already includes VAT."""
    past = seed.add_order_history(tx, customer, _goods(dice, 1, 3), tx.now - dice.integer(6, 18) * DAY)
    number, total, tax = past.order.number, past.charge.amount_cents, past.order.tax_cents
    return Case(
        reason="reason_other",
        past=past,
        matter=[
            "on the invoice of {order_number} you added {tax} of tax, and took {amount} on {day}.",
            "[Nobody told me about that extra.|I only agreed to the price on the page.]",
            "[I want the tax back.|Please return it.]",
        ],
        answer=f"Hello, the {money(tax)} on the invoice of order {number} are the VAT that is included in the "
        f"{money(total)}; nothing was added on top. The charge is correct.",
        say_cents=(tax,),
        may_say_cents=(total, past.order.subtotal_cents, past.order.shipping_cents),
        say=((number,), ("included", "includes", "part of the", "contained", "inclu", "not on top", "not added")),
        facts={"tax": money(tax)},
    )


PLANS: dict[str, Callable[[Tx, Customer, Dice], Case]] = {
    plan.__name__: plan
    for plan in (
        quoted_less,
        plan_too_dear,
        own_renewal,
        plan_nobody_wants,
        somebody_at_home,
        taken_twice,
        bank_has_it,
        with_shipping,
        called_off,
        back_already,
        tax_inside,
    )
}
SUBJECTS = (
    "strange charge",
    "What is this???",
    "Card statement",
    "wrong amount",
    "I DID NOT BUY THIS",
    "Question about a payment",
    "Re: your booking",
    "my money",
    "Unknown transaction",
    "Hello",
)
