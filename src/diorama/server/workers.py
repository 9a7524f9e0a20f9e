"""Several worker processes behind one control plane; if one is lost, only its own episodes are."""

import asyncio
import contextlib
import logging
import mmap
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, get_type_hints

import msgspec

from diorama.doors.listener import GRACE_SECONDS, run
from diorama.doors.meter import Figures, prometheus
from diorama.doors.watchdog import RECORDS_BYTES, overdue, running
from diorama.episodes.result import Result, Versions
from diorama.kernel import Defect
from diorama.runs.pipes import Lost, Pipe, Problem
from diorama.runs.workers import WorkerProcess, describe_loss
from diorama.server.control import (
    CallRequest,
    FinishRequest,
    ForkRequest,
    Host,
    RestoreRequest,
    StartRequest,
    WaitRequest,
)
from diorama.server.host import scenario_list, unknown
from diorama.server.station import ProcessSetup, Station

log = logging.getLogger("diorama.workers")

PING_SECONDS = 5.0
HANG_SECONDS = 60.0
LOOK_SECONDS = 0.5
DELETE_SECONDS = 0.3
START_SECONDS = 60.0
QUICK_DEATH_SECONDS = 10.0
QUICK_DEATHS_AT_MOST = 5


class Gone(Problem):
    """An episode was lost with its worker; only its result is left, void unless it was finished."""

    def __init__(self, result: Result) -> None:
        super().__init__(409, "lost", result.fault.message if result.fault else "")
        self.result = result


class Placement(msgspec.Struct):
    """The worker of an episode, and what is known about the episode after that worker is lost."""

    worker: int
    scenario: str
    seed: int
    split: str
    lease_seconds: float
    done: bool = False
    result: Any = None  # as the worker graded it; kept here, so that it outlives the worker
    lost: Result | None = None
    lost_at: float = 0.0


class Worker:
    """One worker process as the front sees it: it is restarted whenever it dies."""

    def __init__(self, number: int, setup: ProcessSetup, cluster: "Cluster") -> None:
        self.number = number
        self.deaths = 0
        self.process: WorkerProcess | None = None
        self.ready = asyncio.Event()
        self._cluster = cluster
        self._memory = os.memfd_create(f"diorama-worker-{number}")
        os.ftruncate(self._memory, RECORDS_BYTES)
        self.records = mmap.mmap(self._memory, RECORDS_BYTES)
        self._setup = msgspec.structs.replace(setup, records=self._memory)

    async def live(self, stopping: asyncio.Event) -> None:
        """Keep a process running until `stopping` is set."""
        quick = 0
        while not stopping.is_set():
            began = time.monotonic()
            code = await self._one_life(stopping)
            self.ready.clear()
            if stopping.is_set():
                return
            self.deaths += 1
            how = describe_loss(code)
            log.error("worker %d ended (%s); its open episodes are void, a new worker starts", self.number, how)
            self._cluster.mark_lost(self.number, how, [name for name, _ in running(self.records)])
            self.records[:] = bytes(RECORDS_BYTES)
            quick = quick + 1 if time.monotonic() - began < QUICK_DEATH_SECONDS else 0
            if quick >= QUICK_DEATHS_AT_MOST:
                raise RuntimeError(f"worker {self.number} died {quick} times in a row right after its start")
            await asyncio.sleep(min(5.0, 0.1 * 2**quick))

    async def _one_life(self, stopping: asyncio.Event) -> int | None:
        """Run one process until it ends or the server stops; return its exit code."""
        entry = "diorama.server.workers:work"
        self.process = WorkerProcess(entry, self._cluster.forget_expired, [*self._setup.sockets.values(), self._memory])
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
            await asyncio.wait_for(process.call("open", self._setup), START_SECONDS)
            self.ready.set()
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
            await asyncio.wait_for(process.call("ping"), HANG_SECONDS)

    def close(self) -> None:
        """Free the shared memory."""
        self.records.close()
        os.close(self._memory)


