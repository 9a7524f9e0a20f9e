"""The control plane: authentication, valid requests, and errors."""

import asyncio
from typing import Any

import httpx
import pytest

from diorama.doors.asgi import MAX_BODY, AsgiApp
from diorama.doors.heads import Fields, Head
from diorama.runs.pipes import Problem
from diorama.server.control import StartRequest, control

TOKEN = "t0ken"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


class OneEpisode:
    """A host with one episode called e1."""

    async def health(self) -> Any:
        return {"status": "ok", "workers": []}

    async def metrics(self) -> str:
        return "diorama_episodes_live 1\n"

    async def start(self, order: StartRequest) -> Any:
        if order.scenario == "breaks":
            raise RuntimeError("planted")
        return {"id": "e1", "seed": order.seed}

    def __getattr__(self, verb: str) -> Any:
        async def answer(*args: Any) -> Any:
            if args and args[0] != "e1":
                raise Problem(404, "unknown_episode", f"No episode {args[0]!r}.")
            return {"verb": verb, "args": args[1:]}

        return answer


class Client:
    """A client that calls the control plane without a socket."""

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(control(OneEpisode(), TOKEN), raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://control") as client:
                return await client.request(method, path, **options)

        return asyncio.run(ask())

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)


@pytest.fixture
def client() -> Client:
    return Client()


EVERY = [
    ("GET", "/v1/metrics"), ("GET", "/v1/apps"), ("GET", "/v1/scenarios"), ("GET", "/v1/episodes"),
    ("POST", "/v1/episodes"), ("GET", "/v1/episodes/e1"), ("DELETE", "/v1/episodes/e1"),
    ("GET", "/v1/episodes/e1/events"),
    *(("POST", f"/v1/episodes/e1/{verb}") for verb in ("call", "wait", "snapshot", "restore", "fork", "finish")),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), EVERY)
@pytest.mark.parametrize("given", [None, "Bearer wrong", "Bearer ", TOKEN, "Basic dDBrZW46"])
def test_requests_without_the_token_are_refused(client: Client, method: str, path: str, given: str | None) -> None:
    reply = client.request(method, path, headers={"authorization": given} if given is not None else {})
    assert reply.status_code == 401
    assert reply.json()["error"] == "unauthorized"


@pytest.mark.parametrize(("method", "path"), [*EVERY, ("GET", "/v1/health")])
@pytest.mark.parametrize("other", ["Bearer wrong", f"Bearer {TOKEN}", ""])
def test_two_authorization_headers_are_refused(client: Client, method: str, path: str, other: str) -> None:
    pairs = [("authorization", f"Bearer {TOKEN}"), ("authorization", other)]
    for headers in (pairs, pairs[::-1]):
        reply = client.request(method, path, headers=headers)
        assert (reply.status_code, reply.json()["error"]) == (401, "unauthorized")


def test_no_body_is_kept_for_two_authorization_headers() -> None:
    door, (ours, other) = AsgiApp(None, TOKEN), (f"Bearer {TOKEN}".encode(), b"Bearer wrong")
    sizes = []
    for values in ([ours], [ours, other], [other, ours], [ours, ours]):
        fields = Fields([(b"authorization", value) for value in values])
        sizes.append(door.admit(Head("POST", b"/v1/episodes", b"", fields)).limit)
    assert sizes == [MAX_BODY, 0, 0, 0]


def test_health_needs_no_token_and_reveals_nothing_else(client: Client) -> None:
    assert client.get("/v1/health").json() == {"status": "ok"}
    assert client.get("/v1/health", headers={"authorization": "Bearer no"}).status_code == 401
    assert "workers" in client.get("/v1/health", headers=HEADERS).json()


def test_metrics_are_text_for_prometheus(client: Client) -> None:
    reply = client.get("/v1/metrics", headers=HEADERS)
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert reply.text == "diorama_episodes_live 1\n"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"\xff",
        b'{"seed":1}',
        b'{"scenario":"a","seed":"x"}',
        b'{"scenario":"a","clock":"sundial"}',
        b'{"scenario":"a","extra":1}',
    ],
)
def test_an_invalid_request_is_422_with_a_message(client: Client, body: bytes) -> None:
    reply = client.post("/v1/episodes", content=body, headers=HEADERS)
    assert reply.status_code == 422
    assert set(reply.json()) == {"error", "detail"}


