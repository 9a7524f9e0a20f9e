"""Records of targets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("targets", ids=sparse(18_416_288_430_868, 384))
class Target(Record):
    """Where triggers can send a message besides mail."""

    type: str
    title: str
    active: bool = True
    settings: dict[str, Any] = {}
    failures: int = 0
    created_at: datetime


@APP.record("target_failures", ids=sparse(18_416_289_510_548, 384), index=[("target_id", "id")])
class TargetFailure(Record):
    """A message that a target did not take; `failures` of a target counts those in a row."""

    target_id: int
    target_name: str
    status_code: int | None = None
    consecutive_failure_count: int
    raw_request: str
    raw_response: str
    created_at: datetime
