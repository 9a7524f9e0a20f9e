"""Custom objects and their fields on the wire."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.choices import check_field
from diorama.apps.zendesk.api.configuring import located, need, wanted
from diorama.apps.zendesk.api.listing import Page, given, page_of
from diorama.apps.zendesk.rules import ledger, objects, options
from diorama.apps.zendesk.rules.acting import admin, agents_only, now
from diorama.apps.zendesk.schema import APP, CustomObject, ObjectField, ObjectRecord, ObjectTrigger
from diorama.apps.zendesk.wire.account import LimitResponse
from diorama.apps.zendesk.wire.objects import (
    CustomObjectInput,
    CustomObjectRequest,
    CustomObjectResponse,
    CustomObjectsResponse,
    ObjectFieldInput,
    ObjectFieldOrder,
    ObjectFieldRequest,
    ObjectFieldResponse,
    ObjectFieldsResponse,
    custom_object_object,
    object_field_object,
)
from diorama.kernel import Tx

_NAMES = ("title", "title_pluralized", "include_in_list_view", "allows_photos", "allows_attachments")


@APP.get("/api/v2/custom_objects")
def list_custom_objects(tx: Tx, page: Page) -> CustomObjectsResponse:
    """List custom objects."""
    agents_only(tx)
    found, around = page_of(tx, page, CustomObject)
    return CustomObjectsResponse(custom_objects=[custom_object_object(one) for one in found], **around)


@APP.get("/api/v2/custom_objects/limits/object_limit")
def custom_objects_limit(tx: Tx) -> LimitResponse:
    """How many objects there are, and may be."""
    agents_only(tx)
    return LimitResponse(tx.count(CustomObject), objects.MOST_OBJECTS)


@APP.get("/api/v2/custom_objects/limits/record_limit")
def custom_object_records_limit(tx: Tx) -> LimitResponse:
    """How many records there are, and may be."""
    agents_only(tx)
    return LimitResponse(tx.count(ObjectRecord), objects.MOST_RECORDS)


@APP.get("/api/v2/custom_objects/{custom_object_key}/limits/field_limit")
def custom_object_fields_limit(tx: Tx, custom_object_key: str) -> LimitResponse:
    """How many fields an object has, and may have."""
    agents_only(tx)
    objects.object_of(tx, custom_object_key)
    count = tx.count(ObjectField, "object_key = ? AND system = 0", custom_object_key)
    return LimitResponse(count, objects.MOST_FIELDS)


@APP.get("/api/v2/custom_objects/{custom_object_key}")
def show_custom_object(tx: Tx, custom_object_key: str) -> CustomObjectResponse:
    """Show a custom object."""
    agents_only(tx)
    return CustomObjectResponse(custom_object_object(objects.object_of(tx, custom_object_key)))


def _fields(asked: CustomObjectInput) -> dict[str, Any]:
    fields = given(asked, *_NAMES)
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    for name in ("title", "title_pluralized"):
        if name in fields and not fields[name].strip():
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    return fields


@APP.post("/api/v2/custom_objects", status=201)
def create_custom_object(tx: Tx, body: CustomObjectRequest) -> CustomObjectResponse:
    """Create a custom object; it has a name and an external id to begin with."""
    me, asked, moment = admin(tx), need(body.custom_object, "custom_object"), now(tx)
    key = asked.key or ""
    if not objects.KEY.fullmatch(key):
        raise refusals.invalid("key", f"Key: {key} must be lower case letters, numbers and _", "InvalidFormat")
    if tx.count(CustomObject, "key = ?", key):
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")
    if tx.count(CustomObject) >= objects.MOST_OBJECTS:
        raise objects.too_many("objects", objects.MOST_OBJECTS)
    fields = {"title": "", "title_pluralized": "", **_fields(asked)}
    for name in ("title", "title_pluralized"):
        if not fields[name]:
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    author = {"created_by_user_id": me.id, "updated_by_user_id": me.id}
    made = ledger.added(tx, me, CustomObject(key=key, created_at=moment, updated_at=moment, **author, **fields))
    objects.standard_fields(tx, made)
    located(tx, f"custom_objects/{key}")
    return CustomObjectResponse(custom_object_object(made))


@APP.patch("/api/v2/custom_objects/{custom_object_key}")
def update_custom_object(tx: Tx, custom_object_key: str, body: CustomObjectRequest) -> CustomObjectResponse:
    """Update a custom object; its key stays."""
    me, made = admin(tx), objects.object_of(tx, custom_object_key)
    fields = _fields(need(body.custom_object, "custom_object"))
    return CustomObjectResponse(
        custom_object_object(ledger.changed(tx, me, made, {**fields, "updated_by_user_id": me.id}))
    )


@APP.delete("/api/v2/custom_objects/{custom_object_key}")
def delete_custom_object(tx: Tx, custom_object_key: str) -> None:
    """Delete a custom object with its fields and records."""
    me, made = admin(tx), objects.object_of(tx, custom_object_key)
    for field in objects.fields_of(tx, made.key):
        tx.remove(field)
    for record in tx.all(ObjectRecord, "object_key = ?", made.key):
        tx.remove(record)
    for trigger in tx.all(ObjectTrigger, "object_key = ?", made.key):
        tx.remove(trigger)
    ledger.removed(tx, me, made)


# --- fields


@APP.get("/api/v2/custom_objects/{custom_object_key}/fields")
def list_custom_object_fields(
    tx: Tx, custom_object_key: str, page: Page, include_standard_fields: bool = False
) -> ObjectFieldsResponse:
    """The fields of a custom object."""
    agents_only(tx)
    objects.object_of(tx, custom_object_key)
    where = "object_key = ?" if include_standard_fields else "object_key = ? AND system = 0"
    found, around = page_of(tx, page, ObjectField, where, (custom_object_key,), default="position")
    return ObjectFieldsResponse(custom_object_fields=[object_field_object(one) for one in found], **around)


@APP.get("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}")
def show_custom_object_field(tx: Tx, custom_object_key: str, custom_object_field_key_or_id: str) -> ObjectFieldResponse:
    """Show a field of a custom object."""
    agents_only(tx)
    return ObjectFieldResponse(
        object_field_object(objects.field_of(tx, custom_object_key, custom_object_field_key_or_id))
    )


def _field_values(tx: Tx, asked: ObjectFieldInput, there: ObjectField | None) -> dict[str, Any]:
    fields = given(
        asked, "title", "active", "position", "regexp_for_validation", "relationship_target_type", "relationship_filter"
    )
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    if asked.custom_field_options is not UNSET:
        options_there = there.options if there else ()
        fields["options"] = options.arrange(tx, wanted(asked.custom_field_options), options_there)
    if asked.properties is not UNSET:
        for name, column in (("is_required", "required"), ("is_unique", "unique")):
            if isinstance(asked.properties.get(name), bool):
                fields[column] = asked.properties[name]
        if there is not None and there.key == "standard::name":
            shape = asked.properties.get("autonumbering_format")
            on = asked.properties.get("autonumbering_enabled", there.autonumber is not None)
            fields["autonumber"] = _numbering(shape, there.autonumber) if on else None
    return fields


def _numbering(shape: Any, there: dict[str, Any] | None) -> dict[str, Any]:
    given_ = shape if isinstance(shape, dict) else {}
    known = {"prefix": "", "padding": 0, "next_number": 1, **(there or {})}
    out = {**known, **{name: value for name, value in given_.items() if name in known}}
    for name in ("padding", "next_number"):
        if not isinstance(out[name], int) or not 0 <= out[name] < 10**9:
            raise refusals.invalid("properties", f"{name}: is invalid", "InvalidValue")
    return {**out, "prefix": str(out["prefix"])}


@APP.post("/api/v2/custom_objects/{custom_object_key}/fields", status=201)
def create_custom_object_field(tx: Tx, custom_object_key: str, body: ObjectFieldRequest) -> ObjectFieldResponse:
    """Create a field of a custom object."""
    me, asked, moment = admin(tx), need(body.custom_object_field, "custom_object_field"), now(tx)
    objects.object_of(tx, custom_object_key)
    kind, key = (value or "" for value in (asked.type, asked.key))
    if kind not in objects.TYPES:
        raise refusals.not_listed("type", "Type", kind or "empty")
    if not objects.KEY.fullmatch(key):
        raise refusals.invalid("key", f"Key: {key} must be lower case letters, numbers and _", "InvalidFormat")
    if tx.count(ObjectField, "object_key = ? AND key = ?", custom_object_key, key):
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")
    place = tx.count(ObjectField, "object_key = ?", custom_object_key)
    if place >= objects.MOST_FIELDS + 2:
        raise objects.too_many("fields", objects.MOST_FIELDS)
    fields = {"title": "", "position": place, **_field_values(tx, asked, None)}
    made = ObjectField(object_key=custom_object_key, key=key, type=kind, created_at=moment, updated_at=moment, **fields)
    check_field(made)
    return ObjectFieldResponse(object_field_object(ledger.added(tx, me, made)))


@APP.put("/api/v2/custom_objects/{custom_object_key}/fields/reorder")
def reorder_custom_object_fields(tx: Tx, custom_object_key: str, body: ObjectFieldOrder) -> str:
    """Put the fields of a custom object in order."""
    admin(tx)
    objects.object_of(tx, custom_object_key)
    numbers = need(body.custom_object_field_ids, "custom_object_field_ids")
    first = [objects.field_of(tx, custom_object_key, str(number)) for number in dict.fromkeys(numbers)]
    named = {field.id for field in first}
    rest = [field for field in objects.fields_of(tx, custom_object_key) if field.id not in named]
    for place, field in enumerate([*first, *rest]):
        tx.change(field, position=place)
    return ""


@APP.patch("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}")
def update_custom_object_field(
    tx: Tx, custom_object_key: str, custom_object_field_key_or_id: str, body: ObjectFieldRequest
) -> ObjectFieldResponse:
    """Update a field of a custom object; its type and key stay."""
    me, field = admin(tx), objects.field_of(tx, custom_object_key, custom_object_field_key_or_id)
    fields = _field_values(tx, need(body.custom_object_field, "custom_object_field"), field)
    check_field(msgspec.structs.replace(field, **fields))
    return ObjectFieldResponse(object_field_object(ledger.changed(tx, me, field, fields)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}")
def delete_custom_object_field(tx: Tx, custom_object_key: str, custom_object_field_key_or_id: str) -> None:
    """Delete a field of a custom object; its records lose the values."""
    me, field = admin(tx), objects.field_of(tx, custom_object_key, custom_object_field_key_or_id)
    if field.system:
        raise refusals.forbidden()
    for record in tx.all(ObjectRecord, "object_key = ?", custom_object_key):
        if field.key in record.fields:
            tx.change(record, fields={key: value for key, value in record.fields.items() if key != field.key})
    ledger.removed(tx, me, field)
