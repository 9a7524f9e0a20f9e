"""Records of custom object records."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record(
    "custom_object_records",
    ids=ulid(),
    index=[("object_key", "id"), ("object_key", "external_id"), ("object_key", "name"), ("updated_at", "id")],
)
class ObjectRecord(Record):
    """A record of a custom object."""

    id: str = ""
    object_key: str
    name: str
    external_id: str | None = None
    fields: dict[str, Any] = {}
    created_by_user_id: int
    updated_by_user_id: int
    created_at: datetime
    updated_at: datetime
