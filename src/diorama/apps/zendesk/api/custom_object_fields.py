"""Custom object fields on the wire."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.custom_field_options import requested_options
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import audit_logs, custom_field_options, custom_objects
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_field_options import check_field
from diorama.apps.zendesk.schema import APP, ObjectField, ObjectRecord
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


@APP.post("/api/v2/custom_objects/{custom_object_key}/fields", role="admin", status=201)
def create_custom_object_field(tx: Tx, me: Me, custom_object_key: str, body: ObjectFieldRequest) -> ObjectFieldResponse:
    """Create a field of a custom object."""
    asked, moment = required(body.custom_object_field, "custom_object_field"), now(tx)
    custom_objects.object_of(tx, custom_object_key)
    kind, key = (value or "" for value in (asked.type, asked.key))
    if kind not in custom_objects.TYPES:
        raise refusals.not_listed("type", "Type", kind or "empty")
    if not custom_objects.KEY.fullmatch(key):
        raise refusals.invalid("key", f"Key: {key} must be lower case letters, numbers and _", "InvalidFormat")
    if tx.count(ObjectField, "object_key = ? AND key = ?", custom_object_key, key):
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")
    place = tx.count(ObjectField, "object_key = ?", custom_object_key)
    if place >= custom_objects.MOST_FIELDS + 2:
        raise custom_objects.too_many("fields", custom_objects.MOST_FIELDS)
    fields = {"title": "", "position": place, **_field_values(tx, asked, None)}
    made = ObjectField(object_key=custom_object_key, key=key, type=kind, created_at=moment, updated_at=moment, **fields)
    check_field(made)
    return ObjectFieldResponse(object_field_object(audit_logs.add(tx, me, made)))


@APP.put("/api/v2/custom_objects/{custom_object_key}/fields/reorder", role="admin")
def reorder_custom_object_fields(tx: Tx, custom_object_key: str, body: ObjectFieldOrder) -> str:
    """Reorder the fields of a custom object."""
    custom_objects.object_of(tx, custom_object_key)
    numbers = required(body.custom_object_field_ids, "custom_object_field_ids")
    first = [custom_objects.field_of(tx, custom_object_key, str(number)) for number in dict.fromkeys(numbers)]
    named = {field.id for field in first}
    rest = [field for field in custom_objects.fields_of(tx, custom_object_key) if field.id not in named]
    for place, field in enumerate([*first, *rest]):
        tx.change(field, position=place)
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
    check_field(msgspec.structs.replace(field, **fields))
    return ObjectFieldResponse(object_field_object(audit_logs.change(tx, me, field, fields)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/fields/{custom_object_field_key_or_id}", role="admin")
def delete_custom_object_field(tx: Tx, me: Me, custom_object_key: str, custom_object_field_key_or_id: str) -> None:
    """Delete a field of a custom object and its values in all records."""
    field = custom_objects.field_of(tx, custom_object_key, custom_object_field_key_or_id)
    if field.system:
        raise refusals.forbidden()
    for record in tx.all(ObjectRecord, "object_key = ?", custom_object_key):
        if field.key in record.fields:
            tx.change(record, fields={key: value for key, value in record.fields.items() if key != field.key})
    audit_logs.remove(tx, me, field)
