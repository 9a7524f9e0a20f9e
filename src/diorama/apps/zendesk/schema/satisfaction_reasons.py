"""Records of satisfaction reasons."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("satisfaction_reasons", ids=sparse(26_480_530_117_012, 128), unique=[("reason_code",)], cached=True)
class SatisfactionReason(Record):
    """A reason for a bad rating that customers can choose."""

    reason_code: int
    value: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
