"""Records of custom objects."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record("custom_objects", ids=ulid(), unique=[("key",)])
class CustomObject(Record):
    """A custom object: a type of record that the company defined."""

    id: str = ""
    key: str
    title: str
    title_pluralized: str
    description: str = ""
    include_in_list_view: bool = False
    allows_photos: bool = False
    allows_attachments: bool = False
    created_by_user_id: int
    updated_by_user_id: int
    created_at: datetime
    updated_at: datetime
