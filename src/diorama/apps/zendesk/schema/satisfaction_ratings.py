"""Records of satisfaction ratings."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("satisfaction_ratings", ids=sparse(23_651_180_442_772, 320), index=[("ticket_id",), ("created_at",)])
class SatisfactionRating(Record):
    """A customer's rating of a ticket."""

    ticket_id: int
    score: str
    comment: str | None = None
    requester_id: int
    assignee_id: int | None = None
    group_id: int | None = None
    created_at: datetime
    updated_at: datetime
    reason_code: int | None = None
