"""Amounts above an agent's limit need the approval of a lead, who checks the facts."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Approval, Charge, Unit
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, LEA, buy, delivered, mara, now, paid, parcel

WHY = "Parcel is lost, see the carrier's answer."


def ask_lead(world: World, charge: Charge, reason: str = "defective", amount: int = 0) -> Approval:
    return world.do(
        rules.request_approval,
        ANA,
        "refund",
        charge.id,
        amount_cents=amount or charge.amount_cents,
        reason=reason,
        justification=WHY,
    )


def test_an_approval_allows_one_refund_up_to_its_amount(world: World) -> None:
    charge = paid(world, buy(world))
    approval = ask_lead(world, charge, amount=30_000)
    seen = world.wait(timedelta(hours=4), until="notice", actor=ANA)
    assert [(wake.person, wake.notice, wake.data) for wake in seen] == [
        (ANA.name, "ApprovalDecided", {"approval_id": approval.id})
    ]
    assert f"Approval {approval.id} was approved" in seen[0].text

    with pytest.raises(Refusal, match=r"409 approval_unusable.*30000"):
        world.do(rules.refund, ANA, charge.id, 30_001, reason="defective", approval_id=approval.id)
    world.do(rules.refund, ANA, charge.id, 30_000, reason="defective", approval_id=approval.id)
    with pytest.raises(Refusal, match=r"409 approval_unusable.*used"):
        world.do(rules.refund, ANA, charge.id, 10_000, reason="defective", approval_id=approval.id)


def test_an_approval_is_valid_for_its_own_charge_only(world: World) -> None:
    first, second = paid(world, buy(world)), paid(world, buy(world))
    approval = ask_lead(world, first)
    world.wait(timedelta(hours=4), until="notice", actor=ANA)
    with pytest.raises(Refusal, match="409 approval_unusable"):
        world.do(rules.refund, ANA, second.id, reason="defective", approval_id=approval.id)


def test_a_pending_denied_or_stale_approval_is_not_accepted(world: World) -> None:
    charge = paid(world, buy(world))
    approval = ask_lead(world, charge)
    with pytest.raises(Refusal, match=r"approval_unusable.*pending"):
        world.do(rules.refund, ANA, charge.id, reason="defective", approval_id=approval.id)
    world.do(rules.decide_approval, LEA, approval.id, False, "No.")
    with pytest.raises(Refusal, match=r"approval_unusable.*denied"):
        world.do(rules.refund, ANA, charge.id, reason="defective", approval_id=approval.id)

    later = ask_lead(world, charge)
    world.do(rules.decide_approval, LEA, later.id, True)
    world.wait(timedelta(days=3, minutes=1))
    with pytest.raises(Refusal, match=r"approval_unusable.*expired"):
        world.do(rules.refund, ANA, charge.id, reason="defective", approval_id=later.id)


def test_the_lead_denies_a_loss_if_the_parcel_was_delivered(world: World) -> None:
    charge = paid(world, delivered(world))
    approval = ask_lead(world, charge, "not_received")
    world.wait(timedelta(days=3))
    assert now(world, approval).status == "denied"
    assert "trace" in now(world, approval).decision_note


def test_the_lead_approves_when_the_carrier_confirms_the_loss(world: World) -> None:
    order = buy(world, pack=False)
    world.do(rules.ship, FATE, order.id, fate="lost")
    world.wait(timedelta(days=1))
    world.do(rules.trace, ANA, parcel(world, order).id)
    world.wait(timedelta(hours=6))
    assert parcel(world, order).status == "lost"

    approval = ask_lead(world, paid(world, order), "not_received")
    world.wait(timedelta(days=3))
    assert now(world, approval).status == "approved"


def test_the_lead_looks_for_the_second_charge_of_a_duplicate(world: World) -> None:
    charge = paid(world, buy(world))
    lonely = ask_lead(world, charge, "duplicate")
    world.wait(timedelta(hours=4), until="notice", actor=ANA)
    assert now(world, lonely).status == "denied"

    world.do(rules.charge, FATE, charge.customer_id, charge.amount_cents)
    doubled = ask_lead(world, charge, "duplicate")
    world.wait(timedelta(hours=4), until="notice", actor=ANA)
    assert now(world, doubled).status == "approved"


def test_leads_answer_in_working_hours(world: World) -> None:
    charge = paid(world, buy(world))
    world.wait(timedelta(days=4, hours=11))  # Friday, seven in the evening
    approval = ask_lead(world, charge)
    world.wait(timedelta(days=2, hours=12))
    assert now(world, approval).status == "pending"
    world.wait(timedelta(hours=4))
    answered = now(world, approval)
    assert answered.status == "approved"
    assert answered.decided_at.weekday() == 0


def test_only_another_lead_decides_a_request(world: World) -> None:
    charge = paid(world, buy(world))
    approval = ask_lead(world, charge)
    with pytest.raises(Refusal, match="403 not_allowed"):
        world.do(rules.decide_approval, ANA, approval.id, True)
    own = world.do(
        rules.request_approval, LEA, "credit", mara(world).id, amount_cents=20_000, reason="goodwill", justification=WHY
    )
    with pytest.raises(Refusal, match="403 own_approval"):
        world.do(rules.decide_approval, LEA, own.id, True)


def test_a_second_request_for_the_same_approval_is_refused(world: World) -> None:
    charge = paid(world, buy(world))
    ask_lead(world, charge)
    with pytest.raises(Refusal, match="409 approval_pending"):
        ask_lead(world, charge)


def test_a_machine_just_out_of_warranty_needs_an_approval(world: World) -> None:
    order = delivered(world)
    serial = world.read(rules.lines_of, order.id)[0].serial_numbers[0]
    unit = world.read(lambda tx: tx.get(Unit, serial))
    world.wait(unit.warranty_until - world.now + timedelta(days=2))
    with pytest.raises(Refusal, match="409 warranty_expired"):
        world.do(rules.replace, ANA, order.customer_id, serial, reason="leaks")
    approval = world.do(
        rules.request_approval, ANA, "replacement", serial, reason="warranty", justification="Two days over."
    )
    world.wait(timedelta(days=3))
    made = world.do(rules.replace, ANA, order.customer_id, serial, reason="leaks", approval_id=approval.id)
    assert made.approval_id == approval.id
