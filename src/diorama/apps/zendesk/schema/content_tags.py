"""Content tags, which group articles and community posts."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record("content_tags", ids=ulid(), unique=[("name",)])
class ContentTag(Record):
    """A tag of articles and posts."""

    id: str = ""
    name: str
    created_at: datetime
    updated_at: datetime
