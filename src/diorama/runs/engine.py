"""Engine: run many episodes in worker processes; only the parent writes, and harness failures are never scored."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from diorama.runs.store import Finished, Job, Store, lost
from diorama.runs.taxonomy import Tally
from diorama.runs.workers import JobWorker, Perform, describe_loss

ATTEMPTS = 2
"""How often an episode is tried: a void one is run once more, on a fresh fork."""

LARGEST_CHUNK = 8
PATIENCE_SECONDS = 660.0
"""A worker that reports nothing for longer than this hangs in our code: the agent's own wall clock ends sooner."""

Watch = Callable[[Finished], None]


class Engine:
    """Runs jobs into a store, over `parallel` worker processes."""

    def __init__(
        self, store: Store, perform: Perform, parallel: int = 1, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self.store = store
        self.perform = perform
        self.parallel = parallel
        self.patience_seconds = patience_seconds
        names = ("agent", "scenario", "split", "seed")
        self.set_aside = {tuple(row[name] for name in names) for row in store.quarantined()}

    def run(self, jobs: Sequence[Job], watch: Watch = lambda finished: None) -> dict[str, Any]:
        """Run what is not yet finished, mark the run complete, and return its summary."""
        asyncio.run(self._run(deque(self.unfinished(jobs)), watch))
        summary = self.summary()
        self.store.finish(summary)
        return summary

    def summary(self) -> dict[str, Any]:
        """Return the run's summary so far."""
        return Tally(self.store.results()).summary(self.store.quarantined())

    def unfinished(self, jobs: Iterable[Job]) -> list[Job]:
        """Return what is left of a list of jobs: the first attempt, or the second where the first was void."""
        attempts: dict[Job, tuple[int, str]] = {}
        for job, result in self.store.results():
            attempts[job.episode] = (job.attempt, result["ended"])
        left = []
        for job in jobs:
            attempt, ended = attempts.get(job.episode, (-1, "void"))
            if ended == "void" and attempt + 1 < ATTEMPTS and job.group not in self.set_aside:
                left.append(msgspec.structs.replace(job, attempt=attempt + 1))
        return left

    async def _run(self, todo: deque[Job], watch: Watch) -> None:
        workers = [asyncio.create_task(self._feed_worker(todo, watch)) for _ in range(min(self.parallel, len(todo)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _feed_worker(self, todo: deque[Job], watch: Watch) -> None:
        """Feed one worker until nothing is left to do; replace the worker whenever it is lost."""

        def keep(finished: Finished) -> None:
            self._keep(finished, todo)
            watch(finished)

        worker: JobWorker | None = None
        try:
            while todo:
                if worker is None:
                    worker = JobWorker(self.perform)
                size = max(1, min(LARGEST_CHUNK, len(todo) // (self.parallel * 4)))
                chunk = deque(todo.popleft() for _ in range(min(size, len(todo))))
                how = await worker.run(chunk, keep, self.patience_seconds)
                if how:
                    code, worker = await worker.stop(), None
                    job = chunk.popleft()
                    todo.extendleft(reversed(chunk))
                    keep(lost(job, "engine", *self._loss(how, code), self.store.info.versions.get(job.scenario)))
        finally:
            if worker is not None:
                await worker.stop()

    def _loss(self, how: str, code: int | None) -> tuple[str, str]:
        """Return the kind and the message of the fault that a lost worker is."""
        if how == "hung":
            return "hang", f"an episode did not end within {self.patience_seconds:g} s of wall time"
        return "worker_death", f"the worker process ended in the middle of an episode: {describe_loss(code)}"

    def _keep(self, finished: Finished, todo: deque[Job]) -> None:
        """Store an attempt; a void one is tried again once, then its variant is quarantined."""
        self.store.add([finished])
        if finished.result["ended"] != "void":
            return
        job, fault = finished.job, finished.result["fault"]
        if job.attempt + 1 < ATTEMPTS:
            todo.append(msgspec.structs.replace(job, attempt=job.attempt + 1))
        elif fault["boundary"] != "provider":  # an unreachable model says nothing about the variant
            self.store.quarantine(job, fault)
            self.set_aside.add(job.group)
            for other in [other for other in todo if other.group == job.group]:
                todo.remove(other)
