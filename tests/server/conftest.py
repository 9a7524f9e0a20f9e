"""A server with two small companies."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from diorama.server.front import Front, Ready, Settings
from tests.doors.serving import TOKEN, Server, in_thread
from tests.server.office import COMPANIES, office


@pytest.fixture
def server() -> Iterator[Server]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0), COMPANIES).serve(stopping, ready)

    with office(), in_thread(main) as ready:
        server = Server(ready)
        yield server
        server.control.close()
