"""The app door: tokens select the world, replies use the vendor's format, and no request shows our own failure."""

import socket
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diorama.doors.credentials import Credentials
from diorama.doors.http import Door, ask
from diorama.kernel import Reply, Request
from tests.doors.notes import HOST
from tests.doors.serving import Served
from tests.kit.parlour import PARLOUR

LOGIN = "ana@acme.example/token"


def client(served: Served, secret: str = "one") -> httpx.Client:
    return httpx.Client(base_url=served.url, auth=(LOGIN, secret))


def raw(served: Served, data: bytes) -> bytes:
    """Return the reply to raw bytes that no client library would send."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as sock:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        answer = b""
        while part := sock.recv(65536):
            answer += part
    return answer


def basic(secret: str = "one", login: str = LOGIN) -> str:
    return httpx.BasicAuth(login, secret)._auth_header


def test_a_token_picks_its_world(served: Served) -> None:
    with client(served, "one") as one, client(served, "two") as two:
        assert one.post("/notes", json={"text": "mine"}).status_code == 201
        assert one.get("/notes/1").json()["text"] == "mine"
        assert two.get("/notes/1").status_code == 404


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Basic",
        "Basic !!!",
        "Basic YQ==",
        "Bearer one",
        basic("three"),
        basic("one", "bob@acme.example/token"),
        "\xff",
    ],
)
def test_an_unknown_token_gets_the_vendors_401_and_no_event(served: Served, authorization: str | None) -> None:
    lengths = [len(session.world.events) for session in served.sessions.values()]
    headers = {} if authorization is None else {b"authorization": authorization.encode("latin-1")}
    for method, path in (("GET", "/notes/1"), ("POST", "/notes"), ("GET", "/nothing")):
        reply = httpx.request(method, served.url + path, headers=headers)
        assert (reply.status_code, reply.json()["error"]) == (401, "Who")
        assert reply.headers["www-authenticate"] == "Basic"
    assert lengths == [len(session.world.events) for session in served.sessions.values()]


def test_a_revoked_seat_is_refused_immediately(served: Served) -> None:
    with client(served) as one:
        assert one.get("/echo").status_code == 200
        served.sessions["one"].live = False
        assert one.get("/echo").status_code == 401


def test_credentials_are_never_recorded(served: Served) -> None:
    with client(served) as one:
        one.get("/echo", headers={"cookie": "session=1", "x-shade": "blue", "x-other": "1"})
    (event,) = [e for e in served.sessions["one"].world.events if e.operation == "echo"]
    assert event.request["headers"] == {"x-shade": "blue"}
    assert (event.door, event.actor) == ("http", "agent:ana@acme.example")


def test_links_work_over_http_and_are_the_vendors_inside(served: Served) -> None:
    with client(served) as one:
        made = one.post("/notes", json={"text": f"{served.url}/notes/1"})
        assert made.headers["location"] == f"{served.url}/notes/1"
        shown = one.get(made.headers["location"])
        assert shown.json() == {"id": 1, "text": f"{served.url}/notes/1", "url": f"{served.url}/notes/1"}
        assert int(shown.headers["content-length"]) == len(shown.content)
    created = next(e for e in served.sessions["one"].world.events if e.operation == "write_note")
    assert created.request["body"] == f'{{"text":"https://{HOST}/notes/1"}}'
    assert (created.changes[0].after or {})["text"] == f"https://{HOST}/notes/1"


def test_text_that_people_wrote_stays_as_written(served: Served) -> None:
    text = f"see {served.url}/notes/1 or https://{HOST}/notes/2"
    with client(served) as one:
        made = one.post("/notes", json={"text": text})
        assert made.json()["text"] == text
        assert one.get("/notes/1").json()["text"] == text
    created = next(e for e in served.sessions["one"].world.events if e.operation == "write_note")
    assert (created.changes[0].after or {})["text"] == text


def test_query_and_header_values_are_rewritten_to_the_vendors_host(served: Served) -> None:
    with client(served) as one:
        reply = one.get("/echo", params={"text": f"{served.url}/x"}, headers={"x-callback": f"{served.url}/y?z=1"})
    assert reply.text == f"https://{HOST}/x"  # text/plain goes out as it is
    assert reply.headers["x-callback"] == f"https://{HOST}/y?z=1"


def test_head_has_the_headers_of_get_and_no_body(served: Served) -> None:
    with client(served) as one:
        one.post("/notes", json={"text": "x"})
        head = one.head("/notes/1")
        assert (head.status_code, head.content) == (200, b"")
        assert one.head("/notes/2").status_code == 404
        assert one.get("/notes/1").status_code == 200  # the connection is still in sync


def test_a_reply_without_a_body_has_no_content_length(served: Served) -> None:
    with client(served) as one:
        one.post("/notes", json={"text": "x"})
        gone = one.delete("/notes/1")
        assert gone.status_code == 204
        assert "content-length" not in gone.headers
        assert one.get("/notes/1").status_code == 404


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("size", [10_001, 300_000, 5_000_000])
def test_a_huge_body_gets_the_vendors_error_and_no_event(served: Served, chunked: bool, size: int) -> None:
    before = len(served.sessions["one"].world.events)
    with client(served) as one:
        content: Any = iter([b"x" * 10_000] * (size // 10_000 + 1)) if chunked else b"x" * size
        reply = one.post("/notes", content=content)
        assert (reply.status_code, reply.json()["error"]) == (413, "TooLarge")
        assert one.get("/echo").status_code == 200
    closing = httpx.post(
        f"{served.url}/notes", content=b"x" * size, auth=(LOGIN, "one"), headers={"connection": "close"}
    )
    assert closing.status_code == 413
    assert len(served.sessions["one"].world.events) == before + 1


def test_an_incomplete_body_is_not_handled(served: Served) -> None:
    before = len(served.sessions["one"].world.events)
    head = f"POST /notes HTTP/1.1\r\nhost: x\r\nauthorization: {basic()}\r\ncontent-length: 50\r\n\r\n{{".encode()
    raw(served, head)
    with client(served) as one:
        assert one.get("/echo").status_code == 200
    assert len(served.sessions["one"].world.events) == before + 1


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
        b"BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /%ff%00 HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET //notes//1 HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET * HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"OPTIONS /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"TRACE /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET http://evil.example/notes/1 HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET /notes/1 HTTP/1.1\r\nhost: x\r\nAUTH\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"GET /notes/99999999999999999999999 HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET /notes/1?%=&&==&a=%zz HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
        b"GET /echo?text=%ed%a0%80 HTTP/1.1\r\nhost: x\r\nAUTH\r\nx-shade: \xff\x01\r\n\r\n",
        b"POST /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\ncontent-length: 5, 5\r\n\r\nhello",
        b"POST /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\ncontent-length: -5\r\n\r\nhello",
        b"POST /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"POST /notes HTTP/1.1\r\nhost: x\r\nAUTH\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nhost: x\r\nAUTH\r\n\r\n",
    ],
)
def test_malformed_http_is_never_answered_with_a_500(served: Served, line: bytes) -> None:
    answer = raw(served, line.replace(b"AUTH", f"authorization: {basic()}".encode()))
    status = [part for part in answer.split(b"\r\n") if part.startswith(b"HTTP/1.1 ") and b" 100 " not in part]
    assert not [part for part in status if part.startswith(b"HTTP/1.1 5")], answer[:500]
    with client(served) as one:
        assert one.get("/echo").status_code == 200
    assert all(session.world.defect is None for session in served.sessions.values())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]),
    st.sampled_from(["/notes", "/notes/1", "/notes/x", "/echo", "/", "/notes/%00"]),
    st.one_of(
        st.binary(max_size=60),
        st.sampled_from(
            [b'{"text":1}', b'{"text":"\\ud800"}', b'{"text":"\\u0000"}', b"[" * 3000, b'{"text":1e999}', b"null"]
        ),
    ),
)
def test_any_request_gets_an_answer_of_the_vendor(served: Served, method: str, path: str, body: bytes) -> None:
    with client(served) as one:
        reply = one.request(method, path, content=body)
    assert reply.status_code < 500, reply.text
    assert served.sessions["one"].world.defect is None


def test_unprintable_characters_are_removed_from_reply_headers(served: Served) -> None:
    def odd(request: Request) -> Reply:
        return Reply(200, {"X-Odd": "a\r\nset-cookie: b", "x-name": "Zoë"}, b"")

    served.sessions["one"].send = odd  # type: ignore[method-assign] # stands in for an app that writes such headers
    with client(served) as one:
        reply = one.get("/echo")
    assert reply.headers["x-odd"] == "aset-cookie: b"
    assert "set-cookie" not in reply.headers
    assert reply.headers["content-length"] == "0"


def test_pipelined_requests_are_served_in_their_order(served: Served) -> None:
    one = f"authorization: {basic()}\r\nhost: x\r\n"
    posts = [f'POST /notes HTTP/1.1\r\n{one}content-length: 15\r\n\r\n{{"text":"n{n:03}"}}' for n in range(20)]
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as sock:
        sock.sendall("".join(posts).encode())
        answer = b""
        while answer.count(b"HTTP/1.1 201") < 20:
            answer += sock.recv(65536)
    world = served.sessions["one"].world
    written = [(e.changes[0].after or {})["text"] for e in world.events if e.operation == "write_note"]
    assert written == [f"n{n:03}" for n in range(20)]


def test_the_door_counts_its_replies(served: Served) -> None:
    with client(served) as one:
        one.get("/echo")
        one.get("/nothing")
    assert served.door.figures.replies == {200: 1, 404: 1}
    assert sum(served.door.figures.latency) == 2


def test_a_stranger_gets_a_refusal_that_the_encoder_writes() -> None:
    reply = ask(Door(PARLOUR, Credentials()), Request("GET", "/x"))
    assert (reply.status, msgspec.json.decode(reply.body)["error"]) == (200, "unauthorized")
