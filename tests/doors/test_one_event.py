"""One request is one event through every door, and no credential is in it, wherever the vendor's clients put it."""

import json
from typing import Annotated, ClassVar
from unittest import mock

import msgspec
import pytest

from diorama.check.doors import same
from diorama.check.http_door import SECRET, send_http
from diorama.episodes.episode import Episode, start
from diorama.kernel import Change, Company, Event, Request, Tx, World
from diorama.kernel.testing import image_for
from diorama.kit import Cookie, Credential, Field, Merged, Product
from diorama.scenarios import Scenario, Stage
from tests.doors.depot import CookieToken
from tests.doors.notes import ANA, REFUSALS, words
from tests.doors.test_schemes import FORM, FORM_TOKEN

VAULT = Product(
    "vault", title="Vault", auth=FORM_TOKEN, envelope=words, refusals=REFUSALS, arguments=Merged("form")
)  # fmt: skip


HALL = Product("hall", title="Hall", auth=CookieToken(), envelope=words, refusals=REFUSALS)


@HALL.get("/lobby")
def lobby(tx: Tx, theme: Annotated[str, Cookie()] = "", session: Annotated[str, Cookie()] = "") -> dict[str, str]:
    """Send back the cookies that were read."""
    return {"theme": theme, "session": session}


@VAULT.post("/keep")
def keep(tx: Tx, note: Annotated[str, Field()]) -> dict[str, str]:
    """Send back what was read."""
    return {"note": note}


class Truth(msgspec.Struct):
    """Nothing is hidden."""

    plan: str = "only"


class Keep(Scenario[Truth]):
    """Use the vault."""

    name = "vault/keep"
    world = "strongroom"
    apps: ClassVar[tuple[str, ...]] = ("vault", "hall")
    person = ANA
    truth = Truth

    def stage(self, stage: Stage) -> Truth:
        """Stage nothing."""
        return Truth()

    def brief(self, truth: Truth) -> str:
        """The task text for the agent."""
        return "Keep something."

    def allowed(self, tx: Tx, truth: Truth, change: Change) -> bool:
        """Allow everything."""
        return True


COMPANY = Company("strongroom", [VAULT.install("vault.example"), HALL.install("hall.example")])


@pytest.fixture
def episode() -> Episode:
    with mock.patch("diorama.episodes.episode.open_world", return_value=World.open(COMPANY, image_for(COMPANY), 0)):
        return start(Keep(), restage=True)


def events(episode: Episode, request: Request, name: str = "vault") -> tuple[Event, Event]:
    """Send a request with the agent's credential in process and over HTTP; return both events."""
    inside, outside = episode.fork(), episode.fork()
    app = inside.app(name)
    signed = app.product.auth.write(request, Credential("", SECRET))
    path = f"{signed.path}?{signed.query}" if signed.query else signed.path
    inside.http(name, signed.method, path, signed.body or None, signed.headers)
    send_http(outside, app, request)
    assert inside.world.now == outside.world.now, "a turn costs the same through every door"
    return inside.events[-1], outside.events[-1]


def test_no_door_records_a_token_in_a_form_field(episode: Episode) -> None:
    inside, outside = events(episode, Request("POST", "/keep", headers={"content-type": FORM}, body=b"note=a+b"))
    assert same(inside) == same(outside)
    assert (inside.door, outside.door) == ("python", "http")
    assert inside.request["body"] == "note=a+b"
    assert inside.reply["status"] == 200


def test_a_form_that_the_scheme_cannot_read_is_sent_unchanged(episode: Episode) -> None:
    reply = episode.http("vault", "POST", "/keep", b"note=\xff", {"content-type": FORM})
    assert reply.status == 400
    assert episode.events[-1].request["body"] == b"note=\xff"


def test_declared_cookies_reach_the_handler_through_every_door(episode: Episode) -> None:
    inside, outside = events(
        episode, Request("GET", "/lobby", headers={"cookie": "theme=dark%20blue; other=1"}), "hall"
    )
    assert same(inside) == same(outside)
    assert outside.request["headers"] == {"cookie": "theme=dark%20blue"}
    assert json.loads(outside.reply["body"]) == {"theme": "dark blue", "session": ""}


def test_a_credential_in_a_declared_cookie_is_recorded_through_no_door(episode: Episode) -> None:
    inside, outside = events(episode, Request("GET", "/lobby", headers={"cookie": "other=1"}), "hall")
    assert same(inside) == same(outside)
    assert outside.request["headers"] == {}
    assert SECRET not in repr(inside)
    assert outside.reply["status"] == 200
