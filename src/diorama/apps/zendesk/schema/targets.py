"""Records of targets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("targets", ids=sparse(18_416_288_430_868, 384), cached=True)
class Target(Record):
    """A receiver of messages from triggers, other than email."""

    type: str
    title: str
    active: bool = True
    settings: dict[str, Any] = {}
    failures: int = 0
    created_at: datetime


@APP.record("target_failures", ids=sparse(18_416_289_510_548, 384), index=[("target_id", "id")])
class TargetFailure(Record):
    """A failed message to a target; `failures` of a target counts consecutive ones."""

    target_id: int
    target_name: str
    status_code: int | None = None
    consecutive_failure_count: int
    raw_request: str
    raw_response: str
    created_at: datetime
