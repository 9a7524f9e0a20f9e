"""Products and installed apps: hosts, links in replies, refusals with any status, and the people behind tokens."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from diorama.kernel import Actor, Company, Record, Refusal, Reply, Request, Tx, World, counter
from diorama.kernel.testing import image_for
from diorama.kit import Grants, Idempotency, Product
from diorama.kit.product import REFUSAL_KINDS

ANA = Actor("agent", "ana@chat.example")
REFUSALS = {kind: Refusal(400, kind, kind) for kind in REFUSAL_KINDS}


def _envelope(refusal: Refusal) -> tuple[str, bytes]:
    """Errors carry a link to the manual."""
    return "application/json", msgspec.json.encode({"error": refusal.code, "help": f"https://{CHAT.here()}/help"})


GRANTS = Grants("x-chat-token", Refusal(401, "BadToken"))
CHAT = Product(
    "chat",
    title="Chat",
    refusals=REFUSALS,
    envelope=_envelope,
    idempotency=Idempotency(),
    grants=GRANTS,
    etag=True,
)


@CHAT.record("rooms", ids=counter(1))
class Room(Record):
    """A room, with the link under which people find it."""

    name: str
    link: str


@CHAT.record("tokens", ids=counter(1))
class Token(Record):
    """A token that was given to a person."""

    person: str
    secret: str


@CHAT.get("/rooms")
def list_rooms(tx: Tx) -> dict[str, Any]:
    """List the rooms; both hosts appear in the reply."""
    tx.headers["link"] = f"<https://{CHAT.here()}/rooms?page=2>"
    return {"self": f"https://{CHAT.here()}/rooms", "files": f"https://{CHAT.here('files')}/ü.png"}


@CHAT.post("/rooms", idempotent=True)
def open_room(tx: Tx, body: dict[str, str]) -> Reply:
    """Open a room. This vendor refuses with status 200."""
    if not body.get("name"):
        return Reply(200, {}, b'{"ok":false,"error":"no_name"}', "no_name")
    tx.add(Room(name=body["name"], link=f"https://{CHAT.of(tx).host}/{body['name']}"))
    return Reply(200, {"location": f"https://{CHAT.here()}/{body['name']}"}, b'{"ok":true}')


@CHAT.get("/me")
def show_me(tx: Tx) -> dict[str, str]:
    """Say who asks."""
    return {"actor": str(tx.actor)}


def opened(*hosts: str, **named: str) -> World:
    """A company that has the chat at these hosts."""
    company = Company("chatting", [CHAT.install(*hosts, **named)])
    return World.open(company, image_for(company), 0)


def send(world: World, method: str, path: str, body: Any = None, **headers: str) -> Reply:
    """One request of Ana's."""
    data = b"" if body is None else msgspec.json.encode(body)
    heard = {name.replace("_", "-"): value for name, value in headers.items()}
    return world.send("chat", Request(method, path, headers=heard, body=data), ANA)


def test_two_companies_share_a_product_and_not_its_hosts() -> None:
    one, two = (Company(name, [CHAT.install(f"{name}.chat.example")]) for name in ("one", "two"))
    assert one.app("chat").product is two.app("chat").product is CHAT
    assert [company.app_at("two.chat.example") is not None for company in (one, two)] == [False, True]


def test_a_product_without_a_host_name_is_refused() -> None:
    said = r"chat needs a host name for the links in its replies: install it with APP.install\('chat.example.com'\)"
    with pytest.raises(ValueError, match=said):
        Company("bare", [CHAT])
    with pytest.raises(ValueError, match=said):
        CHAT.install(files="files.example")


