"""Job statuses as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
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


def job_status_object(job: Job, now: datetime) -> JobStatusObject:
    """Return the API object of a job with its progress."""
    progress = job.progress(now)
    message = None
    if job.status == "working":
        message = f"{job.message or 'Processing'} #{progress}"
    elif job.status == "completed":
        message = f"Completed at {job.ends_at:%Y-%m-%d %H:%M:%S} +0000"
    return shaped(JobStatusObject, job, f"job_statuses/{job.id}", job_type=job.kind, progress=progress, message=message)


class JobStatusResponse(Struct):
    job_status: JobStatusObject


class JobStatusesResponse(Listing, kw_only=True):
    job_statuses: list[JobStatusObject]
