"""What agents note beside tickets: skips, bookmarks and deletions; and the reasons that customers may give."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("skips", ids=sparse(26_004_118_530_324, 256), index=[("user_id", "created_at"), ("ticket_id",)])
class Skip(Record):
    """An agent passed a ticket by, and said why."""

    ticket_id: int
    user_id: int
    reason: str
    created_at: datetime
    updated_at: datetime


@APP.record("bookmarks", ids=sparse(26_210_447_090_708, 256), unique=[("user_id", "ticket_id")])
class Bookmark(Record):
    """A ticket that an agent wants to find again."""

    user_id: int
    ticket_id: int
    created_at: datetime


@APP.record("deletions", index=[("deleted_at",)])
class Deletion(Record):
    """A ticket in the bin: its id is the ticket's, and while the row is there the ticket can come back."""

    actor_id: int
    actor_name: str
    subject: str
    previous_state: str
    created_at: datetime
    deleted_at: datetime


@APP.record("satisfaction_reasons", ids=sparse(26_480_530_117_012, 128), unique=[("reason_code",)])
class SatisfactionReason(Record):
    """Why help was bad, for customers to choose from."""

    reason_code: int
    value: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
