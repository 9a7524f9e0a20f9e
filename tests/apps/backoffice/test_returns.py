"""Goods can be returned once within the return period, and the warehouse confirms their arrival."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Return, Unit
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, MARA, buy, delivered, now


def test_the_return_window_depends_on_the_reason(world: World) -> None:
    order = delivered(world)
    world.wait(timedelta(days=31))
    with pytest.raises(Refusal, match="409 return_window_closed"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    assert world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective").status == "open"


def test_a_return_for_a_defect_ends_with_the_warranty(world: World) -> None:
    order = delivered(world)
    world.wait(timedelta(days=740))
    with pytest.raises(Refusal, match="409 warranty_expired"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective")


def test_an_undelivered_item_cannot_be_returned(world: World) -> None:
    order = buy(world)
    with pytest.raises(Refusal, match="409 order_not_delivered"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")


def test_an_item_cannot_be_returned_twice(world: World) -> None:
    order = delivered(world, ("LK-ARIA", 1), ("AC-CUPS", 2))
    world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    with pytest.raises(Refusal, match="409 already_returned"):
        world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="defective")
    world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")
    world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")
    with pytest.raises(Refusal, match="409 quantity_too_large"):
        world.do(rules.open_return, ANA, order.id, "AC-CUPS", reason="changed_mind")


def test_two_machines_in_one_order_differ_by_serial_number(world: World) -> None:
    order = delivered(world, ("LK-LARK", 2))
    with pytest.raises(Refusal, match="400 serial_not_in_order"):
        world.do(rules.open_return, ANA, order.id, "LK-LARK", reason="changed_mind")
    serial = world.read(rules.lines_of, order.id)[0].serial_numbers[1]
    made = world.do(rules.open_return, ANA, order.id, "LK-LARK", reason="changed_mind", serial=serial.lower())
    assert made.serial_number == serial


def test_a_received_return_goes_back_into_stock(world: World) -> None:
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
