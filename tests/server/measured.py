"""A server in one process that measures how much its event loop works between a request and its reply.

Unlike the time that a client waits, this does not depend on what else the machine does. Write a line to its standard
input to get the figures since the last one: those of episodes with a seed below 1000, and of the others.
"""

import asyncio
import json
import sys
import time
from typing import Any
from unittest import mock

from diorama.doors.http import Door
from diorama.doors.listener import run
from diorama.server import front
from diorama.server.station import Station
from tests.doors.serving import TOKEN

ATTACKERS_FROM = 1000


async def main() -> None:
    """Serve until standard input ends."""
    records: list[tuple[str | None, float]] = []
    stations: list[Station] = []
    answer_it = Door.answer

    def answer(self: Door, head: Any, admission: Any, body: Any, done: Any) -> None:
        began = time.thread_time()

        def measured(made: Any) -> None:
            records.append((admission.episode, time.thread_time() - began))
            done(made)

        answer_it(self, head, admission, body, measured)

    class KeptStation(Station):
        """A station that the measurement can look into."""

        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            stations.append(self)

    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    attackers: set[str] = set()

    def watch_out() -> None:
        for mark, live in stations[0].host._by_mark.items():
            if live.episode.seed >= ATTACKERS_FROM:
                attackers.add(mark)

    def read() -> None:
        if not sys.stdin.readline():
            stopping.set()
            return
        watch_out()
        kinds: dict[str, list[float]] = {"others": [], "attackers": []}
        for flow, seconds in records:
            if flow is not None:
                kinds["attackers" if flow in attackers else "others"].append(seconds)
        records.clear()
        sys.stdout.write(json.dumps({kind: sorted(figures) for kind, figures in kinds.items()}) + "\n")
        sys.stdout.flush()

    def ready(told: front.Ready) -> None:
        sys.stdout.write(told.control_url + "\n")
        sys.stdout.flush()
        loop.add_reader(sys.stdin.fileno(), read)

    with mock.patch.object(Door, "answer", answer), mock.patch.object(front, "Station", KeptStation):
        await front.Front(front.Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)


if __name__ == "__main__":
    run(main())
