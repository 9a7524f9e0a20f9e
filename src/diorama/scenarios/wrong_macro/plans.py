"""Plans for what a customer wants, which macro fits best, and what the current policy gives."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.subscriptions import plan as plan_of
from diorama.apps.backoffice.schema import Customer, Unit
from diorama.kernel import Dice, Tx
from diorama.scenarios.coffee_goods import SMALL_GOODS
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import money, spoken_dates
from diorama.worlds.larkspur.catalogue import OFFERS

DAY = timedelta(days=1)
GOODS = tuple(sku for sku in SMALL_GOODS if sku.startswith("AC-"))
COFFEE = ("CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI")
TWO_YEARS = ("LK-LARK", "LK-ARIA", "LK-ARIA-PID", "GR-FINCH")
THE_CARD = ("card", "original payment", "means of payment", "way you paid", "payment method", "how you paid")
REFUSED = ("cannot", "can't", "can not", "unable", "not possible", "not accept", "not take", "no longer", "not be")
ENDED = ("cancelled", "canceled", "ended", "stopped")


class Case(cases.Case, kw_only=True):
    """A mail for which there is a macro."""

    policy: str
    """The title of the policy article that applies."""
    macro: str
    """The title of the macro that fits best and is wrong."""
    answer: str
    never: tuple[str, ...] = ()
    """Kinds of promises that would be false here."""
    subscription_id: str = ""
    back: tuple[str, str] | None = None
    """An order and the item of it that may be returned."""


def _subject(dice: Dice, order: str, *own: str) -> str:
    return dice.pick(
        (*own, *own, f"Order {order}" if order else "Question", "Hello", "2nd mail", "Request", "please help")
    )


def _said(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def late_return(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a return after the deadline; the macro would send a label."""
    arrived = tx.now - dice.integer(34, 75) * DAY
    past = seed.add_order_history(
        tx, customer, [(dice.pick(GOODS), 1)], arrived - 5 * DAY, outcome="delivered", delivered_at=arrived
    )
    over, number = arrived + 30 * DAY, past.order.number
    return Case(
        reason="reason_return",
        policy="Returning something you do not want",
        macro="Returns::Label",
        subject=_subject(dice, number, "return label", "Sending it back"),
        matter=[
            "I want to return the {product} from order {order_number}.",
            "[It is unused and in its box.|Never even unpacked it.|It was a present that nobody wanted.]",
            "[Please send me the label.|Just mail me the label, the rest I can do.]",
        ],
        answer=(
            f"Hello, I looked up order {number}. It can be sent back for 30 days from delivery, and these ended on "
            f"{_said(over)}, so I cannot take it back any more. I am sorry that this is not the answer you hoped for."
        ),
        facts={"order_number": number, "product": past.lines[0].name},
        order=number,
        say=((number,), ("30 days", "thirty days", "30-day"), (*spoken_dates(over), *spoken_dates(arrived))),
        never=("refund", "label"),
    )


