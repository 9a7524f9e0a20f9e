"""Watchers get the net changes of a transaction in their tables, by any author."""

import pytest

from diorama.kernel import Actor, Change, Company, Product, Record, Refusal, Tx, World, counter
from diorama.kernel.testing import image_for

SHOP = Product("shop")


@SHOP.record("shelves", ids=counter(1))
class Shelf(Record):
    """Something that is watched."""

    name: str


@SHOP.record("scribbles", ids=counter(1))
class Scribble(Record):
    """A record without a watcher."""

    text: str


@SHOP.watch(Shelf)
def scribble(tx: Tx, changes: list[Change]) -> None:
    """Store a line for each change."""
    for change in changes:
        tx.add(Scribble(text=f"{change.op} {change.key}"))


COMPANY = Company("watched", [SHOP])
ANA = Actor("agent", "ana")


@pytest.fixture
def world() -> World:
    """Return an empty shop."""
    return World.open(COMPANY, image_for(COMPANY), 0)


def told(world: World) -> list[str]:
    """Return the stored lines."""
    return [one.text for one in world.read(lambda tx: tx.all(Scribble))]


def test_a_watcher_sees_the_net_changes_of_a_transaction(world: World) -> None:
    def work(tx: Tx) -> None:
        kept, gone = tx.add(Shelf(name="a")), tx.add(Shelf(name="b"))
        tx.change(kept, name="c")
        tx.remove(gone)

    world.do(work, ANA)
    assert told(world) == ["insert 1"]
    assert [change.table for change in world.events[-1].changes] == ["shop_scribbles", "shop_shelves"]
    world.do(lambda tx: tx.change(tx.get(Shelf, 1), name="d"), ANA)
    world.do(lambda tx: tx.remove(tx.get(Shelf, 1)), ANA)
    assert told(world) == ["insert 1", "update 1", "delete 1"]


def test_a_watcher_ignores_other_tables_and_refused_changes(world: World) -> None:
    def refused(tx: Tx) -> None:
        tx.add(Shelf(name="a"))
        raise Refusal(422, "No", "no")

    with pytest.raises(Refusal):
        world.do(refused, ANA)
    world.do(lambda tx: tx.add(Scribble(text="by hand")), ANA)
    assert told(world) == ["by hand"]
