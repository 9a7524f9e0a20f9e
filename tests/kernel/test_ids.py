"""Ids: one counter per series, kept as rows, and taken back with what they were minted for."""

from contextlib import suppress

import pytest

from diorama.kernel import Refusal, Request, Snapshot, Tx, World
from tests.kernel.workshop import ANA, COMPANY, TESTER, Entry, Label, Page, Part, open_shop, stocked


def counts(world: World) -> dict[str, int]:
    """The counters as the image keeps them."""
    return dict(world.read(lambda tx: tx.control("SELECT name, count FROM _ids")))


def add(world: World, name: str = "x") -> int:
    """Add a part; its id."""
    return int(world.do(lambda tx: tx.add(Part(name=name)), TESTER).id)


def test_every_series_has_a_row_of_its_own() -> None:
    world = open_shop()
    for _ in range(3):
        add(world)
    world.do(lambda tx: tx.add(Label(text="a")), TESTER)
    assert counts(world) == {"workshop_parts": 3, "workshop_labels": 1}


def test_one_series_does_not_move_another() -> None:
    def label(world: World) -> str:
        return str(world.do(lambda tx: tx.add(Label(text="a")), TESTER).id)

    plain, busy = open_shop(), open_shop()
    for _ in range(5):
        add(busy)
    assert label(plain) == label(busy)


def test_a_rolled_back_attempt_releases_its_ids() -> None:
    def work(tx: Tx) -> list[int | str]:
        made: list[int | str] = [tx.add(Part(name="kept")).id]
        with suppress(Refusal), tx.attempt():
            tx.add(Part(name="undone"))
            tx.add(Label(text="undone"))
            raise Refusal(409, "Busy")
        return [*made, tx.add(Part(name="next")).id, tx.add(Label(text="next")).id]

    world, plain = open_shop(), open_shop()
    first, second, label = world.do(work, TESTER)
    assert (first, second) == (1, 2)
    assert label == plain.do(lambda tx: tx.add(Label(text="next")), TESTER).id
    assert counts(world) == {"workshop_parts": 2, "workshop_labels": 1}


def test_a_series_used_only_in_a_rolled_back_attempt_has_no_row() -> None:
    def work(tx: Tx) -> None:
        with suppress(Refusal), tx.attempt():
            tx.add(Page(body="undone"))
            raise Refusal(409, "Busy")

    world = open_shop()
    world.do(work, TESTER)
    assert counts(world) == {}


def test_a_nested_attempt_releases_only_its_own_ids() -> None:
    def work(tx: Tx) -> int:
        with tx.attempt():
            tx.add(Part(name="1"))
            with suppress(Refusal), tx.attempt():
                tx.add(Part(name="undone"))
                raise Refusal(409, "Busy")
            tx.add(Part(name="2"))
        return int(tx.add(Part(name="3")).id)

    world = stocked(4)
    assert world.do(work, TESTER) == 7
    assert counts(world) == {"workshop_parts": 7}


def test_a_refusal_releases_the_ids_of_every_series() -> None:
    def refused(tx: Tx) -> None:
        tx.add(Part(name="x"))
        tx.add(Entry(cents=1))
        tx.add(Label(text="x"))
        raise Refusal(409, "Busy")

    world = stocked(2)
    before = counts(world)
    with pytest.raises(Refusal):
        world.do(refused, TESTER)
    assert counts(world) == before == {"workshop_parts": 2}
    assert world.send("workshop", Request("POST", "/nowhere"), ANA).status == 404  # it adds a part, then refuses
    assert (counts(world), add(world)) == (before, 3)


def test_a_removed_row_does_not_free_its_id() -> None:
    world = open_shop()
    number = add(world)
    world.do(lambda tx: tx.remove(tx.get(Part, number)), TESTER)
    assert add(world) == number + 1


def test_counters_survive_forks_and_export() -> None:
    world = stocked(3)
    snapshot = world.snapshot()
    there = World.at(Snapshot.load(snapshot.dump(), COMPANY, snapshot.image))
    fork = world.fork()
    add(world)
    assert [add(one) for one in (world, fork, there)] == [5, 4, 4]