def opened_coffee(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a return in time of opened coffee, which cannot be returned."""
    arrived = tx.now - dice.integer(4, 15) * DAY
    past = seed.add_order_history(
        tx, customer, [(dice.pick(COFFEE), 1)], arrived - 4 * DAY, outcome="delivered", delivered_at=arrived
    )
    number = past.order.number
    return Case(
        reason="reason_return",
        policy="Returning something you do not want",
        macro="Returns::Label",
        subject=_subject(dice, number, "coffee back to you", "Return please"),
        matter=[
            "the {product} from {order_number} is not for me, [too sour|too dark|too fruity].",
            "[I had two cups of it, the rest is in the bag.|I opened it on Sunday and that was enough.]",
            "I would like to send it back and have my money.",
        ],
        answer=(
            f"Hello, thank you for telling me about order {number}. Opened coffee cannot come back to us, so I can "
            "neither take the bag nor pay for it. Grinding a little coarser may bring it closer to your taste."
        ),
        facts={"order_number": number, "product": past.lines[0].name},
        order=number,
        say=((number,), ("opened", "open bag", "open coffee"), REFUSED),
        never=("refund", "label"),
    )


def return_in_time(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a return within thirty days; the macro still says fourteen, the current policy thirty."""
    arrived = tx.now - dice.integer(16, 27) * DAY
    past = seed.add_order_history(
        tx, customer, [(dice.pick(GOODS), 1)], arrived - 4 * DAY, outcome="delivered", delivered_at=arrived
    )
    number = past.order.number
    return Case(
        reason="reason_return",
        policy="Returning something you do not want",
        macro="Returns::Too late",
        subject=_subject(dice, number, "can I still return this?", "Return"),
        matter=[
            "is it too late to give the {product} from {order_number} back?",
            "[I read something about 14 days somewhere.|A friend says you only take things for two weeks.]",
            "[It is like new.|I have not used it at all.] I would rather have the money.",
        ],
        answer=(
            f"Hello, you are in time: order {number} can come back for 30 days from delivery. Your return number is "
            "{rma}, the label comes by mail. The refund starts once the goods are here and checked."
        ),
        facts={"order_number": number, "product": past.lines[0].name},
        order=number,
        say=((number,),),
        never=("refund",),
        back=(past.order.id, past.lines[0].sku),
    )


def goods_are_here(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a return that was received and checked: refund to the card, not store credit as in the old macro."""
    goods = [(sku, 1) for sku in dice.sample(GOODS, dice.integer(2, 3))]
    past = seed.add_order_history(tx, customer, goods, tx.now - dice.integer(24, 40) * DAY, outcome="delivered")
    at = dice.integer(0, len(past.lines) - 1)
    back = seed.add_return_history(tx, past, tx.now - dice.integer(9, 12) * DAY, "joost@larkspur.coffee", line=at)
    line, number = past.lines[at], past.order.number
    cents = line.unit_price_cents * back.quantity
    return Case(
        reason="reason_refund",
        policy="When do I get my refund?",
        macro="Billing::Refund (old, 14 days)",
        subject=_subject(dice, number, "refund", "money for my return"),
        matter=[
            "you have the {product} from {order_number} back, return {return_number}.",
            "[When is it paid and how?|What happens with the money now?|Is it true that I only get a voucher??]",
        ],
        answer=(
            f"Hello, your return of order {number} is here and checked. I have refunded {money(cents)} to the card you "
            "paid with; your bank may take up to five working days to show it."
        ),
        facts={"order_number": number, "product": line.name, "return_number": back.number},
        order=number,
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        may_say_cents=(past.charge.amount_cents,),
        say=((number,), THE_CARD),
        never=("credit",),
    )


def another_card(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a refund that is due, but not to the card that the customer wants."""
    past = seed.add_order_history(
        tx, customer, [(dice.pick(GOODS), 1)], tx.now - dice.integer(16, 30) * DAY, outcome="lost"
    )
    number, cents = past.order.number, past.charge.amount_cents
    seed.add_note_history(
        tx,
        customer.id,
        f"Carrier gave up on {number}. Customer wants the money, agreed.",
        dice.pick(("devon@larkspur.coffee", "joost@larkspur.coffee")),
        tx.now - 3 * DAY,
        past.order.id,
    )
    return Case(
        reason="reason_refund",
        policy="When do I get my refund?",
        macro="Billing::Refund is on its way",
        subject=_subject(dice, number, "refund to my new account", "Refund, other card"),
        matter=[
            "{order_number} is lost and you agreed to give me the money back.",
            "[Please put it on my wife's card instead.|Please send it to my new account, I like that bank better.]",
            "[The other card still works but I hardly use it.|The old one is fine too, I just prefer the new one.]",
        ],
        answer=(
            f"Hello, I have refunded {money(cents)} for order {number}. We refund only to the card that was used for "
            "the order and never to another one, so it arrives there."
        ),
        facts={"order_number": number},
        order=number,
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        say=((number,), THE_CARD, ("never", "not ", "only", "cannot", "can't", "no other")),
        never=("credit",),
    )


def one_booking(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage two lines on the bank statement for one payment in the ledger."""
    goods = [(sku, 1) for sku in dice.sample(GOODS, dice.integer(1, 2))]
    past = seed.add_order_history(tx, customer, goods, tx.now - dice.integer(2, 4) * DAY)
    number, cents = past.order.number, past.charge.amount_cents
    return Case(
        reason="reason_double_charge",
        policy="I was charged twice",
        macro="Billing::Charged twice",
        subject=_subject(dice, number, "charged twice!!", "double payment"),
        matter=[
            "my bank app shows {order_number} two times.",
            "[One of them is grey, but still.|One says pending and one says booked.|Both the same amount.]",
            "[Give one back please.|I want one of them back today.]",
        ],
        answer=(
            f"Hello, for order {number} we have taken {money(cents)} once; there is no second payment on our side. The "
            "other line is a reservation by your bank and disappears by itself after about a week."
        ),
        facts={"order_number": number},
        order=number,
        say_cents=(cents,),
        say=((number,), ("reserv", "authoris", "authoriz", "pending", "hold"), ("week", "7 days", "seven days")),
        never=("refund",),
    )


def no_notice(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a cancellation; the macro quotes a notice period that no longer exists."""
    chosen = dice.pick([offer.code for offer in OFFERS if offer.active and offer.interval_weeks <= 4])
    made, _ = seed.add_subscription_history(tx, customer, chosen, tx.now - dice.integer(40, 60) * DAY)
    return Case(
        reason="reason_subscription",
        policy="Pausing, changing or ending a subscription",
        macro="Subscriptions::Notice period",
        subject=_subject(dice, "", "cancel my coffee", "Cancellation"),
        matter=[
            "please cancel my coffee subscription [now|right away].",
            "[Somebody told me there are four weeks of notice, is that so?|Do I have to take three bags first?]",
            "[We drink tea now.|The doctor says no more coffee.|It just piles up here.]",
        ],
        answer=(
            "Hello, your subscription is cancelled as of today. There is no notice period, and no further bag will be "
            "charged. Thank you for the time with us."
        ),
        facts={},
        say=(
            ENDED,
            ("no notice", "without notice", "no period of notice", "not have a notice", "today", "immediately"),
        ),
        never=("notice", "refund"),
        subscription_id=made.id,
    )


def bag_is_open(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a plan that can be cancelled at once; the opened bag of the last renewal is not refunded."""
    offers = [offer for offer in OFFERS if offer.active and offer.interval_weeks <= 4]
    offer = dice.pick(offers)
    rounds = dice.integer(2, 4)
    began = tx.now - rounds * timedelta(weeks=offer.interval_weeks) - dice.integer(8, 11) * DAY
    made, past = seed.add_subscription_history(tx, customer, offer.code, began)
    last = past[-1]
    return Case(
        reason="reason_subscription",
        policy="Pausing, changing or ending a subscription",
        macro="Billing::Refund is on its way",
        subject=_subject(dice, "", "end it and pay back the last bag", "Subscription"),
        matter=[
            "I want to cancel the subscription, and the last bag ({order_number}) I do not want to pay either.",
            "[I forgot to cancel before it came.|You should have asked me first.]",
            "[It is open but nearly full.|I only tried one cup of it.]",
        ],
        answer=(
            f"Hello, your subscription is cancelled and nothing more will come. Order {last.order.number} had renewed "
            f"on {_said(last.order.created_at)} before you wrote, and opened coffee cannot come back, so that bag "
            "stays paid."
        ),
        facts={"order_number": last.order.number},
        order=last.order.number,
        may_say_cents=(last.charge.amount_cents,),
        say=(ENDED, (last.order.number,), (*spoken_dates(last.order.created_at), "opened", "open bag"), REFUSED),
        never=("refund", "label"),
        subscription_id=made.id,
    )


def old_price(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a request to restore a cancelled plan at its old price: only today's price is possible."""
    offer = dice.pick([one for one in OFFERS if one.active and one.interval_weeks <= 4])
    ended = tx.now - dice.integer(20, 80) * DAY
    seed.add_subscription_history(
        tx, customer, offer.code, ended - dice.integer(70, 120) * DAY, status="cancelled", ended_at=ended
    )
    today, former = plan_of(tx, offer.code).price_cents, plan_of(tx, offer.code).price_cents - dice.integer(2, 5) * 50
    return Case(
        reason="reason_subscription",
        policy="Pausing, changing or ending a subscription",
        macro="Subscriptions::Welcome back",
        subject=_subject(dice, "", "back again", "restart my plan"),
        matter=[
            "I would like my old plan back, {plan_name}.",
            "I paid {old_price} for it [back then|in the beginning] and I expect the same price again.",
            "[Just switch it on.|Can you do that today?]",
        ],
        answer=(
            f"Hello, your plan ended on {_said(ended)}, and one that has ended cannot be switched on again. You are "
            f"welcome to take a new one in your account; {offer.name} costs {money(today)} today."
        ),
        facts={"plan_name": offer.name, "old_price": money(former)},
        say_cents=(today,),
        may_say_cents=(former,),
        say=(spoken_dates(ended), ("new one", "new subscription", "new plan", "take a new", "subscribe again")),
        never=("price",),
    )


def closed_quarter(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a request to change an invoice of a closed quarter, which is not possible."""
    past = seed.add_order_history(
        tx, customer, [(dice.pick(GOODS), 1)], tx.now - dice.integer(66, 145) * DAY, outcome="delivered"
    )
    number = past.order.number
    return Case(
        reason="reason_other",
        policy="Invoices",
        macro="Billing::Invoice changed",
        subject=_subject(dice, number, "Invoice", "VAT number on invoice"),
        matter=[
            "please put our company on the invoice of {order_number}: {company}, {vat}.",
            "[Our accountant does not take it as it is.|I forgot to fill it in when I ordered.]",
            "[A new PDF is enough.|We need it this week.]",
        ],
        answer=(
            f"Hello, order {number} belongs to an earlier quarter. We may add a company only to invoices of the "
            "current quarter; older ones are closed and cannot be changed."
        ),
        facts={
            "order_number": number,
            "company": dice.pick(("Fenwick & Rowe Ltd", "Studio Halm", "Brandt Consulting", "Oda Interiors")),
            "vat": f"NL{dice.integer(100000000, 999999999)}B01",
        },
        order=number,
        say=((number,), ("quarter",), (*REFUSED, "closed", "may not")),
        never=("invoice",),
    )


def three_years(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a broken machine out of warranty; the three-year offer does not apply to it."""
    past = seed.add_order_history(
        tx, customer, [(dice.pick(TWO_YEARS), 1)], tx.now - dice.integer(890, 1010) * DAY, outcome="delivered"
    )
    unit = tx.get(Unit, past.lines[0].serial_numbers[0])
    number, until = past.order.number, unit.warranty_until
    return Case(
        reason="reason_warranty",
        policy="What the warranty covers",
        macro="Machines::Warranty, part is on its way",
        subject=_subject(dice, number, "guarantee", "repair under guarantee"),
        matter=[
            "my {product} from order {order_number} [leaks|does not heat|has no pressure], serial {serial}.",
            "[There is a three-year guarantee on all machines on your page.|Your site says 36 months for everything.]",
            "[So please send the part.|I expect a new one.]",
        ],
        answer=(
            f"Hello, the machine with the serial number {unit.id} from order {number} has 24 months of warranty, which "
            f"ended on {_said(until)}. The three years were an offer for orders of late November 2024 only, so I "
            "cannot send anything free of charge."
        ),
        facts={"order_number": number, "product": past.lines[0].name, "serial": unit.id},
        order=number,
        say=((number,), spoken_dates(until), ("24 months", "two years", "2 years", "24-month", "two-year")),
        never=("part", "refund"),
    )


def on_the_road(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a request to cancel an order that is already on its way."""
    past = seed.add_order_history(
        tx, customer, [(dice.pick(GOODS), 1)], tx.now - dice.integer(60, 80) * timedelta(hours=1), outcome="in_transit"
    )
    number = past.order.number
    tracking = past.shipment.tracking_number if past.shipment else ""
    return Case(
        reason="reason_return",
        policy="Cancelling an order",
        macro="Billing::Refund is on its way",
        subject=_subject(dice, number, "cancel order", "Cancel {order}!!".replace("{order}", number)),
        matter=[
            "cancel {order_number} please and give me the money back.",
            "[Found it cheaper.|Ordered the wrong size.|My wife bought the same thing.]",
            "[It cannot have left yet, I only ordered the other day.|I only ordered it the other day!]",
        ],
        answer=(
            f"Hello, order {number} is packed and with the carrier, tracking number {tracking}, so it cannot be "
            "cancelled any more. If you do not want it, write to us when it is there and send it back within 30 days."
        ),
        facts={"order_number": number},
        order=number,
        may_say_cents=(past.charge.amount_cents,),
        say=((number,), (tracking,), ("send it back", "return", "sent back", "sending it back"), REFUSED),
        never=("refund", "label"),
    )


PLANS: dict[str, Callable[[Tx, Customer, Dice], Case]] = {
    plan.__name__: plan
    for plan in (
        late_return,
        opened_coffee,
        return_in_time,
        goods_are_here,
        another_card,
        one_booking,
        no_notice,
        bag_is_open,
        old_price,
        closed_quarter,
        three_years,
        on_the_road,
    )
}
STALE: dict[str, tuple[str, str]] = {
    "Returns::Too late": (
        (
            "Dear {{ticket.requester.name}},\n\nunfortunately the 14 days in which goods can be sent back are "
            "over, so we "
            "cannot accept your return.\n\n{{current_user.name}}"
        ),
        "return reason_return",
    ),
    "Subscriptions::Notice period": (
        (
            "Dear {{ticket.requester.name}},\n\nsubscriptions run for at least three deliveries and end with "
            "four weeks' "
            "notice to the end of the month. We have noted your wish.\n\n{{current_user.name}}"
        ),
        "subscription reason_subscription",
    ),
    "Subscriptions::Welcome back": (
        (
            "Hi {{ticket.requester.first_name}},\n\nwelcome back! Your plan is running again, and of course "
            "you keep your "
            "old price.\n\n{{current_user.first_name}}"
        ),
        "subscription reason_subscription",
    ),
    "Billing::Invoice changed": (
        (
            "Hi {{ticket.requester.first_name}},\n\nyour invoice has been changed as you asked, the new PDF is in your "
            "account.\n\n{{current_user.first_name}}"
        ),
        "invoice reason_other",
    ),
}
"""Old macros that were never deleted."""
