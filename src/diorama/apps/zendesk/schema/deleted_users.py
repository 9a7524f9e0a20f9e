"""The log of permanent deletions of users."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("compliance_deletions", ids=sparse(24_102_560_331_028, 256), index=[("user_id", "id")])
class ComplianceDeletion(Record):
    """One step of deleting a user permanently."""

    user_id: int
    executer_id: int
    action: Literal["request_deletion", "started", "complete"]
    application: str = "all"
    created_at: datetime
