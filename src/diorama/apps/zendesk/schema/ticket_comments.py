"""Comments on tickets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.attachments import Attachment
from diorama.apps.zendesk.schema.tickets import nowhere
from diorama.kernel import Record, counter


@APP.record("comments", ids=counter(1), index=[("ticket_id", "created_at")], search=("body",))
class Comment(Record):
    """A comment on a ticket; its id is that of its event in the audit."""

    ticket_id: int
    audit_id: int
    author_id: int
    public: bool = True
    created_at: datetime
    channel: str = "web"
    source: dict[str, Any] = msgspec.field(default_factory=nowhere)
    attachments: tuple[Attachment, ...] = ()
    html: str | None = None
    body: str
