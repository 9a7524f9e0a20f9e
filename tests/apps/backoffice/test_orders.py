"""Orders reserve goods, charge the customer, are packed automatically, and can be cancelled only before shipping."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Charge, Order, Shipment, Stock
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, EXPIRED, FATE, HOME, WORK, buy, delivered, mara, now, paid, parcel


def stock(world: World, sku: str) -> tuple[int, int]:
    found = world.read(lambda tx: tx.get(Stock, sku))
    return found.on_hand, found.reserved


def test_an_order_is_packed_shipped_and_delivered_automatically(world: World) -> None:
    before, _ = stock(world, "LK-ARIA")
    order = buy(world)
    assert stock(world, "LK-ARIA") == (before, 1)
    world.wait(timedelta(days=7))

    assert now(world, order).status == "delivered"
    assert stock(world, "LK-ARIA") == (before - 1, 0)
    assert [scan.status for scan in world.read(rules.scans, parcel(world, order).id)] == [
        "label_created",
        "in_transit",
        "delivered",
    ]
    serial = world.read(rules.lines_of, order.id)[0].serial_numbers[0]
    unit = world.read(rules.unit, serial.lower())
    assert unit.customer_id == order.customer_id
    assert (unit.warranty_until.year, unit.warranty_until.month) == (2028, 3)


def test_the_charge_is_lines_plus_shipping_minus_credit(world: World) -> None:
    small, large = buy(world, ("AC-CLEAN", 2)), buy(world, ("AC-SCALE", 1), ("CF-HARBOUR", 3))
    assert (small.subtotal_cents, small.shipping_cents, small.total_cents) == (3_380, 495, 3_875)
    assert (large.subtotal_cents, large.shipping_cents) == (10_870, 0)
    for order in (small, large):
        assert paid(world, order).amount_cents == order.total_cents


def test_a_product_out_of_stock_cannot_be_ordered(world: World) -> None:
    with pytest.raises(Refusal, match="409 out_of_stock"):
        buy(world, ("LK-ATELIER", 9))
    buy(world, ("LK-ATELIER", 8))
    with pytest.raises(Refusal, match="409 out_of_stock"):
        buy(world, ("LK-ATELIER", 1))
    buy(world, ("CF-HARBOUR", 50))  # coffee is roasted for the order


def test_a_declined_card_leaves_no_order_no_reservation_and_no_charge(world: World) -> None:
    before = world.state
    with pytest.raises(Refusal, match="402 expired_card"):
        buy(world, card=EXPIRED)
    assert world.state == before
    assert world.read(lambda tx: (tx.count(Order), tx.count(Charge))) == (0, 0)


def test_a_cancelled_order_releases_its_stock(world: World) -> None:
    order = buy(world)
    world.do(rules.cancel_order, ANA, order.id, "changed her mind")
    world.wait(timedelta(days=5))
    assert now(world, order).status == "cancelled"
    assert world.read(lambda tx: tx.count(Shipment)) == 0
    assert stock(world, "LK-ARIA") == (120, 0)
    assert now(world, paid(world, order)).refunded_cents == 0  # the refund is a separate step


def test_an_order_can_be_cancelled_until_it_is_shipped(world: World) -> None:
    labelled, gone = buy(world, pack=False), buy(world, pack=False)
    for order in (labelled, gone):
        world.do(rules.ship, FATE, order.id)
    world.do(rules.cancel_order, ANA, labelled.id)
    assert stock(world, "LK-ARIA") == (119, 0)
    assert parcel(world, labelled).status == "cancelled"
    assert world.read(rules.lines_of, labelled.id)[0].serial_numbers == ()

    world.wait(timedelta(days=1))
    with pytest.raises(Refusal, match="409 order_shipped"):
        world.do(rules.cancel_order, ANA, gone.id)


def test_changing_an_orders_address_updates_its_label(world: World) -> None:
    order = buy(world, pack=False)
    world.do(rules.ship, FATE, order.id)
    world.do(rules.change_order_address, ANA, order.id, WORK)
    assert parcel(world, order).address == WORK
    assert now(world, order).shipping_address == WORK


def test_a_changed_address_is_used_when_the_order_is_packed(world: World) -> None:
    order = buy(world)
    world.do(rules.change_order_address, ANA, order.id, WORK)
    world.wait(timedelta(hours=11))
    assert parcel(world, order).address == WORK


def test_the_address_of_a_shipped_order_cannot_change(world: World) -> None:
    order = delivered(world)
    before = world.state
    with pytest.raises(Refusal, match="409 shipment_handed_over"):
        world.do(rules.change_order_address, ANA, order.id, WORK)
    assert world.state == before


def test_the_country_of_an_order_cannot_change(world: World) -> None:
    order = buy(world)
    abroad = type(HOME)(name="M", line1="Unter den Linden 1", city="Berlin", postal_code="10117", country="DE")
    with pytest.raises(Refusal, match="409 country_change"):
        world.do(rules.change_order_address, ANA, order.id, abroad)


def test_an_order_is_found_by_its_public_number(world: World) -> None:
    order = buy(world)
    digits = order.number.removeprefix("LK-")
    for quoted in (order.number, digits, f"#{digits}", order.number.lower()):
        found = world.read(rules.by_number, quoted)
        assert found is not None
        assert found.id == order.id
    assert mara(world).id == order.customer_id
