"""A server in one process that measures how long each request of a load waits, and what attackers add to that.

For a request of an episode with a seed below 1000: the CPU time of the event loop between its arrival and its reply,
and how much of it was spent on attackers and strangers. The difference is what the same request would have taken at
the same moment without them. Write a line to its standard input to get the figures since the last one.
"""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest import mock

from diorama.doors import turns
from diorama.doors.connection import Connection
from diorama.doors.http import Door
from diorama.doors.listener import Accepting, run
from diorama.server import front
from diorama.server.station import Station
from tests.doors.serving import TOKEN

ATTACKERS_FROM = 1000


class Clock:
    """The CPU time of the event loop, by whom it was used for."""

    def __init__(self) -> None:
        self.stations: list[Station] = []
        self.records: list[tuple[float, float]] = []
        self.foreign = 0.0

    def is_load(self, mark: str | None) -> bool:
        live = self.stations[0].host._by_mark.get(mark or "")
        return live is not None and live.episode.seed < ATTACKERS_FROM

    def network(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """Count what a connection of an attacker or a stranger costs."""

        def measured(one: Any, *args: Any) -> Any:
            began = time.thread_time()
            try:
                return method(one, *args)
            finally:
                if not self.is_load(getattr(one, "episode", None)):
                    self.foreign += time.thread_time() - began

        return measured

    def work(self, run_task: Callable[..., Any]) -> Callable[..., Any]:
        """Count what a task costs, if the loop itself runs it."""

        def measured(stand: Any, name: str, task: Any) -> Any:
            began = time.thread_time()
            result = run_task(stand, name, task)
            if threading.current_thread() is threading.main_thread():
                live = self.stations[0].host._live.get(name)
                if live is None or not self.is_load(live.mark):
                    self.foreign += time.thread_time() - began
            return result

        return measured

    def door(self, answer: Callable[..., Any]) -> Callable[..., Any]:
        """Note the cost of a request when it is answered."""

        def measured(door: Door, head: Any, admission: Any, body: Any, done: Any) -> None:
            began, before = time.thread_time(), self.foreign

            def answered(made: Any) -> None:
                if self.is_load(admission.episode):
                    self.records.append((time.thread_time() - began, self.foreign - before))
                done(made)

            answer(door, head, admission, body, answered)

        return measured


async def main() -> None:
    """Serve until standard input ends."""
    clock = Clock()
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()

    class KeptStation(Station):
        """A station that the measurement can look into."""

        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            clock.stations.append(self)

    def read() -> None:
        if not sys.stdin.readline():
            stopping.set()
            return
        sys.stdout.write(json.dumps(clock.records) + "\n")
        sys.stdout.flush()
        clock.records.clear()

    def ready(told: front.Ready) -> None:
        sys.stdout.write(told.control_url + "\n")
        sys.stdout.flush()
        loop.add_reader(sys.stdin.fileno(), read)

    with ExitStack() as patches:
        for owner, name in ((Accepting, "_accept"), *((Connection, name) for name in NETWORK)):
            patches.enter_context(mock.patch.object(owner, name, clock.network(getattr(owner, name))))
        patches.enter_context(mock.patch.object(turns, "_run", clock.work(turns._run)))
        patches.enter_context(mock.patch.object(Door, "answer", clock.door(Door.answer)))
        patches.enter_context(mock.patch.object(front, "Station", KeptStation))
        await front.Front(front.Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)


NETWORK = ("connection_made", "connection_lost", "data_received", "expire", "_go_on", "_answered")

if __name__ == "__main__":
    run(main())
