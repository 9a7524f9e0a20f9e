"""Records of activities."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("activities", ids=sparse(24_610_338_112_788, 384), index=[("user_id", "created_at")])
class Activity(Record):
    """Something that a user did to an agent's ticket."""

    user_id: int
    actor_id: int
    ticket_id: int
    verb: str
    title: str
    comment_id: int | None = None
    created_at: datetime
    updated_at: datetime
