"""Goods can be returned once within the return period, and the warehouse confirms their arrival."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Return, Unit
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, MARA, buy, delivered, now


def test_a_change_of_mind_has_thirty_days_and_a_defect_has_the_warranty(world: World) -> None:
    order = delivered(world)
    world.wait(timedelta(days=31))
    with pytest.raises(Refusal, match="409 return_window_closed"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    assert world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective").status == "open"


def test_a_defect_after_the_warranty_is_too_late(world: World) -> None:
    order = delivered(world)
    world.wait(timedelta(days=740))
    with pytest.raises(Refusal, match="409 warranty_expired"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective")


def test_what_has_not_arrived_cannot_be_returned(world: World) -> None:
    order = buy(world)
    with pytest.raises(Refusal, match="409 order_not_delivered"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")


def test_nothing_is_returned_twice(world: World) -> None:
    order = delivered(world, ("LK-ARIA", 1), ("AC-CUPS", 2))
    world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    with pytest.raises(Refusal, match="409 already_returned"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective")
    world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")
    world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")
    with pytest.raises(Refusal, match="409 quantity_too_large"):
        world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")


def test_two_machines_in_one_order_are_told_apart_by_serial(world: World) -> None:
    order = delivered(world, ("LK-LARK", 2))
    with pytest.raises(Refusal, match="400 serial_not_in_order"):
        world.do(rules.open_return, ANA, order.id, "LK-LARK", reason="changed_mind")
    serial = world.read(rules.lines_of, order.id)[0].serial_numbers[1]
    made = world.do(rules.open_return, ANA, order.id, "LK-LARK", reason="changed_mind", serial=serial.lower())
    assert made.serial_number == serial


def test_a_posted_return_arrives_and_the_shelf_has_it_again(world: World) -> None:
    order = delivered(world)
    before = world.read(rules.available, "LK-ARIA")
    rma = world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    world.do(rules.post_return, MARA, rma.id)
    seen = world.wait(timedelta(days=5), until="notice", actor=ANA)
    assert [(wake.person, wake.notice, wake.data) for wake in seen] == [
        (ANA.name, "ReturnReceived", {"return_id": rma.id})
    ]
    assert now(world, rma).status == "received"
    assert world.read(rules.available, "LK-ARIA") == before + 1
    assert world.read(lambda tx: tx.get(Unit, rma.serial_number).status) == "returned"


def test_a_cancelled_return_can_be_opened_again(world: World) -> None:
    order = delivered(world)
    rma = world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    world.do(rules.cancel_return, ANA, rma.id)
    world.do(rules.receive_return, FATE, rma.id)
    assert now(world, rma).status == "cancelled"
    world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    assert world.read(lambda tx: tx.count(Return)) == 2
