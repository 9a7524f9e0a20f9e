"""Malformed requests get the vendor's own error: for every app and every operation, never a 5xx."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import TypeVar
from urllib.parse import urlsplit

import pytest

from diorama.kernel import Request
from diorama.kit import App, Credential, Operation
from diorama.scenarios import load_all
from diorama.server.front import Front, Ready, Settings
from diorama.worlds import companies
from tests.doors.serving import TOKEN, Server, in_thread

T = TypeVar("T")
APPS = {app.name: app for company in companies() for app in company.apps if isinstance(app, App) and app.hosts}
BODIES = [
    b"{", b"null", b"[]", b"17", b'"text"', b"\xff\xfe", b"[" * 2000, b'{"a":' * 500, b"{}",
    b'{"ticket":null}', b'{"ticket":[]}',
    b'{"ticket":{"comment":7,"tags":{"a":1},"priority":["x"],"status":"nonsense"}}',
    b'{"ticket":{"subject":"\\ud800","comment":{"body":"\\u0000"}}}',
    b'{"ticket":{"id":99999999999999999999999,"assignee_id":1e400,"group_id":-1,"requester_id":true}}',
    b'{"order_id":"\\ud83d","amount":1e400,"amount_cents":99999999999999999999,"reason":[],"lines":{}}',
]  # fmt: skip
VALUES = [
    "0",
    "-1",
    "x",
    "99999999999999999999",
    "%00",
    "%ff",
    "%F0%9F%98%80",
    "1%2F2",
    "' OR 1=1 --",
    "..",
    "a" * 5000,
]
QUERIES = [
    "page=0", "page=-1", "page=x", "page=999999999999", "per_page=0", "per_page=x", "page[size]=0", "page[size]=x",
    "page[after]=nonsense", "sort_by=';--", "sort_order=sideways", "include=everything", "ids=a,b,,1",
    "ids=" + "1," * 500,
    "query=%22", "query=(", "query=status%3A", "query=created%3Cnonsense", "query=-", "query=*", "query=%00",
    'query="a AND (', "query=NEAR(",
    "start_time=x", "start_time=99999999999999", "end_time=-99999999999999", "limit=x", "limit=-1", "cursor=x",
    "&&&=", "%",
    "q=" + "a%20" * 400,
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)

    with in_thread(main) as ready:
        server = Server(ready)
        yield server
        server.control.close()


class Client:
    """A keep-alive connection to an app's door, in a new episode of a scenario that has the app."""

    def __init__(self, server: Server, app: App) -> None:
        scenario = next(scenario for scenario in load_all().values() if app.name in scenario.apps)
        self.opened = server.start(scenario.name, 1, turns=1_000_000)
        told = self.opened["apps"][app.name]
        secret = next(value for key, value in told["credentials"].items() if "token" in key)
        self.headers = app.product.auth.write(Request(), Credential(scenario.person, secret)).headers
        self.connection = HTTPConnection(urlsplit(told["base_url"]).netloc, timeout=30)

    def ask(self, method: str, path: str, body: bytes, kind: str = "application/json") -> int:
        """Send a request and return the status of the reply."""
        self.connection.request(method, path.replace(" ", "%20"), body, {**self.headers, "content-type": kind})
        reply = self.connection.getresponse()
        reply.read()
        return reply.status


def asked_for(operation: Operation) -> set[str]:
    """Return the query parameters that an operation reads."""
    parsed = [getattr(p.type, "PARAMETERS", {}) for p in operation.parameters if p.place == "parsed"]
    return {p.name for p in operation.parameters if p.place == "query"}.union(*parsed)


def some(things: list[T], turn: int, count: int) -> list[T]:
    """Return `count` of the things, different ones at every turn, so that all are used across the operations."""
    return [things[(turn * count + n) % len(things)] for n in range(count)]


def attacks(app: App) -> Iterator[tuple[str, str, bytes]]:
    """Yield requests that no honest client sends: hostile values for every input that an operation reads."""
    for turn, operation in enumerate(app.product.operations):
        plain = re.sub(r"\{[^}]*\}", "1", operation.path)
        if operation.method == "GET":
            read = [query for query in QUERIES if query.partition("=")[0] in asked_for(operation)]
            for query in dict.fromkeys((*read, *some(QUERIES, turn, 8))):
                yield "GET", f"{plain}?{query}", b""
        if "{" in operation.path:
            for value in some(VALUES, turn, 4):
                yield operation.method, re.sub(r"\{[^}]*\}", value, operation.path), b"{}"
        if operation.method in ("POST", "PUT", "PATCH"):
            for body in some(BODIES, turn, 5):
                yield operation.method, plain, body
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        for path in ("/", "//", "/nothing/here", "/api/v2/../../etc/passwd", "/" + "a/" * 300):
            yield method, path, b"{}" if method in ("POST", "PUT") else b""


@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_abuse_gets_the_vendors_errors_and_never_a_defect(server: Server, app: App) -> None:
    faults = []
    thrown = enumerate(attacks(app))
    fresh = True
    while fresh:
        client = Client(server, app)
        fresh = False
        with closing(client.connection):
            for n, (method, path, body) in thrown:
                kind = "application/json" if n % 7 else "application/x-www-form-urlencoded"
                if client.ask(method, path, body, kind) >= 500 and server.show(client.opened)["status"] == "void":
                    fault = server.post(client.opened, "finish")["fault"]
                    faults.append((method, path[:100], body[:100], fault["message"]))
                    fresh = True  # continue in a new episode
                    break
    assert faults == []


@pytest.mark.parametrize("app", APPS.values(), ids=lambda app: str(app.name))
def test_a_huge_body_gets_the_vendors_error(server: Server, app: App) -> None:
    client = Client(server, app)
    operation = next(operation for operation in app.product.operations if operation.method in ("POST", "PUT"))
    path = re.sub(r"\{[^}]*\}", "1", operation.path)
    with closing(client.connection):
        assert (
            client.ask(operation.method, path, b"x" * (app.product.max_body + 1))
            == app.product.refusal("too_large", "").status
        )
        assert server.show(client.opened)["turns"] == 0  # refused at the door
