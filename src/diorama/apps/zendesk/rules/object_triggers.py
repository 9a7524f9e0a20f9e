"""Triggers of custom objects: tested in order whenever a record is created or changed; each fires at most once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import custom_object_records, custom_objects, webhooks
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.definitions import OPERATORS
from diorama.apps.zendesk.schema import Action, Condition, Conditions, ObjectField, ObjectRecord, ObjectTrigger, User
from diorama.apps.zendesk.schema.webhooks import Webhook
from diorama.kernel import Refusal, Tx

# The names of fields in conditions and actions, and of placeholders, follow those of ticket triggers and of the
# records' own JSON; the vendor's reference for object triggers could not be read.
OWN = "custom_object_fields."
STANDING = ("name", "external_id", "created_by_user_id", "updated_by_user_id")
EVENT = "conditional_object_events"

Test = Callable[[Any, Any, Any], bool]
"""(value now, value before, the condition's value) -> whether it holds."""


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool):
        return one is (str(other).lower() == "true")
    return str(one if one is not None else "") == str(other if other is not None else "")


def _less(one: Any, other: Any) -> bool:
    try:
        return float(one) < float(other)
    except (TypeError, ValueError):
        return one is not None and str(one) < str(other)


def _holds(value: Any, words: Any) -> bool:
    wanted = words if isinstance(words, list | tuple) else str(words or "").split()
    if isinstance(value, list | tuple):
        return any(word in value for word in wanted)
    return any(str(word).lower() in str(value or "").lower() for word in wanted)


TESTS: dict[str, Test] = {
    "is": lambda value, before, own: _same(value, own),
    "is_not": lambda value, before, own: not _same(value, own),
    "less_than": lambda value, before, own: value is not None and _less(value, own),
    "greater_than": lambda value, before, own: value is not None and not _less(value, own) and not _same(value, own),
    "includes": lambda value, before, own: _holds(value, own),
    "not_includes": lambda value, before, own: not _holds(value, own),
    "present": lambda value, before, own: value not in (None, "", [], ()),
    "not_present": lambda value, before, own: value in (None, "", [], ()),
    "changed": lambda value, before, own: value != before,
    "not_changed": lambda value, before, own: value == before,
    "value": lambda value, before, own: value != before and _same(value, own),
    "value_previous": lambda value, before, own: value != before and _same(before, own),
}


def _value(record: ObjectRecord | None, field: str) -> Any:
    if record is None:
        return None
    return record.fields.get(field.removeprefix(OWN)) if field.startswith(OWN) else getattr(record, field)


def _meets(when: Conditions, record: ObjectRecord, before: ObjectRecord | None) -> bool:
    def meets(test: Condition) -> bool:
        if test.field == "update_type":
            kind = "Create" if before is None else "Change"
            return (str(test.value) == kind) is (test.operator != "is_not")
        return TESTS[test.operator](_value(record, test.field), _value(before, test.field), test.value)

    return all(meets(test) for test in when.all) and (not when.any or any(meets(test) for test in when.any))


def add(
    tx: Tx, me: User, key: str, name: str | None, external_id: str | None, wanted: Mapping[str, Any]
) -> ObjectRecord:
    """Add a record, and run the triggers of its object."""
    return run(tx, custom_object_records.add(tx, me, key, name, external_id, wanted), None)


def change(tx: Tx, me: User, record: ObjectRecord, wanted: Mapping[str, Any]) -> ObjectRecord:
    """Change a record, and run the triggers of its object if anything changed."""
    after = custom_object_records.change(tx, me, record, wanted)
    return after if after == record else run(tx, after, record)


def run(tx: Tx, record: ObjectRecord, before: ObjectRecord | None) -> ObjectRecord:
    """Fire every trigger whose conditions hold; after one changes the record, test the others again."""
    waiting = tx.all(ObjectTrigger, "object_key = ? AND active = 1", record.object_key, order="position, id")
    place = 0
    while place < len(waiting):
        if not _meets(waiting[place].conditions, record, before):
            place += 1
            continue
        after = _act(tx, record, waiting.pop(place).actions)
        if after != record:
            record, place = after, 0
    return record


def _act(tx: Tx, record: ObjectRecord, then: Sequence[Action]) -> ObjectRecord:
    for action in then:
        if action.field == "notification_webhook":
            _call(tx, record, action)
            continue
        wanted = {action.field.removeprefix(OWN): action.value}
        try:
            filled = custom_object_records.values(tx, record.object_key, wanted, record.fields, record.id)
        except Refusal:
            continue  # an action whose value the field does not accept does nothing
        if filled != record.fields:
            record = tx.change(record, fields=filled, updated_at=now(tx))
    return record


_PLACEHOLDER = re.compile(r"\{\{\s*custom_object_record\.([a-z0-9_.]+)\s*\}\}")


