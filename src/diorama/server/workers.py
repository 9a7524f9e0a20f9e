"""Several worker processes behind one control plane; if one is lost, only its own episodes are."""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, get_type_hints

import msgspec

from diorama.doors.listener import run
from diorama.doors.meter import Figures, prometheus
from diorama.episodes.endings import Left
from diorama.episodes.result import Result, Versions
from diorama.kernel import Defect
from diorama.runs.pipes import Lost, Pipe, Problem
from diorama.server.control import (
    CallRequest,
    FinishRequest,
    ForkRequest,
    Host,
    RestoreRequest,
    StartRequest,
    WaitRequest,
)
from diorama.server.ended import REMEMBERED, Remnant
from diorama.server.host import scenario_list, unknown
from diorama.server.station import ProcessSetup, Station
from diorama.server.supervisor import QUICK_DEATHS, Silent, Worker

DELETE_SECONDS = 0.3
FIGURES_SECONDS = 5.0
STARTING = "starting-"
"""How the name of an episode begins that its worker has not named yet."""


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


class Cluster:
    """The Host in front of several workers."""

    def __init__(self, setups: list[ProcessSetup]) -> None:
        self.workers = [Worker(number, setup, self) for number, setup in enumerate(setups)]
        self._setups = setups
        self._placements: dict[str, Placement] = {}
        self._lost_episodes = 0
        self._issued: dict[int, OrderedDict[str, Remnant]] = {number: OrderedDict() for number in range(len(setups))}

    async def live(self, stopping: asyncio.Event, ready: Callable[[], None]) -> None:
        """Run the workers until `stopping` is set; raise a Defect if none can start at all."""
        lives = [asyncio.create_task(worker.live(stopping)) for worker in self.workers]
        up = asyncio.create_task(self._all_up())
        everybody: list[asyncio.Task[Any]] = [up, *lives]
        try:
            await asyncio.wait(everybody, return_when=asyncio.FIRST_COMPLETED)
            if up.done() and any(worker.has_served for worker in self.workers):
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
            await worker.settled.wait()

    # --- messages from workers

    def receive(self, number: int, message: Any) -> None:
        """Forget the episodes whose lease ran out; keep what was issued for a new one."""
        for episode in message.get("gone", ()):
            self._placements.pop(episode, None)
        if "issued" in message:
            remnant = msgspec.convert(message["issued"], Remnant)
            known = self._issued[number]
            known[remnant.mark] = remnant
            while len(known) > REMEMBERED:
                known.popitem(last=False)

    def remnants(self, number: int) -> list[Remnant]:
        """Return what was issued for the episodes of a worker; when a new one starts, they all have ended."""
        return list(self._issued[number].values())

    def check_startable(self) -> None:
        """Raise a Defect if no worker has ever been up, and all of them fail."""
        if all(worker.failing and not worker.has_served for worker in self.workers):
            raise Defect(
                f"No worker could be started: each of {len(self.workers)} ended {QUICK_DEATHS} times right after its "
                "start. The lines above say how.",
                boundary="engine",
            )

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
        self._tell_how_they_ended(number, now)
        stale = [e for e, p in self._placements.items() if p.lost is not None and now - p.lost_at > p.lease_seconds]
        for episode in stale:
            del self._placements[episode]

    def _tell_how_they_ended(self, number: int, now: float) -> None:
        """Note for the next worker which episodes were lost just now; their credentials will say so."""
        known = self._issued[number]
        for mark, remnant in known.items():
            placement = self._placements.get(remnant.episode)
            if placement is not None and placement.lost is not None and placement.lost_at == now:
                why: Left = "lost" if placement.result is None else placement.lost.ended
                known[mark] = msgspec.structs.replace(remnant, why=why)

    # --- the Host

    async def health(self) -> Any:
        workers = [{**worker.health(), "episodes": self._load(worker.number)} for worker in self.workers]
        return {"status": "ok" if all(w["responsive"] for w in workers) else "degraded", "workers": workers}

    async def metrics(self) -> str:
        answers = await self._ask_all("figures", FIGURES_SECONDS)
        figures = {str(number): msgspec.convert(answer, Figures) for number, answer in answers.items()}
        up = {str(worker.number): worker.responsive for worker in self.workers}
        return prometheus(figures, sum(worker.deaths for worker in self.workers), self._lost_episodes, up)

    async def apps(self) -> Any:
        urls = [{"name": name, "base_url": url} for setup in self._setups for name, url in setup.origins.items()]
        return sorted(urls, key=lambda row: row["name"])

    async def scenarios(self) -> Any:
        return scenario_list()

    async def episodes(self) -> Any:
        answers = await self._ask_all("episodes")
        rows = [row for answer in answers.values() for row in answer["episodes"]]
        silent = [worker.number for worker in self.workers if worker.ready.is_set() and worker.number not in answers]
        for episode, placement in self._placements.items():
            if placement.lost is not None:
                rows.append(_lost(episode, placement.lost))
            elif placement.worker in silent and not episode.startswith(STARTING):
                rows.append(_unknown(episode, placement))
        return {"episodes": rows, "silent_workers": silent}

    async def start(self, options: StartRequest) -> Any:
        tried: set[int] = set()
        while up := [w.number for w in self.workers if w.responsive and w.number not in tried]:
            number = min(up, key=self._load)
            tried.add(number)
            with contextlib.suppress(Silent):
                return await self._start_on(number, options)
        raise Problem(503, "no_worker", "No worker is up and answers; try again in a moment.")

    async def _start_on(self, number: int, options: StartRequest) -> Any:
        """Start an episode on one worker; if the worker becomes silent, delete it as soon as it is known."""
        lease_seconds = self._setups[number].lease_seconds if options.lease_seconds is None else options.lease_seconds
        placement = Placement(number, options.scenario, options.seed, options.split, lease_seconds)
        reserved = f"{STARTING}{id(placement)}"
        self._placements[reserved] = placement
        try:
            opened = await self.workers[number].ask("start", options, late=partial(self._discard, number))
        except Lost:
            opened = None
        finally:
            self._placements.pop(reserved, None)
        if opened is None or placement.lost is not None:
            raise Problem(503, "worker_lost", f"Worker {number} ended while it started this episode.")
        self._placements[opened["id"]] = placement
        return opened

    def _discard(self, number: int, opened: Any) -> None:
        """Let a worker delete an episode that it has made and that no one will ever name."""
        process = self.workers[number].process
        if process is not None:
            process.pipe.send("delete", opened["id"])

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
        origin = self._place(episode)
        discard = partial(self._discard, origin.worker)
        opened = await self._on(episode, "fork", options, late=discard)
        if origin.lost is not None:
            raise Gone(origin.lost)
        if self._placements.get(episode) is not origin:  # deleted or expired meanwhile
            discard(opened)
            raise unknown(episode)
        self._placements[opened["id"]] = msgspec.structs.replace(origin, done=False, result=None)
        return opened

    async def finish(self, episode: str, options: FinishRequest) -> Any:
        placement = self._place(episode)  # it counts even if the episode is deleted while it is graded
        try:
            result = await self._on(episode, "finish", options)
        except Gone as gone:
            return gone.result
        placement.done, placement.result = True, result
        return result

    async def delete(self, episode: str) -> None:
        placement = self._place(episode)
        process = self.workers[placement.worker].process
        try:
            with contextlib.suppress(Lost, TimeoutError):  # a busy worker does it as soon as it reads the order
                if process is not None and placement.lost is None:
                    await asyncio.wait_for(process.call("delete", episode), DELETE_SECONDS)
        finally:
            self._placements.pop(episode, None)  # also if the worker does not know it any more

    # --- internals

    def _load(self, number: int) -> int:
        return sum(p.worker == number and not p.done and p.lost is None for p in self._placements.values())

    def _place(self, episode: str) -> Placement:
        try:
            return self._placements[episode]
        except KeyError:
            raise unknown(episode) from None

    async def _on(self, episode: str, verb: str, *args: Any, late: Callable[[Any], None] | None = None) -> Any:
        """Call the worker of an episode; raise Gone if the episode was lost with its worker.

        The episode may be deleted meanwhile: look it up again after this.
        """
        placement = self._place(episode)
        if placement.lost is None:
            try:
                return await self.workers[placement.worker].ask(verb, episode, *args, late=late)
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

    async def _ask_all(self, verb: str, seconds: float | None = None) -> dict[int, Any]:
        """Ask every worker that is up, at the same time; return the answers of those that gave one."""

        async def one(worker: Worker) -> tuple[int, Any]:
            with contextlib.suppress(Lost, Silent, TimeoutError):
                return worker.number, await asyncio.wait_for(worker.ask(verb), seconds)
            return worker.number, None

        answers = await asyncio.gather(*(one(worker) for worker in self.workers if worker.ready.is_set()))
        return {number: answer for number, answer in answers if answer is not None}


def _unknown(episode: str, placement: Placement) -> dict[str, Any]:
    """Return what is known of an episode whose worker is silent."""
    about = {"id": episode, "scenario": placement.scenario, "seed": placement.seed, "split": placement.split}
    return {**about, "status": "silent", "worker": placement.worker, "ended": None, "result": placement.result}


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
            station = Station(setup, sockets, pipe.tell)
            station.host.remember(msgspec.convert(args[1], list[Remnant]))
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
