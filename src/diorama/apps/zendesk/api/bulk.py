"""Work that a request only queues: the reply is a job, which is done a little later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from diorama.apps.zendesk.api.listing import ids_of
from diorama.apps.zendesk.rules.bulk import JOBS
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.wire.business import JobStatusResponse, job_status_object
from diorama.kernel import Tx


def queued(tx: Tx, me: User, kind: str, items: Sequence[Any], **shared: Any) -> JobStatusResponse:
    """Queue a job of the desk in somebody's name, and say so."""
    job = JOBS.enqueue(tx, kind, items, me.email or "", user_id=me.id, **shared)
    return JobStatusResponse(job_status_object(job, tx.now))


def alike(asked: Struct, ids: str | None) -> list[dict[str, Any]]:
    """One change for each of these ids."""
    wanted = to_builtins(asked)
    return [{**wanted, "id": number} for number in ids_of(ids)]
