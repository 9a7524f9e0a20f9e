"""Custom object records as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import ObjectRecord
from diorama.apps.zendesk.wire.pagination import Count, Meta
from diorama.apps.zendesk.wire.pagination import Links as Neighbours
from diorama.apps.zendesk.wire.shapes import shaped


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
    """Return the API object of a record; `keys` are the fields of its object."""
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
