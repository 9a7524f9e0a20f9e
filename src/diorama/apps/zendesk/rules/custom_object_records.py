"""Records of custom objects: add, change and filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_fields import InvalidFieldValue, value_of
from diorama.apps.zendesk.rules.custom_objects import field_of, fields_of
from diorama.apps.zendesk.schema import ObjectRecord, User
from diorama.kernel import Tx


def record_of(tx: Tx, key: str, number: str) -> ObjectRecord:
    """Return a record of an object."""
    found = tx.find(ObjectRecord, number)
    if found is None or found.object_key != key:
        raise refusals.not_found()
    return found


def values(tx: Tx, key: str, wanted: Mapping[str, Any], there: Mapping[str, Any], besides: str = "") -> dict[str, Any]:
    """Return a record's values after some were set; check types, required fields and unique fields."""
    out = dict(there)
    fields = {field.key: field for field in fields_of(tx, key) if not field.system and field.active}
    for name, value in wanted.items():
        field = fields.get(name)
        if field is None:
            raise refusals.invalid(name, f"{name}: is not a field of {key}", "InvalidValue")
        try:
            out[name] = value_of(tx, field, value, numbers=True)
        except InvalidFieldValue as error:
            raise refusals.invalid(name, str(error), "InvalidValue") from None
    for name, field in fields.items():
        if field.required and out.get(name) in (None, ""):
            raise refusals.blank(name, field.title)
        if field.unique and out.get(name) is not None:
            path = f'$."{name}"'
            taken = tx.rows(
                "SELECT 1 FROM zendesk_custom_object_records WHERE object_key = ? AND id <> ? "
                "AND json_extract(fields, ?) = ? LIMIT 1",
                key, besides, path, out[name],
            )  # fmt: skip
            if taken:
                raise refusals.invalid(name, f"{field.title}: has already been taken", "DuplicateValue")
    return out


def add(
    tx: Tx, me: User, key: str, name: str | None, external_id: str | None, wanted: Mapping[str, Any]
) -> ObjectRecord:
    """Add a record; its name is given, or generated if the object numbers its records."""
    moment = now(tx)
    name = _named(tx, key, name)
    _free(tx, key, external_id)
    return tx.add(
        ObjectRecord(
            object_key=key,
            name=name,
            external_id=external_id,
            fields=values(tx, key, wanted, {}),
            created_by_user_id=me.id,
            updated_by_user_id=me.id,
            created_at=moment,
            updated_at=moment,
        )
    )


def _named(tx: Tx, key: str, name: str | None) -> str:
    field = field_of(tx, key, "standard::name")
    if field.autonumber is None:
        if not (name or "").strip():
            raise refusals.blank("name", "Name")
        if field.unique and tx.count(ObjectRecord, "object_key = ? AND name = ?", key, name):
            raise refusals.invalid("name", "Name: has already been taken", "DuplicateValue")
        return str(name)
    number = int(field.autonumber.get("next_number", 1))
    padding = int(field.autonumber.get("padding", 0))
    tx.change(field, autonumber={**field.autonumber, "next_number": number + 1})
    return f"{field.autonumber.get('prefix', '')}{number:0{padding}d}"


def _free(tx: Tx, key: str, external_id: str | None, besides: str = "") -> None:
    if external_id and tx.count(
        ObjectRecord, "object_key = ? AND external_id = ? AND id <> ?", key, external_id, besides
    ):
        raise refusals.invalid("external_id", f"External ID: {external_id} has already been taken", "DuplicateValue")


def change(tx: Tx, me: User, record: ObjectRecord, wanted: Mapping[str, Any]) -> ObjectRecord:
    """Change a record; keep the fields that are not named."""
    fields: dict[str, Any] = {}
    if "name" in wanted:
        if not (wanted["name"] or "").strip():
            raise refusals.blank("name", "Name")
        fields["name"] = wanted["name"]
    if "external_id" in wanted:
        _free(tx, record.object_key, wanted["external_id"], record.id)
        fields["external_id"] = wanted["external_id"]
    given = wanted.get("custom_object_fields", {})
    fields["fields"] = values(tx, record.object_key, given, record.fields, record.id)
    if all(getattr(record, name) == value for name, value in fields.items()):
        return record
    return tx.change(record, **fields, updated_by_user_id=me.id, updated_at=now(tx))


_SIGNS = {"$eq": "=", "$noteq": "<>", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_COLUMNS = {
    "name": "name", "standard::name": "name", "external_id": "external_id", "standard::external_id": "external_id",
    "id": "id", "created_at": "created_at", "updated_at": "updated_at", "created_by_user_id": "created_by_user_id",
    "updated_by_user_id": "updated_by_user_id",
}  # fmt: skip


def where(tx: Tx, key: str, asked: Mapping[str, Any], depth: int = 0) -> tuple[str, list[Any]]:
    """Return a search filter as SQL: comparisons of fields, joined by $and and $or."""
    if depth > 4:
        raise refusals.invalid("filter", "Filter: is nested too deeply", "InvalidValue")
    parts: list[str] = []
    args: list[Any] = []
    known = {field.key for field in fields_of(tx, key)}
    for name, test in asked.items():
        if name in ("$and", "$or"):
            listed = test if isinstance(test, list) else [test]
            inner = [where(tx, key, one, depth + 1) for one in listed if isinstance(one, Mapping)]
            if inner:
                parts.append("(" + (" AND " if name == "$and" else " OR ").join(text for text, _ in inner) + ")")
                args.extend(arg for _, more in inner for arg in more)
            continue
        field = name.removeprefix("custom_object_fields.")
        if name not in _COLUMNS and field not in known:
            raise refusals.invalid("filter", f"Filter: {name} is not a field of {key}", "InvalidValue")
        for sign, value in test.items() if isinstance(test, Mapping) else [("$eq", test)]:
            text, more = _compared(_COLUMNS.get(name), field, str(sign), value)
            parts.append(text)
            args.extend(more)
    return " AND ".join(parts) or "1", args


def _compared(column: str | None, field: str, sign: str, value: Any) -> tuple[str, list[Any]]:
    found, args = (column, []) if column else ("json_extract(fields, ?)", [f'$."{field}"'])
    if isinstance(value, dict):
        raise refusals.invalid("filter", f"Filter: {sign} takes no object", "InvalidValue")
    if sign == "$contains":
        return f"instr(lower(coalesce({found}, '')), ?) > 0", [*args, str(value).lower()]
    if sign in ("$in", "$notin"):
        listed = value if isinstance(value, list) else [value]
        word = "IN" if sign == "$in" else "NOT IN"
        return f"{found} {word} ({', '.join('?' * len(listed))})", [*args, *map(_plain, listed)]
    if sign not in _SIGNS or isinstance(value, list):
        raise refusals.invalid("filter", f"Filter: {sign} is not an operator", "InvalidValue")
    if value is None:
        return f"{found} IS {'NOT ' if sign == '$noteq' else ''}NULL", args
    return f"{found} {_SIGNS[sign]} ?", [*args, _plain(value)]


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value if isinstance(value, int | float) else str(value)
