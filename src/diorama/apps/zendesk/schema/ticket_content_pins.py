"""Content that agents pin to a ticket."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record("content_pins", ids=ulid(), unique=[("ticket_id", "content_type", "content_id", "locale")])
class ContentPin(Record):
    """An article, a post or a page pinned to a ticket."""

    id: str = ""
    ticket_id: int
    content_type: str
    content_id: str
    locale: str | None = None
    created_at: datetime
