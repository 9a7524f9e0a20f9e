"""Rate limits in virtual time: counted in the image, per person, outside the state."""

from datetime import timedelta

from diorama.kernel import Actor, World
from diorama.kit import RateLimit
from tests.kit.library import ANA, ANONYMOUS, BEN, library, send


def statuses(world: World, count: int, by: Actor = ANA, path: str = "/books") -> list[int]:
    """Return the statuses of `count` requests that take no time."""
    return [send(world, "GET", path, by=by, turn=False).status for _ in range(count)]


def test_requests_over_the_limit_get_retry_after() -> None:
    world = library(1)
    assert statuses(world, 100) == [200] * 100
    refused = send(world, "GET", "/books", turn=False)
    assert (refused.status, refused.json()["error"]) == (429, "SlowDown")
    assert refused.headers["retry-after"] == "60"
    world.wait(timedelta(seconds=45))
    assert send(world, "GET", "/books", turn=False).headers["retry-after"] == "15"
    world.wait(timedelta(seconds=15))
    assert statuses(world, 1) == [200]


def test_the_headers_say_what_is_left() -> None:
    world = library(1)
    first = send(world, "GET", "/books", turn=False)
    assert {name: first.headers[name] for name in ("x-limit", "x-left", "x-reset")} == {
        "x-limit": "100", "x-left": "99", "x-reset": "60",
    }  # fmt: skip
    world.wait(timedelta(seconds=10))
    second = send(world, "GET", "/nowhere", turn=False)
    assert (second.status, second.headers["x-left"], second.headers["x-reset"]) == (404, "98", "50")


def test_a_refused_request_counts_too() -> None:
    world = library()
    assert statuses(world, 60, path="/books/7") == [404] * 60
    assert statuses(world, 41) == [200] * 40 + [429]


def test_each_person_has_their_own_rate_limit() -> None:
    world = library(1)
    statuses(world, 101)
    assert statuses(world, 1) == [429]
    assert statuses(world, 1, by=BEN) == [200]
    assert statuses(world, 150, by=ANONYMOUS, path="/books") == [401] * 150


def test_meters_are_in_the_image_but_not_in_the_state() -> None:
    world = library(1)
    before = world.state
    statuses(world, 100)
    assert world.state == before
    fork, snapshot = world.fork(), world.snapshot()
    assert statuses(world, 1) == statuses(fork, 1) == [429]
    world.wait(timedelta(minutes=2))
    assert statuses(world, 1) == [200]
    world.restore(snapshot)
    assert statuses(world, 1) == [429]


def test_the_plan_decides_how_many_requests_may_pass() -> None:
    def passed(plan: str) -> list[bool]:
        limit = RateLimit({"small": 1, "large": 2}, plan=f"SELECT {plan}")
        return library(1).do(lambda tx: [limit.count(tx, "library") == 0 for _ in range(3)], "agent:ana")

    assert passed("'large'") == [True, True, False]
    assert passed("NULL") == [True, False, False]
