"""Custom object fields on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.custom_field_options import requested_options
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import custom_field_options, custom_objects
from diorama.apps.zendesk.schema import APP, ObjectField
from diorama.apps.zendesk.wire.custom_object_fields import (
    ObjectFieldInput,
    ObjectFieldOrder,
    ObjectFieldRequest,
    ObjectFieldResponse,
    ObjectFieldsResponse,
    object_field_object,
)
from diorama.kernel import Tx


@APP.get("/api/v2/custom_objects/{custom_object_key}/fields", role="agent")
def list_custom_object_fields(
    tx: Tx, custom_object_key: str, page: Page, include_standard_fields: bool = False
) -> ObjectFieldsResponse:
    """List the fields of a custom object."""
    custom_objects.object_of(tx, custom_object_key)
    where = "object_key = ?" if include_standard_fields else "object_key = ? AND system = 0"
    found, around = page_of(tx, page, ObjectField, where, (custom_object_key,), default="position")
    return ObjectFieldsResponse(custom_object_fields=[object_field_object(one) for one in found], **around)


@APP.get("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}", role="agent")
def show_custom_object_field(tx: Tx, custom_object_key: str, custom_object_field_key_or_id: str) -> ObjectFieldResponse:
    """Show a field of a custom object."""
    return ObjectFieldResponse(
        object_field_object(custom_objects.field_of(tx, custom_object_key, custom_object_field_key_or_id))
    )


def _field_values(tx: Tx, asked: ObjectFieldInput, there: ObjectField | None) -> dict[str, Any]:
    fields = given_fields(
        asked, "title", "active", "position", "regexp_for_validation", "relationship_target_type", "relationship_filter"
    )
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    if asked.custom_field_options is not UNSET:
        options_there = there.options if there else ()
        fields["options"] = custom_field_options.replace_options(
            tx, requested_options(asked.custom_field_options), options_there
        )
    if asked.properties is not UNSET:
        for name, column in (("is_required", "required"), ("is_unique", "unique")):
            if isinstance(asked.properties.get(name), bool):
                fields[column] = asked.properties[name]
        if there is not None and there.key == "standard::name":
            shape = asked.properties.get("autonumbering_format")
            on = asked.properties.get("autonumbering_enabled", there.autonumber is not None)
            fields["autonumber"] = custom_objects.numbering(shape, there.autonumber) if on else None
    return fields


@APP.post("/api/v2/custom_objects/{custom_object_key}/fields", role="admin", status=201)
def create_custom_object_field(tx: Tx, me: Me, custom_object_key: str, body: ObjectFieldRequest) -> ObjectFieldResponse:
    """Create a field of a custom object."""
    asked = required(body.custom_object_field, "custom_object_field")
    custom_objects.object_of(tx, custom_object_key)
    kind, key = (value or "" for value in (asked.type, asked.key))
    custom_objects.check_new_field(tx, custom_object_key, key, kind)
    fields = _field_values(tx, asked, None)
    return ObjectFieldResponse(
        object_field_object(custom_objects.add_field(tx, me, custom_object_key, key, kind, fields))
    )


@APP.put("/api/v2/custom_objects/{custom_object_key}/fields/reorder", role="admin")
def reorder_custom_object_fields(tx: Tx, custom_object_key: str, body: ObjectFieldOrder) -> str:
    """Reorder the fields of a custom object."""
    custom_objects.object_of(tx, custom_object_key)
    numbers = required(body.custom_object_field_ids, "custom_object_field_ids")
    custom_objects.reorder_fields(tx, custom_object_key, numbers)
    return ""


@APP.patch("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}", role="admin")
def update_custom_object_field(
    tx: Tx,
    me: Me,
    custom_object_key: str,
    custom_object_field_key_or_id: str,
    body: ObjectFieldRequest,
) -> ObjectFieldResponse:
    """Update a field of a custom object; its type and key cannot change."""
    field = custom_objects.field_of(tx, custom_object_key, custom_object_field_key_or_id)
    fields = _field_values(tx, required(body.custom_object_field, "custom_object_field"), field)
    return ObjectFieldResponse(object_field_object(custom_objects.change_field(tx, me, field, fields)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}", role="admin")
def delete_custom_object_field(tx: Tx, me: Me, custom_object_key: str, custom_object_field_key_or_id: str) -> None:
    """Delete a field of a custom object and its values in all records."""
    field = custom_objects.field_of(tx, custom_object_key, custom_object_field_key_or_id)
    custom_objects.remove_field(tx, me, field)
