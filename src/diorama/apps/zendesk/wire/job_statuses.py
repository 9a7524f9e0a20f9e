"""Job statuses as the API shows and takes them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from diorama.apps.zendesk.schema import Job
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class JobStatusObject(Struct, kw_only=True):
    id: str
    url: str
    job_type: str
    total: int
    progress: int | None
    status: str
    message: str | None
    results: list[Any] | None


def job_status_object(job: Job) -> JobStatusObject:
    """Return the API object of a job with its progress."""
    message = None
    if job.status == "working":
        message = f"{job.message or 'Processing'} #{job.progress}"
    elif job.is_over:
        message = f"{job.status.capitalize()} at {job.ends_at:%Y-%m-%d %H:%M:%S} +0000"
    results = job.results if job.is_over else None
    return shaped(JobStatusObject, job, f"job_statuses/{job.id}", job_type=job.kind, message=message, results=results)


class JobStatusResponse(Struct):
    job_status: JobStatusObject


class JobStatusesResponse(Listing, kw_only=True):
    job_statuses: list[JobStatusObject]
