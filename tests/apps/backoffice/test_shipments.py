"""Once the carrier has a parcel, only the carrier changes its status."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.rules.shipments import MOVES
from diorama.apps.backoffice.schema import Shipment, Unit
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, WORK, buy, delivered, now, parcel


@pytest.fixture
def label(world: World) -> Shipment:
    order = buy(world, pack=False)
    return world.do(rules.ship, FATE, order.id)


def test_a_label_can_be_reprinted_until_pickup(world: World, label: Shipment) -> None:
    assert world.do(rules.change_address, ANA, label.id, WORK).address == WORK
    world.wait(timedelta(days=1))
    assert now(world, label).status == "in_transit"
    with pytest.raises(Refusal, match="409 shipment_handed_over"):
        world.do(rules.change_address, ANA, label.id, WORK)


@pytest.mark.parametrize("status", ["in_transit", "delivered", "lost", "returned"])
def test_a_shipped_parcels_address_cannot_change(world: World, label: Shipment, status: str) -> None:
    world.do(rules.move, FATE, label.id, "in_transit")
    if status != "in_transit":
        world.do(rules.move, FATE, label.id, status)
    before = world.state
    with pytest.raises(Refusal, match="409 shipment_handed_over"):
        world.do(rules.change_address, ANA, label.id, WORK)
    assert world.state == before


@pytest.mark.parametrize("begin", list(MOVES))
@pytest.mark.parametrize("end", list(MOVES))
def test_a_parcels_status_only_moves_forward(world: World, label: Shipment, begin: str, end: str) -> None:
    for step in {"lost": ("in_transit", "lost"), "label_created": ()}.get(begin, ("in_transit", begin)):
        if step != now(world, label).status and step in MOVES[now(world, label).status]:
            world.do(rules.move, FATE, label.id, step)
    if begin == "cancelled":
        return  # a label that was voided before the van came is tested with its order
    if end in MOVES[now(world, label).status]:
        world.do(rules.move, FATE, label.id, end)
    else:
        with pytest.raises(Refusal, match="409 shipment_status"):
            world.do(rules.move, FATE, label.id, end)


def test_parcels_are_picked_up_on_working_days_only(world: World) -> None:
    world.wait(timedelta(days=4, hours=10))  # Friday evening
    order = buy(world, pack=False)
    made = world.do(rules.ship, FATE, order.id)
    world.wait(timedelta(days=2, hours=12))
    assert now(world, made).status == "label_created"
    world.wait(timedelta(hours=12))
    assert now(world, made).handed_over_at.weekday() == 0


def test_the_carrier_reports_a_loss_only_after_an_inquiry(world: World) -> None:
    order = buy(world, pack=False)
    made = world.do(rules.ship, FATE, order.id, fate="lost")
    world.wait(timedelta(days=20))
    assert now(world, made).status == "in_transit"

    world.do(rules.trace, ANA, made.id)
    with pytest.raises(Refusal, match="409 trace_open"):
        world.do(rules.trace, ANA, made.id)
    seen = world.wait(timedelta(hours=6), until="notice", actor=ANA)
    assert [(wake.person, wake.notice, wake.data) for wake in seen] == [
        (ANA.name, "TraceAnswered", {"shipment_id": made.id})
    ]
    assert now(world, made).status == "lost"


def test_the_carrier_shows_proof_of_a_delivery(world: World) -> None:
    order = delivered(world)
    made = parcel(world, order)
    world.do(rules.trace, ANA, made.id)
    world.wait(timedelta(hours=6))
    assert "Oude Delft 12" in now(world, made).trace_answer
    assert now(world, made).status == "delivered"


def test_a_lost_parcel_is_resent_once_with_another_machine(world: World) -> None:
    order = buy(world, pack=False)
    lost = world.do(rules.ship, FATE, order.id, fate="lost")
    world.wait(timedelta(days=3))
    with pytest.raises(Refusal, match="409 shipment_not_lost"):
        world.do(rules.reship, ANA, lost.id)
    world.do(rules.move, FATE, lost.id, "lost")

    again = world.do(rules.reship, ANA, lost.id)
    old, new = lost.parcels[0].serial_numbers[0], again.parcels[0].serial_numbers[0]
    assert old != new
    assert world.read(lambda tx: (tx.get(Unit, old).status, tx.get(Unit, new).status)) == ("replaced", "active")
    with pytest.raises(Refusal, match="409 already_reshipped"):
        world.do(rules.reship, ANA, lost.id)
    world.wait(timedelta(days=7))
    assert now(world, order).status == "delivered"


def test_an_undeliverable_parcel_is_returned(world: World) -> None:
    order = buy(world, pack=False)
    made = world.do(rules.ship, FATE, order.id, fate="undeliverable")
    world.wait(timedelta(days=7))
    assert now(world, made).status == "returned"
    assert now(world, order).status == "shipped"
