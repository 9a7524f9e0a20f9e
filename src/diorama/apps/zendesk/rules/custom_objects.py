"""Custom objects and their fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_field_options import check_field
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import CustomObject, ObjectField, ObjectRecord, ObjectTrigger, User
from diorama.kernel import Refusal, Tx

MOST_OBJECTS, MOST_FIELDS, MOST_RECORDS = 50, 100, 50_000_000
TYPES = ("checkbox", "date", "decimal", "dropdown", "integer", "lookup", "multiselect", "regexp", "text", "textarea")
KEY = re.compile(r"[a-z_][a-z0-9_]{0,99}")


def object_of(tx: Tx, key: str) -> CustomObject:
    """Return the object with a key."""
    found = tx.first(CustomObject, "key = ?", key)
    if found is None:
        raise refusals.not_found()
    return found


def fields_of(tx: Tx, key: str) -> list[ObjectField]:
    """Return the fields of an object."""
    return tx.all(ObjectField, "object_key = ?", key, order="position, id")


def field_of(tx: Tx, key: str, name: str) -> ObjectField:
    """Return a field of an object, by its id or key."""
    number = parse_id(name)
    if number is not None:
        found = tx.find(ObjectField, number)
        if found is not None and found.object_key != key:
            found = None
    else:
        found = tx.first(ObjectField, "object_key = ? AND key = ?", key, name)
    if found is None:
        raise refusals.not_found()
    return found


def too_many(what: str, limit: int) -> Refusal:
    """Return the refusal for a limit that was reached."""
    return refusals.invalid("base", f"You have reached the limit of {limit} {what}", "LimitExceeded")


def standard_fields(tx: Tx, made: CustomObject) -> None:
    """Add the fields that every object has."""
    moment = now(tx)
    for place, (key, title) in enumerate((("standard::name", "Name"), ("standard::external_id", "External ID"))):
        tx.add(
            ObjectField(
                object_key=made.key,
                key=key,
                type="text",
                title=title,
                position=place,
                system=True,
                required=key == "standard::name",
                created_at=moment,
                updated_at=moment,
            )
        )


def _check_key(key: str, taken: bool) -> None:
    if not KEY.fullmatch(key):
        raise refusals.invalid("key", f"Key: {key} must be lower case letters, numbers and _", "InvalidFormat")
    if taken:
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")


def _check_titles(fields: Mapping[str, Any]) -> None:
    for name in ("title", "title_pluralized"):
        if name in fields and not fields[name].strip():
            raise refusals.blank(name, name.replace("_", " ").capitalize())


def add_object(tx: Tx, me: User, key: str, fields: Mapping[str, Any]) -> CustomObject:
    """Add an object; it starts with the fields name and external id."""
    _check_key(key, bool(tx.count(CustomObject, "key = ?", key)))
    if tx.count(CustomObject) >= MOST_OBJECTS:
        raise too_many("objects", MOST_OBJECTS)
    _check_titles(fields)
    _check_titles({"title": "", "title_pluralized": "", **fields})
    moment, by = now(tx), {"created_by_user_id": me.id, "updated_by_user_id": me.id}
    made = audit_logs.add(tx, me, CustomObject(key=key, created_at=moment, updated_at=moment, **by, **fields))
    standard_fields(tx, made)
    return made


def change_object(tx: Tx, me: User, made: CustomObject, fields: Mapping[str, Any]) -> CustomObject:
    """Change an object; its key cannot change."""
    _check_titles(fields)
    return audit_logs.change(tx, me, made, {**fields, "updated_by_user_id": me.id})


def remove_object(tx: Tx, me: User, made: CustomObject) -> None:
    """Delete an object with its fields, records and triggers."""
    for field in fields_of(tx, made.key):
        tx.remove(field)
    for record in (ObjectRecord, ObjectTrigger):
        for one in tx.all(record, "object_key = ?", made.key):
            tx.remove(one)
    audit_logs.remove(tx, me, made)


def numbering(asked: Any, there: dict[str, Any] | None) -> dict[str, Any]:
    """Return how an object numbers its records after a change."""
    given = asked if isinstance(asked, dict) else {}
    known = {"prefix": "", "padding": 0, "next_number": 1, **(there or {})}
    out = {**known, **{name: value for name, value in given.items() if name in known}}
    for name, limit in (("padding", 100), ("next_number", 10**9)):
        if not isinstance(out[name], int) or not 0 <= out[name] < limit:
            raise refusals.invalid("properties", f"{name}: is invalid", "InvalidValue")
    return {**out, "prefix": str(out["prefix"])}


def check_new_field(tx: Tx, object_key: str, key: str, kind: str) -> None:
    """Raise the vendor's refusal if an object cannot have another field of this key and type."""
    if kind not in TYPES:
        raise refusals.not_listed("type", "Type", kind or "empty")
    _check_key(key, bool(tx.count(ObjectField, "object_key = ? AND key = ?", object_key, key)))
    if tx.count(ObjectField, "object_key = ?", object_key) >= MOST_FIELDS + 2:
        raise too_many("fields", MOST_FIELDS)


def add_field(tx: Tx, me: User, object_key: str, key: str, kind: str, fields: Mapping[str, Any]) -> ObjectField:
    """Add a field to an object."""
    check_new_field(tx, object_key, key, kind)
    moment, place = now(tx), tx.count(ObjectField, "object_key = ?", object_key)
    values = {"title": "", "position": place, **fields}
    made = ObjectField(object_key=object_key, key=key, type=kind, created_at=moment, updated_at=moment, **values)
    check_field(made)
    return audit_logs.add(tx, me, made)


def change_field(tx: Tx, me: User, field: ObjectField, fields: Mapping[str, Any]) -> ObjectField:
    """Change a field of an object; its type and key cannot change."""
    check_field(msgspec.structs.replace(field, **fields))
    return audit_logs.change(tx, me, field, fields)


def reorder_fields(tx: Tx, object_key: str, numbers: Sequence[int]) -> None:
    """Move these fields of an object to the front, in this order."""
    first = [field_of(tx, object_key, str(number)) for number in dict.fromkeys(numbers)]
    named = {field.id for field in first}
    rest = [field for field in fields_of(tx, object_key) if field.id not in named]
    for place, field in enumerate([*first, *rest]):
        tx.change(field, position=place)


def remove_field(tx: Tx, me: User, field: ObjectField) -> None:
    """Delete a field of an object and its values in all records; the standard fields stay."""
    if field.system:
        raise refusals.forbidden()
    for record in tx.all(ObjectRecord, "object_key = ?", field.object_key):
        if field.key in record.fields:
            tx.change(record, fields={key: value for key, value in record.fields.items() if key != field.key})
    audit_logs.remove(tx, me, field)
