"""A machine under warranty is replaced once, by its serial number, for its owner, from stock."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Stock, Unit
from diorama.kernel import Refusal, Tx, World
from tests.apps.backoffice.shop import ANA, FATE, delivered, mara, now


@pytest.fixture
def serial(world: World) -> str:
    return world.read(rules.lines_of, delivered(world).id)[0].serial_numbers[0]


def test_a_replacement_keeps_the_old_warranty(world: World, serial: str) -> None:
    world.wait(timedelta(days=300))
    made = world.do(rules.replace, ANA, mara(world).id, serial, reason="trips the fuse", fault_code="AR-04")
    old, new = world.read(lambda tx: (tx.get(Unit, serial), tx.get(Unit, made.new_serial_number)))
    assert (old.status, old.replaced_by, new.replaces) == ("replaced", new.id, old.id)
    assert new.warranty_until == old.warranty_until
    world.wait(timedelta(days=7))
    assert now(world, made).status == "delivered"


def test_a_machine_is_not_replaced_twice(world: World, serial: str) -> None:
    who = mara(world).id
    world.do(rules.replace, ANA, who, serial, reason="dead")
    with pytest.raises(Refusal, match="409 unit_not_active"):
        world.do(rules.replace, ANA, who, serial, reason="dead")


def test_a_second_part_is_refused_while_one_is_on_its_way(world: World, serial: str) -> None:
    who = mara(world).id
    made = world.do(rules.replace, ANA, who, serial, reason="drips", fault_code="AR-01", part_sku="PT-GASKET58")
    assert (made.sku, made.new_serial_number) == ("PT-GASKET58", "")
    with pytest.raises(Refusal, match="409 replacement_open"):
        world.do(rules.replace, ANA, who, serial, reason="drips")
    world.wait(timedelta(days=7))
    world.do(rules.replace, ANA, who, serial, reason="still drips")


def test_a_replacement_needs_a_fitting_part_and_a_known_fault(world: World, serial: str) -> None:
    who = mara(world).id
    with pytest.raises(Refusal, match="409 part_does_not_fit"):
        world.do(rules.replace, ANA, who, serial, reason="x", part_sku="PT-NEEDLE")
    with pytest.raises(Refusal, match="400 fault_unknown"):
        world.do(rules.replace, ANA, who, serial, reason="x", fault_code="DU-01")


def test_a_serial_number_of_another_customer_is_refused(world: World, serial: str) -> None:
    stranger = world.do(rules.open_account, FATE, "Tom Reed", ["tom@example.com"])
    with pytest.raises(Refusal, match="409 serial_not_owned"):
        world.do(rules.replace, ANA, stranger.id, serial, reason="dead")


def test_a_replacement_needs_stock(world: World, serial: str) -> None:
    def empty(tx: Tx) -> None:
        tx.change(tx.get(Stock, "LK-ARIA"), on_hand=0)

    world.do(empty, FATE)
    before = world.state
    with pytest.raises(Refusal, match="409 out_of_stock"):
        world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    assert world.state == before


def test_a_replacement_is_possible_after_restocking(world: World, serial: str) -> None:
    def order_more(tx: Tx) -> None:
        due = tx.now + timedelta(days=1)
        tx.change(tx.get(Stock, "LK-ARIA"), on_hand=0, incoming=12, incoming_at=due)
        tx.at(due, rules.receive_stock, sku="LK-ARIA")

    world.do(order_more, FATE)
    with pytest.raises(Refusal, match=r"409 out_of_stock: .* 12 are due on"):
        world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    world.wait(timedelta(days=1))
    world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    stock = world.read(lambda tx: tx.get(Stock, "LK-ARIA"))
    assert (stock.on_hand, stock.incoming, stock.incoming_at) == (11, 0, None)


def test_cancelling_a_replacement_restores_stock_and_machine(world: World, serial: str) -> None:
    made = world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    world.do(rules.cancel_replacement, ANA, made.id)
    unit = world.read(lambda tx: tx.get(Unit, serial))
    assert (unit.status, unit.replaced_by) == ("active", "")
    assert world.read(lambda tx: tx.find(Unit, made.new_serial_number)) is None
    assert world.read(rules.available, "LK-ARIA") == 119


def test_a_replacement_on_its_way_cannot_be_cancelled(world: World, serial: str) -> None:
    made = world.do(rules.replace, ANA, mara(world).id, serial, reason="dead")
    world.wait(timedelta(days=3))
    with pytest.raises(Refusal, match="409 shipment_handed_over"):
        world.do(rules.cancel_replacement, ANA, made.id)
