"""Custom object fields as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import ObjectField
from diorama.apps.zendesk.wire.custom_field_options import FieldOptionObject, OptionInput, option_object
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class ObjectFieldObject(Struct, kw_only=True):
    url: str
    id: int
    key: str
    type: str
    title: str
    raw_title: str
    description: str
    raw_description: str
    position: int
    active: bool
    system: bool
    properties: dict[str, Any]
    regexp_for_validation: str | None
    created_at: datetime
    updated_at: datetime
    custom_field_options: list[FieldOptionObject] | UnsetType = UNSET
    relationship_target_type: str | UnsetType = UNSET
    relationship_filter: dict[str, Any] | UnsetType = UNSET


def object_field_object(field: ObjectField) -> ObjectFieldObject:
    """Return the API object of an object field."""
    properties: dict[str, Any] = {"is_required": field.required, "is_unique": field.unique}
    if field.key == "standard::name":
        properties["autonumbering_enabled"] = field.autonumber is not None
        if field.autonumber is not None:
            properties["autonumbering_format"] = field.autonumber
    return shaped(
        ObjectFieldObject,
        field,
        f"custom_objects/{field.object_key}/fields/{field.id}",
        raw_title=field.title,
        raw_description=field.description,
        properties=properties,
        custom_field_options=[option_object(one) for one in field.options] if field.options else UNSET,
        relationship_target_type=field.relationship_target_type or UNSET,
        relationship_filter=field.relationship_filter or UNSET,
    )


class ObjectFieldInput(Struct, kw_only=True):
    key: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    regexp_for_validation: str | UnsetType | None = UNSET
    relationship_target_type: str | UnsetType | None = UNSET
    relationship_filter: dict[str, Any] | UnsetType | None = UNSET
    properties: dict[str, Any] | UnsetType = UNSET
    custom_field_options: list[OptionInput] | UnsetType = UNSET


class ObjectFieldRequest(Struct):
    custom_object_field: ObjectFieldInput | UnsetType = UNSET


class ObjectFieldResponse(Struct):
    custom_object_field: ObjectFieldObject


class ObjectFieldsResponse(Listing, kw_only=True):
    custom_object_fields: list[ObjectFieldObject]


class ObjectFieldOrder(Struct):
    custom_object_field_ids: list[Id] | UnsetType = UNSET