def _call(tx: Tx, record: ObjectRecord, action: Action) -> None:
    parts = action.value if isinstance(action.value, list | tuple) else [action.value]
    webhook = tx.find(Webhook, str(parts[0])) if parts else None
    if webhook is None or webhook.status != "active":
        return
    facts: dict[str, Any] = {"id": record.id, **{name: getattr(record, name) for name in STANDING}}
    facts.update({f"{OWN}{key}": value for key, value in record.fields.items()})

    def fill(found: re.Match[str]) -> str:
        text = str(facts.get(found[1]) if facts.get(found[1]) is not None else "")
        return msgspec.json.encode(text).decode()[1:-1] if webhook.request_format == "json" else text

    webhooks.call(tx, webhook, EVENT, _PLACEHOLDER.sub(fill, str(parts[1] if len(parts) > 1 else "")))


# --- allowed conditions and actions


def check(tx: Tx, key: str, title: str, when: Conditions, then: Sequence[Action]) -> None:
    """Refuse a trigger that uses fields, operators or values that its object does not have."""
    if not title.strip():
        raise refusals.blank("title", "Title")
    known = {f"{OWN}{field.key}" for field in custom_objects.fields_of(tx, key) if not field.system}
    tests = (*when.all, *when.any)
    if not tests:
        raise refusals.invalid("base", "Invalid conditions. You must select at least one condition.", "InvalidValue")
    for test in tests:
        if test.field not in known and test.field not in (*STANDING, "update_type"):
            raise refusals.invalid("base", f"Condition: {test.field} is not valid", "InvalidValue")
        if test.operator not in TESTS:
            raise refusals.invalid("base", f"Operator: {test.operator} is not valid", "InvalidValue")
    if not then:
        raise refusals.invalid("base", "Invalid actions. You must select at least one action.", "InvalidValue")
    for action in then:
        if action.field not in known and action.field != "notification_webhook":
            raise refusals.invalid("base", f"Action: {action.field} is not valid", "InvalidValue")


_NUMBERS = ("is", "is_not", "less_than", "greater_than", "present", "not_present", "changed", "value", "value_previous")
_TEXTS = ("is", "is_not", "includes", "not_includes", "present", "not_present", "changed", "value", "value_previous")


def definitions(tx: Tx, key: str) -> dict[str, Any]:
    """Return the fields, operators and values that an object's triggers can use."""
    own = [field for field in custom_objects.fields_of(tx, key) if not field.system and field.active]
    create = [{"value": "Create", "title": "Created"}, {"value": "Change", "title": "Updated"}]
    tests = [_subject("Object record", "update_type", "list", ("is", "is_not"), create)]
    tests += [_subject(name.replace("_", " ").capitalize(), name, "text", _TEXTS) for name in STANDING]
    tests += [_subject(field.title, f"{OWN}{field.key}", *_kind(field), _choices(field)) for field in own]
    deeds = [_deed(field.title, f"{OWN}{field.key}", _kind(field)[0], _choices(field)) for field in own]
    hooks = tx.all(Webhook, "status = 'active'", order="name")
    deeds.append(
        _deed(
            "Notify active webhook",
            "notification_webhook",
            "list",
            [{"value": hook.id, "title": hook.name} for hook in hooks],
        )
    )
    return {"conditions_all": tests, "conditions_any": tests, "actions": deeds}


def _kind(field: ObjectField) -> tuple[str, tuple[str, ...]]:
    if field.type in ("dropdown", "multiselect", "checkbox"):
        return "list", _TEXTS
    return ("text", _NUMBERS) if field.type in ("integer", "decimal", "date") else ("text", _TEXTS)


def _choices(field: ObjectField) -> list[Mapping[str, str]]:
    if field.type == "checkbox":
        return [{"value": "true", "title": "Checked"}, {"value": "false", "title": "Unchecked"}]
    return [{"value": option.value, "title": option.name} for option in field.options]


def _subject(
    title: str, subject: str, kind: str, operators: Sequence[str], values: Sequence[Mapping[str, str]] = ()
) -> dict[str, Any]:
    signs = [
        {
            "value": name,
            "title": OPERATORS[name],
            "terminal": name in ("changed", "not_changed", "present", "not_present"),
        }
        for name in operators
    ]
    return {
        "title": title,
        "subject": subject,
        "type": kind,
        "group": "object",
        "nullable": subject != "update_type",
        "repeatable": False,
        "operators": signs,
        "values": list(values),
    }


def _deed(title: str, subject: str, kind: str, values: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {
        "title": title,
        "subject": subject,
        "type": kind,
        "group": "object",
        "nullable": subject != "notification_webhook",
        "repeatable": subject == "notification_webhook",
        "values": list(values),
    }
