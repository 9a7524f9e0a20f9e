"""The lane rules, and what happens to a lane that breaks one of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import apsw
import pytest

from diorama.kernel import Defect, World
from diorama.kernel import lane as lanes
from diorama.kernel.lane import LANES, PRAGMAS, Lane
from diorama.kernel.pages import PAGE, Image, PageMap
from diorama.kernel.testing import image_for
from tests.kernel.workshop import COMPANY, TESTER, Part, names, open_shop, stocked, weighed


class Forgetful(Lane):
    """Broken: swaps worlds without resetting the cache."""

    def bind(self, pages: PageMap) -> None:
        """Swap without resetting the cache."""
        self.file.map = self.bound = pages


class Exclusive(Lane):
    """Broken: uses exclusive locking."""

    def __init__(self, image: Image, tracked: dict[str, tuple[str, ...]]) -> None:
        super().__init__(image, tracked)
        assert self.control("PRAGMA locking_mode = exclusive") == [("exclusive",)]


class Careless(Lane):
    """Broken: swaps while a statement is still running."""

    def bind(self, pages: PageMap) -> None:
        """Swap without checking for running statements."""
        if self.bound is not pages:
            self.file.map = self.bound = pages
            self.connection.file_control("main", apsw.SQLITE_FCNTL_RESET_CACHE, 0)


@contextmanager
def only(kind: type[Lane]) -> Iterator[Lane]:
    """Make all worlds of the workshop share one lane of this kind."""
    image = image_for(COMPANY)
    kept = LANES.by_image.pop(image, None)
    lane = kind(image, COMPANY.tracked)
    LANES.by_image[image] = [lane]
    try:
        yield lane
    finally:
        LANES.by_image.pop(image)
        if kept:
            LANES.by_image[image] = kept


def diverged() -> tuple[World, World]:
    """Return two forks with different writes but the same change counter in their file."""
    one = stocked(3)
    two = one.fork()
    one.do(lambda tx: tx.add(Part(name="one")), TESTER)
    two.do(lambda tx: tx.add(Part(name="two")), TESTER)
    return one, two


def shrunk() -> tuple[World, World]:
    """Return a large world, and a fork of it that was emptied and vacuumed."""
    large = stocked(2000)
    small = large.fork()
    small.do(lambda tx: tx.rows("DELETE FROM workshop_parts"), TESTER)
    small._lane().control("VACUUM")
    return large, small


def half_read(lane: Lane, world: World) -> apsw.Cursor:
    """Return a statement that has returned one row and has more."""
    assert len(names(world)) > 1
    cursor = lane.connection.execute("SELECT name FROM workshop_parts")
    next(cursor)
    return cursor


def test_one_lane_serves_many_worlds_in_turn() -> None:
    with only(Lane) as lane:
        one, two = diverged()
        for _ in range(3):
            assert names(one)[-1] == "one"
            assert names(two)[-1] == "two"
        assert (one.state, two.state) == (weighed(one), weighed(two))
        large, small = shrunk()
        assert (len(names(large)), len(names(small))) == (2000, 0)
        assert [lane] == LANES.by_image[lane.image]


def packed_pages(world: World) -> int:
    """Return how many pages of a world are packed."""
    return sum(len(page) < PAGE for page in world.pages.top.values())


def test_the_world_that_was_not_used_for_longest_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "RECENT", 3)
    with only(Lane):
        parent = stocked(300)
        worlds = [parent.fork() for _ in range(5)]
        for number, world in enumerate(worlds):
            world.do(lambda tx, number=number: tx.add(Part(name=f"part {number}")), TESTER)
        assert [packed_pages(world) > 0 for world in worlds] == [True, True, False, False, False]
        assert [names(world)[-1] for world in worlds] == [f"part {number}" for number in range(5)]
        assert [world.state for world in worlds] == [weighed(world) for world in worlds]
        worlds[0].do(lambda tx: tx.add(Part(name="more")), TESTER)
        assert names(worlds[0].fork())[-2:] == ["part 0", "more"]


def test_a_world_that_is_used_again_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "RECENT", 3)
    with only(Lane):
        world, others = stocked(300), [open_shop() for _ in range(6)]
        world.do(lambda tx: tx.add(Part(name="last")), TESTER)
        before = packed_pages(world)
        for other in others:
            names(other)
            names(world)
        assert packed_pages(world) == before
        for other in others:
            names(other)
        assert packed_pages(world) > before


def test_a_world_that_another_connection_uses_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "RECENT", 1)
    with only(Lane) as first:
        world, other = stocked(300), stocked(1)
        world.do(lambda tx: tx.add(Part(name="last")), TESTER)
        before = packed_pages(world)
        second = Lane(first.image, COMPANY.tracked)
        second.bind(world.pages)
        for one in (other, other.fork(), other.fork()):
            first.bind(one.pages)
        assert packed_pages(world) == before
        first.bind(world.pages)
        for one in (other, other.fork(), other.fork()):
            first.bind(one.pages)
        assert packed_pages(world) > before


def test_without_a_cache_reset_stale_rows_are_served_silently() -> None:
    with only(Forgetful):
        one, two = diverged()
        assert names(two)[-1] == "two"
        assert names(one)[-1] == "two"  # wrong, and nothing says so
        assert weighed(one) == weighed(two) == two.state  # all rows are the other world's


def test_exclusive_locking_with_a_page_swap_corrupts() -> None:
    with only(Exclusive):
        large, _ = shrunk()
        with pytest.raises(apsw.CorruptError):
            names(large)


def test_a_half_read_cursor_would_make_one_world_read_another() -> None:
    with only(Careless) as lane:
        one, empty = stocked(300), open_shop()
        assert names(empty) == []
        cursor = half_read(lane, one)
        assert names(empty) == names(one)  # wrong, and nothing says so
        cursor.close()


def test_a_half_read_cursor_is_a_defect_and_retires_the_lane() -> None:
    with only(Lane) as lane:
        one, empty = stocked(300), open_shop()
        cursor = half_read(lane, one)
        with pytest.raises(Defect, match="still running"):
            names(empty)
        assert names(empty) == []
        assert len(names(one)) == 300
        assert lane not in LANES.by_image[lane.image]
        with pytest.raises(apsw.ConnectionClosedError):
            lane.connection.execute("SELECT 1")
        assert cursor is not None  # keep the cursor open until here


def test_a_multi_statement_query_stops_at_its_first_row() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA cache_size; INSERT INTO t VALUES (1)")
    assert connection.execute("SELECT x FROM t").fetchall() == []


@pytest.mark.parametrize(("name", "wanted"), PRAGMAS.items())
def test_every_pragma_of_a_lane_is_in_force(name: str, wanted: Any) -> None:
    lane = Lane(image_for(COMPANY), COMPANY.tracked)
    assert lane.control(f"PRAGMA {name}") == [(wanted,)]


def test_a_pragma_that_sqlite_ignores_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "PRAGMAS", {"journal_mode": "wal"})
    with pytest.raises(Defect, match="could not set journal_mode"):
        Lane(image_for(COMPANY), COMPANY.tracked)


def test_a_second_lane_is_opened_only_while_the_first_is_in_a_transaction() -> None:
    with only(Lane) as lane:
        one, two = stocked(3), stocked(5)
        for world in (one, two, one):
            names(world)
        pool = LANES.by_image[lane.image]
        assert pool == [lane]
        assert one.do(lambda tx: (len(tx.all(Part)), len(names(two))), TESTER) == (3, 5)
        assert len(pool) == 2
        names(one)
        assert len(pool) == 2


def test_a_world_cannot_act_inside_its_own_transaction() -> None:
    world = stocked(3)
    with pytest.raises(Defect, match="inside its own transaction"):
        world.do(lambda tx: world.do(lambda tx: tx.add(Part(name="inner")), TESTER), TESTER)
    assert world.defect is not None


def test_an_interrupt_rolls_the_transaction_back() -> None:
    world = stocked(3)
    before = world.state

    def interrupted(tx: Any) -> None:
        tx.add(Part(name="half-made"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.do(interrupted, TESTER)
    assert (world.state, len(names(world)), world.defect) == (before, 3, None)
    world.do(lambda tx: tx.add(Part(name="next")), TESTER)
    assert world.state == weighed(world)


def test_threads_have_their_own_lanes_and_clocks() -> None:
    seen: dict[int, set[tuple[int, str]]] = {}
    gate = threading.Barrier(4)

    def work(number: int) -> None:
        gate.wait()
        world = open_shop(number)
        world.do(lambda tx: tx.rows(f"UPDATE workshop_parts SET stock = {number}"), TESTER)
        world.do(lambda tx: tx.add(Part(stock=number)), TESTER)
        world.wait(timedelta(days=number))
        seen[number] = {
            world.read(lambda tx: tx.rows("SELECT stock, date('now') FROM workshop_parts")[0]) for _ in range(50)
        }

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {number: {(number, f"2026-03-{2 + number:02d}")} for number in range(4)}
