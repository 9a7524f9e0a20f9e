"""The hot struct: no exit of the pages forgets it, and no rollback leaves a part of it behind."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Defect, Refusal, Request, Snapshot, Tx, World
from diorama.kernel.hot import NUMBERS, ROOM, Hot, has_room
from diorama.kernel.pages import PAGE
from tests.kernel.workshop import ANA, COMPANY, TESTER, Part, open_shop, ring_on, weighed

MINUTE = 60_000_000


def knock(tx: Tx, door: int, refused: bool = False) -> tuple[int, int]:
    """Count in a window, schedule a fault, and perhaps refuse; the clock row has no room for all doors."""
    window = tx.count_in_window(f"door {door}" + 700 * door * "-", MINUTE)
    tx.fault("workshop", "slow", timedelta(0), timedelta(minutes=1))
    if refused:
        raise Refusal(409, "Shut", "no one opens")
    return window


def knock_in_vain(tx: Tx, door: int) -> None:
    """Knock inside a part that is undone."""
    try:
        with tx.attempt():
            knock(tx, door, refused=True)
    except Refusal:
        knock(tx, door + 1)


def ask(world: World, table: str) -> list[Any]:
    """Return the rows of a control table as SQL sees them."""
    return world.read(lambda tx: tx.control(f"SELECT * FROM {table}"))


def ask_in_transaction(tx: Tx, door: int) -> None:
    """Read the hot rows by SQL between two writes."""
    knock(tx, door)
    assert len(tx.control("SELECT * FROM _world")) == 1
    tx.control("SELECT * FROM _meters")
    knock(tx, door)


def refused(world: World, door: int) -> None:
    """Knock at a closed door."""
    with pytest.raises(Refusal):
        world.do(knock, TESTER, door, refused=True)


def loaded(world: World) -> World:
    """Return the world as another process would load it."""
    taken = world.snapshot()
    return World.at(Snapshot.load(taken.dump(), COMPANY, taken.image))


def broken(world: World) -> World:
    """Break a world in the middle of a transaction, and return to the moment before."""
    taken, hot = world.snapshot(), world.hot
    with pytest.raises(Defect):
        world.send("workshop", Request("POST", "/break"), ANA)
    assert world.hot == hot
    world.restore(taken)
    return world


ACTS: dict[str, Callable[[World, int], Any]] = {
    "build": lambda world, n: world.send("workshop", Request("POST", "/build", body=b"part"), ANA),
    "read": lambda world, n: world.send("workshop", Request("GET", "/count"), ANA),
    "refuse": lambda world, n: world.send("workshop", Request("GET", "/nowhere"), ANA),
    "knock": lambda world, n: world.do(knock, TESTER, n),
    "refused": refused,
    "attempt": lambda world, n: world.do(knock_in_vain, TESTER, n),
    "ask": lambda world, n: world.do(ask_in_transaction, TESTER, n),
    "wait": lambda world, n: world.wait(timedelta(seconds=40 * n)),
    "plan": lambda world, n: world.plan(timedelta(minutes=n), ring_on, bell="tea", every_seconds=20, times=3),
    "truth": lambda world, n: world.truth.update(number=n),
    "rest": lambda world, n: world.wait(timedelta(minutes=5), "rest"),
}
MOVES: dict[str, Callable[[World, int], World]] = {
    "fork": lambda world, n: world.fork(),
    "new dice": lambda world, n: world.fork(dice=n),
    "load": lambda world, n: loaded(world),
    "at": lambda world, n: World.at(world.snapshot()),
    "break": lambda world, n: broken(world),
}
STEPS = st.tuples(st.sampled_from([*ACTS, *MOVES, "snapshot", "restore"]), st.integers(0, 3))


class Player:
    """A world that is led through steps; with `through`, it keeps nothing in memory between two of them."""

    def __init__(self, through: bool) -> None:
        self.world = open_shop()
        self.through = through
        self.taken = [self.world.snapshot()]

    def step(self, name: str, number: int) -> None:
        if name == "snapshot":
            self.taken.append(self.world.snapshot())
        elif name == "restore":
            self.world.restore(self.taken[number % len(self.taken)])
        elif name in MOVES:
            self.world = MOVES[name](self.world, number)
        else:
            ACTS[name](self.world, number)
        if self.through:
            pages = self.world.pages
            self.world._lane().flush()
            pages.hot = pages.flushed = None

    def seen(self) -> Any:
        world = self.world
        return (world.now, world.turn, world.state, world.trace, world.pages.pages, world.hot.row())


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_a_world_equals_one_that_writes_everything_through(steps: list[tuple[str, int]]) -> None:
    kept, through = Player(through=False), Player(through=True)
    for name, number in steps:
        kept.step(name, number)
        through.step(name, number)
        assert kept.seen() == through.seen(), name
    for table in ("_world", "_meters", "_faults", "_agenda", "_ids", "_truth"):
        assert ask(kept.world, table) == ask(through.world, table), table
    assert kept.world.state == weighed(kept.world)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_the_rows_equal_the_struct_at_every_exit(steps: list[tuple[str, int]]) -> None:
    player = Player(through=False)
    for name, number in steps:
        player.step(name, number)
        world = player.world
        hot = world.hot
        for exited in (world, loaded(world)):
            assert ask(exited, "_world") == [(1, *hot.row())]
            assert exited.hot.row() == hot.row()
            assert exited.hot.meters == hot.meters
            counters = dict(ask(exited, "_ids"))
            assert hot.ids.items() <= counters.items()
            assert hot.origin or counters == {**world._lane().counts, **hot.ids}
            assert hot.meters.keys().isdisjoint(name for name, _, _ in ask(exited, "_meters"))
        taken = world.snapshot()
        world.written()
        assert world.pages.flushed is world.hot is hot, "an exit changed the struct"
        assert World.at(taken).hot is hot


def test_pages_cannot_leave_without_a_flush() -> None:
    world = open_shop()
    world.do(knock, TESTER, 1)
    with pytest.raises(Defect, match="cannot leave before"):
        world.pages.written()
    assert world.written()


@pytest.mark.parametrize(
    "sql",
    ["UPDATE _world SET now = 0", "delete from _world", "WITH a AS (SELECT 1) UPDATE _ids SET count = 0"],
)
def test_sql_cannot_change_what_the_struct_holds(sql: str) -> None:
    world = open_shop()
    with pytest.raises(Defect, match="not by SQL"):
        world.do(lambda tx: tx.control(sql), TESTER)


def test_a_request_that_only_reads_writes_no_page() -> None:
    world = open_shop()
    world.snapshot()
    before = world.hot
    assert world.send("workshop", Request("GET", "/count"), ANA).status == 200
    assert world.hot.seq == before.seq + 1
    assert world.pages.top == {}


def test_counting_in_a_window_writes_no_page() -> None:
    world = open_shop()
    world.snapshot()
    assert [world.do(lambda tx: tx.count_in_window("door", MINUTE), TESTER)[1] for _ in range(3)] == [1, 2, 3]
    assert world.pages.top == {}
    assert World.at(world.snapshot()).hot.meters["door"][1] == 3


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=600), st.booleans()), max_size=40))
def test_windows_count_alike_in_the_clock_row_and_beside_it(doors: list[tuple[str, bool]]) -> None:
    world, counts = open_shop(), dict[str, int]()
    for door, leaves in doors:
        counts[door] = counts.get(door, 0) + 1
        assert world.do(lambda tx, door=door: tx.count_in_window(door, MINUTE), TESTER)[1] == counts[door]
        if leaves:
            pages = world.pages.pages
            world.written()
            assert world.pages.pages == pages, "a flush made the pages grow"
            world = loaded(world)
    assert len(world.hot.row()[-1]) <= ROOM


def test_numbers_of_any_size_fit_into_the_clock_row() -> None:
    name = (ROOM - NUMBERS) * "a"
    assert has_room({}, name)
    assert not has_room({}, name + "a")
    assert not has_room({name: (0, 0)}, "")
    most = (1 << 63) - 1
    largest = Hot(most, most, most, most, most, bytes(32), bytes(16), {name: (most, most)})
    assert sum(len(cell) if isinstance(cell, bytes) else 8 for cell in largest.row()) + 30 < PAGE - 35


def test_a_transaction_without_a_statement_opens_none(monkeypatch: pytest.MonkeyPatch) -> None:
    world = open_shop()
    world.do(lambda tx: None, TESTER)
    lane, seen = world._lane(), list[str]()
    plain = lane.control

    def control(sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        seen.append(sql)
        return plain(sql, bindings)

    monkeypatch.setattr(lane, "control", control)
    before = world.hot.seq
    world.do(lambda tx: None, TESTER)
    world.read(lambda tx: None)
    with pytest.raises(Refusal):
        world.do(refuse_at_once, TESTER)
    assert (seen, world.hot.seq) == ([], before + 2)
    world.do(lambda tx: tx.control("SELECT 1"), TESTER)
    assert seen == ["SELECT 1", "BEGIN", "COMMIT"]
    with pytest.raises(Defect):
        world.do(lambda tx: 1 // 0, TESTER)
    assert (seen[3:], world.hot.seq, lane.waits) == ([], before + 3, False)


def test_a_transaction_with_one_read_opens_none(monkeypatch: pytest.MonkeyPatch) -> None:
    world = open_shop()
    count, parts = "SELECT count(id) FROM workshop_parts", "SELECT id FROM workshop_parts ORDER BY id"
    world.read(lambda tx: (tx.rows(count), tx.rows(parts)))  # the lane learns that both only read
    lane, seen = world._lane(), list[str]()
    plain = lane.control

    def control(sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        seen.append(sql)
        return plain(sql, bindings)

    def read_and_write(tx: Tx) -> list[Any]:
        before = tx.rows(count)[0][0]
        tx.add(Part(name="bolt"))
        return [before, tx.rows(count)[0][0]]

    monkeypatch.setattr(lane, "control", control)
    world.do(lambda tx: tx.rows(count), TESTER)
    world.read(lambda tx: tx.rows(parts))
    assert seen == []
    world.do(lambda tx: (tx.rows(count), tx.rows(parts)), TESTER)
    assert seen == ["BEGIN", "COMMIT"]
    before, after = world.do(read_and_write, TESTER)
    assert after == before + 1 == world.read(lambda tx: tx.rows(count))[0][0]


def refuse_at_once(tx: Tx) -> None:
    """Refuse before any statement."""
    raise Refusal(409, "Shut", "no one opens")


def test_a_committed_struct_is_never_changed() -> None:
    world = open_shop()
    world.do(knock, TESTER, 1)
    hot = world.hot
    copy = deepcopy(hot)
    world.do(knock, TESTER, 1)
    world.wait(timedelta(hours=1))
    assert hot == copy
    assert world.hot != copy


def test_a_commit_that_is_interrupted_leaves_the_struct_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    world = open_shop()
    lane, before = world._lane(), world.hot
    plain = lane.control

    def control(sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        if sql == "COMMIT":
            raise KeyboardInterrupt
        return plain(sql, bindings)

    monkeypatch.setattr(lane, "control", control)
    with pytest.raises(KeyboardInterrupt):
        world.do(knock, TESTER, 1)
    assert world.hot is before
