"""Background jobs: queued by a request, run later from the agenda, and polled by clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, TypeVar

import msgspec

from diorama.kernel import Missing, OverBudget, Product, Record, Refusal, Tx
from diorama.kernel.budget import UNLIMITED

State = Literal["queued", "working", "completed", "failed"]
Worker = Callable[[Tx, "Job", Any, int], Any]
"""(transaction, the job, one item, its index) -> the result that the vendor reports for it."""


class Job(Record):
    """One queued job; an app subclasses it and gives it a table."""

    id: str = ""
    kind: str
    owner: str
    status: State = "queued"
    items: list[Any]
    shared: dict[str, Any] = {}
    results: list[Any] | None = None
    message: str | None = None
    created_at: datetime
    starts_at: datetime
    ends_at: datetime

    @property
    def total(self) -> int:
        """The number of items."""
        return len(self.items)

    def progress(self, now: datetime) -> int | None:
        """Return how many items are done so far, as clients see it."""
        if self.status == "queued":
            return None
        if self.status != "working":
            return self.total
        share = (now - self.starts_at) / max(self.ends_at - self.starts_at, timedelta(microseconds=1))
        return min(self.total, int(self.total * share))


J = TypeVar("J", bound=Job)


class Jobs(Generic[J]):
    """The job queue of one app: the kinds of work, and how long they take."""

    def __init__(
        self,
        app: Product,
        record: type[J],
        *,
        wait: timedelta = timedelta(seconds=1),
        each: timedelta = timedelta(milliseconds=60),
        failed: Callable[[Any, int, Refusal | Missing], Any],
        most: int = 0,
        full: Callable[[int], Refusal] | None = None,
    ) -> None:
        """`most`: the maximum number of queued or running jobs, 0 for no limit; `full` makes the refusal."""
        self.app = app
        self.record = record
        self.most = most
        self.full = full
        self.wait = wait
        self.each = each
        self.failed = failed
        self.workers: dict[str, tuple[Worker, str]] = {}

        @app.command
        def start_job(tx: Tx, job_id: str) -> None:
            """Mark the job as working."""
            job = tx.find(record, job_id)
            if job is not None:
                tx.change(job, status="working")

        @app.command
        def finish_job(tx: Tx, job_id: str) -> None:
            """Do the job's work, item by item; a refused item does not affect the others."""
            job = tx.find(record, job_id)
            if job is not None:
                self._work(tx, job)

        self._start, self._finish = start_job, finish_job

    def worker(self, kind: str, message: str = "") -> Callable[[Worker], Worker]:
        """Declare the function that does one kind of work."""

        def declare(function: Worker) -> Worker:
            self.workers[kind] = (function, message)
            return function

        return declare

    def enqueue(self, tx: Tx, kind: str, items: Sequence[Any], owner: str, **shared: Any) -> J:
        """Queue a job; store its items and shared arguments as JSON."""
        if self.full is not None and tx.count(self.record, "status IN ('queued', 'working')") >= self.most:
            raise self.full(self.most)
        starts = tx.now + self.wait
        ends = starts + self.each * max(len(items), 1)
        made: J = self.record(
            kind=kind,
            owner=owner,
            items=msgspec.to_builtins(list(items)),
            shared=msgspec.to_builtins(shared),
            created_at=tx.now,
            starts_at=starts,
            ends_at=ends,
        )
        job = tx.add(made)
        tx.at(starts, self._start, job_id=job.id)
        tx.at(ends, self._finish, job_id=job.id)
        return job

    def _work(self, tx: Tx, job: J) -> None:
        worker, message = self.workers[job.kind]
        results = []
        for place, item in enumerate(job.items):
            try:
                with tx.attempt():
                    results.append(worker(tx, job, item, place))
            except (Refusal, Missing) as error:
                results.append(self.failed(item, place, error))
            except OverBudget as over:
                if over.stopped:
                    raise
                refusal = tx.company.app(self.app.name).over_budget(over)
                results += [self.failed(one, at, refusal) for at, one in enumerate(job.items) if at >= place]
                tx.allow(UNLIMITED)  # the rest only writes down what was done
                break
        tx.change(job, status="completed", results=results, message=message or None)
