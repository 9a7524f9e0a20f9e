"""Custom objects and their limits on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import custom_objects
from diorama.apps.zendesk.schema import APP, CustomObject, ObjectField, ObjectRecord
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
    """Show the number of custom objects and its limit."""
    return LimitResponse(tx.count(CustomObject), custom_objects.MOST_OBJECTS)


@APP.get("/api/v2/custom_objects/limits/record_limit", role="agent")
def custom_object_records_limit(tx: Tx) -> LimitResponse:
    """Show the number of custom object records and its limit."""
    return LimitResponse(tx.count(ObjectRecord), custom_objects.MOST_RECORDS)


@APP.get("/api/v2/custom_objects/{custom_object_key}/limits/field_limit", role="agent")
def custom_object_fields_limit(tx: Tx, custom_object_key: str) -> LimitResponse:
    """Show the number of fields of a custom object and its limit."""
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
    return fields


@APP.post("/api/v2/custom_objects", role="admin", status=201)
def create_custom_object(tx: Tx, me: Me, body: CustomObjectRequest) -> CustomObjectResponse:
    """Create a custom object; it starts with the fields name and external id."""
    asked = required(body.custom_object, "custom_object")
    made = custom_objects.add_object(tx, me, asked.key or "", _fields(asked))
    set_location(tx, f"custom_objects/{made.key}")
    return CustomObjectResponse(custom_object_object(made))


@APP.patch("/api/v2/custom_objects/{custom_object_key}", role="admin")
def update_custom_object(tx: Tx, me: Me, custom_object_key: str, body: CustomObjectRequest) -> CustomObjectResponse:
    """Update a custom object; its key cannot change."""
    made = custom_objects.object_of(tx, custom_object_key)
    changed = custom_objects.change_object(tx, me, made, _fields(required(body.custom_object, "custom_object")))
    return CustomObjectResponse(custom_object_object(changed))


@APP.delete("/api/v2/custom_objects/{custom_object_key}", role="admin")
def delete_custom_object(tx: Tx, me: Me, custom_object_key: str) -> None:
    """Delete a custom object with its fields and records."""
    custom_objects.remove_object(tx, me, custom_objects.object_of(tx, custom_object_key))
