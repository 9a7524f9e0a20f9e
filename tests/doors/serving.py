"""Doors on real sockets: an event loop in a thread, on ports of its own."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from diorama.doors.connection import Limits
from diorama.doors.credentials import Credentials
from diorama.doors.http import Door
from diorama.doors.listener import Listener, bind, port_of, serve_until
from diorama.doors.listener import run as serve
from diorama.kernel.testing import fresh
from diorama.server.front import Ready
from tests.doors.notes import APP, HOST, WorldSession

TOKEN = "admin"


@contextmanager
def in_thread(main: Callable[[asyncio.Event, Callable[[Any], None]], Any]) -> Iterator[Any]:
    """Run main(stopping, ready) in its own thread until the block ends; yield the argument of `ready`."""
    told: list[Any] = []
    up = threading.Event()
    ended: list[BaseException] = []

    async def run() -> None:
        stopping = asyncio.Event()

        def ready(what: Any) -> None:
            told.extend([what, asyncio.get_running_loop(), stopping])
            up.set()

        await main(stopping, ready)

    def body() -> None:
        try:
            serve(run())
        except BaseException as error:  # noqa: BLE001 # carried over to the test's own thread
            ended.append(error)
        finally:
            up.set()

    thread = threading.Thread(target=body)
    thread.start()
    up.wait(60)
    if ended:
        raise ended[0]
    what, loop, stopping = told
    try:
        yield what
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(30)
    assert not thread.is_alive()
    if ended:
        raise ended[0]


class Served:
    """A door to two worlds of the notes app, with one token each."""

    def __init__(self, port: int, sessions: dict[str, WorldSession], door: Door) -> None:
        self.port = port
        self.sessions = sessions
        self.door = door
        self.url = f"http://127.0.0.1:{port}"


@contextmanager
def door_of_notes(limits: Limits | None = None) -> Iterator[Served]:
    """Open a door to two worlds of the notes app."""

    async def main(stopping: asyncio.Event, ready: Callable[[Served], None]) -> None:
        sock = bind("127.0.0.1", 0, "notes")
        base_url, app, credentials = f"http://127.0.0.1:{port_of(sock)}", APP.install(HOST), Credentials()
        sessions = {
            secret: WorldSession(fresh([app], seed), app, base_url) for seed, secret in enumerate(("one", "two"))
        }
        for secret, session in sessions.items():
            session.mark = secret
            credentials.add("notes", secret, session)
        door = Door(APP, credentials)
        listener = Listener(door, sock, limits)
        ready(Served(port_of(sock), sessions, door))
        await serve_until([listener], stopping)

    with in_thread(main) as running:
        yield running


class Server:
    """The control plane's client, and clients of the episodes it starts."""

    def __init__(self, ready: Ready) -> None:
        self.ready = ready
        self.control = httpx.Client(
            base_url=ready.control_url, headers={"authorization": f"Bearer {TOKEN}"}, timeout=30
        )

    def start(self, scenario: str = "notes/write", seed: int = 0, **options: Any) -> dict[str, Any]:
        reply = self.control.post("/v1/episodes", json={"scenario": scenario, "seed": seed, **options})
        assert reply.status_code == 201, reply.text
        opened: dict[str, Any] = reply.json()
        return opened

    def post(self, opened: dict[str, Any], verb: str, body: Any = None, status: int = 200) -> Any:
        reply = self.control.post(f"/v1/episodes/{opened['id']}/{verb}", json=body or {})
        assert reply.status_code == status, reply.text
        return reply.json()

    def show(self, opened: dict[str, Any]) -> Any:
        return self.control.get(f"/v1/episodes/{opened['id']}").json()

    def metric(self, name: str) -> float:
        lines = self.control.get("/v1/metrics").text.splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(f"diorama_{name}"))


def app_client(opened: dict[str, Any]) -> httpx.Client:
    app = opened["apps"]["notes"]
    login, token = app["credentials"]["email"], app["credentials"]["token"]
    return httpx.Client(base_url=app["base_url"], auth=(f"{login}/token", token), timeout=30)
