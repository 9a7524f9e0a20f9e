"""The queue of bulk jobs: a request adds a job, which runs shortly afterwards."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import limits
from diorama.apps.zendesk.schema import APP, Job
from diorama.kernel import Missing, Refusal
from diorama.kit.jobs import Jobs


def _failed(item: Any, place: int, error: Refusal | Missing) -> dict[str, Any]:
    """Return the result entry of a job for an item that failed."""
    number = item.get("id", 0) if isinstance(item, dict) else item
    if isinstance(error, Missing) or error.code == "RecordNotFound":
        return {"index": place, "id": number, "error": "RecordNotFound", "details": "Not found", "success": False}
    details = error.fields.get("details", {})
    reasons = [str(one["description"]) for listed in details.values() for one in listed] or [error.detail]
    return {"index": place, "id": number, "error": error.code, "details": "; ".join(reasons), "success": False}


JOBS: Jobs[Job] = Jobs(APP, Job, failed=_failed, most=limits.AT_ONCE, full=limits.too_many_jobs)
