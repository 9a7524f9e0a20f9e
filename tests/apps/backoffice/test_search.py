"""One search finds every kind of record by any identifier."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from diorama.kernel import World
from tests.apps.backoffice.shop import MARA, ask, delivered, mara, parcel


def hits(world: World, text: str) -> list[tuple[str, str, str]]:
    data = ask(world, "GET", "/api/v1/search", query=f"q={quote(text)}").json()["data"]
    return [(hit["matched_by"], hit["found"]["object"], hit["customer_id"]) for hit in data]


def test_every_search_key_finds_the_customer(world: World) -> None:
    order = delivered(world)
    made = parcel(world, order)
    who = mara(world).id
    serial = made.parcels[0].serial_numbers[0]
    assert hits(world, MARA.name)[0] == ("email", "customer", who)
    assert hits(world, "m.kok@work.example")[0] == ("email", "customer", who)
    assert hits(world, order.number)[0] == ("order_number", "order", who)
    assert hits(world, order.number.removeprefix("LK-"))[0] == ("order_number", "order", who)
    assert hits(world, serial.lower())[0] == ("serial_number", "unit", who)
    assert hits(world, made.tracking_number)[0] == ("tracking_number", "shipment", who)
    assert hits(world, order.id)[0] == ("id", "order", who)
    assert hits(world, "mara kok")[0] == ("text", "customer", who)
    assert hits(world, "Kok")[0] == ("text", "customer", who)
    assert hits(world, "mar")[0] == ("text", "customer", who)


@pytest.mark.parametrize(
    "text", ["", "   ", '"', "a OR (", "NEAR(", "*", "' OR 1=1 --", "nobody@example.com", "💥", "-"]
)
def test_odd_queries_return_an_empty_result(world: World, text: str) -> None:
    world.wait(timedelta(minutes=1))
    assert hits(world, text) == []
