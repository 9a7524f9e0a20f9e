"""Records of ticket skips."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("skips", ids=sparse(26_004_118_530_324, 256), index=[("user_id", "created_at"), ("ticket_id",)])
class Skip(Record):
    """An agent skipped a ticket, with a reason."""

    ticket_id: int
    user_id: int
    reason: str
    created_at: datetime
    updated_at: datetime
