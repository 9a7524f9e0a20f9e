"""Profile fields as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import ProfileField
from diorama.apps.zendesk.wire.custom_field_options import FieldOptionObject, option_object
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.ticket_fields import FieldInput


class ProfileFieldObject(Struct, kw_only=True):
    url: str
    id: int
    type: str
    key: str
    title: str
    raw_title: str
    description: str
    raw_description: str
    position: int
    active: bool
    system: bool
    regexp_for_validation: str | None
    created_at: datetime
    updated_at: datetime
    tag: str | UnsetType | None = UNSET
    custom_field_options: list[FieldOptionObject] | UnsetType = UNSET
    relationship_target_type: str | UnsetType = UNSET
    relationship_filter: dict[str, Any] | UnsetType = UNSET


def profile_field_object(field: ProfileField, path: str, title: str, description: str) -> ProfileFieldObject:
    """Return the API object of a user or organization field; dynamic content is filled in."""
    chosen = field.type in ("dropdown", "multiselect")
    return shaped(
        ProfileFieldObject,
        field,
        f"{path}/{field.id}",
        title=title,
        raw_title=field.title,
        description=description,
        raw_description=field.description,
        tag=field.tag if field.type == "checkbox" else UNSET,
        custom_field_options=[option_object(option) for option in field.options] if chosen else UNSET,
        relationship_target_type=field.relationship_target_type or UNSET,
        relationship_filter=field.relationship_filter or UNSET,
    )


class ProfileFieldInput(FieldInput, kw_only=True):
    key: str | UnsetType = UNSET


class UserFieldRequest(Struct):
    user_field: ProfileFieldInput | UnsetType = UNSET


class UserFieldResponse(Struct):
    user_field: ProfileFieldObject


class UserFieldsResponse(Listing, kw_only=True):
    user_fields: list[ProfileFieldObject]


class UserFieldOrder(Struct):
    user_field_ids: list[Id] | UnsetType = UNSET


class OrganizationFieldRequest(Struct):
    organization_field: ProfileFieldInput | UnsetType = UNSET


class OrganizationFieldResponse(Struct):
    organization_field: ProfileFieldObject


class OrganizationFieldsResponse(Listing, kw_only=True):
    organization_fields: list[ProfileFieldObject]


class OrganizationFieldOrder(Struct):
    organization_field_ids: list[Id] | UnsetType = UNSET
