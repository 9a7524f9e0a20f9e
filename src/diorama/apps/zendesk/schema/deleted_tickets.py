"""Who deleted a ticket, and when."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record


@APP.record("deletions", index=[("deleted_at",)])
class Deletion(Record):
    """A deleted ticket, under the ticket's id; while this row exists, the ticket can be restored."""

    actor_id: int
    actor_name: str
    subject: str
    previous_state: str
    created_at: datetime
    deleted_at: datetime
