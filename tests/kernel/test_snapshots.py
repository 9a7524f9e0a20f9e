"""Snapshots, forks and restores: saved states that can be restored, here and in another process."""

import json
import subprocess
import sys
import zlib
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from diorama.kernel import Company, Defect, Snapshot, World
from diorama.kernel.testing import image_for
from tests.kernel.elsewhere import go_on
from tests.kernel.workshop import APP, COMPANY, TESTER, Part, bells, names, open_shop, ring, ring_on, stocked, weighed

ROOT = Path(__file__).parents[2]


def busy() -> World:
    """Return a workshop with past events and planned commands."""
    world = stocked(50)
    world.plan(timedelta(minutes=2), ring_on, bell="tea", every_seconds=60, times=5)
    world.wait(timedelta(minutes=1))
    return world


def test_a_snapshot_continues_equally_in_another_process() -> None:
    world = busy()
    data = world.snapshot().dump()
    child = subprocess.run(
        [sys.executable, "-m", "tests.kernel.elsewhere"], input=data, capture_output=True, cwd=ROOT, check=False
    )
    assert child.returncode == 0, child.stderr.decode()
    there_at_first, there_in_the_end = json.loads(child.stdout)
    assert there_at_first == [world.state, world.trace]
    assert there_in_the_end == go_on(world)
    assert world.state == weighed(world)


def test_a_loaded_snapshot_is_the_one_that_was_dumped() -> None:
    world = busy()
    snapshot = world.snapshot()
    loaded = World.at(Snapshot.load(snapshot.dump(), COMPANY, snapshot.image))
    assert (loaded.state, loaded.trace, loaded.now, loaded.turn) == (world.state, world.trace, world.now, world.turn)
    assert loaded.events[:] == world.events[:]
    assert go_on(loaded) == go_on(world)


def test_restoring_discards_later_events() -> None:
    world = busy()
    snapshot = world.snapshot()
    world.truth["secret"] = 1
    first = go_on(world)
    for _ in range(3):
        world.restore(snapshot)
        assert "secret" not in world.truth
        assert go_on(world) == first


def test_forks_do_not_see_each_other() -> None:
    world = busy()
    before = [world.state, world.trace, names(world)]
    forks = [world.fork() for _ in range(5)]
    for number, fork in enumerate(forks):
        fork.do(lambda tx, number=number: tx.add(Part(name=f"fork {number}")), TESTER)
        fork.truth["who"] = number
    for number, fork in enumerate(forks):
        assert names(fork)[-1] == f"fork {number}"
        assert fork.truth["who"] == number
        assert fork.state == weighed(fork)
    assert [world.state, world.trace, names(world)] == before
    assert dict(world.truth) == {}


def test_a_fork_shares_dice_ids_and_plans() -> None:
    world = busy()
    fork = world.fork()
    assert go_on(fork) == go_on(world)


def test_a_fork_with_other_dice_keeps_the_agenda() -> None:
    world = busy()
    one, two, again = world.fork(dice=1), world.fork(dice=2), world.fork(dice=1)
    draws = [fork.read(lambda tx: tx.dice("draw").word()) for fork in (world, one, two, again)]
    assert draws[1] == draws[3]
    assert len(set(draws)) == 3
    for fork in (one, two):
        fork.wait(timedelta(minutes=1))
    assert bells(one) == bells(two) == [("08:02:00", "tea")]


def test_many_snapshots_can_be_kept_and_opened() -> None:
    world = open_shop()
    kept = []
    for number in range(40):
        world.do(lambda tx, number=number: tx.add(Part(name=f"{number}")), TESTER)
        kept.append((world.snapshot(), world.state))
    for number, (snapshot, state) in enumerate(kept):
        there = World.at(snapshot)
        assert (there.state, len(names(there)), len(there.events)) == (state, number + 1, number + 2)


def test_a_snapshot_works_with_its_own_image_only() -> None:
    data = open_shop().snapshot().dump()
    other = Company("workshop", [APP], build=lambda tx, size: ring(tx, bell="first"))
    with pytest.raises(ValueError, match="made on"):
        Snapshot.load(data, other, image_for(other))
    with pytest.raises(ValueError, match="made on"):
        Snapshot.load(data, Company("elsewhere", [APP]), image_for(COMPANY))


def test_a_snapshot_with_an_altered_event_is_refused() -> None:
    snapshot = busy().snapshot()
    about, pages, written, entries, head = msgspec.msgpack.decode(zlib.decompress(snapshot.dump()))
    entries[1][0] = entries[1][0].replace(b"part 1", b"part X")
    data = zlib.compress(msgspec.msgpack.encode((about, pages, written, entries, head)))
    with pytest.raises(ValueError, match="event 2 of this snapshot does not match its digest"):
        Snapshot.load(data, COMPANY, snapshot.image)


def test_a_poisoned_world_has_no_snapshot() -> None:
    world = busy()
    world.poison(Defect("planted"))
    with pytest.raises(Defect, match="planted"):
        world.snapshot()
