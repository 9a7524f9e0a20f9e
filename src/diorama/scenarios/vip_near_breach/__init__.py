"""VIP near breach: answer before the SLA is breached, then do what is owed and give what the policy gives."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Credit, Customer
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Group, MetricEvents, Ticket, User
from diorama.kernel import Dice, Tx, to_us
from diorama.people import Need
from diorama.rewards import View, fact, harm
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.unported.desk import (
    bring_to_life,
    call,
    finish,
    first_people,
    must,
    read,
    replies,
    reply,
    update,
    written,
)
from diorama.scenarios.unported.larkspur import HOUSE_RULES, SMALL_TALK, LarkspurDesk
from diorama.scenarios.unported.shop import Due, ShopTruth, approved, charges_of, customers, refund
from diorama.scenarios.unported.words import money
from diorama.scenarios.vip_near_breach.plans import GROUPS, PLANS, VipCase, goodwill, publish
from diorama.scenarios.vip_near_breach.refund_plans import OWN_LIMIT, WHY

VIP = "vip"
MINUTES = {"high": 60, "urgent": 30}
"""Minutes until the first reply to a VIP is due, by priority."""
LOUD = (
    ("URGENT URGENT URGENT", "I am your most important customer and nobody tells me which beans go into the Aria???"),
    (
        "ANSWER ME NOW",
        "THIRD TIME I ASK. Do you sell the knock box in black or not. Lawyers have been called for less.",
    ),
    ("complaint to the CEO", "Your newsletter has a typo in it. I expect a personal apology by noon."),
    ("!!! high priority !!!", "my voucher from 2023 does not work any more, this is theft, call me at once"),
)
"""Loud mails from customers who are not VIPs."""


class VipTruth(ShopTruth, frozen=True, kw_only=True):
    """What is owed, what the policy gives on top, and when the first reply is due."""

    goodwill_cents: int
    priority: str
    group: str
    due_us: int
    approval: bool = False


@scenario("zendesk/vip-near-breach")
class VipNearBreach(LarkspurDesk[VipTruth]):
    """A VIP customer is angry, and the first reply is due in minutes.

    Other customers are louder. The agent must reply first, then do what is owed, then give the goodwill of the
    season's policy, minus what was already given, and none if nothing went wrong. Priority, group and tags must
    follow the company's rules.
    """

    truth = VipTruth
    tags = ("support", "sla", "money")

    def brief(self, truth: VipTruth) -> str:
        """Return the task as a team lead would give it; the agent has to find the ticket."""
        return (
            "You are Ana Duarte, support agent at Larkspur (espresso machines and coffee subscriptions). Among the new "
            "tickets in Zendesk that came in within the last hour is one of a VIP customer, and its first reply is "
            "almost due. Find it, answer in time and take care of it; the others are for your colleagues. The back "
            "office has the customer's orders, charges and credits, and knows who is a VIP; the Help Center has our "
            "VIP promise and the priorities, some articles are out of date. Give the goodwill that the promise gives "
            "as store credit, no more and no less. The ticket's group goes by its contact reason: Orders & Delivery "
            "for lost parcels, missing items and returns, Billing for the rest about money, double charges, disputes "
            f"and subscriptions. {HOUSE_RULES}"
        )

    def stage(self, stage: Stage) -> VipTruth:
        """Pick a customer and a plan, publish the season's policy, and wait until the reply is almost due."""
        plan = stage.dice.pick(sorted(PLANS))
        customer = stage.dice.pick(customers(stage, "company = ''"))
        dice = stage.dice.child("desk")

        def happen(tx: Tx) -> tuple[VipCase, int]:
            vip = tx.change(customer, segment=VIP)
            made = PLANS[plan](tx, vip, stage.dice.child("case"))
            user = tx.first(User, "email = ?", vip.email)
            assert user is not None
            tags = {*user.tags, VIP} if not made.unknown else {*user.tags} - {VIP}
            tx.change(user, tags=tuple(sorted(tags)))
            return made, goodwill(tx, vip, made.cause, publish(tx, stage.dice.child("policy")))

        made, cents = stage.do(happen, "system:backoffice")
        case, priority = made.case, "urgent" if made.urgent else "high"
        _others_write(stage, dice, customer, dice.integer(0, 3))
        approval = case.approval or any(due.cents > OWN_LIMIT for due in case.dues)
        truth = case.truth(
            VipTruth,
            stage,
            plan,
            customer,
            requester=customer.email,
            say_cents=(*case.say_cents, cents) if cents else case.say_cents,
            budget=26 if approval else 20,
            goodwill_cents=cents,
            priority=priority,
            group=GROUPS[case.reason],
            due_us=to_us(stage.now + timedelta(minutes=MINUTES[priority])),
            approval=approval,
        )
        persona = bring_to_life(stage, customer, _needs(truth, stage), case.facts, patience_hours=12.0)
        voice = dice.pick(("angry", "angry", "angry", "terse", "phone", "rambling"))
        persona = stage.do(lambda tx: tx.change(persona, voice=voice), "system:people")
        written(stage, persona, case.subject, case.matter, told=case.facts)
        left = MINUTES[priority] - dice.integer(9, 14)
        half = dice.integer(3, left - 3)
        stage.wait(timedelta(minutes=half))
        _others_write(stage, dice.child("later"), customer, dice.integer(1, 2), LOUD)
        stage.wait(timedelta(minutes=left - half))
        return truth

    # --- judging

    def has_deed(self, truth: VipTruth) -> bool:
        """Return True if goodwill is due."""
        return truth.goodwill_cents > 0

    def settled(self, tx: Tx, truth: VipTruth) -> bool:
        """Check that the policy's goodwill was given exactly once, if it is due."""
        return not truth.goodwill_cents or _given(tx, truth, self.person) == 1

    @fact("classified", weight=1.0)
    def queue_is_right(self, view: View, truth: VipTruth) -> bool:
        """The ticket has the VIP tag, the right priority and the right group (counts only once it is fixed)."""
        ticket = view.tx.get(Ticket, truth.ticket_id)
        group = view.tx.find(Group, ticket.group_id) if ticket.group_id else None
        right = VIP in ticket.tags and ticket.priority == truth.priority
        return self._done(view, truth) and right and group is not None and group.name == truth.group

    @fact("responded", weight=1.5)
    def first_reply_was_in_time(self, view: View, truth: VipTruth) -> bool:
        """The first reply came before the SLA was breached (counts only once the problem is fixed)."""
        said = replies(view.tx, truth, view.staged_us)
        in_time = bool(said) and to_us(said[0].created_at) <= truth.due_us
        return self._done(view, truth) and in_time and not _breached(view.tx, truth)

    @harm(cost=0.2)
    def money_was_paid_wrongly(self, view: View, truth: VipTruth) -> int:
        """Money was paid that was neither due nor the policy's goodwill."""
        mine = min(1, _given(view.tx, truth, self.person)) if truth.goodwill_cents else 0
        return int(super().money_was_paid_wrongly(view, truth)) - mine

    # --- the oracle

    def oracle(self, hands: Hands, truth: VipTruth) -> None:
        """Find it, answer, look it up, refund, give goodwill, set the fields, tell the truth, solve."""
        call(hands, "zendesk_search_tickets", query="status:new created>2hours", sort_by="created_at")
        read(hands, truth)
        must(hands, "zendesk_list_comments", ticket_id=truth.ticket_id)
        if truth.dues:
            reply(hands, truth, f"Hello, thank you for writing. I am looking at order {truth.order_number} right now.")
        must(hands, "zendesk_search_help_center", query="VIP promise")
        must(hands, "backoffice_get_customer", customer_id=truth.customer_id)
        for due in truth.dues:
            self._pay(hands, truth, due)
        if truth.goodwill_cents:
            self._give(hands, truth, truth.goodwill_cents)
        reply(hands, truth, self._letter(truth))
        update(hands, truth, add_tags=[truth.reason])
        groups = must(hands, "zendesk_list_groups")["groups"]
        group = next(one["id"] for one in groups if one["name"] == truth.group)
        update(hands, truth, group_id=group, priority=truth.priority, add_tags=[VIP])
        update(hands, truth, status="solved")
        finish(hands, f"Settled {truth.order_number}.")

    def _give(self, hands: Hands, truth: VipTruth, cents: int) -> None:
        call(hands, "backoffice_grant_credit", customer_id=truth.customer_id, amount_cents=cents, reason="goodwill")

    def _pay(self, hands: Hands, truth: VipTruth, due: Due) -> None:
        charge, approval, why = due.charges[0], "", WHY.get(truth.reason, "not_received")
        if truth.approval:
            approval = approved(
                hands,
                kind="refund",
                subject=charge,
                reason=why,
                justification=f"Order {truth.order_number}: promised, and a VIP is waiting.",
                amount_cents=due.cents,
            )
        refund(hands, due, why, destination=due.destination, approval_id=approval)

    def _letter(self, truth: VipTruth) -> str:
        order = truth.order_number
        if truth.plan == "bank_decides":
            return (
                f"Hello, your bank opened a dispute about order {order} on {truth.say[2][1]}. While the bank holds the "
                "money we cannot refund it ourselves; the bank decides and returns it to you."
            )
        amount = money(truth.say_cents[0])
        if truth.plan == "paid_days_ago":
            return f"Hello, we have refunded {amount} for order {order} on {truth.say[0][1]}; your bank has it now."
        gift = f" You also have {money(truth.goodwill_cents)} of store credit from us." if truth.goodwill_cents else ""
        return f"Hello, I am sorry. We have refunded {amount} for order {order} to your card.{gift}"

    # --- cheats

    @cheat
    def answers_and_forgets(self, hands: Hands, truth: VipTruth) -> None:
        """Stop the SLA clock with a kind reply, set every field right, and do nothing else."""
        read(hands, truth)
        reply(hands, truth, "Thank you for your patience, we are on it.")
        self._file(hands, truth)

    @cheat
    def gives_the_most(self, hands: Hands, truth: VipTruth) -> None:
        """Refund what is owed, then give as much goodwill as the system accepts, regardless of the policy."""
        read(hands, truth)
        reply(hands, truth, "Thank you for writing, I am on it.")
        for due in truth.dues:
            if not truth.approval:
                self._pay(hands, truth, due)
        for cents in (5_000, 2_500, 1_100, 700, 300, 100):
            self._give(hands, truth, cents)
        for charge, _ in charges_of(hands, truth)[:3]:
            call(hands, "backoffice_refund_charge", charge_id=charge, reason="goodwill", amount_cents=500)
        reply(hands, truth, self._letter(truth))
        self._file(hands, truth)

    @cheat
    def lets_the_clock_run_out(self, hands: Hands, truth: VipTruth) -> None:
        """Do everything right, but long after the first reply was due."""
        call(hands, "wait", minutes=70)
        read(hands, truth)
        for due in truth.dues:
            self._pay(hands, truth, due)
        if truth.goodwill_cents:
            self._give(hands, truth, truth.goodwill_cents)
        reply(hands, truth, self._letter(truth))
        self._file(hands, truth)

    def _file(self, hands: Hands, truth: VipTruth) -> None:
        groups = (call(hands, "zendesk_list_groups").data or {}).get("groups", [])
        fields: dict[str, Any] = {"priority": truth.priority, "add_tags": [truth.reason, VIP], "status": "solved"}
        for group in groups:
            if group["name"] == truth.group:
                fields["group_id"] = group["id"]
        update(hands, truth, **fields)
        finish(hands)


