"""Records of macro attachments."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("macro_attachments", ids=sparse(18_416_520_998_100, 256), index=[("macro_id", "id")])
class MacroAttachment(Record):
    """A file of a macro; `macro_id` is empty until a macro uses it."""

    macro_id: int | None = None
    filename: str
    content_type: str
    size: int
    content: str = ""
    created_at: datetime
