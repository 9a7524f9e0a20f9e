"""Many episodes over a few processes: one parent writes, workers act, our own failures never look like the agent's."""

import gc
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import msgspec

from diorama.runs.store import Finished, Job, Store, pack
from diorama.runs.taxonomy import Tally

ATTEMPTS = 2
"""A void episode is run once more, on a fresh fork."""

LARGEST_CHUNK = 8
PATIENCE_SECONDS = 660.0
"""Past this a worker hangs in our code: the agent's own wall clock ends sooner."""

Perform = Callable[[Job], Finished]
Watch = Callable[[Finished], None]


def lost(job: Job, boundary: str, kind: str, message: str, versions: Any = None) -> Finished:
    """What stands in the run for an episode that broke outside of any world."""
    result = {
        "episode": f"{job.scenario}:{job.split}:{job.seed}",
        "scenario": job.scenario,
        "seed": job.seed,
        "split": job.split,
        "versions": versions or {"image": "", "package": "", "reward": ""},
        "ended": "void",
        "success": None,
        "reward": None,
        "score": None,
        "fault": {"boundary": boundary, "kind": kind, "message": message, "at": None},
        "turns": 0,
        "virtual_seconds": 0.0,
        "state": "",
        "trace": "",
        "plan": "",
        "agent": job.agent,
        "wall_seconds": 0.0,
    }
    return Finished(job, result, pack([]), pack([]))


class Engine:
    """Runs a plan into a store, over `parallel` worker processes."""

    def __init__(
        self, store: Store, perform: Perform, parallel: int = 1, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self.store = store
        self.perform = perform
        self.parallel = parallel
        self.patience_seconds = patience_seconds
        names = ("agent", "scenario", "split", "seed")
        self.set_aside = {tuple(row[name] for name in names) for row in store.quarantined()}

    def run(self, plan: Sequence[Job], watch: Watch = lambda finished: None) -> dict[str, Any]:
        """Run what is not yet finished, mark the run complete, and return its summary."""
        todo = deque(self.unfinished(plan))
        workers: list[Worker] = []
        try:
            while todo or any(worker.chunk for worker in workers):
                self._hand_out(todo, workers)
                finished = self._collect(workers, todo)
                if finished:
                    self._keep(finished, todo)
                    for one in finished:
                        watch(one)
        finally:
            for worker in workers:
                worker.stop()
        summary = self.summary()
        self.store.finish(summary)
        return summary

    def summary(self) -> dict[str, Any]:
        """What the run says so far."""
        return Tally(self.store.results()).summary(self.store.quarantined())

    def unfinished(self, plan: Iterable[Job]) -> list[Job]:
        """What is left of a plan: the first attempt, or the second where the first was void."""
        attempts: dict[Job, tuple[int, str]] = {}
        for job, result in self.store.results():
            attempts[job.episode] = (job.attempt, result["ended"])
        left = []
        for job in plan:
            attempt, ended = attempts.get(job.episode, (-1, "void"))
            if ended == "void" and attempt + 1 < ATTEMPTS and job.group not in self.set_aside:
                left.append(msgspec.structs.replace(job, attempt=attempt + 1))
        return left

    def _hand_out(self, todo: deque[Job], workers: list["Worker"]) -> None:
        size = max(1, min(LARGEST_CHUNK, len(todo) // (self.parallel * 4)))
        while todo:
            idle = next((worker for worker in workers if not worker.chunk), None)
            if idle is None:
                if len(workers) >= self.parallel:
                    return
                idle = Worker(self.perform, self.patience_seconds)
                workers.append(idle)
            idle.give([todo.popleft() for _ in range(min(size, len(todo)))])

    def _collect(self, workers: list["Worker"], todo: deque[Job]) -> list[Finished]:
        """Wait for news, return what finished; a worker that died or hangs loses its first job to an engine fault."""
        busy = [worker for worker in workers if worker.chunk]
        soonest = min(worker.deadline for worker in busy) - time.monotonic()
        wait([worker.pipe for worker in busy], timeout=max(0.0, soonest))
        finished: list[Finished] = []
        for worker in busy:
            news, how = worker.news()
            finished += news
            if how:
                workers.remove(worker)
                code = worker.stop()
                if worker.chunk:
                    job = worker.chunk.popleft()
                    versions = self.store.info.versions.get(job.scenario)
                    finished.append(lost(job, "engine", *worker.obituary(how, code), versions))
                    todo.extendleft(reversed(worker.chunk))
        return finished

    def _keep(self, finished: list[Finished], todo: deque[Job]) -> None:
        self.store.add(finished)
        for one in finished:
            if one.result["ended"] != "void":
                continue
            fault = one.result["fault"]
            if one.job.attempt + 1 < ATTEMPTS:
                todo.append(msgspec.structs.replace(one.job, attempt=one.job.attempt + 1))
            elif fault["boundary"] != "provider":  # a model that cannot be reached says nothing about the variant
                self.store.quarantine(one.job, fault)
                self.set_aside.add(one.job.group)
                for job in [job for job in todo if job.group == one.job.group]:
                    todo.remove(job)


class Worker:
    """One process and the chunk of jobs it holds, oldest first."""

    def __init__(self, perform: Perform, patience_seconds: float) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=work, args=(theirs, perform), daemon=True)
        self.process.start()
        theirs.close()
        self.patience_seconds = patience_seconds
        self.chunk: deque[Job] = deque()
        self.deadline = 0.0

    def give(self, jobs: list[Job]) -> None:
        """Hand it a chunk; a worker that is already gone is noticed when its news is read."""
        self.chunk.extend(jobs)
        self._touch()
        try:
            self.pipe.send(jobs)
        except OSError:
            self.deadline = 0.0

    def news(self) -> tuple[list[Finished], str]:
        """What it finished since last time, and how it was lost if it was."""
        finished: list[Finished] = []
        try:
            while self.pipe.poll():
                finished.append(self.pipe.recv())
                self.chunk.popleft()
                self._touch()
        except (EOFError, OSError):
            return finished, "died"
        return finished, "hung" if self.chunk and time.monotonic() > self.deadline else ""

    def obituary(self, how: str, code: int | None) -> tuple[str, str]:
        """The kind and the message of the fault."""
        if how == "hung":
            return "hang", f"an episode did not end within {self.patience_seconds:g} s of wall time"
        end = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return "worker_death", f"the worker process ended {end} in mid-episode"

    def stop(self) -> int | None:
        """End it and return how it ended by itself, if it did."""
        self.pipe.close()  # at the end of its pipe an idle worker goes
        self.process.join(timeout=0.05 if self.chunk else 0.5)
        code = self.process.exitcode
        if code is None:
            self.process.kill()
            self.process.join()
        self.process.close()
        return code

    def _touch(self) -> None:
        self.deadline = time.monotonic() + self.patience_seconds


def work(pipe: Connection, perform: Perform) -> None:
    """A worker's whole life: take chunks, send back each episode as it finishes, go when the parent is gone."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_go_with, args=(parent,), daemon=True).start()
    os.dup2(2, 1)  # what an agent prints must not reach the run's own output
    sys.stdout = sys.stderr
    settled = False
    while True:
        try:
            jobs = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        for job in jobs:
            try:
                finished = perform(job)
            except KeyboardInterrupt:
                return
            except Exception as error:  # noqa: BLE001 - whatever breaks here is named as an engine fault
                finished = lost(job, "engine", type(error).__name__, str(error))
            try:
                pipe.send(finished)
            except OSError:
                return
            if not settled:
                gc.collect()
                gc.freeze()  # what one episode has loaded stays: the collector need not look through it again
                settled = True


def _go_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
