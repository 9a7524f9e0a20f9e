"""An app with an API: routing, errors in the vendor's words, faults, and the schema of every reply."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.kernel import Defect, Refusal, Tx
from diorama.kit import Operation, Product
from diorama.kit.product import REFUSAL_KINDS
from tests.kit.library import ANONYMOUS, APP, Book, library, send, trouble


def test_an_app_must_word_every_kind_of_refusal() -> None:
    words = {kind: Refusal(400, kind) for kind in REFUSAL_KINDS if kind not in ("down", "conflict")}
    with pytest.raises(ValueError, match="does not say how its vendor words: down, conflict"):
        Product("half", title="", refusals=words, envelope=lambda refusal: ("", b""))


def test_an_app_must_not_word_an_unknown_kind_of_refusal() -> None:
    words = {kind: Refusal(400, kind) for kind in (*REFUSAL_KINDS, "unauthorised")}
    with pytest.raises(ValueError, match="words what is never refused: unauthorised"):
        Product("half", title="", refusals=words, envelope=lambda refusal: ("", b""))


@pytest.mark.parametrize("kind", REFUSAL_KINDS)
def test_a_refusal_knows_its_kind(kind: str) -> None:
    about = Book(title="x") if kind == "missing" else "detail"
    if kind in ("missing", "invalid"):
        return  # these get their subject from the request; see below
    refusal = APP.product.refusal(kind, about)
    assert refusal.kind == kind
    assert refusal is not APP.product.refusals[kind]  # a fresh one each time: nothing can be left on it


def test_refusals_of_the_wire_use_the_vendors_words() -> None:
    world = library(2)
    asked = {
        ("GET", "/nowhere"): (404, "NoSuchPath", "/nowhere"),
        ("GET", "/books/1/2/3"): (404, "NoSuchPath", "/books/1/2/3"),
        ("GET", "//books"): (200, None, None),
        ("TRACE", "/books"): (405, "WrongMethod", ""),
        ("GET", "/books/seven"): (422, "Invalid", "book_id: 'seven' is not a number"),
        ("GET", "/books/7"): (404, "NotFound", "Book 7"),
        ("GET", "/books/99999999999999999999"): (422, "Invalid", "book_id: '99999999999999999999' is not a number"),
    }
    for (method, path), (status, code, detail) in asked.items():
        reply = send(world, method, path)
        assert reply.status == status, path
        if code:
            assert reply.headers["content-type"] == "application/problem+json"
            assert (reply.json()["error"], reply.json()["detail"]) == (code, detail)
    assert world.defect is None


def test_a_wrong_method_gets_an_allow_header() -> None:
    assert send(library(), "DELETE", "/books").headers["allow"] == "GET, POST"


def test_literal_path_segments_win_over_parameters() -> None:
    world = library(3)
    assert send(world, "GET", "/books/newest").json()["id"] == 3
    assert send(world, "GET", "/books/2").json()["id"] == 2


def test_a_suffix_is_cut_before_routing() -> None:
    world = library(1)
    assert send(world, "GET", "/books/1.json").body == send(world, "GET", "/books/1").body
    assert send(world, "GET", "/books/1.xml").status == 422


def test_a_path_is_unquoted_once() -> None:
    assert send(library(), "GET", "/books/%31%30").status == 404
    assert send(library(12), "GET", "/books/%31%30").json()["id"] == 10


def test_replies_have_the_headers_of_app_and_handler() -> None:
    world = library()
    made = send(world, "POST", "/books", {"title": "x"}, headers={"x-branch": "south"})
    assert made.status == 201
    assert made.headers["x-branch"] == "south"
    assert made.headers["content-type"] == "application/json; charset=utf-8"
    ids = [send(world, "GET", path).headers["x-request-id"] for path in ("/books/1", "/books/9", "/books/1")]
    assert len(set(ids)) == 3


def test_returning_none_is_204_without_a_body() -> None:
    reply = send(library(1), "DELETE", "/books/1")
    assert (reply.status, reply.body, "content-type" in reply.headers) == (204, b"", False)


def test_a_reply_built_by_the_handler_is_sent_unchanged() -> None:
    reply = send(library(), "POST", "/covers", b"\x89PNG\xff\x00")
    assert (reply.status, reply.headers["content-type"], reply.body) == (202, "image/png", b"\x89PNG")
    assert reply.headers["x-size"] == "6"


def test_head_answers_like_get_without_a_body() -> None:
    world = library(1)
    got, head = send(world, "GET", "/books/1"), send(world, "HEAD", "/books/1")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["etag"] == got.headers["etag"]
    assert send(world, "HEAD", "/books/9").status == 404


def test_an_etag_saves_the_body() -> None:
    world = library(1)
    mark = send(world, "GET", "/books/1").headers["etag"]
    again = send(world, "GET", "/books/1", headers={"if-none-match": mark})
    assert (again.status, again.body) == (304, b"")
    send(world, "PUT", "/books/1/loan")
    assert send(world, "GET", "/books/1", headers={"if-none-match": mark}).status == 200


def test_only_declared_headers_are_read_and_recorded() -> None:
    world = library()
    send(world, "GET", "/books", headers={"x-branch": "a", "x-other": "b", "authorization": "c", "cookie": "d"})
    assert world.events[-1].request["headers"] == {"x-branch": "a"}


def test_a_body_that_is_too_large_is_refused_before_anything_else() -> None:
    world = library()
    assert send(world, "POST", "/nowhere", b" " * 10_001).json()["detail"] == "10001 bytes"
    assert send(world, "POST", "/books", b'{"title": "x"}' + b" " * 9_900).status == 201


def test_anonymous_callers_get_only_public_operations() -> None:
    world = library(1)
    assert send(world, "GET", "/books/1", by=ANONYMOUS).status == 401
    assert send(world, "GET", "/hours", by=ANONYMOUS).json() == {"open": "9-17"}
    assert send(world, "GET", "/nowhere", by=ANONYMOUS).status == 404


def test_a_refusal_does_not_change_the_state() -> None:
    world = library(1)
    send(world, "PUT", "/books/1/loan")
    before = world.state
    refused = send(world, "PUT", "/books/1/loan")
    assert (refused.status, refused.json()["error"]) == (409, "Lent")
    assert world.state == before
    assert world.events[-1].operation == "lend_book"


def test_a_broken_handler_is_a_defect() -> None:
    world = library()
    with pytest.raises(Defect, match="ZeroDivisionError: planted") as caught:
        send(world, "GET", "/broken")
    assert caught.value.boundary == "app"


def test_an_operation_costs_its_declared_time() -> None:
    world = library(1)
    start = world.now
    send(world, "GET", "/books/1")
    send(world, "GET", "/books/newest")
    send(world, "GET", "/nowhere")
    assert world.now - start == timedelta(seconds=0.4 + 1.5)


@pytest.mark.parametrize(
    ("kind", "args", "status"),
    [
        ("down", {}, 503),
        ("failing", {"detail": "disk"}, 500),
        ("rate_limited", {"retry_after": 9}, 429),
        ("slow", {"seconds": 99}, 504),
        ("slow", {"seconds": 5}, 201),
    ],
)
def test_outages_show_the_vendors_symptoms(kind: str, args: dict[str, Any], status: int) -> None:
    world = library()
    trouble(world, kind, hours=0.5, **args)
    before, start = world.state, world.now
    reply = send(world, "POST", "/books", {"title": "x"})
    assert reply.status == status
    if status != 201:
        assert world.state == before
    if kind == "slow":
        assert world.now - start == timedelta(seconds=30 if status == 504 else 5.4)
    if kind == "rate_limited":
        assert reply.headers["retry-after"] == "9"
    world.wait(timedelta(hours=1))
    assert send(world, "POST", "/books", {"title": "y"}).status == 201


def test_an_outage_may_affect_one_operation_only() -> None:
    world = library(1)
    trouble(world, "down", "show_book,lend_book")
    assert [send(world, "GET", path).status for path in ("/books/1", "/books")] == [503, 200]
    assert send(world, "PUT", "/books/1/loan").status == 503


def test_a_lost_reply_hides_work_that_was_done() -> None:
    world = library()
    trouble(world, "slow", seconds=99, applied=True)
    before = world.state
    assert send(world, "POST", "/books", {"title": "x"}).status == 504
    assert world.state != before
    assert world.read(lambda tx: tx.count(Book)) == 1


def test_failures_by_chance_are_drawn_from_the_worlds_dice() -> None:
    def statuses() -> list[int]:
        world = library(1)
        trouble(world, "failing", p=0.5)
        return [send(world, "GET", "/books/1").status for _ in range(40)]

    first = statuses()
    assert first == statuses()
    assert 8 < first.count(500) < 32


def test_an_outage_of_an_unknown_kind_is_a_defect() -> None:
    world = library()
    trouble(world, "haunted")
    with pytest.raises(Defect, match="unknown kind 'haunted'"):
        send(world, "GET", "/books")


def test_two_operations_cannot_answer_the_same_call() -> None:
    def twin(tx: Tx, number: int) -> None:
        """A handler for a path that is already taken."""

    with pytest.raises(ValueError, match=r"two operations answer GET /books/\{number\}"):
        APP.product.router.add(Operation(twin, "GET", "/books/{number}"))
