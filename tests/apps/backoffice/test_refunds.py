"""Refunds are made once, never exceed the charge, and require authority."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Refund, RefundSucceeded
from diorama.kernel import Refusal, Wake, World
from tests.apps.backoffice.shop import ANA, EXPIRED, FATE, LEA, MARA, ask, buy, mara, now, paid


def test_a_refund_is_pending_until_the_processor_answers(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    refund = world.do(rules.refund, ANA, charge.id, reason="defective")
    assert (refund.status, refund.amount_cents) == ("pending", 7_900)

    world.wait(timedelta(minutes=40))

    assert now(world, refund).status == "succeeded"
    assert any(RefundSucceeded.__name__ in event.notices for event in world.events)


def test_partial_refunds_never_add_up_to_more_than_the_charge(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    world.do(rules.refund, ANA, charge.id, 5_000, reason="goodwill")
    with pytest.raises(Refusal, match=r"400 amount_too_large.*left on the charge \(2900\)"):
        world.do(rules.refund, ANA, charge.id, 2_901, reason="goodwill")
    world.do(rules.refund, ANA, charge.id, reason="goodwill")
    with pytest.raises(Refusal, match="409 charge_already_refunded"):
        world.do(rules.refund, ANA, charge.id, reason="goodwill")
    assert now(world, charge).refunded_cents == 7_900


def test_a_refused_refund_changes_nothing(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    before = world.state
    for amount in (0, -5, 7_901):
        with pytest.raises(Refusal, match="400 amount"):
            world.do(rules.refund, ANA, charge.id, amount, reason="goodwill")
    assert world.state == before


def test_a_disputed_charge_cannot_be_refunded(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    world.do(rules.open_dispute, FATE, charge.id, "unrecognized")
    with pytest.raises(Refusal, match="409 charge_disputed"):
        world.do(rules.refund, ANA, charge.id, reason="goodwill")

    world.do(rules.close_dispute, FATE, charge.id, won=True)
    world.do(rules.refund, ANA, charge.id, reason="goodwill")


def test_a_lost_dispute_leaves_nothing_to_refund(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    world.do(rules.open_dispute, FATE, charge.id, "fraudulent")
    world.do(rules.close_dispute, FATE, charge.id, won=False)
    with pytest.raises(Refusal, match="409 charge_not_captured"):
        world.do(rules.refund, ANA, charge.id, reason="goodwill")


def test_splitting_a_refund_does_not_bypass_the_limit(world: World) -> None:
    charge = paid(world, buy(world, ("LK-ARIA", 1)))
    world.do(rules.refund, ANA, charge.id, 14_000, reason="defective")
    with pytest.raises(Refusal, match="403 approval_required"):
        world.do(rules.refund, ANA, charge.id, 1_001, reason="defective")
    world.do(rules.refund, ANA, charge.id, 1_000, reason="defective")


def test_a_lead_may_refund_more_than_an_agent(world: World) -> None:
    charge = paid(world, buy(world, ("LK-ARIA", 1)))
    with pytest.raises(Refusal, match="403 approval_required"):
        world.do(rules.refund, ANA, charge.id, reason="defective")
    assert world.do(rules.refund, LEA, charge.id, reason="defective").amount_cents == 44_900


def test_customers_cannot_refund_themselves(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    with pytest.raises(Refusal, match="403 not_staff"):
        world.do(rules.refund, MARA, charge.id, reason="goodwill")


def test_a_refund_rejected_by_the_bank_returns_to_the_charge(world: World) -> None:
    charge = world.do(
        rules.charge, FATE, mara(world).id, 5_000, description="Invoice", refund_fails="expired_or_canceled_card"
    )
    refund = world.do(rules.refund, ANA, charge.id, reason="billing_error")
    seen = world.wait(timedelta(hours=2), until="notice", actor=ANA)

    text = f"Refund {refund.id} failed: expired_or_canceled_card"
    assert seen == [Wake(ANA.name, "RefundFailed", text, {"refund_id": refund.id})]
    assert (now(world, refund).status, now(world, refund).failure_code) == ("failed", "expired_or_canceled_card")
    assert now(world, charge).refunded_cents == 0

    again = world.do(rules.refund, ANA, charge.id, reason="billing_error", destination="store_credit")
    assert again.status == "succeeded"
    assert world.read(rules.balance_cents, charge.customer_id) == 5_000


def test_the_same_idempotency_key_refunds_once(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    body = {"charge_id": charge.id, "amount_cents": 3_000, "reason": "goodwill"}
    first = ask(world, "POST", "/api/v1/refunds", body, idempotency_key="k1")
    again = ask(world, "POST", "/api/v1/refunds", body, idempotency_key="k1")

    assert first.status == again.status == 201
    assert first.body == again.body
    assert again.headers["Idempotent-Replayed"] == "true"
    assert world.read(lambda tx: tx.count(Refund)) == 1

    other = ask(world, "POST", "/api/v1/refunds", body | {"amount_cents": 1}, idempotency_key="k1")
    assert (other.status, other.json()["error"]["code"]) == (409, "idempotency_key_reused")


def test_a_failed_charge_cannot_be_refunded(world: World) -> None:
    charge = world.do(rules.charge, FATE, mara(world).id, 900, card=EXPIRED)
    assert charge.status == "failed"
    with pytest.raises(Refusal, match="409 charge_not_captured"):
        world.do(rules.refund, ANA, charge.id, reason="goodwill")
