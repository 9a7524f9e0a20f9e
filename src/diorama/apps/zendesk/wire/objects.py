"""Custom objects, their fields and records as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import CustomObject, ObjectField, ObjectRecord
from diorama.apps.zendesk.wire.fields import FieldOptionObject, OptionInput, option_object
from diorama.apps.zendesk.wire.lists import Count, Id, Listing, Meta
from diorama.apps.zendesk.wire.lists import Links as Neighbours
from diorama.apps.zendesk.wire.shapes import shaped


class CustomObjectObject(Struct, kw_only=True):
    url: str
    id: str
    key: str
    title: str
    raw_title: str
    title_pluralized: str
    raw_title_pluralized: str
    description: str
    raw_description: str
    include_in_list_view: bool
    allows_photos: bool
    allows_attachments: bool
    created_by_user_id: str
    updated_by_user_id: str
    created_at: datetime
    updated_at: datetime


def custom_object_object(made: CustomObject) -> CustomObjectObject:
    """A kind of thing."""
    return shaped(
        CustomObjectObject,
        made,
        f"custom_objects/{made.key}",
        raw_title=made.title,
        raw_title_pluralized=made.title_pluralized,
        raw_description=made.description,
        created_by_user_id=str(made.created_by_user_id),
        updated_by_user_id=str(made.updated_by_user_id),
    )


class CustomObjectInput(Struct, kw_only=True):
    key: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    title_pluralized: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    include_in_list_view: bool | UnsetType = UNSET
    allows_photos: bool | UnsetType = UNSET
    allows_attachments: bool | UnsetType = UNSET


class CustomObjectRequest(Struct):
    custom_object: CustomObjectInput | UnsetType = UNSET


class CustomObjectResponse(Struct):
    custom_object: CustomObjectObject


class CustomObjectsResponse(Listing, kw_only=True):
    custom_objects: list[CustomObjectObject]


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
    """One thing that records of an object tell."""
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


class ObjectRecordObject(Struct, kw_only=True):
    url: str
    id: str
    name: str
    custom_object_key: str
    custom_object_fields: dict[str, Any]
    external_id: str | None
    photo: dict[str, Any] | None
    created_by_user_id: str
    updated_by_user_id: str
    created_at: datetime
    updated_at: datetime


def object_record_object(record: ObjectRecord, keys: list[str]) -> ObjectRecordObject:
    """One thing of a kind; `keys` are the fields that its object has."""
    return shaped(
        ObjectRecordObject,
        record,
        f"custom_objects/{record.object_key}/records/{record.id}",
        custom_object_key=record.object_key,
        custom_object_fields={key: record.fields.get(key) for key in keys},
        photo=None,
        created_by_user_id=str(record.created_by_user_id),
        updated_by_user_id=str(record.updated_by_user_id),
    )


class ObjectRecordInput(Struct, kw_only=True):
    id: str | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    external_id: str | UnsetType | None = UNSET
    custom_object_fields: dict[str, Any] | UnsetType = UNSET


class ObjectRecordRequest(Struct):
    custom_object_record: ObjectRecordInput | UnsetType = UNSET


class ObjectRecordResponse(Struct):
    custom_object_record: ObjectRecordObject


class ObjectRecordsResponse(Struct, kw_only=True):
    custom_object_records: list[ObjectRecordObject]
    count: int
    meta: Meta
    links: Neighbours


class ObjectSearchRequest(Struct):
    filter: dict[str, Any] | UnsetType = UNSET


class ObjectCountResponse(Struct):
    count: Count


class ObjectJob(Struct, kw_only=True):
    action: str | UnsetType = UNSET
    items: list[Any] | UnsetType = UNSET


class ObjectJobRequest(Struct):
    job: ObjectJob | UnsetType = UNSET
