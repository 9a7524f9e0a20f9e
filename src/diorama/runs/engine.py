"""Engine: run many episodes in worker processes; only the parent writes, and harness failures are never scored."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any

import msgspec

from diorama.runs.store import Finished, Job, Store, lost
from diorama.runs.taxonomy import Tally, after_void
from diorama.runs.workers import START_SECONDS, JobWorker, Perform, check_descriptors, describe_loss

LARGEST_CHUNK = 8
PATIENCE_SECONDS = 660.0
"""A worker that reports nothing for longer than this hangs in our code: the agent's own wall clock ends sooner."""

Watch = Callable[[Finished], None]


class Engine:
    """Runs the jobs of a store, over `parallel` worker processes."""

    def __init__(
        self, store: Store, perform: Perform, parallel: int = 1, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self.store = store
        self.perform = perform
        self.parallel = parallel
        self.patience_seconds = patience_seconds
        self._attempts: dict[Job, int] = {}
        self._faults: dict[Job, list[dict[str, Any]]] = defaultdict(list)
        self._done: set[Job] = set()
        self._todo: deque[Job] = deque()
        self._alone: deque[Job] = deque()
        for job, result in store.results():
            self._count(job, result)
        self.set_aside = {job.group for job, faults in self._faults.items() if after_void(faults) == "quarantine"}
        """Variants that failed too often, by their attempts: a stored row of quarantine may be false."""

    def run(self, watch: Watch = lambda finished: None) -> dict[str, Any]:
        """Run what is not yet finished, mark the run complete, and return its summary."""
        left = self.unfinished()
        self.store.check_unfinished(len(left))
        if self.store.info.finished is None:
            check_descriptors()
            asyncio.run(self._run(left, watch))
            self.store.finish(self.summary())
        return self.summary()

    def summary(self) -> dict[str, Any]:
        """Return the run's summary so far."""
        return Tally(self.store.results(), self.store.info.jobs).summary(self.store.quarantined())

    def unfinished(self) -> list[Job]:
        """Return what is left of the plan: first attempts, and the next one where the last was void."""
        left = []
        for job in self.store.info.jobs:
            tried = job in self._attempts
            over = job in self._done or (tried and after_void(self._faults[job]) in ("quarantine", "stop"))
            if not over and job.group not in self.set_aside:
                left.append(msgspec.structs.replace(job, attempt=self._attempts.get(job, -1) + 1))
        return left

    async def _run(self, left: list[Job], watch: Watch) -> None:
        """Run all jobs side by side; then, one by one, those that were running when a worker was lost."""
        for job in left:
            suspect = self._faults[job.episode] and after_void(self._faults[job.episode]) == "alone"
            (self._alone if suspect else self._todo).append(job)
        while self._todo or self._alone:
            await self._side_by_side(watch)
            await self._feed_worker(self._alone, watch, alone=True)

    async def _side_by_side(self, watch: Watch) -> None:
        count = min(self.parallel, len(self._todo))
        workers = [asyncio.create_task(self._feed_worker(self._todo, watch)) for _ in range(count)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _feed_worker(self, todo: deque[Job], watch: Watch, alone: bool = False) -> None:
        """Feed one worker until nothing is left to do; replace it when it is lost, and for each job that is alone."""

        def keep(finished: Finished) -> None:
            self._keep(finished)
            watch(finished)

        worker: JobWorker | None = None
        try:
            while todo:
                if worker is None:
                    worker = JobWorker(self.perform)
                size = 1 if alone else max(1, min(LARGEST_CHUNK, len(todo) // (self.parallel * 4)))
                chunk = deque(todo.popleft() for _ in range(min(size, len(todo))))
                how = await worker.run(chunk, keep, self.patience_seconds)
                if how:
                    seconds, code, worker = worker.busy_seconds, await worker.stop(), None
                    job = chunk.popleft()
                    todo.extendleft(reversed(chunk))
                    known = self.store.info.versions.get(job.scenario)
                    keep(lost(job, "engine", *self._loss(how, code), known, seconds))
                elif alone:
                    await worker.stop()
                    worker = None
        finally:
            if worker is not None:
                await worker.stop()

    def _loss(self, how: str, code: int | None) -> tuple[str, str]:
        """Return the kind and the message of the fault that a lost worker is."""
        if how == "hung":
            return "hang", f"an episode did not end within {self.patience_seconds:g} s of wall time"
        if how == "not ready":
            return "no_start", f"the worker process was not ready within {START_SECONDS:g} s of wall time"
        when = "before it was ready" if how == "died early" else "in the middle of an episode"
        return "worker_death", f"the worker process ended {when}: {describe_loss(code)}"

    def _count(self, job: Job, result: dict[str, Any]) -> None:
        self._attempts[job.episode] = job.attempt
        if result["ended"] == "void":
            self._faults[job.episode].append(result["fault"])
        else:
            self._done.add(job.episode)

    def _keep(self, finished: Finished) -> None:
        """Store an attempt; a void one is tried again, then its variant is quarantined.

        A worker may be killed from outside. The variant that was running is blamed only if it then kills workers
        that have nothing else to do.
        """
        job = finished.job
        self._count(job, finished.result)
        void = finished.result["ended"] == "void"
        step = after_void(self._faults[job.episode]) if void else "stop"
        self.store.add([finished], quarantine=step == "quarantine")
        if step == "quarantine":
            self.set_aside.add(job.group)
            self._take_group(self._todo, job)
            self._take_group(self._alone, job)
        elif step != "stop" and job.group not in self.set_aside:
            if step == "alone":
                self._alone.extend(self._take_group(self._todo, job))
            queue = self._alone if step == "alone" else self._todo
            queue.append(msgspec.structs.replace(job, attempt=job.attempt + 1))

    def _take_group(self, queue: deque[Job], job: Job) -> list[Job]:
        """Remove and return the waiting attempts at the same variant."""
        found = [other for other in queue if other.group == job.group]
        for other in found:
            queue.remove(other)
        return found
