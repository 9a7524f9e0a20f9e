"""Idempotency keys: a repeated request changes nothing and gets the first reply again."""

from datetime import timedelta

from diorama.kernel import Actor, Reply, World
from tests.kit.library import ANA, BEN, Book, library, send, trouble


def add(world: World, key: str, title: str = "x", by: Actor = ANA) -> Reply:
    """Add a book under a key."""
    return send(world, "POST", "/books", {"title": title}, by, {"idempotency-key": key})


def test_the_same_key_and_request_get_the_stored_reply() -> None:
    world = library()
    first = add(world, "k")
    before = world.state
    again = add(world, "k")
    assert (again.status, again.body) == (201, first.body)
    assert "x-repeated" not in first.headers
    assert again.headers["x-repeated"] == "yes"
    assert world.state == before
    assert world.read(lambda tx: tx.count(Book)) == 1


def test_a_key_with_another_request_is_a_conflict() -> None:
    world = library()
    add(world, "k")
    other = add(world, "k", "y")
    assert (other.status, other.json()["error"]) == (409, "KeyReused")


def test_a_key_belongs_to_a_person_and_ends_after_a_day() -> None:
    world = library()
    add(world, "k")
    add(world, "k", by=BEN)
    assert world.read(lambda tx: tx.count(Book)) == 2
    world.wait(timedelta(hours=24, seconds=1))
    add(world, "k", title="another")
    assert world.read(lambda tx: [book.title for book in tx.all(Book)]) == ["x", "x", "another"]


def test_a_refused_request_does_not_use_its_key() -> None:
    world = library()
    refused = send(world, "POST", "/books", {"title": 7}, headers={"idempotency-key": "k"})
    assert refused.status == 422
    add(world, "k")
    assert world.read(lambda tx: tx.count(Book)) == 1


def test_after_a_lost_reply_the_key_returns_the_result() -> None:
    world = library()
    trouble(world, "slow", hours=0.01, seconds=99, applied=True)
    assert add(world, "k").status == 504
    world.wait(timedelta(minutes=1))
    again = add(world, "k")
    assert (again.status, again.headers["x-repeated"]) == (201, "yes")
    assert world.read(lambda tx: tx.count(Book)) == 1


def test_only_an_operation_that_says_so_takes_keys() -> None:
    world = library(1)
    headers = {"idempotency-key": "k"}
    assert send(world, "PUT", "/books/1/loan", headers=headers).status == 200
    assert send(world, "PUT", "/books/1/loan", headers=headers).status == 409


def test_keys_are_in_the_image_but_not_in_the_state() -> None:
    one, two = library(), library()
    add(one, "k")
    send(two, "POST", "/books", {"title": "x"})
    assert one.state == two.state
    fork = one.fork()
    add(fork, "k")
    assert fork.read(lambda tx: tx.count(Book)) == 1