@pytest.mark.parametrize(
    ("body", "choices"),
    [
        (b'{"scenario": "a/b", "split": "x"}', '"train", "eval"'),
        (b'{"scenario": "a/b", "clock": "x"}', '"virtual", "paced"'),
    ],
)
def test_a_wrong_choice_is_422_with_the_choices(client: Client, body: bytes, choices: str) -> None:
    reply = client.post("/v1/episodes", content=body, headers=HEADERS)
    assert reply.status_code == 422
    assert f"it is one of {choices}" in reply.json()["detail"]


def test_an_unknown_path_is_404_and_json(client: Client) -> None:
    for path in ("/v1/episodes/e2", "/v1/nothing", "/"):
        reply = client.get(path, headers=HEADERS)
        assert (reply.status_code, set(reply.json())) == (404, {"error", "detail"})
    assert client.request("PUT", "/v1/episodes", headers=HEADERS).status_code == 405


def test_a_harness_fault_is_reported_and_the_server_continues(client: Client) -> None:
    reply = client.post("/v1/episodes", json={"scenario": "breaks"}, headers=HEADERS)
    assert (reply.status_code, reply.json()["error"]) == (500, "engine")
    again = client.post("/v1/episodes", json={"scenario": "a", "seed": 7}, headers=HEADERS)
    assert again.json() == {"id": "e1", "seed": 7}


@pytest.mark.parametrize("seed", [-1, 2**63, 2**70])
def test_a_seed_out_of_range_is_422(client: Client, seed: int) -> None:
    reply = client.post("/v1/episodes", json={"scenario": "a/b", "seed": seed}, headers=HEADERS)
    assert reply.status_code == 422
    assert f"seed is from 0 to {2**63 - 1}, not {seed}" in reply.text


@pytest.mark.parametrize("number", [10**30, -(10**30), 2**63, 2**64, 10**400])
@pytest.mark.parametrize(
    ("path", "field"),
    [("", "turns"), ("", "seed"), ("/e1/fork", "dice"), ("/e1/events", "after"), ("/e1/events", "limit")],
)
def test_a_number_that_no_machine_word_holds_is_422(client: Client, path: str, field: str, number: int) -> None:
    place = f"/v1/episodes{path}"
    if path == "/e1/events":
        reply = client.get(f"{place}?{field}={number}", headers=HEADERS)
    else:
        body = f'{{"scenario": "a/b", "{field}": {number}}}' if not path else f'{{"{field}": {number}}}'
        reply = client.post(place, content=body.encode(), headers=HEADERS)
    assert (reply.status_code, set(reply.json())) == (422, {"error", "detail"})
    assert field in reply.json()["detail"] or "out of range" in reply.json()["detail"]


@pytest.mark.parametrize("field", ["rate", "lease_seconds"])
@pytest.mark.parametrize("number", ["10" + "0" * 29, "1e308", "1e999", "-1e30"])
def test_a_large_number_of_seconds_is_taken_or_refused(client: Client, field: str, number: str) -> None:
    reply = client.post("/v1/episodes", content=f'{{"scenario": "a", "{field}": {number}}}'.encode(), headers=HEADERS)
    assert reply.status_code in (201, 422)


@pytest.mark.parametrize(
    "field",
    ['"turns": 4611686018427387904', '"turns": 1000001', '"turns": 0', '"lease_seconds": 1e308', '"lease_seconds": 0'],
)
def test_turns_and_leases_have_a_limit(client: Client, field: str) -> None:
    reply = client.post("/v1/episodes", content=f'{{"scenario": "a", {field}}}'.encode(), headers=HEADERS)
    assert reply.status_code == 422
    assert field.split('"')[1] in reply.json()["detail"]


def test_an_endless_body_is_cut_off(client: Client) -> None:
    assert client.post("/v1/episodes", content=b" " * (2 << 20), headers=HEADERS).status_code == 413


def test_request_arguments_are_parsed_to_their_types(client: Client) -> None:
    assert client.get("/v1/episodes/e1/events?after=5", headers=HEADERS).json()["args"] == [5, 1000]
    assert client.get("/v1/episodes/e1/events?after=x", headers=HEADERS).status_code == 422
    waited = client.post("/v1/episodes/e1/wait", json={"seconds": 60}, headers=HEADERS).json()
    assert waited["args"] == [{"seconds": 60.0, "until": None}]
    assert client.post("/v1/episodes/e1/snapshot", headers=HEADERS).status_code == 201
    assert client.post("/v1/episodes/e1/fork", headers=HEADERS).status_code == 201
    assert client.request("DELETE", "/v1/episodes/e1", headers=HEADERS).status_code == 204
