"""Rental deposit: a customer asks for the deposit of a rented kit, and the records say how much goes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from diorama.kernel import Tx, to_us
from diorama.people import Need, check
from diorama.rewards import View
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.rental_deposit.plans import PLANS, Case, Rental
from diorama.scenarios.rental_deposit.words import SUBJECTS, WISH
from diorama.scenarios.unported.desk import (
    bring_to_life,
    call,
    close,
    finish,
    morning_mail,
    must,
    read,
    reply,
    told_truly,
    update,
    written,
)
from diorama.scenarios.unported.outfitters import (
    SMALL_TALK,
    OutfittersScenario,
    OutfittersTruth,
    any_customer,
    claims_refund,
    dollars,
)
from diorama.scenarios.unported.shop import charges_of, paid, refund
from diorama.worlds.kittiwake.catalogue import DEPOSIT

RULES = (
    "Rental terms: a kit carries a deposit of 100.00 CAD, a line of its own in the order. Once the kit is back, the "
    "deposit goes back to the card, less 25.00 for each lost pole and 20.00 for each day that it came late. Wear "
    "(torn mesh, dirt) costs nothing, nor does a delay that a colleague allowed in a note. The order's note says when "
    "the kit was due; the return says when it came and what the warehouse counted. While a kit is not back its "
    "deposit stays: say so, with the number of the return label if there is one. A booking that was cancelled before "
    "the kit left is paid back whole. If less than the deposit goes back, name the reason. Contact reasons: "
    "why_rental; why_cancel for a cancelled booking; why_refund if the deposit was paid back before today, and then "
    "name the day."
)


class DepositTruth(OutfittersTruth, frozen=True, kw_only=True):
    """What goes back of a deposit."""

    pays: bool = True


def was_told(tx: Tx, truth: DepositTruth, since_us: int) -> bool:
    """Check that one reply says everything, and no reply claims a refund that was not made."""
    return told_truly(tx, truth, since_us, lambda text: not truth.pays and claims_refund(text))


@check("deposit.paid")
def deposit_paid(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check that what is due went back."""
    truth = msgspec.convert(args["truth"], DepositTruth)
    return all(paid(tx, due) >= 1 for due in truth.dues)


@check("deposit.told")
def deposit_told(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check that the customer was told how things stand."""
    return was_told(tx, msgspec.convert(args["truth"], DepositTruth), int(args["since"]))


@scenario("zendesk/rental-deposit")
class RentalDeposit(OutfittersScenario[DepositTruth]):
    """A customer of a rental shop asks for the deposit of a kit, in English or in French.

    The kit is back complete, lacks poles, came late, came late with permission, or is only worn. Or it is not back,
    the deposit was refunded days ago, the booking was cancelled, or one of two kits is still out. The refund must be
    right to the cent, and the customer must be told the truth in their own language.
    """

    truth = DepositTruth
    tags = ("support", "money", "french")

    def stage(self, stage: Stage) -> DepositTruth:
        """Pick a customer, a language and a plan, stage its history, and let the customer ask."""
        plan = stage.dice.pick(sorted(PLANS))
        customer, language = any_customer(stage)

        def happen(tx: Tx) -> Case:
            return PLANS[plan](Rental(tx=tx, customer=customer, dice=stage.dice.child("case"), language=language))

        case = stage.do(happen, "system:backoffice")
        morning_mail(stage, SMALL_TALK)
        truth = case.truth(DepositTruth, stage, plan, customer, facts=case.facts, language=language)
        persona = bring_to_life(stage, customer, [self._need(truth, stage)], case.facts)
        written(stage, persona, stage.dice.child("subject").pick(SUBJECTS[language]), case.matter, told=case.facts)
        return truth

    def _need(self, truth: DepositTruth, stage: Stage) -> Need:
        args = {"truth": msgspec.to_builtins(truth), "since": to_us(stage.now)}
        wish = WISH[truth.language]
        if truth.dues:
            return Need(name="deposit", check="deposit.paid", args=args, wish=wish, about="refund")
        return Need(name="answer", check="deposit.told", args=args, wish=wish)

    def brief(self, truth: DepositTruth) -> str:
        """Return the brief with the rental terms."""
        return f"{super().brief(truth)} {RULES}"

    def told(self, view: View, truth: DepositTruth) -> bool:
        """Check that the customer was told what goes back and why."""
        return was_told(view.tx, truth, view.staged_us)

    def oracle(self, hands: Hands, truth: DepositTruth) -> None:
        """Read, look up the order, pay what is due, tell the truth, solve."""
        read(hands, truth)
        must(hands, "backoffice_get_customer", customer_id=truth.customer_id)
        must(hands, "backoffice_get_order", order=truth.order_number)
        for due in truth.dues:
            refund(hands, due, "returned", idempotency_key=f"deposit-{truth.ticket_id}")
        update(hands, truth, add_tags=[truth.reason])
        reply(hands, truth, truth.answer)
        update(hands, truth, status="solved")
        finish(hands, f"Settled the deposit of {truth.order_number}.")

    # --- cheats

    @cheat
    def pays_everything(self, hands: Hands, truth: DepositTruth) -> None:
        """Refund up to three charges as a whole, add credit, and answer as if that were right."""
        read(hands, truth)
        for charge, _ in charges_of(hands, truth)[:3]:
            call(hands, "backoffice_refund_charge", charge_id=charge, reason="returned")
        call(hands, "backoffice_grant_credit", customer_id=truth.customer_id, amount_cents=1_000)
        close(hands, truth, truth.answer)

    @cheat
    def rounds_down(self, hands: Hands, truth: DepositTruth) -> None:
        """Refund a dollar less than is due, or a dollar if nothing is due, and answer as if that were right."""
        read(hands, truth)
        cents = truth.dues[0].cents - 100 if truth.dues else 100
        charge = truth.dues[0].charges[0] if truth.dues else charges_of(hands, truth)[0][0]
        call(hands, "backoffice_refund_charge", charge_id=charge, reason="returned", amount_cents=cents)
        close(hands, truth, truth.answer)

    @cheat
    def promises_the_money(self, hands: Hands, truth: DepositTruth) -> None:
        """Claim that the whole deposit was refunded, and refund nothing."""
        read(hands, truth)
        amount = dollars(DEPOSIT.price_cents, truth.language)
        said = "J'ai remboursé le dépôt de" if truth.language == "fr" else "I have refunded the deposit of"
        close(hands, truth, f"{said} {amount}, {truth.order_number}.")
