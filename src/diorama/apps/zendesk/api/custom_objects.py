"""Custom objects and their limits on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs, custom_objects
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, CustomObject, ObjectField, ObjectRecord, ObjectTrigger
from diorama.apps.zendesk.wire.custom_objects import (
    CustomObjectInput,
    CustomObjectRequest,
    CustomObjectResponse,
    CustomObjectsResponse,
    LimitResponse,
    custom_object_object,
)
from diorama.kernel import Tx

_NAMES = ("title", "title_pluralized", "include_in_list_view", "allows_photos", "allows_attachments")


@APP.get("/api/v2/custom_objects", role="agent")
def list_custom_objects(tx: Tx, page: Page) -> CustomObjectsResponse:
    """List custom objects."""
    found, around = page_of(tx, page, CustomObject)
    return CustomObjectsResponse(custom_objects=[custom_object_object(one) for one in found], **around)


@APP.get("/api/v2/custom_objects/limits/object_limit", role="agent")
def custom_objects_limit(tx: Tx) -> LimitResponse:
    """How many objects there are, and may be."""
    return LimitResponse(tx.count(CustomObject), custom_objects.MOST_OBJECTS)


@APP.get("/api/v2/custom_objects/limits/record_limit", role="agent")
def custom_object_records_limit(tx: Tx) -> LimitResponse:
    """How many records there are, and may be."""
    return LimitResponse(tx.count(ObjectRecord), custom_objects.MOST_RECORDS)


@APP.get("/api/v2/custom_objects/{custom_object_key}/limits/field_limit", role="agent")
def custom_object_fields_limit(tx: Tx, custom_object_key: str) -> LimitResponse:
    """How many fields an object has, and may have."""
    custom_objects.object_of(tx, custom_object_key)
    count = tx.count(ObjectField, "object_key = ? AND system = 0", custom_object_key)
    return LimitResponse(count, custom_objects.MOST_FIELDS)


@APP.get("/api/v2/custom_objects/{custom_object_key}", role="agent")
def show_custom_object(tx: Tx, custom_object_key: str) -> CustomObjectResponse:
    """Show a custom object."""
    return CustomObjectResponse(custom_object_object(custom_objects.object_of(tx, custom_object_key)))


def _fields(asked: CustomObjectInput) -> dict[str, Any]:
    fields = given_fields(asked, *_NAMES)
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    for name in ("title", "title_pluralized"):
        if name in fields and not fields[name].strip():
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    return fields


@APP.post("/api/v2/custom_objects", role="admin", status=201)
def create_custom_object(tx: Tx, me: Me, body: CustomObjectRequest) -> CustomObjectResponse:
    """Create a custom object; it has a name and an external id to begin with."""
    asked, moment = required(body.custom_object, "custom_object"), now(tx)
    key = asked.key or ""
    if not custom_objects.KEY.fullmatch(key):
        raise refusals.invalid("key", f"Key: {key} must be lower case letters, numbers and _", "InvalidFormat")
    if tx.count(CustomObject, "key = ?", key):
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")
    if tx.count(CustomObject) >= custom_objects.MOST_OBJECTS:
        raise custom_objects.too_many("objects", custom_objects.MOST_OBJECTS)
    fields = {"title": "", "title_pluralized": "", **_fields(asked)}
    for name in ("title", "title_pluralized"):
        if not fields[name]:
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    author = {"created_by_user_id": me.id, "updated_by_user_id": me.id}
    made = audit_logs.add(tx, me, CustomObject(key=key, created_at=moment, updated_at=moment, **author, **fields))
    custom_objects.standard_fields(tx, made)
    set_location(tx, f"custom_objects/{key}")
    return CustomObjectResponse(custom_object_object(made))


@APP.patch("/api/v2/custom_objects/{custom_object_key}", role="admin")
def update_custom_object(tx: Tx, me: Me, custom_object_key: str, body: CustomObjectRequest) -> CustomObjectResponse:
    """Update a custom object; its key stays."""
    made = custom_objects.object_of(tx, custom_object_key)
    fields = _fields(required(body.custom_object, "custom_object"))
    return CustomObjectResponse(
        custom_object_object(audit_logs.change(tx, me, made, {**fields, "updated_by_user_id": me.id}))
    )


@APP.delete("/api/v2/custom_objects/{custom_object_key}", role="admin")
def delete_custom_object(tx: Tx, me: Me, custom_object_key: str) -> None:
    """Delete a custom object with its fields and records."""
    made = custom_objects.object_of(tx, custom_object_key)
    for field in custom_objects.fields_of(tx, made.key):
        tx.remove(field)
    for record in tx.all(ObjectRecord, "object_key = ?", made.key):
        tx.remove(record)
    for trigger in tx.all(ObjectTrigger, "object_key = ?", made.key):
        tx.remove(trigger)
    audit_logs.remove(tx, me, made)
