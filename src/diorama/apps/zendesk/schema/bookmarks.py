"""Records of bookmarks."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("bookmarks", ids=sparse(26_210_447_090_708, 256), unique=[("user_id", "ticket_id")])
class Bookmark(Record):
    """A ticket that an agent bookmarked."""

    user_id: int
    ticket_id: int
    created_at: datetime
