"""Wrong charge: a charge on a statement that the customer does not recognise, and its real cause."""

from __future__ import annotations

from msgspec.structs import replace

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import Value, amount, day, number
from diorama.scenarios.larkspur import CHEAP, COFFEE, SMALL, Larkspur
from diorama.scenarios.owed import CREDIT, cancel, refund
from diorama.scenarios.past import (
    charged_again,
    disputed,
    order,
    ordered_again,
    refunded,
    repriced,
    subscription,
)
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
CHILDREN = ("Mila", "Jonas", "Theo", "Ines", "Ruben", "Nora", "Elif", "Oscar")
RECENT = order(SMALL, (6, 14))
CALLED_OFF = order(SMALL, (9, 18), "cancelled")
AGREED = "Agreed on the phone: {order} for {agreed} all in, because of the long wait last time."
UNKNOWN = (
    "what is this {charge} of {charge.day} on my statement?",
    "[I do not recognise it.|I cannot place it.|Nobody here knows about it.]",
)
TOO_MUCH = (
    "you booked {charge} on {charge.day} for {which}, and that is too much.",
    "[We had agreed on less.|It was supposed to be cheaper.|That is not the price that I know.]",
)
GIVE_BACK = "[What is wrong about it goes back to my card, please.|Return what was wrong to my card.]"
AS_CREDIT = "[What is wrong about it can stay with you as store credit.|Put what was wrong on my account as credit.]"
PLAN_GOES_ON = "[If it is my coffee plan: that one I want to keep.|My coffee plan is fine and goes on.]"
PLAN_ENDS = (
    "[If I have a coffee plan: end it, but what is booked is booked.|Should I have a coffee plan, cancel it today.]"
)


