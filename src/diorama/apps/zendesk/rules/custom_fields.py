"""Values of custom fields: what each type accepts, how it is stored, and which tags it adds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any, Protocol

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import Option, TicketField
from diorama.kernel import Refusal, Tx
from diorama.kit.patterns import Pattern, pattern_of

TICKET_TYPES = (
    "checkbox", "date", "decimal", "integer", "lookup", "multiselect", "partialcreditcard", "regexp", "tagger", "text",
    "textarea",
)  # fmt: skip
PROFILE_TYPES = (
    "checkbox", "date", "decimal", "dropdown", "integer", "lookup", "multiselect", "regexp", "text", "textarea",
)  # fmt: skip
LONGEST = {"text": 65_536, "textarea": 65_536}
PATTERN_AT_MOST = 255
"""The longest validation pattern."""
_INTEGER = re.compile(r"[-+]?\d{1,15}")
_DECIMAL = re.compile(r"[-+]?\d{0,15}(?:[.,]\d{1,10})?")
_FLAGS = {
    "true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False, "": False,
}  # fmt: skip
_TABLES = {
    "zen:user": "zendesk_users", "zen:organization": "zendesk_organizations", "zen:ticket": "zendesk_tickets",
}  # fmt: skip


class FieldDefinition(Protocol):
    """The properties of a field that are needed to validate its values."""

    @property
    def type(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def regexp_for_validation(self) -> str | None: ...
    @property
    def tag(self) -> str | None: ...
    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def relationship_target_type(self) -> str | None: ...


class InvalidFieldValue(ValueError):
    """A value that a field does not accept; the message says why."""


def compile_pattern(text: str) -> Pattern | None:
    """Compile a field's validation pattern, or return None if it is too long or not a valid regular expression."""
    return pattern_of(text) if len(text) <= PATTERN_AT_MOST else None


def value_of(tx: Tx, field: FieldDefinition, value: Any, *, numbers: bool = False) -> Any:
    """Return a value as a field stores it, None if empty; `numbers` keeps numbers instead of text."""
    kind = field.type
    if kind == "checkbox":
        return _flag(field, value)
    if value in (None, "", []):
        return None
    if kind in ("tagger", "dropdown"):
        return _chosen(field, value)
    if kind == "multiselect":
        listed = value if isinstance(value, list | tuple) else [value]
        return [_chosen(field, one) for one in dict.fromkeys(map(str, listed))]
    if isinstance(value, dict | list):
        raise InvalidFieldValue(f"{field.title}: is invalid")
    text = str(value).strip()
    if kind in ("integer", "decimal"):
        return _number(field, value, text, numbers)
    return _text(tx, field, value, text, numbers)


def _number(field: FieldDefinition, value: Any, text: str, numbers: bool) -> Any:
    whole = field.type == "integer"
    if isinstance(value, bool) or not (_INTEGER if whole else _DECIMAL).fullmatch(text) or not text[-1].isdigit():
        raise InvalidFieldValue(f"{field.title}: must be {'an integer' if whole else 'a number'}")
    text = text.replace(",", ".")
    return (int(text) if whole else float(text)) if numbers else text


def _text(tx: Tx, field: FieldDefinition, value: Any, text: str, numbers: bool) -> Any:
    kind = field.type
    if kind == "date":
        return _day(field, text, numbers)
    if kind == "regexp":
        rule = compile_pattern(field.regexp_for_validation or "")
        if rule is not None and not rule.search(tx, text):
            raise InvalidFieldValue(f"{field.title}: is invalid")
        return text
    if kind == "partialcreditcard":
        digits = [each for each in text if each.isdigit()]
        if len(digits) < 4:
            raise InvalidFieldValue(f"{field.title}: is invalid")
        return "X" * 12 + "".join(digits[-4:])
    if kind == "lookup":
        return _related(tx, field, text)
    if len(text) > LONGEST.get(kind, 65_536):
        raise InvalidFieldValue(f"{field.title}: is too long (maximum is 65536 characters)")
    return value if isinstance(value, str) else text


