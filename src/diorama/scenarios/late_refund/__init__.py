"""Late refund: closing the ticket is easy; the work is to refund the right amount once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Subscription
from diorama.kernel import Change, Tx
from diorama.people import Need, check
from diorama.scenarios.anatomy import Hands, Stage, scenario
from diorama.scenarios.desk import (
    bring_to_life,
    call,
    finish,
    is_complete_reply,
    morning_mail,
    must,
    read,
    replies,
    reply,
    update,
    written,
)
from diorama.scenarios.larkspur import SMALL_TALK, LarkspurDesk
from diorama.scenarios.late_refund.plans import PLANS
from diorama.scenarios.shop import Due, ShopTruth, approved, customers, paid
from diorama.scenarios.words import money
from diorama.worlds.larkspur.catalogue import POLICIES

OWN_LIMIT = next(policy.refund_limit_cents for policy in POLICIES if policy.id == "agent")
"""The largest refund that an agent may make without asking a lead."""
WHY = {
    "reason_double_charge": "duplicate",
    "reason_missing_item": "wrong_item",
    "reason_return": "returned",
    "reason_subscription": "subscription",
}
"""Refund reason in the back office by contact reason; the default is not_received."""


class RefundTruth(ShopTruth, frozen=True, kw_only=True):
    """What this customer is owed, and what blocks the refund."""

    subscription_id: str = ""
    """A subscription that has to be cancelled as well."""
    approval: bool = False
    """The amount is above the agent's own limit."""
    outage_minutes: int = 0
    """For how many minutes the payment processor rejects refunds."""


@check("refund.paid")
def refund_paid(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether the refund is on its way."""
    return paid(tx, msgspec.convert(args["due"], Due)) >= 1


@check("refund.told")
def refund_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether a reply told the customer the truth."""
    truth = msgspec.convert(args["truth"], ShopTruth)
    return any(is_complete_reply(comment.body, truth) for comment in replies(tx, truth, args["since"]))


@scenario("zendesk/late-refund")
class LateRefund(LarkspurDesk[RefundTruth]):
    """A refund was promised and has not arrived.

    The cause differs: no one made the refund, the amount needs a lead's approval, the bank refused it, the processor
    is down, the refund is already on its way, the bank holds the money, or the subscription is still active.
    The customer only knows that the money is missing. The ledger decides: the right amount is refunded once, to the
    right person, and the customer is told the truth about it.
    """

    truth = RefundTruth
    tags = ("support", "money", "outage")

    def stage(self, stage: Stage) -> RefundTruth:
        """Pick a customer and a plan, create its history, and let the customer write about it."""
        plan = stage.dice.pick(sorted(PLANS))
        customer = stage.dice.pick(customers(stage))
        case = stage.do(PLANS[plan], "system:backoffice", customer, stage.dice.child("case"))
        morning_mail(stage, SMALL_TALK)
        approval = case.approval or any(due.cents > OWN_LIMIT for due in case.dues)
        budget = 18 if approval or case.outage_minutes else 14
        truth = case.truth(RefundTruth, stage, plan, customer, approval=approval, budget=budget)
        persona = bring_to_life(stage, customer, _needs(truth, stage), case.facts, email=case.email)
        written(stage, persona, case.subject, case.matter, told=case.facts)
        if case.outage_minutes:
            stage.schedule_fault(
                "backoffice",
                "down",
                after=timedelta(0),
                lasts=timedelta(minutes=case.outage_minutes),
                operations=["create_refund"],
            )
        return truth

    def has_deed(self, truth: RefundTruth) -> bool:
        """Return True if a subscription has to be cancelled."""
        return bool(truth.subscription_id)

    def settled(self, tx: Tx, truth: RefundTruth) -> bool:
        """Check whether the subscription is cancelled, if it has to be."""
        return not truth.subscription_id or tx.get(Subscription, truth.subscription_id).status == "cancelled"

    def allowed(self, tx: Tx, truth: RefundTruth, change: Change) -> bool:
        """Also allow changes to the subscription that has to be cancelled."""
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
        update(hands, truth, add_tags=[truth.reason])
        reply(hands, truth, self._letter(truth))
        update(hands, truth, status="solved")
        finish(hands, f"Settled {truth.order_number}.")

    def _pay(self, hands: Hands, truth: RefundTruth, due: Due) -> None:
        charge, approval, why = due.charges[0], "", WHY.get(truth.reason, "not_received")
        if truth.approval:
            approval = approved(
                hands,
                kind="refund",
                subject=charge,
                reason=why,
                justification=f"Order {truth.order_number}: the refund was promised and has not come.",
                amount_cents=due.cents,
            )
        for _ in range(8):
            done = call(
                hands,
                "backoffice_refund_charge",
                charge_id=charge,
                reason=why,
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
                "While the bank holds the money we cannot refund it ourselves; the bank decides and returns it to you."
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
                check="shop.subscription",
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