def card_or_credit(plan: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records: what was wrong goes back to the card, or becomes store credit."""
    credited = [replace(due, destination=CREDIT) if due.kind == "refund" else due for due in plan.owed]
    return (
        replace(plan, letter=[*plan.letter, GIVE_BACK]),
        plan.twin(f"{plan.name}_as_credit", letter=[*plan.letter, AS_CREDIT], owed=credited),
    )


def stays_or_ends(plan: Plan, other: bool = True) -> tuple[Plan, Plan]:
    """Return twins with the same records and a coffee plan, which the letter keeps or ends; `other`: besides it."""
    past = [*plan.past, subscription(COFFEE, name="plan")] if other else plan.past
    facts = [*dict.fromkeys([*plan.facts, "plan"])]
    return (
        replace(plan, past=past, letter=[*plan.letter, PLAN_GOES_ON]),
        plan.twin(
            f"{plan.name}_ends_plan", past=past, letter=[*plan.letter, PLAN_ENDS], facts=facts, resolution=(),
            owed=[*plan.owed, cancel()],
        ),
    )  # fmt: skip


@scenario("zendesk/wrong-charge")
class WrongCharge(Larkspur):
    """A customer does not recognise a charge, or thinks that it is wrong.

    Sometimes it is wrong: a different price was agreed, a renewal cost too much, an order was paid twice, or an order
    was cancelled. Sometimes it is right: a forgotten plan, an order for a family member, shipping, included tax.
    Sometimes the bank is handling it, or a colleague has corrected it. The ledger must be right, and the customer
    must be told the truth about it.
    """

    tags = ("support", "money")
    rules = (
        "About charges: find out what is behind the charge before you touch it. What was taken too much goes back, to "
        "the cent and once; what is right stays, and the customer learns what it was: the order, and where it explains "
        "the charge the day, the recipient, the shipping or the tax. A price that a colleague agreed in a note counts. "
        "While a bank has a dispute open nothing is refunded: say so, with the day. A coffee plan ends only if the "
        "customer wants it to."
    )
    subjects = (
        "strange charge", "What is this???", "Card statement", "about a charge", "my card", "my money",
        "Question about a payment", "Re: your booking", "Unknown transaction", "Hello",
    )  # fmt: skip
    plans = (
        *card_or_credit(
            Plan(
                "quoted_less", past=[order(SMALL, (6, 14), pieces=(2, 3)), repriced(off=(4, 14), text=AGREED)],
                letter=TOO_MUCH, facts=["overcharged"], owed=[refund("charge", cents=amount("difference"))],
                tell=[number("order")],
            )
        ),
        Plan(
            "agreed_and_paid_back", letter=[*TOO_MUCH, GIVE_BACK], facts=["refunded", "overcharged"], split=NEW,
            past=[
                order(SMALL, (9, 16), pieces=(2, 3)), repriced(off=(4, 14), text=AGREED),
                refunded(cents="difference", reason="billing_error"),
            ],
            resolution=NOTHING_DUE, tell=[amount("refund"), day("refund")],
            reply="We refunded the {refund} that were too much for order {order} on {refund.day}.",
        ),
        *card_or_credit(
            Plan(
                "plan_too_dear", past=[subscription(COFFEE, dearer=(3, 12))], letter=TOO_MUCH, facts=["plan"],
                owed=[refund("charge", cents=amount("too_much"))], tell=[number("order")],
            )
        ),
        *stays_or_ends(
            Plan(
                "own_renewal", past=[subscription(COFFEE)], letter=UNKNOWN, facts=["plan"], resolution=NOTHING_DUE,
                tell=[amount("charge"), number("order")],
                reply="The {charge} of {charge.day} are a renewal of your coffee plan, order {order}, and are correct.",
            ),
            other=False,
        ),
        *stays_or_ends(
            Plan(
                "somebody_at_home", past=[order(SMALL, (7, 16), for_whom=CHILDREN)], letter=[*UNKNOWN, GIVE_BACK],
                facts=["none"], resolution=NOTHING_DUE, tell=[number("order"), day("order")],
                reply="The {charge} are order {order}, placed in your own account on {order.day} and delivered to "
                "{order.name}. So the charge is correct.",
            )
        ),
        *card_or_credit(
            Plan(
                "taken_twice", past=[RECENT, charged_again()], letter=UNKNOWN, facts=["twice"],
                owed=[refund("charge", "second")], tell=[number("order")],
            )
        ),
        *stays_or_ends(
            Plan(
                "ordered_twice", past=[RECENT, ordered_again()], letter=[*UNKNOWN, GIVE_BACK], facts=["twice"],
                resolution=NOTHING_DUE, tell=[number("order"), number("second_order")],
                reply="You ordered the same goods twice, as {order} and as {second_order}, and both were delivered. "
                "Each was paid once.",
            )
        ),
        *stays_or_ends(
            Plan(
                "bank_has_it", past=[order(SMALL, (16, 28)), disputed(reason="unrecognized")],
                letter=[*UNKNOWN, GIVE_BACK], facts=["dispute"], resolution=NOTHING_DUE,
                tell=[number("order"), day("charge", "dispute_day")],
                reply="Your bank opened a dispute about order {order} on {charge.dispute_day}. While it runs the bank "
                "holds the money and we cannot pay it out; the bank decides.",
            )
        ),
        *stays_or_ends(
            Plan(
                "with_shipping", past=[order(CHEAP, (6, 14), pieces=(1, 1))], letter=[*TOO_MUCH, GIVE_BACK],
                facts=["none"], resolution=NOTHING_DUE, tell=[number("order"), Value("order", "shipping")],
                reply="Order {order} is {order.goods} for the goods and {order.shipping} for shipping, {charge} "
                "together. The charge is correct.",
            )
        ),
        *card_or_credit(
            Plan(
                "called_off", past=[CALLED_OFF], letter=UNKNOWN, facts=["overcharged"], owed=[refund("charge")],
                tell=[number("order")], reply="Order {order} was cancelled, and the money should have gone back then.",
            )
        ),
        *stays_or_ends(
            Plan(
                "back_already", past=[CALLED_OFF, refunded(reason="cancelled_order", days_ago=(2, 4))],
                letter=[*UNKNOWN, GIVE_BACK], facts=["refunded", "overcharged"], resolution=NOTHING_DUE,
                tell=[amount("refund"), day("refund")],
                reply="We refunded {refund} for order {order} on {refund.day}; your bank has it now.",
            )
        ),
        Plan(
            "tax_inside", past=[order(SMALL, (6, 18), pieces=(1, 3))], facts=["none"], split=NEW,
            resolution=NOTHING_DUE,
            letter=["on the invoice of {which} you added tax, {order.tax}.", "[I want it back.|Please return it.]"],
            tell=[number("order"), Value("order", "tax")],
            reply="The {order.tax} on the invoice of order {order} are the VAT that is included in the {charge}; "
            "nothing was added on top.",
        ),
    )  # fmt: skip
