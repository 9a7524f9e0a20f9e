"""Things of the company's own making: objects, their fields and their records."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.business import Option
from diorama.kernel import Record, sparse, ulid


@APP.record("custom_objects", ids=ulid(), unique=[("key",)])
class CustomObject(Record):
    """A kind of thing."""

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


@APP.record(
    "custom_object_fields", ids=sparse(18_416_295_600_404, 384), index=[("position",)], unique=[("object_key", "key")]
)
class ObjectField(Record):
    """One thing that records of an object tell; the standard ones cannot go."""

    object_key: str
    key: str
    type: str
    title: str
    description: str = ""
    position: int = 0
    active: bool = True
    system: bool = False
    required: bool = False
    unique: bool = False
    autonumber: dict[str, Any] | None = None
    regexp_for_validation: str | None = None
    tag: str | None = None
    options: tuple[Option, ...] = ()
    relationship_target_type: str | None = None
    relationship_filter: dict[str, Any] | None = None
    created_at: datetime
    updated_at: datetime


@APP.record(
    "custom_object_records",
    ids=ulid(),
    index=[("object_key", "id"), ("object_key", "external_id"), ("object_key", "name"), ("updated_at", "id")],
)
class ObjectRecord(Record):
    """One thing of a kind."""

    id: str = ""
    object_key: str
    name: str
    external_id: str | None = None
    fields: dict[str, Any] = {}
    created_by_user_id: int
    updated_by_user_id: int
    created_at: datetime
    updated_at: datetime
