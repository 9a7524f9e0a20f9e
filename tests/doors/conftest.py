"""The door under test."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from diorama.doors.credentials import Credentials
from diorama.doors.http import Door
from diorama.doors.listener import Listener, bind, port_of, serve_until
from diorama.kernel.testing import fresh
from tests.doors.notes import APP, HOST, WorldSession
from tests.doors.serving import Served, in_thread


@pytest.fixture
def served() -> Iterator[Served]:
    async def main(stopping: asyncio.Event, ready: Callable[[Served], None]) -> None:
        sock = bind("127.0.0.1", 0, "notes")
        base_url, app, credentials = f"http://127.0.0.1:{port_of(sock)}", APP.install(HOST), Credentials()
        sessions = {
            secret: WorldSession(fresh([app], seed), app, base_url) for seed, secret in enumerate(("one", "two"))
        }
        for secret, session in sessions.items():
            credentials.add("notes", secret, session)
        door = Door(APP, credentials)
        listener = Listener(door, sock)
        ready(Served(port_of(sock), sessions, door))
        await serve_until([listener], stopping)

    with in_thread(main) as running:
        yield running
