"""The ceiling of one server process: how many requests a second it answers when it does nothing else.

Measured in CPU time of the process, so that it does not depend on what else the machine does.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
import statistics
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from diorama.bench.load import Desk, Load
from diorama.bench.wire import Socket, cpu_seconds
from diorama.doors.listener import run
from diorama.server.front import Front, Settings

SCENARIO = "zendesk/late-refund"
EPISODES = 16
"""Each has one connection; requests are sent on all of them at once."""
READS = 40
"""Requests of one episode in one round."""
MIX = 20
"""Two of them write: in all rounds fewer than the desk allows for one ticket in ten minutes."""
ROUNDS = 5


def serve(pipe: Connection, token: str) -> None:
    """Run a server in this process."""

    async def main() -> None:
        front = Front(Settings(token=token, port=0, workers=0))
        await front.serve(asyncio.Event(), lambda ready: pipe.send(ready.control_url))

    run(main())


class Driver:
    """Keeps a server process busy through several episodes at once."""

    def __init__(self, load: Load, pid: int) -> None:
        self._desks = load.desks
        self._sockets = [Socket(desk.wire.port) for desk in self._desks]
        self._pid = pid
        self._sent = 0

    def reads(self) -> float:
        """Read one ticket of each episode again and again; return the requests per CPU second."""
        return self._rate(READS, read_only=True)

    def mix(self) -> float:
        """Send reads, searches and writes as the load test does; return the requests per CPU second."""
        return self._rate(MIX, read_only=False)

    def _rate(self, count: int, read_only: bool) -> float:
        began = cpu_seconds(self._pid)
        for _ in range(count):
            for desk, sock in zip(self._desks, self._sockets, strict=True):
                sock.send(_bytes(desk, 0 if read_only else self._sent))
            for sock in self._sockets:
                sock.receive()
            self._sent += not read_only
        return count * len(self._desks) / (cpu_seconds(self._pid) - began)


def _bytes(desk: Desk, number: int) -> bytes:
    """Return one of a desk's requests as it goes over the wire."""
    method, path, body = desk.request(number)
    content = b"" if body is None else msgspec.json.encode(body)
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: {desk.wire.authorization}\r\n"
    return f"{head}content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n".encode() + content


async def opened(url: str, token: str) -> Load:
    """Start the episodes."""
    load = Load(url, token)
    await load.open(SCENARIO, EPISODES)
    await load.disconnect()
    return load


def measure() -> dict[str, Any]:
    """Measure reads and the mix alternately."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    token = secrets.token_hex(16)
    process = context.Process(target=serve, args=(theirs, token), daemon=True)
    process.start()
    theirs.close()
    try:
        url = ours.recv()
        driver = Driver(asyncio.run(opened(url, token)), process.pid or 0)
        driver.reads()
        pairs = [(driver.reads(), driver.mix()) for _ in range(ROUNDS)]
    finally:
        process.terminate()
        process.join(10)
    reads, mix = (statistics.median(pair[i] for pair in pairs) for i in (0, 1))
    return {"ceiling_reads_per_second": reads, "ceiling_mix_per_second": mix}
