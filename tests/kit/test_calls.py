"""Calls between two apps with a wire: authentication from rows, refusals, limits and outages."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

import msgspec
import pytest

from diorama.kernel import Company, Product, Record, Refusal, Request, Tx, World, counter
from diorama.kernel.testing import image_for
from diorama.kit import Bearer, Either, Field, Grants, Merged, TokenField
from diorama.kit import Product as WireProduct
from tests.kit.library import LIBRARY, Book

FLOW = Product("flow")


GATE = WireProduct(
    "gate",
    title="A product that gives out tokens",
    refusals={
        **LIBRARY.refusals,
        "unauthorized": lambda shown: Refusal(401, f"Wrong {shown}" if shown else "NoCredential"),
    },
    envelope=LIBRARY.envelope,
    grants=(GRANTS := Grants("x-gate-token", Refusal(401, "BadToken"))),
    headers=lambda tx: {"x-gate": tx.operation},
    auth=Either(Bearer(), TokenField("token", "form", "query")),
    arguments=Merged("form", "query"),
)


@FLOW.record("answers", ids=counter(1))
class Answer(Record):
    """Counts and times of the replies."""

    name: str
    status: int
    body: Any


@GATE.record("tokens", ids=counter(1))
class Token(Record):
    """A token, and what it may do."""

    person: str
    secret: str
    may_write: bool = True


@GRANTS.holder
def holder(tx: Tx, secret: str) -> tuple[str, str] | None:
    """The person behind a token."""
    token = tx.first(Token, "secret = ?", secret)
    return (token.person, str(token.id)) if token else None


@GRANTS.check
def check(tx: Tx, operation: Any, request: Request) -> None:
    """Refuse writes of a token that may only read."""
    if operation.method != "GET" and not tx.get(Token, int(request.headers["x-gate-token"])).may_write:
        raise GATE.refusal("forbidden", "")


@GATE.post("/doors")
def open_door(tx: Tx, side: Annotated[str, Field()] = "front") -> dict[str, str]:
    """Open the door for the caller."""
    return {"opened for": str(tx.actor)} if side == "front" else {side: str(tx.actor)}


@FLOW.command
def keep(tx: Tx, name: str, status: int, headers: dict[str, str], body: str) -> None:
    """Keep an answer."""
    tx.add(Answer(name=name, status=status, body=msgspec.json.decode(body)))


@pytest.fixture
def world() -> World:
    """A flow, a library and a gate."""
    company = Company("calling", [FLOW, LIBRARY.install("library.example"), GATE.install("gate.example")])
    return World.open(company, image_for(company), 0)


def call(world: World, app: str, request: Request) -> Answer:
    """Let the flow call an app; what came back."""
    world.do(lambda tx: tx.call(app, request, keep, name="x"), "system:tester")
    world.wait(timedelta(0))
    answers: list[Answer] = world.read(lambda tx: tx.all(Answer))
    return answers[-1]


def bearer(secret: str) -> dict[str, str]:
    """The header that shows a token."""
    return {"authorization": f"Bearer {secret}"}


def test_a_public_operation_answers_an_anonymous_call(world: World) -> None:
    answer = call(world, "library", Request("GET", "/hours"))
    assert (answer.status, answer.body) == (200, {"open": "9-17"})


def test_a_call_without_a_credential_is_unauthorized(world: World) -> None:
    answer = call(world, "library", Request("POST", "/books", body=b'{"title": "x"}'))
    assert (answer.status, answer.body["error"]) == (401, "Unauthorized")
    assert world.read(lambda tx: tx.count(Book)) == 0


def test_a_token_of_the_target_names_the_caller(world: World) -> None:
    world.do(lambda tx: tx.add(Token(person="ben@gate.example", secret="t1")), "system:tester")
    answer = call(world, "gate", Request("POST", "/doors", headers=bearer("t1")))
    assert (answer.status, answer.body) == (200, {"opened for": "app:ben@gate.example"})
    (event,) = (event for event in world.events if event.app == "gate")
    assert (event.actor, event.request["headers"]) == ("app:ben@gate.example", {})
    assert "t1" not in str([event.request, event.reply])


@pytest.mark.parametrize("secret", ["t1", "unknown"])
@pytest.mark.parametrize(("query", "body"), [("token={}&side=back", b""), ("", b"token={}&side=back")])
def test_no_event_records_a_token_in_a_query_or_form(secret: str, query: str, body: bytes, world: World) -> None:
    world.do(lambda tx: tx.add(Token(person="ben@gate.example", secret="t1")), "system:tester")
    headers = {"content-type": "application/x-www-form-urlencoded"} if body else {}
    sent = Request("POST", "/doors", query.format(secret), headers, body.replace(b"{}", secret.encode()))
    answer = call(world, "gate", sent)
    assert answer.status == (200 if secret == "t1" else 401)
    assert answer.body == {"back": "app:ben@gate.example"} or secret != "t1"
    (event,) = (event for event in world.events if event.app == "gate")
    assert "side=back" in str(event.request)
    assert secret not in str([event.request, event.reply])


def test_a_wrong_token_is_worded_differently_from_a_missing_one(world: World) -> None:
    wrong = call(world, "gate", Request("POST", "/doors", headers=bearer("t2")))
    field = call(world, "gate", Request("POST", "/doors", "token=t2"))
    missing = call(world, "gate", Request("POST", "/doors"))
    assert [answer.status for answer in (wrong, field, missing)] == [401] * 3
    said = [answer.body["error"] for answer in (wrong, field, missing)]
    assert said == ["Wrong bearer", "Wrong tokenfield", "NoCredential"]


def test_a_token_that_may_only_read_does_not_write(world: World) -> None:
    world.do(lambda tx: tx.add(Token(person="ben@gate.example", secret="t1", may_write=False)), "system:tester")
    assert call(world, "gate", Request("POST", "/doors", headers=bearer("t1"))).status == 403


def test_no_caller_can_forge_the_row_of_a_token(world: World) -> None:
    world.do(lambda tx: tx.add(Token(person="ben@gate.example", secret="t1")), "system:tester")
    assert call(world, "gate", Request("POST", "/doors", headers={"x-gate-token": "1"})).status == 401


def test_a_call_meets_the_targets_outage_and_a_later_one_does_not(world: World) -> None:
    world.do(lambda tx: tx.fault("library", "down", timedelta(0), timedelta(hours=1)), "system:tester")
    assert call(world, "library", Request("GET", "/hours")).status == 503
    (event,) = (event for event in world.events if event.app == "library")
    assert event.reply["refused"] == "down"
    world.wait(timedelta(hours=1))
    assert call(world, "library", Request("GET", "/hours")).status == 200


def test_a_wrong_path_is_refused_in_the_targets_words(world: World) -> None:
    answer = call(world, "library", Request("GET", "/nowhere"))
    assert (answer.status, answer.body["error"]) == (404, "NoSuchPath")
