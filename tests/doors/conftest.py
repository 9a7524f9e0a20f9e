"""The door under test."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from diorama.doors.http import Door, Guests
from diorama.doors.links import Links
from diorama.doors.listener import Listener, bind, port_of, serve_until
from diorama.kernel.testing import fresh
from diorama.server.front import Front, Ready, Settings
from tests.doors.notes import APP, HOST, WorldSeat
from tests.doors.office import office
from tests.doors.serving import TOKEN, Served, Server, in_thread


@pytest.fixture
def served() -> Iterator[Served]:
    async def main(stopping: asyncio.Event, ready: Callable[[Served], None]) -> None:
        seats = {secret: WorldSeat(fresh([APP], seed)) for seed, secret in enumerate(("one", "two"))}
        guests = Guests()
        for secret, seat in seats.items():
            guests.admit("notes", secret, seat)
        sock = bind("127.0.0.1", 0, "notes")
        door = Door(APP, guests, Links({HOST: f"http://127.0.0.1:{port_of(sock)}"}))
        listener = Listener(door, sock)
        ready(Served(port_of(sock), seats, door))
        await serve_until([listener], stopping)

    with in_thread(main) as running:
        yield running


@pytest.fixture
def server() -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0), {"notes": APP}).serve(stopping, ready)

    with office(), in_thread(main) as ready:
        server = Server(ready)
        yield server
        server.control.close()
