"""One worker process as the front sees it: started, watched, restarted when it ends, avoided while it is silent."""

import asyncio
import contextlib
import logging
import mmap
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from diorama.doors.listener import GRACE_SECONDS
from diorama.doors.watchdog import RECORDS_BYTES, overdue, running
from diorama.runs.pipes import Lost, Problem
from diorama.runs.workers import WorkerProcess, describe_loss
from diorama.server.ended import Remnant
from diorama.server.station import ProcessSetup

log = logging.getLogger("diorama.workers")

PING_SECONDS = 1.0
SILENT_SECONDS = 4.0
"""A worker that leaves a ping unanswered for this long is silent: calls to it fail, and it gets no new episodes."""
HANG_SECONDS = 30.0
"""A worker that leaves a ping unanswered for this long is killed and replaced."""
LOOK_SECONDS = 0.5
START_SECONDS = 60.0
QUICK_DEATH_SECONDS = 10.0
QUICK_DEATHS = 5
"""After this number of deaths in a row, each right after the start, a worker is reported as failing."""
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 30.0
"""The pause before a restart doubles with every quick death."""


class Silent(Problem):
    """A worker does not answer at present; it may do so again, or it is replaced."""

    def __init__(self, number: int) -> None:
        said = f"Worker {number} does not answer; it is replaced after {HANG_SECONDS:g} s of silence. Try again later."
        super().__init__(503, "worker_silent", said)


class Watching(Protocol):
    """Who is told about a worker."""

    def receive(self, number: int, message: Any) -> None:
        """Take a message of a worker."""
        ...

    def remnants(self, number: int) -> list[Remnant]:
        """Return what is left of the episodes that a worker had."""
        ...

    def mark_lost(self, number: int, how: str, culprits: Sequence[str] = ()) -> None:
        """Take note that a worker has ended, and which episodes it was working on."""
        ...

    def check_startable(self) -> None:
        """Raise an error if no worker can ever start."""
        ...


