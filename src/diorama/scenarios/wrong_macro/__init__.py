"""Wrong macro: the macro fits the words of the mail, but not the case."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import seed as desk_seed
from diorama.kernel import Tx, to_us
from diorama.people import Need, check
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.unported.desk import (
    bring_to_life,
    call,
    finish,
    morning_mail,
    must,
    read,
    reply,
    update,
    written,
)
from diorama.scenarios.unported.larkspur import SMALL_TALK, LarkspurDesk
from diorama.scenarios.unported.policy import PolicyScenario, PolicyTruth, goods_settled, money_settled, was_told
from diorama.scenarios.unported.shop import customers, refund
from diorama.scenarios.wrong_macro.plans import PLANS, STALE
from diorama.worlds.helpdesk import backdated

RULES = (
    "Macros at Larkspur are old and nobody tidies them up; what holds is the policy in the Help Center, and where two "
    "articles differ, the one edited last. Give what the policy gives, no less and no more; where it does not give "
    "what the customer wants, say so plainly. Name the order it is about; where a time limit decides, the limit and "
    "the day on which it ended; the tracking or return number where there is one; where money moves, to where. "
    "Contact reasons go by what the customer wants: to send goods back or cancel an order is reason_return, money "
    "that is due is reason_refund, one order paid twice is reason_double_charge, coffee plans are reason_subscription, "
    "a faulty machine is reason_warranty, invoices are reason_other."
)


class MacroTruth(PolicyTruth, frozen=True, kw_only=True):
    """What the current policy gives, and which macro fits best."""

    macro: str


@check("policy.given")
def policy_given(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check that everything the policy gives was done."""
    truth = msgspec.convert(args["truth"], MacroTruth)
    return money_settled(tx, truth) and goods_settled(tx, truth)


@check("policy.told")
def policy_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether a reply told the customer the truth."""
    return was_told(tx, msgspec.convert(args["truth"], MacroTruth), int(args["since"]))


@scenario("zendesk/wrong-macro")
class WrongMacro(PolicyScenario[MacroTruth], LarkspurDesk[MacroTruth]):
    """A mail for which there is a macro, and the macro is wrong.

    It is out of date, promises what is not due, or refuses what is due. The current policy is in the Help Center,
    among older articles; sometimes it gives the customer more than the macro, and sometimes the honest answer is no.
    What the policy gives must be done once, and the customer must be told the truth about it.
    """

    truth = MacroTruth

    def stage(self, stage: Stage) -> MacroTruth:
        """Pick a customer and a plan, stage its history, add outdated macros, and let the customer write."""
        plan = stage.dice.pick(sorted(PLANS))
        customer = stage.dice.pick(customers(stage))
        case = stage.do(PLANS[plan], "system:backoffice", customer, stage.dice.child("case"))
        stage.do(_leave_about, "system:zendesk", case.macro, stage.dice.child("macros").sample(sorted(STALE), 2))
        morning_mail(stage, SMALL_TALK)
        truth = case.truth(MacroTruth, stage, plan, customer, order_number=case.order)
        persona = bring_to_life(stage, customer, [self._need(truth, stage)], case.facts)
        written(stage, persona, case.subject, case.matter, told=case.facts)
        return truth

    def _need(self, truth: MacroTruth, stage: Stage) -> Need:
        args = {"truth": msgspec.to_builtins(truth), "since": to_us(stage.now)}
        if not truth.dues and not self.has_deed(truth):
            return Need(name="answer", check="policy.told", args=args, wish="Please tell me how it is.")
        about = "refund" if truth.dues else "return" if truth.back else "cancellation"
        return Need(name="due", check="policy.given", args=args, wish="Please do what is right.", about=about)

    def brief(self, truth: MacroTruth) -> str:
        """Return the brief with the company's rules about macros."""
        return f"{super().brief(truth)} {RULES}"

    # --- the oracle

    def oracle(self, hands: Hands, truth: MacroTruth) -> None:
        """Read, find the policy, look it up, do what it gives, tell the truth, solve."""
        read(hands, truth)
        must(hands, "zendesk_search_help_center", query=truth.policy)
        must(hands, "backoffice_get_customer", customer_id=truth.customer_id)
        number = ""
        if truth.subscription_id:
            must(hands, "backoffice_change_subscription", subscription_id=truth.subscription_id, action="cancel")
        if truth.back:
            order, sku = truth.back
            number = must(hands, "backoffice_open_return", order_id=order, sku=sku, reason="changed_mind")["number"]
        for due in truth.dues:
            reason = "returned" if truth.plan == "goods_are_here" else "not_received"
            refund(hands, due, reason, idempotency_key=f"policy-{truth.ticket_id}")
        update(hands, truth, add_tags=[truth.reason])
        reply(hands, truth, truth.answer.replace("{rma}", number))
        update(hands, truth, status="solved")
        finish(hands, "Settled by the policy.")

    # --- cheats

    @cheat
    def sends_the_macro(self, hands: Hands, truth: MacroTruth) -> None:
        """Apply the macro that fits best, with all the fields that it sets."""
        read(hands, truth)
        listed = must(hands, "zendesk_list_macros")["macros"]
        macro = next(one for one in listed if one["title"] == truth.macro)
        shown = must(hands, "zendesk_preview_macro", ticket_id=truth.ticket_id, macro_id=macro["id"])
        body = shown["result"]["ticket"]["comment"]["body"]
        self._close(hands, truth, body)

    @cheat
    def gives_whatever_is_asked(self, hands: Hands, truth: MacroTruth) -> None:
        """Refund charges and give credit regardless of the policy, with the right words about it."""
        read(hands, truth)
        for charge, _ in charges(hands, truth)[:2]:
            call(hands, "backoffice_refund_charge", charge_id=charge, reason="goodwill")
        call(hands, "backoffice_grant_credit", customer_id=truth.customer_id, amount_cents=1500)
        self._close(hands, truth, truth.answer)

    @cheat
    def says_yes_and_no(self, hands: Hands, truth: MacroTruth) -> None:
        """Quote the policy word for word, followed by the macro's promises."""
        read(hands, truth)
        sweet = (
            "We have refunded your payment. The label is attached. The part is on its way. You keep your old price. "
            "Your invoice has been changed. It ends with four weeks to go, as store credit."
        )
        self._close(hands, truth, f"{truth.answer} {sweet}")

    def _close(self, hands: Hands, truth: MacroTruth, text: str) -> None:
        reply(hands, truth, text)
        update(hands, truth, add_tags=[truth.reason], status="solved")
        finish(hands)


def charges(hands: Hands, truth: MacroTruth) -> list[tuple[str, int]]:
    """Return the customer's charges within an agent's limit, as (charge, cents), newest first."""
    listed = call(hands, "backoffice_list_records", kind="charges", customer_id=truth.customer_id)
    rows = (listed.data or {}).get("data", [])
    return [(row["id"], row["amount_cents"]) for row in rows if row["amount_cents"] <= 15_000]


def _leave_about(tx: Tx, wanted: str, others: list[str]) -> None:
    """Add outdated macros that are still in the list."""
    for title in sorted({wanted, *others} & set(STALE)):
        text, tags = STALE[title]
        with backdated(tx, tx.now - timedelta(days=tx.dice("old macro", title).integer(500, 1200))):
            then = [("current_tags", tags), ("status", "solved"), ("comment_value", text)]
            desk_seed.add_macro(tx, title, then)
