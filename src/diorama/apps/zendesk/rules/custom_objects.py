"""Custom objects and their fields."""

from __future__ import annotations

import re

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import CustomObject, ObjectField
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
    if name.isascii() and name.isdigit() and len(name) < 19:
        found = tx.find(ObjectField, int(name))
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