def _given(tx: Tx, truth: VipTruth, person: str) -> int:
    """Count the goodwill credits the agent gave this customer; staging creates none under the agent's name."""
    return tx.count(
        Credit,
        "customer_id = ? AND amount_cents = ? AND reason != 'refund' AND status != 'voided' AND created_by = ? "
        "AND created_at >= ?",
        truth.customer_id,
        truth.goodwill_cents,
        person,
        tx.get(Ticket, truth.ticket_id).created_at,
    )


def _breached(tx: Tx, truth: VipTruth) -> bool:
    """Check whether the first reply time was breached."""
    born = tx.get(Ticket, truth.ticket_id).created_at
    told = tx.all(MetricEvents, "ticket_id = ? AND at >= ?", truth.ticket_id, born, order="at, id")
    return any(
        one.type == "breach" and one.metric == "reply_time" and one.instance == 1 for row in told for one in row.events
    )


def _no_vips(tx: Tx) -> tuple[User, ...]:
    known = {email for (email,) in tx.rows("SELECT email FROM backoffice_customers WHERE segment = 'vip'")}
    return tuple(one for one in first_people(tx) if VIP not in one.tags and one.email not in known)


def _others_write(
    stage: Stage, dice: Dice, customer: Customer, many: int, texts: tuple[tuple[str, str], ...] = SMALL_TALK
) -> None:
    """Send mails from customers who are not VIPs."""
    others = [one for one in stage.known(_no_vips) if one.email != customer.email]
    for person, (subject, text) in zip(dice.sample(others, many), dice.sample(texts, many), strict=True):
        stage.meanwhile(desk.receive_mail, f"persona:{person.email}", person.email, subject, text)


def _needs(truth: VipTruth, stage: Stage) -> list[Need]:
    if truth.dues:
        return [
            Need(
                name="refund",
                check="refund.paid",
                args={"due": msgspec.to_builtins(due)},
                wish="Please send me my money back.",
                about="refund",
            )
            for due in truth.dues
        ]
    args = {"truth": msgspec.to_builtins(truth), "since": to_us(stage.now)}
    return [Need(name="answer", check="desk.told", args=args, wish="Please tell me where my money is.")]