class Worker:
    """One worker process: it is restarted whenever it dies."""

    def __init__(self, number: int, setup: ProcessSetup, cluster: Watching) -> None:
        self.number = number
        self.deaths = 0
        self.failing = False  # it dies again and again, right after its start
        self.has_served = False
        self.process: WorkerProcess | None = None
        self.ready = asyncio.Event()
        self.settled = asyncio.Event()  # ready, or failing
        self._cluster = cluster
        self._asked_at = 0.0  # when the ping was sent that is not answered yet
        self._starts_at = 0.0
        self._memory = os.memfd_create(f"diorama-worker-{number}")
        os.ftruncate(self._memory, RECORDS_BYTES)
        self.records = mmap.mmap(self._memory, RECORDS_BYTES)
        self._setup = msgspec.structs.replace(setup, records=self._memory)

    @property
    def responsive(self) -> bool:
        """Whether the worker is up and answers."""
        return self.ready.is_set() and not self.silent

    @property
    def silent(self) -> bool:
        """Whether the worker is up, but has not answered for a while."""
        return bool(self._asked_at) and time.monotonic() - self._asked_at > SILENT_SECONDS

    def health(self) -> dict[str, Any]:
        """Return what `GET /v1/health` says of the worker."""
        return {
            "worker": self.number,
            "alive": self.ready.is_set(),
            "responsive": self.responsive,
            "failing": self.failing,
            "restart_in_seconds": round(max(0.0, self._starts_at - time.monotonic()), 1),
            "pid": self.process.pid if self.process else None,
            "deaths": self.deaths,
        }

    async def ask(self, verb: str, *args: Any, late: Callable[[Any], None] | None = None) -> Any:
        """Call the worker; raise Lost if it has ended and Silent if it does not answer.

        `late` gets an answer that comes after that, or after the caller was cancelled.
        """
        process = self.process
        if process is None:
            raise Lost(f"worker {self.number} is not up")
        if self.silent:
            raise Silent(self.number)
        call = asyncio.ensure_future(process.call(verb, *args))
        try:
            while not (await asyncio.wait([call], timeout=LOOK_SECONDS))[0]:
                if self.silent:
                    raise Silent(self.number)
            return call.result()
        except BaseException:
            if late is None:
                call.cancel()
            else:
                call.add_done_callback(partial(_pass_on, late))
            raise

    async def live(self, stopping: asyncio.Event) -> None:
        """Keep a process running until `stopping` is set; wait longer before each restart that did not help."""
        quick = 0
        while not stopping.is_set():
            began = time.monotonic()
            code = await self._one_life(stopping)
            served = self.ready.is_set()
            self.ready.clear()
            self._asked_at = 0.0
            if stopping.is_set():
                return
            self.deaths += 1
            quick = 0 if served and time.monotonic() - began > QUICK_DEATH_SECONDS else quick + 1
            self.failing = quick >= QUICK_DEATHS
            pause = min(LONGEST_PAUSE_SECONDS, SHORTEST_PAUSE_SECONDS * 2.0 ** min(quick, 20))
            self._starts_at = time.monotonic() + pause
            how = describe_loss(code)
            again = f", the {quick}th time in a row right after its start" if self.failing else ""
            told = "worker %d ended (%s)%s; its open episodes are void, a new worker starts in %.1f s"
            log.error(told, self.number, how, again, pause)
            self._cluster.mark_lost(self.number, how, [name for name, _ in running(self.records)])
            self.records[:] = bytes(RECORDS_BYTES)
            if self.failing:
                self._cluster.check_startable()
                self.settled.set()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)

    async def _one_life(self, stopping: asyncio.Event) -> int | None:
        """Run one process until it ends or the server stops; return its exit code."""
        entry = "diorama.server.workers:work"
        receive = partial(self._cluster.receive, self.number)
        self.process = WorkerProcess(entry, receive, [*self._setup.sockets.values(), self._memory])
        await self.process.start()
        monitor = asyncio.create_task(self._monitor(self.process))
        waits = [asyncio.create_task(self.process.ended()), asyncio.create_task(stopping.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (monitor, *waits):
                task.cancel()
            code = await self.process.stop(GRACE_SECONDS + 3 if stopping.is_set() else 1)
            await asyncio.gather(monitor, *waits, return_exceptions=True)
        return code

    async def _monitor(self, process: WorkerProcess) -> None:
        """Start the worker's doors, then ping it; kill it when it does not answer: it hangs in our code."""
        try:
            left = self._cluster.remnants(self.number)
            await asyncio.wait_for(process.call("open", self._setup, left), START_SECONDS)
            self.has_served = True
            self.ready.set()
            self.settled.set()
            pinging = asyncio.create_task(self._ping(process))
            try:
                while not pinging.done():
                    await asyncio.wait([pinging], timeout=LOOK_SECONDS)
                    episode = overdue(self.records, time.monotonic())
                    if episode is not None:
                        log.error("worker %d is ended: episode %s cannot be interrupted", self.number, episode)
                        process.kill()
                        return
                await pinging
            finally:
                pinging.cancel()
        except TimeoutError:
            log.error("worker %d does not answer and is ended", self.number)
            process.kill()
        except Lost:
            return
        except Problem as problem:
            log.error("worker %d cannot start: %s", self.number, problem.detail)
            process.pipe.close()

    async def _ping(self, process: WorkerProcess) -> None:
        """Ping the process until it does not answer in time."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            self._asked_at = time.monotonic()
            await asyncio.wait_for(process.call("ping"), HANG_SECONDS)
            self._asked_at = 0.0

    def close(self) -> None:
        """Free the shared memory."""
        self.records.close()
        os.close(self._memory)


def _pass_on(late: Callable[[Any], None], call: asyncio.Future[Any]) -> None:
    if not call.cancelled() and call.exception() is None:
        late(call.result())
