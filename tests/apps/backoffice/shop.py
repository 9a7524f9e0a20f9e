"""A small shop for tests: a catalogue, three colleagues, one customer, and short functions for common actions."""

from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps import backoffice
from diorama.apps.backoffice import rules, seed
from diorama.apps.backoffice.schema import Card, Charge, Customer, Order, Postal, Shipment
from diorama.kernel import Actor, Reply, Request, Tx, World
from diorama.kernel.testing import fresh
from diorama.worlds.larkspur.catalogue import GOODS, OFFERS, OPENED, POLICIES, SETTINGS

APP = backoffice.app("larkspur")
ANA = Actor("agent", "ana@larkspur.example")
LEA = Actor("staff", "lea@larkspur.example")
MARA = Actor("persona", "mara@example.com")
FATE = Actor("system", "fate")
HOME = Postal(name="Mara Kok", line1="Oude Delft 12", city="Delft", postal_code="2611 CD", country="NL")
WORK = Postal(name="Mara Kok", line1="Coolsingel 40", city="Rotterdam", postal_code="3011 AD", country="NL")
CARD = Card(brand="visa", last4="4242", exp_month=9, exp_year=2028)
EXPIRED = Card(brand="visa", last4="0069", exp_month=1, exp_year=2026)


def furnish(tx: Tx) -> None:
    seed.set_up(tx, SETTINGS, GOODS, POLICIES, OFFERS, opened=OPENED)
    seed.add_staff(tx, ANA.name, "Ana Ruiz")
    seed.add_staff(tx, LEA.name, "Lea Brandt", "lead")
    rules.open_account(tx, "Mara Kok", [MARA.name, "m.kok@work.example"], address=HOME, card=CARD)


def open_shop(seed_number: int = 0) -> World:
    world = fresh([APP], seed_number)
    world.do(furnish, FATE)
    return world


def mara(world: World) -> Customer:
    found = world.read(rules.by_email, MARA.name)
    assert found is not None
    return found


def buy(world: World, *goods: tuple[str, int], **options: Any) -> Order:
    return world.do(rules.place_order, MARA, mara(world).id, goods or [("LK-ARIA", 1)], **options)


def paid(world: World, order: Order) -> Charge:
    return world.read(rules.charges_of, order.id)[0]


def parcel(world: World, order: Order) -> Shipment:
    return world.read(rules.parcels_of, order.id)[0]


def now(world: World, record: Any) -> Any:
    """Return the current version of a record."""
    return world.read(lambda tx: tx.get(type(record), record.id))


def delivered(world: World, *goods: tuple[str, int]) -> Order:
    """Place an order and wait until it is delivered."""
    order = buy(world, *goods)
    world.wait(timedelta(days=6))
    assert now(world, order).status == "delivered"
    return order


def ask(
    world: World, method: str, path: str, body: Any = None, actor: Actor = ANA, query: str = "", **headers: str
) -> Reply:
    """Send one request through the gateway."""
    data = b"" if body is None else msgspec.json.encode(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return world.send("backoffice", Request(method, path, query, named, data), actor)