def _flag(field: FieldDefinition, value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    found = _FLAGS.get(str(value).strip().lower())
    if found is None:
        raise InvalidFieldValue(f"{field.title}: must be true or false")
    return found


def _chosen(field: FieldDefinition, value: Any) -> str:
    if not isinstance(value, str | int) or str(value) not in {option.value for option in field.options}:
        raise InvalidFieldValue(f"{field.title}: {value} is not a valid option")
    return str(value)


def _day(field: FieldDefinition, text: str, numbers: bool) -> str:
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        raise InvalidFieldValue(f"{field.title}: must be a date (YYYY-MM-DD)") from None
    return f"{found.isoformat()}T00:00:00+00:00" if numbers else found.isoformat()


def _related(tx: Tx, field: FieldDefinition, text: str) -> int | str:
    target = field.relationship_target_type or ""
    if not exists(tx, target, text):
        raise InvalidFieldValue(f"{field.title}: {text} does not exist")
    return int(text) if target in _TABLES else text


def exists(tx: Tx, target: str, text: str) -> bool:
    """Check whether a lookup field's target has this record."""
    if target in _TABLES:
        return bool(tx.rows(f"SELECT 1 FROM {_TABLES[target]} WHERE id = ?", parse_id(text) or -1))
    key = target.removeprefix("zen:custom_object:")
    return bool(tx.rows("SELECT 1 FROM zendesk_custom_object_records WHERE id = ? AND object_key = ?", text, key))


def tags_of(field: FieldDefinition, value: Any) -> set[str]:
    """Return the tags that a value adds to its ticket, user or organization."""
    if field.type in ("tagger", "dropdown"):
        return {str(value).lower()} if value else set()
    if field.type == "multiselect":
        return {str(one).lower() for one in value or ()}
    return {field.tag} if field.type == "checkbox" and field.tag and value is True else set()


class FilledFields:
    """The custom fields of a ticket after some were set, and the tags this adds and removes."""

    def __init__(self, there: dict[str, Any]) -> None:
        self.values = dict(there)
        self.gained: set[str] = set()
        self.lost: set[str] = set()

    def tags(self, there: Iterable[str]) -> tuple[str, ...]:
        """Return these tags with the changes applied."""
        return tuple(sorted((set(there) - self.lost) | self.gained))


def fill(tx: Tx, listed: Iterable[tuple[int, Any]], there: dict[str, Any]) -> FilledFields:
    """Set custom fields of a ticket; ignore unknown fields, refuse wrong values."""
    out = FilledFields(there)
    for number, value in listed:
        field = tx.find(TicketField, number)
        if field is None or not field.removable or not field.active:
            continue
        key = str(number)
        kept = check_value(tx, field, value)
        before, after = tags_of(field, out.values.get(key)), tags_of(field, kept)
        out.lost |= before - after
        out.gained |= after - before
        if kept is None:
            out.values.pop(key, None)
        else:
            out.values[key] = kept
    return out


def check_value(tx: Tx, field: TicketField, value: Any) -> Any:
    """Return a value as a ticket field stores it; refuse it if it is invalid."""
    try:
        return value_of(tx, field, value)
    except InvalidFieldValue as error:
        raise _refused(str(error), field) from None


def _refused(description: str, field: TicketField) -> Refusal:
    return refusals.invalid(
        "base", description, "InvalidValue", ticket_field_id=field.id, ticket_field_type=error_class(field.type)
    )


_CLASSES = {
    "tagger": "FieldTagger", "multiselect": "FieldMultiselect", "checkbox": "FieldCheckbox", "integer": "FieldInteger",
    "decimal": "FieldDecimal", "date": "FieldDate", "regexp": "FieldRegexp", "text": "FieldText",
    "textarea": "FieldTextarea", "partialcreditcard": "FieldPartialCreditCard", "lookup": "FieldRelationship",
    "priority": "FieldPriority", "tickettype": "FieldTicketType", "subject": "FieldSubject",
}  # fmt: skip


def error_class(type: str) -> str:
    """Return the class name that the vendor's errors use for a field type."""
    return _CLASSES.get(type, "Field")


_LINKED = (
    "SELECT id, type, tag, options FROM zendesk_ticket_fields WHERE removable = 1 AND active = 1 "
    "AND type IN ('tagger', 'multiselect', 'checkbox') ORDER BY position, id"
)
_read_options = msgspec.json.Decoder(tuple[Option, ...]).decode
Owner = tuple[str, str, str]


@lru_cache(maxsize=256)
def _owners(rows: tuple[tuple[Any, ...], ...]) -> dict[str, Owner]:
    """Return the field that each tag belongs to: its id, its type, and the value that adds the tag."""
    found: dict[str, Owner] = {}
    for number, kind, tag, options in rows:
        if kind == "checkbox":
            if tag:
                found.setdefault(tag, (str(number), kind, tag))
            continue
        for option in _read_options(options):
            found.setdefault(option.value.lower(), (str(number), kind, option.value))
    return found


def link_fields_and_tags(
    tx: Tx, values: dict[str, Any], before: Iterable[str], after: Iterable[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return custom fields and tags after tags changed: added tags select options, removed tags clear them."""
    there, tags = set(before), set(after)
    gained, lost = tags - there, there - tags
    if not gained and not (lost and values):
        return values, tuple(sorted(tags))
    owners, out = _owners(tuple(tx.rows(_LINKED))), dict(values)
    for tag in sorted(lost):
        if tag in owners:
            _unchoose(out, owners[tag])
    for tag in sorted(gained):
        if tag in owners:
            tags -= _choose(out, owners[tag])
    return out, tuple(sorted(tags))


def _unchoose(out: dict[str, Any], owner: Owner) -> None:
    key, kind, value = owner
    there = out.get(key)
    if kind == "checkbox" and there is True:
        out[key] = False
    elif kind == "multiselect" and isinstance(there, list) and value in there:
        out[key] = [one for one in there if one != value]
        if not out[key]:
            del out[key]
    elif there == value:
        del out[key]


def _choose(out: dict[str, Any], owner: Owner) -> set[str]:
    """Select an option; return the tags of the option it replaces."""
    key, kind, value = owner
    there = out.get(key)
    if kind == "checkbox":
        out[key] = True
    elif kind == "multiselect":
        out[key] = [*(there or []), *([value] if value not in (there or []) else [])]
    else:
        out[key] = value
        if there and there != value:
            return {str(there).lower()}
    return set()
