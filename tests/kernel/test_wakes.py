"""A notice wakes the people it is addressed to, and each of them reads only what is meant for them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from diorama.kernel import Actor, Notice, Product, Tx, Wake, World
from diorama.kernel.testing import fresh

ANA = Actor("agent", "ana@desk.example")
BEN = Actor("agent", "ben@desk.example")
DESK = Product("desk")


class Written(Notice):
    """A note was written to some people."""

    to: tuple[str, ...]
    text: str


class Filed(Notice):
    """Something was filed; no wait ends because of it."""


@DESK.command
def write(tx: Tx, to: list[str], text: str) -> None:
    """Write a note."""
    tx.emit(Filed())
    tx.emit(Written(to=tuple(to), text=text))


@DESK.wakes(Written)
def tell(tx: Tx, notice: Written) -> Iterator[Wake]:
    """Tell each person apart; only Ana may read the text."""
    for person in notice.to:
        yield Wake(person, "Written", notice.text if person == ANA.name else "a note")


@pytest.fixture
def world() -> World:
    """A note to Ben after five minutes, one to Ana after ten, one to both after fifteen."""
    world = fresh([DESK])
    for minutes, to in ((5, [BEN.name]), (10, [ANA.name]), (15, [ANA.name, BEN.name])):
        world.plan(timedelta(minutes=minutes), write, to=to, text=f"note {minutes}")
    return world


def minute(world: World) -> int:
    """The minute of the hour."""
    return world.now.minute


def test_only_the_addressee_is_woken(world: World) -> None:
    assert world.wait(timedelta(minutes=30), "notice", ANA) == [Wake(ANA.name, "Written", "note 10")]
    assert minute(world) == 10


def test_each_person_reads_only_their_own_wakes(world: World) -> None:
    other = world.fork()
    world.wait(timedelta(minutes=12))
    other.wait(timedelta(minutes=12))
    assert world.wait(timedelta(minutes=30), "notice", ANA) == [Wake(ANA.name, "Written", "note 15")]
    assert other.wait(timedelta(minutes=30), "notice", BEN) == [Wake(BEN.name, "Written", "a note")]


def test_a_wait_for_time_returns_all_own_wakes(world: World) -> None:
    woken = world.wait(timedelta(minutes=30), actor=ANA)
    assert woken == [Wake(ANA.name, "Written", "note 10"), Wake(ANA.name, "Written", "note 15")]
    assert minute(world) == 30


def test_an_anonymous_wait_is_never_woken(world: World) -> None:
    assert world.wait(timedelta(minutes=30), "notice") == []
    assert minute(world) == 30


def test_a_wait_is_an_event_of_the_world_itself(world: World) -> None:
    world.wait(timedelta(minutes=1), "notice", ANA, "tools", turn=True)
    event = world.events[-1]
    assert (event.app, event.operation, event.actor, event.turn) == ("world", "wait", str(ANA), 1)
    assert event.request == {"seconds": 60.0, "until": "notice"}


def test_who_is_woken_does_not_depend_on_the_seat(world: World) -> None:
    bot = Actor("agent", ANA.name, "bot")
    assert [wake.text for wake in world.wait(timedelta(minutes=30), "notice", bot)] == ["note 10"]


def test_notices_of_a_request_wake_no_later_wait(world: World) -> None:
    world.do(write, BEN, [ANA.name], "now")
    assert [wake.text for wake in world.wait(timedelta(minutes=30), "notice", ANA)] == ["note 10"]


def test_waiting_as_another_person_changes_nothing_in_the_world(world: World) -> None:
    other = world.fork()
    world.wait(timedelta(minutes=30), actor=ANA)
    other.wait(timedelta(minutes=30), actor=BEN)
    assert world.state == other.state
    assert [event.operation for event in world.events] == [event.operation for event in other.events]


def test_a_product_declares_the_wakes_of_a_notice_once() -> None:
    twice = Product("twice")
    twice.wakes(Written)(tell)
    with pytest.raises(ValueError, match="twice says twice whom Written wakes"):
        twice.wakes(Written)(tell)
