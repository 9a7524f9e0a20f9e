"""Records of custom object fields."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.custom_field_options import Option
from diorama.kernel import Record, sparse


@APP.record(
    "custom_object_fields", ids=sparse(18_416_295_600_404, 384), index=[("position",)], unique=[("object_key", "key")]
)
class ObjectField(Record):
    """A field of a custom object; standard fields cannot be deleted."""

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
