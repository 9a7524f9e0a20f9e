"""The agenda: commands as rows, fired in order, part of every snapshot."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Defect, Product, Refusal, Request, Snapshot, Tx, Wake, World, to_us
from diorama.kernel.budget import ENTRY_PRICE, TURN_PRICE
from diorama.kernel.schema import NEVER
from tests.kernel.workshop import (
    ANA,
    APP,
    COMPANY,
    TESTER,
    Echoed,
    Entry,
    Rang,
    bells,
    fail,
    names,
    open_shop,
    refuse,
    ring,
    ring_on,
    weighed,
)

minutes = st.lists(st.integers(0, 30), max_size=12)


def planned(delays: list[int]) -> World:
    """Plan bells after these delays in minutes, each named after its index."""
    world = open_shop()
    for number, delay in enumerate(delays):
        world.plan(timedelta(minutes=delay), ring, bell=str(number))
    return world


@settings(max_examples=50)
@given(minutes, st.lists(st.integers(1, 20), min_size=1, max_size=4))
def test_commands_run_in_time_order_then_planning_order(delays: list[int], waits: list[int]) -> None:
    world = planned(delays)
    for wait in waits:
        world.wait(timedelta(minutes=wait))
    due = sorted((delay, number) for number, delay in enumerate(delays) if delay <= sum(waits))
    assert bells(world) == [(f"08:{delay:02d}:00", str(number)) for delay, number in due]
    assert world.state == weighed(world)


@settings(max_examples=20)
@given(minutes)
def test_the_agenda_survives_fork_snapshot_and_export(delays: list[int]) -> None:
    world = planned(delays)
    snapshot = world.snapshot()
    loaded = World.at(Snapshot.load(snapshot.dump(), COMPANY, snapshot.image))
    fork = world.fork()
    ends = set()
    for one in (world, fork, loaded):
        one.wait(timedelta(hours=1))
        ends.add((one.state, one.trace, tuple(bells(one))))
    world.restore(snapshot)
    world.wait(timedelta(hours=1))
    assert ends == {(world.state, world.trace, tuple(bells(world)))}


def test_splitting_a_wait_does_not_change_what_happens() -> None:
    long, short = planned([5, 5, 11, 20]), planned([5, 5, 11, 20])
    long.wait(timedelta(minutes=30))
    for _ in range(30):
        short.wait(timedelta(minutes=1))
    assert bells(long) == bells(short)
    assert long.state == short.state


def test_a_notice_that_wakes_the_waiting_person_ends_the_wait() -> None:
    world = planned([5, 9])
    woken = world.wait(timedelta(hours=1), "notice", ANA)
    assert woken == [Wake(ANA.name, "Rang", "0 rang", {"bell": "0"})]
    assert f"{world.now:%H:%M}" == "08:05"
    assert world.wait(timedelta(hours=1), "notice", ANA) == [Wake(ANA.name, "Rang", "1 rang", {"bell": "1"})]
    assert world.wait(timedelta(minutes=21), "notice", ANA) == []
    assert f"{world.now:%H:%M}" == "08:30"


def test_reactions_to_a_notice_have_its_root() -> None:
    world = open_shop()
    world.do(ring, ANA, bell="gong")
    cause = world.events[-1]
    world.wait(timedelta(minutes=10))
    effect = world.events[-1]
    assert (effect.operation, effect.actor, effect.door) == ("fade", "system:workshop", "agenda")
    assert effect.root == cause.seq == cause.root
    assert world.read(lambda tx: [entry.cents for entry in tx.all(Entry)]) == [4]


def test_a_repeating_command_keeps_its_interval() -> None:
    world = open_shop()
    world.plan(timedelta(0), ring_on, bell="tick", every_seconds=30, times=4)
    world.wait(timedelta(minutes=5))
    assert [moment for moment, _ in bells(world)] == ["08:00:00", "08:00:30", "08:01:00", "08:01:30"]
    ticks = [event for event in world.events if event.operation == "ring_on"]
    assert len({event.root for event in ticks}) == 1


def test_a_cancelled_command_never_fires() -> None:
    world = open_shop()
    number = world.plan(timedelta(minutes=5), ring, bell="never")
    world.plan(timedelta(minutes=6), ring, bell="still")
    world.do(lambda tx: tx.cancel(number), TESTER)
    world.wait(timedelta(hours=1))
    assert [name for _, name in bells(world)] == ["still"]


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(-6, 30), max_size=4), min_size=1, max_size=6))
def test_the_clock_knows_when_the_agenda_is_due(turns: list[list[int]]) -> None:
    world, planned = open_shop(), list[int]()

    def change(tx: Tx, steps: list[int]) -> None:
        for step in steps:
            if step >= 0:
                planned.append(tx.later(timedelta(minutes=step), ring, bell="x"))
            elif planned:
                tx.cancel(planned.pop(step % len(planned)))

    for steps in turns:
        world.do(change, TESTER, steps)
        due = world.read(Tx.control, "SELECT min(at) FROM _agenda")[0][0]
        assert world.hot.due == (NEVER if due is None else due)


def test_agenda_items_due_during_a_request_run() -> None:
    world = planned([0])
    before = world.now
    world.send("workshop", Request("POST", "/build", body=b"lever"), ANA)
    assert names(world) == ["lever", "0"]  # the request came first; the bell rang while it was answered
    assert world.now - before == timedelta(seconds=0.5)


def test_a_request_outside_a_turn_takes_no_time() -> None:
    world = planned([0])
    before = world.now
    world.send("workshop", Request("POST", "/build", body=b"lever"), ANA, turn=False)
    assert (world.now, world.turn, names(world)) == (before, 0, ["lever"])


def test_time_never_goes_back() -> None:
    world = open_shop()
    world.wait(timedelta(minutes=30))

    def late(tx: Tx) -> None:
        tx.later(timedelta(minutes=-10), ring, bell="later")
        tx.at(tx.now - timedelta(minutes=20), ring, bell="at")

    world.do(late, TESTER)
    world.wait(timedelta(minutes=1))
    assert bells(world) == [("08:30:00", "later"), ("08:30:00", "at")]
    moments = [event.at for event in world.events]
    assert moments == sorted(moments)


def test_a_refused_command_is_recorded_and_removed() -> None:
    world = open_shop()
    world.plan(timedelta(minutes=1), refuse)
    world.wait(timedelta(minutes=5))
    event = world.events[-1]
    assert (event.operation, event.reply["status"], names(world)) == ("refuse", 409, [])
    assert world.state == weighed(world) == open_shop().state


def test_a_broken_command_is_a_defect() -> None:
    world = open_shop()
    world.plan(timedelta(minutes=1), fail)
    with pytest.raises(Defect, match="ZeroDivisionError: planted") as caught:
        world.wait(timedelta(minutes=5))
    assert caught.value.boundary == "app"
    assert world.defect is caught.value


def test_a_wait_ends_early_when_too_much_is_due() -> None:
    world = open_shop()
    world.plan(timedelta(0), ring_on, bell="tick", every_seconds=1, times=60)
    start = world.now
    world.wait(timedelta(minutes=5), price=50 * ENTRY_PRICE)
    done = len(names(world))
    assert (0 < done < 50, world.now - start) == (True, timedelta(seconds=done - 1))
    world.wait(timedelta(minutes=5))
    assert len(names(world)) == 60
    assert world.now - start == timedelta(seconds=done - 1, minutes=5)


@APP.command
def toil(tx: Tx, rows: int) -> None:
    """Do work that counts as this many rows."""
    tx.spend(rows)


def toiled(world: World) -> int:
    return sum(event.operation == "toil" for event in world.events)


def test_a_wait_ends_early_when_it_reads_too_much() -> None:
    world = open_shop()
    for number in range(6):
        world.plan(timedelta(minutes=number), toil, rows=9_000)
    start = world.now
    world.wait(timedelta(minutes=30), price=20_000)
    assert (toiled(world), world.now - start) == (3, timedelta(minutes=2))
    world.wait(timedelta(minutes=30))
    assert toiled(world) == 6


def test_a_turn_runs_a_bounded_part_of_what_is_due() -> None:
    world = open_shop()
    for _ in range(6):
        world.plan(timedelta(0), toil, rows=9_000)
    world.record_turn(ANA, "tools", "look", {})
    assert toiled(world) == 3
    world.record_turn(ANA, "tools", "look", {})
    assert toiled(world) == 6


@APP.command
def toil_in_vain(tx: Tx, way: str) -> None:
    """Do work that is undone: as a whole, in part, or because it exceeds the budget."""
    if way == "part":
        with suppress(Refusal), tx.attempt():
            _write_and_refuse(tx)
    elif way == "whole":
        _write_and_refuse(tx)
    else:
        tx.spend(1_000_000)


def _write_and_refuse(tx: Tx) -> None:
    for number in range(100):
        tx.add(Entry(cents=number))
    raise Refusal(422, "InVain", "nothing of this stays")


@pytest.mark.parametrize("way", ["part", "whole", "budget"])
def test_undone_work_counts_in_a_turn(way: str) -> None:
    world = open_shop()
    for _ in range(60):
        world.plan(timedelta(0), toil_in_vain, way=way)
    ran: list[int] = []
    while world.hot.due <= to_us(world.now) and len(ran) < 60:
        before = len(world.chain)
        world.record_turn(ANA, "tools", "look", {})
        ran.append(len(world.chain) - before - 1)
    assert sum(ran) == 60
    assert max(ran) <= TURN_PRICE // 1_600 + 1  # a hundred statements of 16 rows each


def test_even_an_empty_entry_has_a_price() -> None:
    world = open_shop()
    most = TURN_PRICE // ENTRY_PRICE + 1
    for _ in range(most + 20):
        world.plan(timedelta(0), toil, rows=0)
    world.record_turn(ANA, "tools", "look", {})
    assert 20 < toiled(world) <= most


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9_000)), max_size=30))
def test_time_never_passes_work_that_is_due(plans: list[tuple[int, int]]) -> None:
    world = open_shop()
    for delay, rows in plans:
        world.plan(timedelta(minutes=delay), toil, rows=rows)
    for _ in range(12):
        world.record_turn(ANA, "tools", "look", {}, seconds=60)
        assert not world.read(lambda tx: tx.control("SELECT 1 FROM _agenda WHERE at < ?", tx.now_us))
    while toiled(world) < len(plans):
        world.wait(timedelta(minutes=10))
    moments = [event.at for event in world.events]
    assert moments == sorted(moments)


def test_only_a_declared_command_can_be_planned() -> None:
    world = open_shop()
    with pytest.raises(Defect, match="is not a command of workshop"):
        world.plan(timedelta(0), lambda tx: None)


def test_two_commands_of_one_name_are_refused() -> None:
    app = Product("twice")
    app.command(ring)
    with pytest.raises(ValueError, match="two commands named ring"):
        app.command(ring)

    def ring_later(tx: Tx, notice: Echoed) -> None:
        """A delayed listener with a name that is already used."""

    ring_later.__name__ = "ring"
    with pytest.raises(ValueError, match="two commands named ring"):
        app.on(Echoed, after=timedelta(days=1))(ring_later)


def test_subscribers_of_a_notice_are_listed() -> None:
    assert [subscription.command for subscription in COMPANY.listeners(Rang)] == ["echo"]
    assert set(APP.commands) >= {"ring", "ring_on", "fade"}


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=10), st.integers(1, 40))
def test_until_rest_runs_only_work_that_this_episode_caused(plans: list[tuple[int, bool]], limit: int) -> None:
    world = open_shop()
    for number, (delay, rooted) in enumerate(plans):
        world.do(lambda tx, d=delay, n=number: tx.later(timedelta(minutes=d), ring, bell=str(n)), TESTER, rooted=rooted)
    began = world.now
    world.wait(timedelta(minutes=limit), "rest")
    due = sorted((delay, number) for number, (delay, rooted) in enumerate(plans) if rooted and delay <= limit)
    assert bells(world) == [(f"08:{delay:02d}:00", str(number)) for delay, number in due]
    assert world.now <= began + timedelta(minutes=limit)
    assert due or world.now == began
    assert world.state == weighed(world)
