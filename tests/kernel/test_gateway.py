"""The gateway: one request is one transaction and one event, and every failure is a Refusal or a Defect."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import ANONYMOUS, Actor, Defect, Dice, Missing, Refusal, Request, Tx, World
from tests.kernel.workshop import ANA, TESTER, Part, Rang, names, open_shop, ring, stocked, weighed


def ask(world: World, path: str, body: bytes = b"", **options: Any) -> int:
    """Send one request and return its status."""
    return world.send("workshop", Request("POST", path, body=body, **options), ANA).status


def test_a_request_is_one_complete_event() -> None:
    world = open_shop()
    seen = len(world.events)
    headers = {"x-shade": "red", "authorization": "Bearer secret", "cookie": "session"}
    reply = world.send("workshop", Request("POST", "/build", "a=1", headers, b"lever"), ANA, "http")
    assert (reply.status, reply.text) == (201, "lever")
    assert len(world.events) == seen + 1
    event = world.events[-1]
    assert (event.seq, event.turn, event.root, event.actor) == (seen + 1, 1, seen + 1, str(ANA))
    assert (event.door, event.app, event.operation) == ("http", "workshop", "build")
    assert event.request == {
        "method": "POST", "path": "/build", "query": "a=1", "headers": {"x-shade": "red"}, "body": "lever",
    }  # fmt: skip
    assert event.reply == {"status": 201, "headers": {"x-part": "1"}, "body": "lever"}
    assert [(change.table, change.op, change.by) for change in event.changes] == [
        ("workshop_parts", "insert", "workshop")
    ]
    assert (event.state, event.trace) == (world.state, world.trace)


def test_a_refused_request_is_one_event_and_no_change() -> None:
    world = stocked(2)
    before, seen = world.state, len(world.events)
    assert ask(world, "/nowhere") == 404
    assert (world.state, len(world.events), world.turn) == (before, seen + 1, 1)
    event = world.events[-1]
    assert (event.operation, event.reply["status"], event.changes) == ("nowhere", 404, [])
    assert event.reply["refused"] == "NoSuchPath"
    assert names(world) == ["part 0", "part 1"]


def test_a_broken_handler_is_a_defect_that_poisons_the_world_and_its_forks() -> None:
    world = stocked(2)
    sound, before = world.snapshot(), (world.state, world.trace, len(world.events))
    with pytest.raises(
        Defect, match=r"workshop .*: ZeroDivisionError: planted \(.*workshop.py:\d+ in serve\)"
    ) as caught:
        ask(world, "/break")
    defect = caught.value
    assert (defect.boundary, defect.kind, defect.at) == ("app", "ZeroDivisionError", 3)
    assert isinstance(defect.__cause__, ZeroDivisionError)
    fork = world.fork()
    for one in (world, fork):
        for again in (
            lambda one=one: ask(one, "/count"),
            lambda one=one: one.wait(timedelta(hours=1)),
            lambda one=one: one.do(ring, ANA, bell="x"),
            lambda one=one: one.read(lambda tx: 1),
        ):
            with pytest.raises(Defect, match="planted"):
                again()
    world.restore(sound)
    assert (world.state, world.trace, len(world.events)) == before
    assert ask(world, "/build", b"next") == 201
    with pytest.raises(Defect, match="planted"):
        ask(fork, "/count")


def test_a_request_that_cannot_be_recorded_is_rolled_back() -> None:
    world = stocked(2)
    before = world.state
    with pytest.raises(Defect, match="UnicodeEncodeError"):
        world.apply("workshop", "ring", ANA, bell="\ud800")
    assert world.fork().state == before
    assert len(world.events) == 2


def test_reading_cannot_write() -> None:
    world = stocked(2)
    before = world.state
    with pytest.raises(Defect, match="is read-only, but it wrote to workshop_parts") as caught:
        world.read(lambda tx: tx.add(Part(name="x")))
    assert caught.value.boundary == "grader"
    assert (world.state, names(world), world.defect) == (before, ["part 0", "part 1"], None)


def test_a_missing_record_is_a_404_or_a_defect_in_a_command() -> None:
    world = open_shop()
    with pytest.raises(Missing, match="no Part with id 9"):
        world.do(lambda tx: tx.get(Part, 9), ANA)
    assert world.events[-1].reply == {"status": 404, "refused": "no Part with id 9"}
    assert world.defect is None


def test_an_outside_answer_enters_as_a_recorded_input() -> None:
    world = open_shop()
    world.apply("workshop", "ring", Actor("system", "webhook"), bell="outside")
    event = world.events[-1]
    assert (event.door, event.operation, event.request) == ("input", "ring", {"args": {"bell": "outside"}})
    with pytest.raises(Refusal, match="409 Busy"):
        world.apply("workshop", "refuse")


def test_arguments_are_recorded_equally_in_every_process() -> None:
    world = open_shop()

    class Odd:
        """Something without a JSON form."""

    def takes(tx: Tx, *args: Any, **named: Any) -> None:
        """Accept any arguments."""

    world.do(takes, TESTER, Dice(1), Odd(), ring, {"b", "a", "c"}, part=Part(name="x"))
    recorded = world.events[-1].request
    assert recorded["args"][:2] == [
        "<Dice>",
        "<test_arguments_are_recorded_equally_in_every_process.<locals>.Odd>",
    ]
    assert recorded["args"][2:] == ["ring", ["a", "b", "c"]]
    assert recorded["named"]["part"]["name"] == "x"
    world.do(partial(takes, number=1), TESTER)
    assert world.events[-1].request["function"] == "<partial>"
    assert "0x" not in repr([event.request for event in world.events])


def test_a_turn_that_reached_no_app_is_an_event_too() -> None:
    world = open_shop()
    before = world.state
    world.record_turn(ANA, "tools", "wrong_call", {"tool": "nope"}, seconds=20.0)
    assert (world.turn, world.state, f"{world.now:%H:%M:%S}") == (1, before, "08:00:20")
    event = world.events[-1]
    assert (event.app, event.operation, event.request) == ("world", "wrong_call", {"tool": "nope"})


def test_the_truth_is_kept_in_the_image_and_outside_the_state() -> None:
    world = open_shop()
    before = (world.state, world.trace)
    world.truth["plan"] = {"charge": 7, "words": ["a"]}
    world.truth["seed"] = 3
    assert dict(world.truth) == {"plan": {"charge": 7, "words": ["a"]}, "seed": 3}
    del world.truth["seed"]
    assert (list(world.truth), len(world.truth)) == (["plan"], 1)
    with pytest.raises(KeyError):
        world.truth["seed"]
    assert (world.state, world.trace) == before
    assert world.fork().truth["plan"]["charge"] == 7


def test_an_endless_notice_loop_is_a_defect() -> None:
    world = open_shop()

    def forever(tx: Tx) -> None:
        for _ in range(6000):
            tx.emit(Rang(bell="x"))

    with pytest.raises(Defect, match="over budget: notices"):
        world.do(forever, TESTER)


def test_an_outage_lasts_from_its_start_to_its_end() -> None:
    world = open_shop()

    def plan(tx: Tx) -> None:
        tx.fault("workshop", "down", timedelta(minutes=5), timedelta(minutes=10))
        tx.fault("workshop", "slow", timedelta(0), timedelta(hours=1), "build,count", seconds=40)

    def kinds(operation: str) -> list[str]:
        return world.read(lambda tx: [kind for _, kind, _ in tx.active_faults("workshop", operation)])

    world.do(plan, TESTER)
    assert (kinds("build"), kinds("other")) == (["slow"], [])
    world.wait(timedelta(minutes=5))
    assert (kinds("count"), kinds("other")) == (["down", "slow"], ["down"])
    world.wait(timedelta(minutes=10))
    assert (kinds("count"), kinds("other")) == (["slow"], [])


requests = st.lists(st.sampled_from(["/build", "/count", "/nowhere"]), max_size=12)


@settings(max_examples=30)
@given(requests, st.integers(0, 11))
def test_replaying_the_log_gives_the_same_history(paths: list[str], cut: int) -> None:
    world = stocked(2)
    begun = world.snapshot()
    for number, path in enumerate(paths):
        ask(world, path, str(number).encode())
    again = World.at(begun)
    for event in world.events[len(again.events) :]:
        asked = event.request
        again.send(event.app, Request(asked["method"], asked["path"], body=asked["body"].encode()), ANA)
    assert (again.state, again.trace, again.now) == (world.state, world.trace, world.now)
    assert again.state == weighed(again)


def test_an_actor_is_written_and_read_back() -> None:
    assert Actor.named(str(ANA)) == ANA
    assert Actor.named("agent:a:b") == Actor("agent", "a:b")
    assert str(ANONYMOUS) == "anonymous:"
    assert Actor.named(str(ANONYMOUS)) == ANONYMOUS


addresses = st.from_regex(r"[a-z#:.+]{1,8}@[a-z:.]{1,8}", fullmatch=True)
seats = st.just("") | st.from_regex(r"[a-z_:]{1,8}", fullmatch=True)


@given(st.sampled_from(["agent", "persona", "staff"]), addresses, seats)
def test_an_actor_with_a_seat_is_written_and_read_back(kind: str, name: str, seat: str) -> None:
    actor = Actor(kind, name, seat)
    assert Actor.named(str(actor)) == actor


def test_a_number_sign_in_an_address_is_not_a_seat() -> None:
    assert Actor.named("agent:o#brien@shop.example") == Actor("agent", "o#brien@shop.example")
    assert Actor.named("agent:o#brien@shop.example#bot") == Actor("agent", "o#brien@shop.example", "bot")


def test_an_event_names_the_seat_that_was_used() -> None:
    world = open_shop()
    world.send("workshop", Request("GET", "/count"), Actor("agent", ANA.name, "bot"))
    assert world.events[-1].actor == f"agent:{ANA.name}#bot"
