"""Plans for customers who wait for a refund: each plan stages its case in the back office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer, Subscription
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios.coffee_goods import SMALL_GOODS
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import spoken_dates
from diorama.worlds.larkspur.catalogue import OFFERS, POLICIES

LARGE_GOODS = ("LK-LARK", "LK-ARIA", "GR-FINCH", "GR-HERON", "LK-ARIA-PID", "LK-TERN")
DAY = timedelta(days=1)
OWN_LIMIT = next(policy.refund_limit_cents for policy in POLICIES if policy.id == "agent")
"""The largest refund that an agent may make without asking a lead."""
WHY = {
    "reason_double_charge": "duplicate",
    "reason_missing_item": "wrong_item",
    "reason_return": "returned",
    "reason_subscription": "subscription",
}
"""Refund reason in the back office by contact reason; the default is not_received."""


class Case(cases.Case, kw_only=True):
    """A customer who waits for money."""

    subscription_id: str = ""
    approval: bool = False
    outage_minutes: int = 0


# --- the plans: each stages its case in the back office and says how the customer describes it


def basket(dice: Dice, low: int, high: int) -> list[tuple[str, int]]:
    """Draw between `low` and `high` different small goods."""
    return [(sku, 1) for sku in dice.sample(SMALL_GOODS, dice.integer(low, high))]


def lost_parcel(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a lost parcel; a colleague promised the refund for Friday."""
    past = seed.add_order_history(tx, customer, basket(dice, 1, 2), tx.now - dice.integer(16, 30) * DAY, outcome="lost")
    _promise(tx, customer, past, dice)
    return _owed(
        past,
        "reason_lost_parcel",
        dice,
        [
            "my parcel for order {order_number} never arrived.",
            "[Your colleague|Somebody from your team] promised the refund for Friday.",
            "[It is Monday and there is no money on my account.|Nothing has come so far.]",
        ],
    )


