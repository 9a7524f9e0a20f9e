"""Late refund: closing the ticket is easy, giving the right money back once is the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer, Subscription
from diorama.apps.backoffice.seed import History
from diorama.kernel import Change, Dice, Tx
from diorama.people import Need, check
from diorama.scenarios.anatomy import Hands, Stage, scenario
from diorama.scenarios.desk import (
    DeskScenario,
    DeskTruth,
    Due,
    bring_to_life,
    call,
    customers,
    finish,
    money,
    morning_mail,
    must,
    paid,
    read,
    replies,
    reply,
    says_it_all,
    spoken_dates,
    update,
    written,
)

SMALL_GOODS = (
    "AC-TAMPER",
    "AC-SCALE",
    "AC-JUG35",
    "AC-JUG60",
    "AC-KNOCK",
    "AC-BTMLESS",
    "AC-WDT",
    "AC-CUPS",
    "AC-HANDGR",
    "AC-FILTER3",
    "CF-HARBOUR1K",
    "CF-KOCHERE",
    "CF-NYERI",
    "PT-TRAY",
    "PT-TANK",
)
LARGE_GOODS = ("LK-LARK", "LK-ARIA", "GR-FINCH", "GR-HERON", "LK-ARIA-PID", "LK-TERN")
DAY = timedelta(days=1)


class RefundTruth(DeskTruth, frozen=True, kw_only=True):
    """What this customer is owed, and what stands in the way."""

    subscription_id: str = ""
    """A subscription that has to be cancelled as well."""
    approval: bool = False
    """The amount is above the agent's own limit."""
    outage_minutes: int = 0
    """For so long the payment processor does not take refunds."""


class Case(msgspec.Struct, kw_only=True):
    """One variant while it is being set up."""

    reason: str
    order: str
    matter: Sequence[str]
    subject: str
    dues: tuple[Due, ...] = ()
    say_cents: tuple[int, ...] = ()
    may_say_cents: tuple[int, ...] = ()
    say: tuple[tuple[str, ...], ...] = ()
    facts: dict[str, str] = {}
    email: str = ""
    subscription_id: str = ""
    approval: bool = False
    outage_minutes: int = 0


@check("refund.paid")
def refund_paid(tx: Tx, args: Mapping[str, Any]) -> bool:
    """The money is on its way back."""
    return paid(tx, msgspec.convert(args["due"], Due)) >= 1


@check("refund.told")
def refund_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Somebody told the customer how things really stand."""
    truth = msgspec.convert(args["truth"], DeskTruth)
    return any(says_it_all(comment.body, truth) for comment in replies(tx, truth, args["since"]))


# --- the plans: what happened to this customer. Each puts it into the back office and says how the customer tells it.


def basket(dice: Dice, low: int, high: int) -> list[tuple[str, int]]:
    """So many different small goods."""
    return [(sku, 1) for sku in dice.sample(SMALL_GOODS, dice.integer(low, high))]


def lost_parcel(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The carrier lost it; a colleague promised the money for Friday."""
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
    """The same with a machine: above the agent's limit, a lead has to agree."""
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
    """Two charges for one order, minutes apart."""
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
    """One thing was not in the box: only that is owed."""
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
    """The subscription was cancelled in time, and yet it renewed once more."""
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
    tx.change(subscription, cancelled_at=last.order.created_at - 2 * DAY, cancel_reason="too_much_coffee")
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
    """The cancellation was noted and forgotten: the subscription still runs, and the last charge is owed."""
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
    """The money went out days ago: paying again would be wrong, the customer needs the date."""
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
    """The first attempt bounced because the card is closed; the customer takes store credit."""
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
    """Owed and undisputed, but the payment processor is down all morning."""
    case = lost_parcel(tx, customer, dice)
    case.outage_minutes = dice.integer(70, 240)
    return case


