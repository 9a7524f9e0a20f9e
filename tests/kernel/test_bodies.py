"""Large bodies stand in events by digest, are kept once, and are whole wherever an event is read."""

import gc
import zlib
from hashlib import sha256

import msgspec
import pytest

from diorama.kernel import Chain, Request, Snapshot, World
from diorama.kernel.events import BODY_AT_MOST, Bodies, Core, Entry, chained
from tests.kernel.workshop import ANA, COMPANY, open_shop

LARGE = b"large " * 20_000


def build(world: World, body: bytes) -> None:
    """Send a body that the workshop echoes."""
    world.send("workshop", Request("POST", "/build", body=body), ANA)


def echo(text: bytes) -> World:
    """A world in which a body was sent and echoed."""
    world = open_shop()
    build(world, text)
    return world


def test_a_body_above_64_kb_is_stored_outside_the_event() -> None:
    for extra, kept in ((0, {}), (1, {sha256(b"x" * (BODY_AT_MOST + 1)).hexdigest(): b"x" * (BODY_AT_MOST + 1)})):
        world = echo(b"x" * (BODY_AT_MOST + extra))
        assert world.chain.entry(len(world.chain) - 1).bodies == kept
        assert set(world.chain.bodies) == set(kept)
        assert world.events[-1].request["body"] == world.events[-1].reply["body"] == "x" * (BODY_AT_MOST + extra)


def test_the_hashed_part_of_an_event_holds_the_digest_not_the_body() -> None:
    world = echo(LARGE)
    core = world.chain.entry(len(world.chain) - 1).core
    request, reply = msgspec.msgpack.decode(core)[7:9]
    assert request["body"] == reply["body"] == {"sha256": sha256(LARGE).hexdigest(), "bytes": len(LARGE)}


def test_another_body_gives_another_trace() -> None:
    assert echo(LARGE).trace == echo(LARGE).trace != echo(LARGE[:-1] + b"!").trace


def test_forks_share_the_same_large_body() -> None:
    world = echo(LARGE)
    fork = world.fork()
    for one in (world, fork, World.at(fork.snapshot())):
        build(one, b"" + LARGE[:10] + LARGE[10:])  # equal, but another object
        kept = [body for entry in one.chain.entries() for body in entry.bodies.values()]
        assert len(kept) == 2
        digest = sha256(LARGE).hexdigest()
        assert kept[0] is kept[1] is world.chain.bodies[digest][digest]


def test_the_large_bodies_of_a_fork_are_freed_with_it() -> None:
    world = echo(LARGE)
    fork = world.fork()
    build(fork, LARGE + b"!")
    assert len(world.chain.bodies) == 2
    del fork
    assert set(world.chain.bodies) == {sha256(LARGE).hexdigest()}


def test_a_refused_request_keeps_no_fork_alive() -> None:
    world = echo(LARGE)
    for number in range(5):
        fork = world.fork()
        fork.send("workshop", Request("POST", "/nowhere", body=LARGE + bytes([65 + number])), ANA)
        assert fork.events[-1].reply["status"] == 404
        del fork
    gc.collect()
    assert set(world.chain.bodies) == {sha256(LARGE).hexdigest()}


@pytest.mark.parametrize("body", [LARGE, "ß".encode() * 40_000], ids=["ascii", "accents"])
def test_an_event_shows_a_large_body_in_full(body: bytes) -> None:
    event = echo(body).events[-1]
    assert event.request["body"] == event.reply["body"] == body.decode()


def test_a_large_body_that_is_not_text_comes_back_as_bytes() -> None:
    chain, bodies = Chain(), Bodies()
    binary = bytes(range(256)) * 300
    note = {"body": chain.recorded(binary, bodies)}
    payload, trace = chained(chain.head, Core(1, 0, 1, 0, "system:x", "workshop", "upload", note, {}, [], []))
    stored = Entry(payload, "control", bytes(16), trace, 0.0, bodies)
    assert stored.open().request["body"] == Entry.from_row(stored.row()).open().request["body"] == binary


def test_a_snapshot_carries_large_bodies_to_another_process() -> None:
    world = echo(LARGE)
    build(world, LARGE)
    snapshot = world.snapshot()
    there = World.at(Snapshot.load(snapshot.dump(), COMPANY, snapshot.image))
    assert list(there.events) == list(world.events)
    build(there, LARGE)
    kept = [body for entry in there.chain.entries() for body in entry.bodies.values()]
    assert [body is kept[0] for body in kept] == [True, True, True]
    build(world, LARGE)
    assert (there.trace, there.state) == (world.trace, world.state)


def test_a_snapshot_with_an_altered_body_is_refused() -> None:
    snapshot = echo(LARGE).snapshot()
    about, pages, written, entries, head = msgspec.msgpack.decode(zlib.decompress(snapshot.dump()))
    entries[-1][6] = {digest: body.replace(b"large", b"small") for digest, body in entries[-1][6].items()}
    data = zlib.compress(msgspec.msgpack.encode((about, pages, written, entries, head)))
    with pytest.raises(ValueError, match="a body of event 2 of this snapshot does not match its digest"):
        Snapshot.load(data, COMPANY, snapshot.image)


def test_replaying_the_log_verifies_a_large_body() -> None:
    world = echo(LARGE)
    again = open_shop()
    build(again, world.events[-1].request["body"].encode())
    assert (again.trace, again.state) == (world.trace, world.state)
