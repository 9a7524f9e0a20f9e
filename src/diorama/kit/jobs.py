"""Background jobs: queued by a request, run later from the agenda, and polled by clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, TypeVar

import msgspec

from diorama.kernel import Missing, OverBudget, Product, Record, Refusal, Tx
from diorama.kernel.budget import REQUEST, UNLIMITED

State = Literal["queued", "working", "completed", "failed"]
JOB_ROWS = 300_000
"""The rows that all items of a job may read; the items after that fail."""
Worker = Callable[[Tx, "Job", Any, int], Any]
"""(transaction, the job, one item, its index) -> the result that the vendor reports for it."""


class Job(Record):
    """One queued job; an app subclasses it and gives it a table. Its items wait on the agenda."""

    id: str = ""
    kind: str
    owner: str
    status: State = "queued"
    total: int
    shared: dict[str, Any] = {}
    spent: int = 0
    """The rows that its items have read so far."""
    results: list[Any] = []
    """What the vendor reports for each item; None for an item that is not done."""
    message: str | None = None
    created_at: datetime
    starts_at: datetime
    ends_at: datetime

    @property
    def is_over(self) -> bool:
        """Whether the job has ended, well or not."""
        return self.status in ("completed", "failed")

    @property
    def progress(self) -> int | None:
        """How many items are done so far, as clients see it."""
        if self.status == "queued":
            return None
        return self.total - self.results.count(None)


J = TypeVar("J", bound=Job)


class Jobs(Generic[J]):
    """The job queue of one app: the kinds of work, and how long they take.

    Each item is an entry of the agenda: a transaction and event of its own, with the budget of a request. So a job of
    any size never keeps a world busy for long, and an item that goes beyond its budget costs only itself.
    """

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
                tx.change(job, status="working", results=[None] * job.total)

        @app.command
        def do_job_item(tx: Tx, job_id: str, place: int, item: Any) -> None:
            """Do one item of the job; a refused one does not affect the others."""
            job = tx.find(record, job_id)
            if job is not None:
                self._work(tx, job, item, place)

        @app.command
        def finish_job(tx: Tx, job_id: str) -> None:
            """Mark the job as completed, or as failed if the transaction of an item was undone as a whole."""
            job = tx.find(record, job_id)
            if job is not None:
                self._finish_job(tx, job)

        self._start, self._item, self._finish = start_job, do_job_item, finish_job

    def worker(self, kind: str, message: str = "") -> Callable[[Worker], Worker]:
        """Declare the function that does one kind of work."""

        def declare(function: Worker) -> Worker:
            self.workers[kind] = (function, message)
            return function

        return declare

    def enqueue(self, tx: Tx, kind: str, items: Sequence[Any], owner: str, **shared: Any) -> J:
        """Queue a job; store its shared arguments as JSON, and put its items on the agenda."""
        if self.full is not None and tx.count(self.record, "status IN ('queued', 'working')") >= self.most:
            raise self.full(self.most)
        starts = tx.now + self.wait
        ends = starts + self.each * max(len(items), 1)
        made: J = self.record(
            kind=kind,
            owner=owner,
            total=len(items),
            shared=msgspec.to_builtins(shared),
            created_at=tx.now,
            starts_at=starts,
            ends_at=ends,
        )
        job = tx.add(made)
        tx.at(starts, self._start, job_id=job.id)
        for place, item in enumerate(items):
            tx.at(starts + self.each * (place + 1), self._item, job_id=job.id, place=place, item=item)
        tx.at(ends, self._finish, job_id=job.id)
        return job

    def _work(self, tx: Tx, job: J, item: Any, place: int) -> None:
        tx.allow(REQUEST)
        worker, _ = self.workers[job.kind]
        try:
            if job.spent > JOB_ROWS:
                raise OverBudget("rows read by a job")
            with tx.attempt():
                result = worker(tx, job, item, place)
        except (Refusal, Missing) as error:
            result = self.failed(item, place, error)
        except OverBudget as over:
            if over.stopped:
                raise
            result = self.failed(item, place, tx.company.app(self.app.name).over_budget(over))
            tx.allow(UNLIMITED)  # the rest only writes down what was done
        results = list(job.results)
        results[place] = result
        tx.change(job, results=results, spent=job.spent + tx.spent)

    def _finish_job(self, tx: Tx, job: J) -> None:
        message = self.workers[job.kind][1] or None
        undone = [place for place, result in enumerate(job.results) if result is None]
        if not undone:
            tx.change(job, status="completed", message=message)
            return
        refusal = tx.company.app(self.app.name).over_budget(OverBudget("reactions to an item of a job"))
        results = [self.failed({}, at, refusal) if result is None else result for at, result in enumerate(job.results)]
        tx.change(job, status="failed", results=results, message=message)