def goods_returned(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Sent back, received, and then nobody paid."""
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
    """The customer went to the bank: the bank holds the money, and a refund is not ours to give."""
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
    """They write from an address that the shop does not know, with the order number of somebody else in it."""
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
    """The plain case: the whole charge goes back to where it came from."""
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
    plan = dice.pick([offer.code for offer in seed.OFFERS if offer.active and offer.interval_weeks <= 4])
    began = tx.now - dice.integer(90, 150) * DAY
    ended = tx.now - dice.integer(2, 6) * DAY if status == "cancelled" else None
    subscription, past = seed.add_subscription_history(tx, customer, plan, began, status=status, ended_at=ended)
    return subscription, past


def _refunded(tx: Tx, past: History, cents: int, when: Any) -> History:
    """A refund that a colleague made days ago, settled since."""
    now = tx.now_us
    tx.now_us = now - (tx.now - when) // timedelta(microseconds=1)
    refund = office.refund(tx, past.charge.id, reason="not_received", note="Lost parcel, as agreed")
    office.settle_refund(tx, refund.id)
    tx.now_us = now
    return past


@scenario("zendesk/late-refund")
class LateRefund(DeskScenario[RefundTruth]):
    """A refund was promised and has not come.

    Why it has not come differs: nobody did it, the amount needs a lead, the bank refused it, the processor is down,
    it is already on its way, the bank holds the money, or the subscription behind it still runs. The customer only
    knows that the money is not there. What counts is the ledger: the right money, once, to the right person, and a
    true word about it.
    """

    truth = RefundTruth
    tags = ("support", "money", "outage")

    def stage(self, stage: Stage) -> RefundTruth:
        """Pick a customer and a plan, let it have happened, and let the customer write about it."""
        plan = stage.dice.pick(sorted(PLANS))
        customer = stage.dice.pick(customers(stage))
        case = stage.do(PLANS[plan], "system:backoffice", customer, stage.dice.child("case"))
        morning_mail(stage)
        ticket_id = stage.read(_next_ticket)
        truth = RefundTruth(
            plan=plan,
            ticket_id=ticket_id,
            requester=case.email or customer.email,
            customer_id=customer.id,
            reason=case.reason,
            dues=case.dues,
            say_cents=case.say_cents,
            may_say_cents=case.may_say_cents,
            say=case.say,
            order_number=case.order,
            facts=case.facts,
            subscription_id=case.subscription_id,
            approval=case.approval,
            outage_minutes=case.outage_minutes,
            budget=18 if case.approval or case.outage_minutes else 14,
        )
        persona = bring_to_life(stage, customer, _needs(truth, stage), case.facts, email=case.email)
        written(stage, persona, case.subject, case.matter, told=case.facts)
        if case.outage_minutes:
            stage.trouble(
                "backoffice",
                "down",
                after=timedelta(0),
                lasts=timedelta(minutes=case.outage_minutes),
                operations=["create_refund"],
            )
        return truth

    def has_deed(self, truth: RefundTruth) -> bool:
        """A subscription to be ended is a deed of its own."""
        return bool(truth.subscription_id)

    def settled(self, tx: Tx, truth: RefundTruth) -> bool:
        """The subscription is over."""
        return not truth.subscription_id or tx.get(Subscription, truth.subscription_id).status == "cancelled"

    def allowed(self, tx: Tx, truth: RefundTruth, change: Change) -> bool:
        """The subscription too, where it has to end."""
        if change.table == "backoffice_subscriptions" and truth.subscription_id:
            return change.key == truth.subscription_id
        return super().allowed(tx, truth, change)

    def oracle(self, hands: Hands, truth: RefundTruth) -> None:
        """Read, look it up, do what is owed (asking or waiting where one must), tell the truth, solve."""
        read(hands, truth)
        must(hands, "backoffice_get_order", order=truth.order_number)
        if truth.subscription_id:
            must(hands, "backoffice_change_subscription", subscription_id=truth.subscription_id, action="cancel")
        for due in truth.dues:
            self._pay(hands, truth, due)
        update(hands, truth, tags=[truth.reason])
        reply(hands, truth, self._letter(truth))
        update(hands, truth, status="solved")
        finish(hands, f"Settled {truth.order_number}.")

    def _pay(self, hands: Hands, truth: RefundTruth, due: Due) -> None:
        charge, approval = due.charges[0], ""
        if truth.approval:
            asked = must(
                hands,
                "backoffice_request_approval",
                kind="refund",
                subject=charge,
                reason="not_received",
                justification=f"Parcel of {truth.order_number} is lost, refund was promised.",
                amount_cents=due.cents,
            )
            approval = asked["id"]
            for _ in range(6):
                if must(hands, "backoffice_get_record", kind="approvals", id=approval)["status"] == "approved":
                    break
                call(hands, "wait", until="notice", minutes=240)
        for _ in range(8):
            done = call(
                hands,
                "backoffice_refund_charge",
                charge_id=charge,
                reason="not_received",
                amount_cents=due.cents,
                destination=due.destination,
                approval_id=approval,
                idempotency_key=f"refund-{truth.ticket_id}",
            )
            if not done.is_error:
                return
            call(hands, "wait", minutes=60)

    def _letter(self, truth: RefundTruth) -> str:
        if truth.plan == "disputed":
            return (
                f"Hello, your bank opened a dispute about order {truth.order_number} on {truth.say[2][1]}. "
                "While the bank holds the money we cannot refund it ourselves; the bank will decide and return it to you."
            )
        amount = money(truth.say_cents[0])
        if truth.plan == "already_on_its_way":
            when = truth.say[0][1]
            return f"Hello, we have refunded {amount} for order {truth.order_number} on {when}; your bank has it now."
        if truth.dues[0].destination == "store_credit":
            return f"Hello, we have refunded {amount} for order {truth.order_number} as store credit."
        ended = " Your subscription is cancelled." if truth.subscription_id else ""
        done = f"we have refunded {amount} for order {truth.order_number} to your card."
        return f"Hello, {done}{ended} Sorry that it took so long."


def _next_ticket(tx: Tx) -> int:
    return int(tx.rows("SELECT max(id) FROM zendesk_tickets")[0][0]) + 1


def _needs(truth: RefundTruth, stage: Stage) -> list[Need]:
    needs = [
        Need(
            name="refund",
            check="refund.paid",
            args={"due": msgspec.to_builtins(due)},
            wish="Please send me my money back.",
            about="refund",
        )
        for due in truth.dues
    ]
    if truth.subscription_id:
        needs.append(
            Need(
                name="cancellation",
                check="larkspur.subscription",
                args={"subscription": truth.subscription_id, "status": "cancelled"},
                wish="Please cancel the subscription.",
                about="cancellation",
            )
        )
    if not needs:
        told = {"truth": msgspec.to_builtins(truth), "since": stage.world.now.timestamp() * 1e6}
        needs.append(
            Need(name="answer", check="refund.told", args=told, wish="Please tell me where my money is.", about="")
        )
    return needs
