"""Job statuses on the wire, and how an operation queues a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST, Page, ids_of, page_of, parts_of
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Job, User
from diorama.apps.zendesk.wire.job_statuses import JobStatusesResponse, JobStatusResponse, job_status_object
from diorama.kernel import Tx


def enqueue_job(tx: Tx, me: User, kind: str, items: Sequence[Any], **shared: Any) -> JobStatusResponse:
    """Queue a job on behalf of a user and return its status."""
    job = JOBS.enqueue(tx, kind, items, me.email or "", user_id=me.id, **shared)
    return JobStatusResponse(job_status_object(job))


def enqueue_change(tx: Tx, me: User, kind: str, asked: Struct, ids: str | None) -> JobStatusResponse:
    """Queue a job that makes the same change to each of the ids; the change is stored once."""
    return enqueue_job(tx, me, kind, [{"id": number} for number in ids_of(ids)], change=to_builtins(asked))


def change_of(job: Job, item: dict[str, Any]) -> dict[str, Any]:
    """Return what a bulk update changes in one item: its own change, or the one for all."""
    return {**job.shared.get("change", {}), **item}


@APP.get("/api/v2/job_statuses", role="agent")
def list_job_statuses(tx: Tx, page: Page) -> JobStatusesResponse:
    """List job statuses, newest first."""
    jobs, around = page_of(tx, page, Job, "", (), default="-created_at")
    return JobStatusesResponse(job_statuses=[job_status_object(job) for job in jobs], **around)


@APP.get("/api/v2/job_statuses/show_many", role="agent")
def show_many_job_statuses(tx: Tx, ids: str | None = None) -> JobStatusesResponse:
    """Show several job statuses."""
    if not ids:
        raise refusals.parameter_missing("ids")
    listed = parts_of(ids)
    if len(listed) > MOST:
        raise refusals.too_many()
    jobs = tx.all(Job, f"id IN ({', '.join('?' * len(listed))})", *listed, order="created_at, id")
    return JobStatusesResponse(job_statuses=[job_status_object(job) for job in jobs])


@APP.get("/api/v2/job_statuses/{job_status_id}", role="agent")
def show_job_status(tx: Tx, job_status_id: str) -> JobStatusResponse:
    """Show a job status."""
    return JobStatusResponse(job_status_object(tx.get(Job, job_status_id)))
