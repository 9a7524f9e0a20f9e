"""Records of job statuses."""

from __future__ import annotations

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import token
from diorama.kit import jobs


@APP.record("job_statuses", ids=token("V3-", "0123456789abcdef", 32), index=[("owner", "created_at")])
class Job(jobs.Job):
    """A bulk job that runs in the background."""
