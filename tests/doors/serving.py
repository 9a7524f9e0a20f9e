"""Doors on real sockets: an event loop in a thread, on ports of its own."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from diorama.doors.http import Door
from tests.doors.notes import WorldSeat


@contextmanager
def in_thread(main: Callable[[asyncio.Event, Callable[[Any], None]], Any]) -> Iterator[Any]:
    """Run main(stopping, ready) in a thread of its own until the block ends; gives what `ready` was told."""
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
            asyncio.run(run())
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

    def __init__(self, port: int, seats: dict[str, WorldSeat], door: Door) -> None:
        self.port = port
        self.seats = seats
        self.door = door
        self.url = f"http://127.0.0.1:{port}"
