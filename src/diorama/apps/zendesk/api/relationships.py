"""API operations for reverse lookups: which records point to a record, and the filters of lookup fields."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.rules import custom_fields, custom_objects
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import (
    APP,
    ObjectField,
    ObjectRecord,
    Organization,
    OrganizationField,
    ProfileField,
    Ticket,
    TicketField,
    User,
    UserField,
)
from diorama.apps.zendesk.wire.custom_object_records import object_record_object
from diorama.apps.zendesk.wire.organizations import organization_object
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx

_OPERATORS = [
    {"value": "is", "title": "Is", "terminal": False},
    {"value": "is_not", "title": "Is not", "terminal": False},
]
_SYSTEM: dict[str, tuple[str, ...]] = {
    "zen:user": ("role", "organization_id", "tags", "locale"),
    "zen:organization": ("name", "group_id", "tags"),
    "zen:ticket": ("status", "priority", "group_id", "assignee_id"),
}


def _points(field: TicketField | ProfileField | ObjectField | None, target: str) -> None:
    if field is None or field.type != "lookup" or field.relationship_target_type != target:
        raise refusals.not_found()


@APP.get("/api/v2/{target_type}/{target_id}/relationship_fields/{field_id}/{source_type}", role="agent")
def reverse_lookup(
    tx: Tx, target_type: str, target_id: str, field_id: int, source_type: str, page: Page
) -> dict[str, Any]:
    """List the records of one type whose lookup field points to a record."""
    if not custom_fields.exists(tx, target_type, target_id):
        raise refusals.not_found()
    number: int | str = target_id if (known := parse_id(target_id)) is None else known
    if source_type == "zen:ticket":
        _points(tx.find(TicketField, field_id), target_type)
        where = "deleted_at IS NULL AND json_extract(custom_fields, ?) = ?"
        tickets, around = page_of(tx, page, Ticket, where, (f'$."{field_id}"', number))
        return {"tickets": ticket_objects(tx, tickets), **around}
    if source_type == "zen:user":
        person = tx.find(UserField, field_id)
        _points(person, target_type)
        key = f'$."{person.key}"' if person else ""
        users, around = page_of(tx, page, User, "active = 1 AND json_extract(user_fields, ?) = ?", (key, number))
        return {"users": [user_object(one) for one in users], **around}
    if source_type == "zen:organization":
        company = tx.find(OrganizationField, field_id)
        _points(company, target_type)
        key = f'$."{company.key}"' if company else ""
        found, around = page_of(tx, page, Organization, "json_extract(organization_fields, ?) = ?", (key, number))
        return {"organizations": [organization_object(one) for one in found], **around}
    return _records(tx, page, source_type.removeprefix("zen:custom_object:"), field_id, target_type, number)


def _records(tx: Tx, page: Page, kind: str, field_id: int, target: str, number: int | str) -> dict[str, Any]:
    custom_objects.object_of(tx, kind)
    field = custom_objects.field_of(tx, kind, str(field_id))
    _points(field, target)
    where = "object_key = ? AND json_extract(fields, ?) = ?"
    found, around = page_of(tx, page, ObjectRecord, where, (kind, f'$."{field.key}"', number))
    keys = [one.key for one in custom_objects.fields_of(tx, kind) if not one.system]
    return {"custom_object_records": [object_record_object(one, keys) for one in found], **around}


@APP.get("/api/v2/relationships/definitions/{target_type}", role="agent")
def get_relationship_filter_definitions(tx: Tx, target_type: str, source_type: str | None = None) -> dict[str, Any]:
    """List the conditions that can filter a lookup to an object type."""
    names = [(name, name.removesuffix("_id").replace("_", " ").capitalize()) for name in _SYSTEM.get(target_type, ())]
    if target_type in ("zen:user", "zen:organization"):
        record: type[ProfileField] = UserField if target_type == "zen:user" else OrganizationField
        own = [(f"custom_fields.{one.key}", one.title) for one in tx.all(record, "active = 1", order="position, id")]
    elif target_type == "zen:ticket":
        listed = tx.all(TicketField, "active = 1 AND removable = 1", order="position, id")
        own = [(f"custom_fields_{one.id}", one.title) for one in listed]
    else:
        key = custom_objects.object_of(tx, target_type.removeprefix("zen:custom_object:")).key
        own = [(one.key, one.title) for one in custom_objects.fields_of(tx, key)]
    conditions = [
        {
            "subject": name,
            "title": title,
            "group": "custom" if place >= len(names) else "system",
            "operators": _OPERATORS,
        }
        for place, (name, title) in enumerate([*names, *own])
    ]
    return {"definitions": {"conditions_all": conditions, "conditions_any": conditions}}