class Cluster:
    """The Host in front of several workers."""

    def __init__(self, setups: list[ProcessSetup]) -> None:
        self.workers = [Worker(number, setup, self) for number, setup in enumerate(setups)]
        self._setups = setups
        self._placements: dict[str, Placement] = {}
        self._lost_episodes = 0

    async def live(self, stopping: asyncio.Event, ready: Callable[[], None]) -> None:
        """Run the workers until `stopping` is set, or until one cannot be kept alive."""
        lives = [asyncio.create_task(worker.live(stopping)) for worker in self.workers]
        up = asyncio.create_task(self._all_up())
        everybody: list[asyncio.Task[Any]] = [up, *lives]
        try:
            await asyncio.wait(everybody, return_when=asyncio.FIRST_COMPLETED)
            if up.done():
                ready()
            await asyncio.wait(lives, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.set()
            up.cancel()
            results = await asyncio.gather(*lives, return_exceptions=True)
            for worker in self.workers:
                worker.close()
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _all_up(self) -> None:
        for worker in self.workers:
            await worker.ready.wait()

    # --- messages from workers

    def forget_expired(self, message: Any) -> None:
        """Forget the episodes whose lease ran out."""
        for episode in message["gone"]:
            self._placements.pop(episode, None)

    def mark_lost(self, number: int, how: str, culprits: Sequence[str] = ()) -> None:
        """Void the open episodes of a dead worker by an engine fault; results of finished ones are kept.

        `culprits` are the episodes whose work the worker ran when it ended.
        """
        now = time.monotonic()
        named = [name for name in culprits if name in self._placements]
        for episode, placement in self._placements.items():
            if placement.worker == number and placement.lost is None:
                placement.lost_at = now
                if placement.result is not None:
                    placement.lost = msgspec.convert(placement.result, Result)
                    continue
                self._lost_episodes += 1
                why = f"worker {number} ended ({how}) with this episode in it"
                if episode in named:
                    why = f"worker {number} ended ({how}) while it ran a request of this episode"
                elif named:
                    why += f"; it ran a request of episode {', '.join(named)}, not of this one"
                placement.lost = _void(episode, placement, why)
        stale = [e for e, p in self._placements.items() if p.lost is not None and now - p.lost_at > p.lease_seconds]
        for episode in stale:
            del self._placements[episode]

    # --- the Host

    async def health(self) -> Any:
        workers = [
            {
                "worker": worker.number,
                "alive": worker.ready.is_set(),
                "pid": worker.process.pid if worker.process else None,
                "episodes": self._load(worker.number),
                "deaths": worker.deaths,
            }
            for worker in self.workers
        ]
        return {"status": "ok" if all(w["alive"] for w in workers) else "degraded", "workers": workers}

    async def metrics(self) -> str:
        figures: dict[str, Figures] = {}
        for worker in self.workers:
            if worker.ready.is_set() and worker.process is not None:
                try:
                    answer = await asyncio.wait_for(worker.process.call("figures"), PING_SECONDS)
                except (Lost, TimeoutError):
                    continue
                figures[str(worker.number)] = msgspec.convert(answer, Figures)
        return prometheus(figures, sum(worker.deaths for worker in self.workers), self._lost_episodes)

    async def apps(self) -> Any:
        urls = [{"name": name, "base_url": url} for setup in self._setups for name, url in setup.origins.items()]
        return sorted(urls, key=lambda row: row["name"])

    async def scenarios(self) -> Any:
        return scenario_list()

    async def episodes(self) -> Any:
        rows: list[Any] = []
        for worker in self.workers:
            if worker.ready.is_set():
                with contextlib.suppress(Lost):
                    rows += await self._ask(worker.number, "episodes")
        rows += [_lost(episode, placement.lost) for episode, placement in self._placements.items() if placement.lost]
        return rows

    async def start(self, options: StartRequest) -> Any:
        up = [worker.number for worker in self.workers if worker.ready.is_set()]
        if not up:
            raise Problem(503, "no_worker", "No worker is up; try again in a moment.")
        number = min(up, key=self._load)
        lease_seconds = self._setups[number].lease_seconds if options.lease_seconds is None else options.lease_seconds
        placement = Placement(number, options.scenario, options.seed, options.split, lease_seconds)
        reserved = f"starting-{id(placement)}"
        self._placements[reserved] = placement
        try:
            opened = await self._ask(number, "start", options)
        except Lost:
            raise Problem(503, "worker_lost", f"Worker {number} ended while it started this episode.") from None
        finally:
            del self._placements[reserved]
        self._placements[opened["id"]] = placement
        return opened

    async def show(self, episode: str) -> Any:
        try:
            return await self._on(episode, "show")
        except Gone as gone:
            return _lost(episode, gone.result)

    async def events(self, episode: str, after: int, limit: int) -> Any:
        return await self._on(episode, "events", after, limit)

    async def call(self, episode: str, options: CallRequest) -> Any:
        return await self._on(episode, "call", options)

    async def wait(self, episode: str, options: WaitRequest) -> Any:
        return await self._on(episode, "wait", options)

    async def snapshot(self, episode: str) -> Any:
        return await self._on(episode, "snapshot")

    async def restore(self, episode: str, options: RestoreRequest) -> Any:
        return await self._on(episode, "restore", options)

    async def fork(self, episode: str, options: ForkRequest) -> Any:
        opened = await self._on(episode, "fork", options)
        origin = self._placements[episode]
        self._placements[opened["id"]] = msgspec.structs.replace(origin, done=False, result=None)
        return opened

    async def finish(self, episode: str, options: FinishRequest) -> Any:
        try:
            result = await self._on(episode, "finish", options)
        except Gone as gone:
            return gone.result
        placement = self._place(episode)
        placement.done, placement.result = True, result
        return result

    async def delete(self, episode: str) -> None:
        placement = self._place(episode)
        if placement.lost is None:
            with contextlib.suppress(Lost, TimeoutError):  # a busy worker does it as soon as it reads the order
                await asyncio.wait_for(self._ask(placement.worker, "delete", episode), DELETE_SECONDS)
        self._placements.pop(episode, None)

    # --- internals

    def _load(self, number: int) -> int:
        return sum(p.worker == number and not p.done and p.lost is None for p in self._placements.values())

    def _place(self, episode: str) -> Placement:
        try:
            return self._placements[episode]
        except KeyError:
            raise unknown(episode) from None

    async def _on(self, episode: str, verb: str, *args: Any) -> Any:
        """Call the worker of an episode; raise Gone if the episode was lost with its worker."""
        placement = self._place(episode)
        if placement.lost is None:
            try:
                return await self._ask(placement.worker, verb, episode, *args)
            except Lost:
                await self._wait_for_loss(placement)
        if placement.lost is None:
            raise Problem(503, "worker_lost", f"Worker {placement.worker} ended while it was asked to {verb}.")
        raise Gone(placement.lost)

    async def _wait_for_loss(self, placement: Placement) -> None:
        """Wait until it is known how the worker ended, which takes a moment."""
        for _ in range(200):
            if placement.lost is not None:
                return
            await asyncio.sleep(0.02)

    async def _ask(self, number: int, verb: str, *args: Any) -> Any:
        process = self.workers[number].process
        if process is None:
            raise Lost(f"worker {number} is not up")
        return await process.call(verb, *args)


def _lost(episode: str, result: Result) -> dict[str, Any]:
    about = {"id": episode, "scenario": result.scenario, "seed": result.seed, "split": result.split}
    status = "void" if result.ended == "void" else "finished"
    return {**about, "status": status, "ended": result.ended, "result": result}


def _void(episode: str, placement: Placement, message: str) -> Result:
    """Return the result of an episode that was lost with its worker."""
    return Result.void(
        Defect(message, boundary="engine", kind="WorkerLost"),
        episode=episode,
        scenario=placement.scenario,
        seed=placement.seed,
        split=placement.split,
        versions=Versions("", version("diorama"), ""),
    )


# --- the worker's side


def work(fd: int) -> None:
    """Run a worker: open its doors as the front requests, answer its calls, exit with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the front, which shuts us down cleanly
    run(_work(socket.socket(fileno=fd)))


async def _work(sock: socket.socket) -> None:
    sock.setblocking(False)
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    station: Station | None = None
    doors: asyncio.Task[None] | None = None

    async def answer(verb: str, args: list[Any]) -> Any:
        nonlocal station, doors
        if verb == "open":
            setup = msgspec.convert(args[0], ProcessSetup)
            sockets = {name: socket.socket(fileno=fd) for name, fd in setup.sockets.items()}
            station = Station(setup, sockets, lambda gone: pipe.tell({"gone": gone}))
            doors = asyncio.create_task(station.serve(stopping))
            doors.add_done_callback(lambda task: stopping.set())  # without doors the worker is useless
            return os.getpid()
        if verb == "ping":
            return None
        if station is None:
            raise Problem(503, "starting", "This worker has not opened yet.")
        if verb == "figures":
            return station.host.figures()
        hints = [hint for name, hint in get_type_hints(getattr(Host, verb)).items() if name != "return"]
        typed = [msgspec.convert(arg, hint) for arg, hint in zip(args, hints, strict=True)]
        return await getattr(station.host, verb)(*typed)

    pipe = Pipe(answer)
    await pipe.open(sock)
    talk = asyncio.create_task(pipe.run())
    ending = asyncio.create_task(stopping.wait())
    waiting: set[asyncio.Task[Any]] = {talk, ending}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    stopping.set()
    if doors is not None:
        await doors
    pipe.close()
    talk.cancel()