def lost_machine(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a lost machine: the amount is above the agent's limit, so a lead has to approve the refund."""
    past = seed.add_order_history(
        tx, customer, [(dice.pick(LARGE_GOODS), 1)], tx.now - dice.integer(18, 30) * DAY, outcome="lost"
    )
    _promise(tx, customer, past, dice)
    case = _owed(
        past,
        "reason_lost_parcel",
        dice,
        [
            "the machine from order {order_number} was lost by the carrier, you confirmed that yourselves.",
            "You promised to give me all the money back [last week|by Friday].",
            "[I am still waiting.|So where is it?]",
        ],
    )
    case.approval = True
    return case


def charged_twice(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage two charges for one order, minutes apart."""
    past = seed.add_order_history(
        tx, customer, basket(dice, 1, 3), tx.now - dice.integer(5, 12) * DAY, outcome="delivered"
    )
    second = seed.add_second_charge(tx, past)
    case = _owed(
        past,
        "reason_double_charge",
        dice,
        [
            "you took the money for {order_number} twice.",
            (
                "[I wrote about this last week already and was told it comes back.|"
                "I was told the second payment would be returned within days.]"
            ),
            "[My bank statement shows both.|Both are still booked.]",
        ],
    )
    case.dues = (Due(charges=(past.charge.id, second.id), cents=past.charge.amount_cents),)
    return case


def item_missing(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage an order with one item missing from the box: only that item is owed."""
    past = seed.add_order_history(
        tx, customer, basket(dice, 2, 4), tx.now - dice.integer(6, 15) * DAY, outcome="delivered"
    )
    line = dice.pick(past.lines)
    cents = line.unit_price_cents * line.quantity
    seed.add_note_history(
        tx,
        customer.id,
        f"{line.name} missing from {past.order.number}, warehouse confirmed. Refund of that item promised.",
        "joost@larkspur.coffee",
        tx.now - 4 * DAY,
        past.order.id,
    )
    case = _owed(
        past,
        "reason_missing_item",
        dice,
        [
            "there was no {product} in the box of order {order_number}.",
            "[You said I get the money for it back.|The refund for it was promised.]",
            "[Days later: nothing.|I have not seen it yet.]",
        ],
    )
    case.dues = (Due(charges=(past.charge.id,), cents=cents),)
    case.say_cents, case.may_say_cents = (cents,), (past.charge.amount_cents,)
    case.facts["product"] = line.name
    return case


def charged_after_the_end(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a subscription that was cancelled in time but renewed once more."""
    subscription, past = _subscription(tx, customer, dice, "cancelled")
    last = past[-1]
    seed.add_note_history(
        tx,
        customer.id,
        f"Cancelled by phone before the renewal; order {last.order.number} should not have gone out. Refund promised.",
        "lucia@larkspur.coffee",
        tx.now - 5 * DAY,
        last.order.id,
    )
    tx.change(subscription, cancelled_at=last.order.created_at - 2 * DAY, cancel_reason="too_much")
    return _owed(
        last,
        "reason_subscription",
        dice,
        [
            "I cancelled my coffee subscription and you still charged me, order {order_number}.",
            "[The refund was promised last week.|I was told the money would be back by now.]",
        ],
    )


def never_cancelled(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a cancellation that was noted but never made: the subscription is active, the last charge is owed."""
    subscription, past = _subscription(tx, customer, dice, "active")
    last = past[-1]
    seed.add_note_history(
        tx,
        customer.id,
        "Wants to cancel the subscription before the next renewal. "
        f"Promised to do it and to refund {last.order.number} "
        "if it still renews.",
        "devon@larkspur.coffee",
        last.order.created_at - 3 * DAY,
    )
    case = _owed(
        last,
        "reason_subscription",
        dice,
        [
            "I asked you weeks ago to end my subscription and now order {order_number} was charged anyway.",
            "[Please cancel it this time and give me that money back.|Cancel it for good, and where is my refund?]",
        ],
    )
    case.subscription_id = subscription.id
    return case


def already_on_its_way(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a refund that was made days ago: a second one would be wrong, the customer needs the date."""
    when = tx.now - dice.integer(1, 4) * DAY - timedelta(hours=dice.integer(1, 9))
    goods = basket(dice, 1, 2)
    past = seed.add_order_history(tx, customer, goods, tx.now - dice.integer(16, 28) * DAY, outcome="lost")
    cents = past.charge.amount_cents
    past = _refunded(tx, past, cents, when)
    return Case(
        reason="reason_refund",
        order=past.order.number,
        subject=_subject(dice, past.order.number),
        matter=[
            "where is the refund for {order_number}?",
            "[It was promised and I see nothing.|You said days, it has been longer.]",
        ],
        say_cents=(cents,),
        say=(spoken_dates(when),),
        facts={"order_number": past.order.number},
    )


def bank_refused(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a refund that failed because the card is closed; the customer accepts store credit."""
    past = seed.add_order_history(
        tx,
        customer,
        basket(dice, 1, 2),
        tx.now - dice.integer(16, 28) * DAY,
        outcome="lost",
        refund_fails="card_closed",
    )
    refund = office.refund(tx, past.charge.id, reason="not_received", note="Lost parcel")
    tx.now_us += 60 * 60 * 1_000_000
    office.settle_refund(tx, refund.id)
    tx.now_us -= 60 * 60 * 1_000_000
    case = _owed(
        past,
        "reason_refund",
        dice,
        [
            "the refund for {order_number} did not arrive.",
            "[I closed that card in January, so that may be why.|That card does not exist any more.]",
            "[Store credit is fine with me instead.|Just give it to me as store credit then.]",
        ],
    )
    case.dues = (Due(charges=(past.charge.id,), cents=past.charge.amount_cents, destination="store_credit"),)
    return case


def processor_down(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage an undisputed refund while the payment processor is down all morning."""
    case = lost_parcel(tx, customer, dice)
    case.outage_minutes = dice.integer(70, 240)
    return case


def goods_returned(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a return that was received but never refunded."""
    past = seed.add_order_history(
        tx, customer, basket(dice, 2, 3), tx.now - dice.integer(24, 40) * DAY, outcome="delivered"
    )
    index = dice.integer(0, len(past.lines) - 1)
    back = seed.add_return_history(tx, past, tx.now - dice.integer(9, 12) * DAY, "joost@larkspur.coffee", line=index)
    line = past.lines[index]
    cents = line.unit_price_cents * back.quantity
    case = _owed(
        past,
        "reason_return",
        dice,
        [
            "I sent back the {product} from {order_number}, return {return_number}.",
            "[Your warehouse has had it for days.|You received it last week.]",
            "[The refund was supposed to follow right away.|No refund so far.]",
        ],
    )
    case.dues = (Due(charges=(past.charge.id,), cents=cents),)
    case.say_cents, case.may_say_cents = (cents,), (past.charge.amount_cents,)
    case.facts |= {"product": line.name, "return_number": back.number}
    return case


def disputed(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a bank dispute: the bank holds the money, so the agent must not refund it."""
    past = seed.add_order_history(tx, customer, basket(dice, 1, 2), tx.now - dice.integer(20, 30) * DAY, outcome="lost")
    when = tx.now - dice.integer(2, 6) * DAY
    seed.add_dispute_history(tx, past.charge, "product_not_received", when)
    cents = past.charge.amount_cents
    return Case(
        reason="reason_dispute",
        order=past.order.number,
        subject=_subject(dice, past.order.number),
        matter=[
            "I want my money for {order_number} back.",
            "[You promised it and nothing happened.|It was promised.]",
            "[I also asked my bank to get it back.|My bank is looking into it, too.]",
        ],
        say_cents=(),
        may_say_cents=(cents,),
        say=(("dispute", "chargeback"), ("your bank", "the bank"), spoken_dates(when)),
        facts={"order_number": past.order.number},
    )


def other_address(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Stage a mail from an unknown address with a wrong order number."""
    case = lost_parcel(tx, customer, dice)
    local = customer.email.split("@")[0].replace(".", "").replace("-", "")[:12]
    case.email = f"{local}{dice.integer(11, 98)}@{dice.pick(('proton.me', 'icloud.com', 'gmx.net'))}"
    shuffled = case.order[:-1] + str((int(case.order[-1]) + dice.integer(1, 8)) % 10)
    case.facts = {"order_number": shuffled, "shop_email": customer.email}
    case.matter = [
        *case.matter,
        "[I ordered with {shop_email}.|The shop account runs on {shop_email}.]",
        "[I hope I typed the order number right, I wrote it down by hand.|The number is from memory.]",
    ]
    return case


PLANS: dict[str, Callable[[Tx, Customer, Dice], Case]] = {
    plan.__name__: plan
    for plan in (
        lost_parcel,
        lost_machine,
        charged_twice,
        item_missing,
        charged_after_the_end,
        never_cancelled,
        already_on_its_way,
        bank_refused,
        processor_down,
        goods_returned,
        disputed,
        other_address,
    )
}


def _promise(tx: Tx, customer: Customer, past: History, dice: Dice) -> None:
    words = dice.pick(
        (
            "Carrier confirms the parcel of {order} is lost. Customer wants the money back. Promised refund by Friday.",
            "{order} lost in transit (trace closed). Refund agreed on the phone, will do it tomorrow.",
            "lost parcel {order}, refund promised for this week",
        )
    )
    author = dice.pick(("devon@larkspur.coffee", "joost@larkspur.coffee", "soraya@larkspur.coffee"))
    seed.add_note_history(
        tx, customer.id, words.replace("{order}", past.order.number), author, tx.now - 5 * DAY, past.order.id
    )


def _subject(dice: Dice, order: str) -> str:
    return dice.pick(
        (
            f"refund {order}",
            "WHERE IS MY MONEY",
            "Refund",
            "Still waiting for my refund",
            f"Re: Re: order {order}",
            "Question",
            "refund promised for friday!!",
            "Money back",
            f"Order {order}",
            "no refund yet",
            "Complaint",
            "2nd mail",
        )
    )


def _owed(past: History, reason: str, dice: Dice, matter: Sequence[str]) -> Case:
    """Return the plain case: the whole charge is refunded to the original payment method."""
    cents = past.charge.amount_cents
    return Case(
        reason=reason,
        order=past.order.number,
        subject=_subject(dice, past.order.number),
        matter=matter,
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        facts={"order_number": past.order.number},
    )


def _subscription(tx: Tx, customer: Customer, dice: Dice, status: Any) -> tuple[Subscription, list[History]]:
    plan = dice.pick([offer.code for offer in OFFERS if offer.active and offer.interval_weeks <= 4])
    began = tx.now - dice.integer(90, 150) * DAY
    ended = tx.now - dice.integer(2, 6) * DAY if status == "cancelled" else None
    subscription, past = seed.add_subscription_history(tx, customer, plan, began, status=status, ended_at=ended)
    return subscription, past


def _refunded(tx: Tx, past: History, cents: int, when: datetime) -> History:
    """Add a refund that a colleague made days ago and that has settled since."""
    now = tx.now_us
    tx.now_us = now - (tx.now - when) // timedelta(microseconds=1)
    refund = office.refund(tx, past.charge.id, reason="not_received", note="Lost parcel, as agreed")
    office.settle_refund(tx, refund.id)
    tx.now_us = now
    return past