def test_every_host_but_the_main_one_has_a_role() -> None:
    with pytest.raises(ValueError, match="give every host but the main one an alias"):
        CHAT.install("chat.example", "files.example")
    app = CHAT.install("chat.example", files="{team}.files.example")
    assert (app.host, app.hosts["files"]) == ("chat.example", "{team}.files.example")
    assert [app.answers_at(host) for host in ("chat.example", "a.files.example", ".files.example", "x.example")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_a_host_pattern_matches_whole_names_only() -> None:
    app = CHAT.install("chat.example")
    assert not app.answers_at("chat.example.evil.example")
    assert not app.answers_at("chatxexample")


def test_replies_contain_the_hosts_of_the_installed_app() -> None:
    for hosts in (("one.example", "f.one.example"), ("two.example", "f.two.example")):
        world = opened(hosts[0], files=hosts[1])
        reply = send(world, "GET", "/rooms")
        assert reply.json() == {"self": f"https://{hosts[0]}/rooms", "files": f"https://{hosts[1]}/ü.png"}
        assert reply.headers["link"] == f"<https://{hosts[0]}/rooms?page=2>"
        assert world.events[-1].reply["body"] == reply.text
        assert reply.headers["etag"] == send(world, "GET", "/rooms").headers["etag"]


def test_refusals_and_own_replies_have_the_installed_hosts() -> None:
    world = opened("one.example")
    assert send(world, "GET", "/nowhere").json() == {"error": "unknown_path", "help": "https://one.example/help"}
    assert send(world, "POST", "/rooms", {"name": "tea"}).headers["location"] == "https://one.example/tea"


def test_a_stored_link_holds_the_real_host() -> None:
    world = opened("one.example")
    send(world, "POST", "/rooms", {"name": "tea"})
    assert world.read(lambda tx: tx.get(Room, 1)).link == "https://one.example/tea"


def test_a_refusal_with_status_200_is_marked_as_refused() -> None:
    world = opened("one.example")
    refused, made = send(world, "POST", "/rooms", {}), send(world, "POST", "/rooms", {"name": "tea"})
    assert [(reply.status, reply.refused) for reply in (refused, made)] == [(200, "no_name"), (200, "")]
    assert [event.reply.get("refused") for event in world.events[-2:]] == ["no_name", None]
    assert "no_name" not in str(refused.headers)


def test_a_replayed_refusal_with_status_200_is_still_refused() -> None:
    world = opened("one.example")
    for _ in range(2):
        reply = send(world, "POST", "/rooms", {}, idempotency_key="k")
        assert (reply.status, reply.refused, reply.json()["error"]) == (200, "no_name", "no_name")
    assert send(world, "POST", "/rooms", {"name": "tea"}, idempotency_key="l").refused == ""
    assert send(world, "POST", "/rooms", {"name": "tea"}, idempotency_key="l").refused == ""


@pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("TRACE", "/me")])
def test_what_the_wire_refuses_is_named_by_its_kind(method: str, path: str) -> None:
    world = opened("one.example")
    assert send(world, method, path).refused == {"GET": "unknown_path", "TRACE": "wrong_method"}[method]


@GRANTS.holder
def holder(tx: Tx, secret: str) -> tuple[str, str] | None:
    """The person behind a token."""
    token = tx.first(Token, "secret = ?", secret)
    return (token.person, str(token.id)) if token else None


def test_a_granted_token_admits_the_whole_request() -> None:
    world = opened("one.example")
    world.do(lambda tx: tx.add(Token(person="ben@chat.example", secret="s3")), "system:tester")
    asked = Request("GET", "/me", "a=1", {"x": "y"}, b"body", host="f.one.example")
    admitted = GRANTS.admit(world, asked, "s3")
    assert admitted is not None
    request, actor = admitted
    assert actor == Actor("agent", "ben@chat.example")
    assert request == msgspec.structs.replace(asked, headers={"x": "y", "x-chat-token": "1"})
    assert GRANTS.admit(world, asked, "s4") is None


def test_the_host_of_a_request_is_recorded_unless_it_is_the_main_one() -> None:
    world = opened("one.example", files="f.one.example")
    world.send("chat", Request("GET", "/me"), ANA)
    assert "host" not in world.events[-1].request
    world.send("chat", Request("GET", "/me", host="f.one.example"), ANA)
    assert world.events[-1].request["host"] == "f.one.example"
