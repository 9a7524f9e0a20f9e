"""User fields and organization fields."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.custom_field_options import Option
from diorama.kernel import Record, sparse


class ProfileField(Record):
    """A custom field of users or organizations; `key` is its name in their record."""

    key: str
    type: str
    title: str
    description: str = ""
    position: int = 9999
    active: bool = True
    system: bool = False
    regexp_for_validation: str | None = None
    tag: str | None = None
    options: tuple[Option, ...] = ()
    relationship_target_type: str | None = None
    relationship_filter: dict[str, Any] | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("user_fields", ids=sparse(18_416_280_731_156, 384), unique=[("key",)], cached=True)
class UserField(ProfileField):
    """A custom field of users."""


@APP.record("organization_fields", ids=sparse(18_416_284_119_572, 384), unique=[("key",)], cached=True)
class OrganizationField(ProfileField):
    """A custom field of organizations."""
