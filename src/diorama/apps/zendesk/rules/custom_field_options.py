"""The options of fields: add, change, reorder and delete."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.custom_fields import compile_pattern
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.schema import ObjectField, Option, ProfileField, TicketField
from diorama.kernel import Tx, sparse

CHOOSING = ("tagger", "dropdown", "multiselect")
"""Types whose values are options."""

_IDS = sparse(18_416_299_310_740, 384)


class RequestedOption(msgspec.Struct, frozen=True):
    """A requested option; with an id, it is an existing one."""

    name: str | None = None
    value: str | None = None
    id: int | None = None
    default: bool = False
    position: int | None = None


def replace_options(tx: Tx, wanted: Iterable[RequestedOption], there: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return all options of a field in the new order; delete those not named."""
    known = {option.id: option for option in there}
    by_value = {option.value: option for option in there}
    out = [_made(tx, one, known.get(one.id or 0) or by_value.get(one.value or "")) for one in wanted]
    _check(out)
    return tuple(out)


def put_option(tx: Tx, wanted: RequestedOption, there: tuple[Option, ...]) -> tuple[tuple[Option, ...], Option, bool]:
    """Add or change one option; return all options, that one, and whether it is new."""
    old = next((option for option in there if option.id == wanted.id), None) if wanted.id else None
    if wanted.id and old is None:
        raise refusals.not_found()
    made = _made(tx, wanted, old)
    listed = [option for option in there if old is None or option.id != old.id]
    place = wanted.position if wanted.position is not None else there.index(old) if old else len(listed)
    listed.insert(max(0, place), made)
    _check(listed)
    return tuple(listed), made, old is None


def _made(tx: Tx, wanted: RequestedOption, old: Option | None) -> Option:
    name = wanted.name if wanted.name is not None else old.name if old else ""
    value = wanted.value if wanted.value is not None else old.value if old else ""
    if not name.strip():
        raise refusals.blank("custom_field_options", "Option name")
    if not value.strip():
        raise refusals.blank("custom_field_options", "Option value")
    number = old.id if old and old.id else int(tx.mint("zendesk_field_options", _IDS))
    return Option(name.strip(), "_".join(tidy_tags(value.strip().replace(" ", "_"))), number, wanted.default)


def _check(listed: Iterable[Option]) -> None:
    seen: set[str] = set()
    for option in listed:
        if not option.value:
            raise refusals.blank("custom_field_options", "Option value")
        if option.value in seen:
            raise refusals.invalid(
                "custom_field_options", f"Custom field options: {option.value} is already used", "DuplicateValue"
            )
        seen.add(option.value)


def check_field(field: TicketField | ProfileField | ObjectField) -> None:
    """Raise 422 unless a field has a title and what its type needs."""
    if not field.title.strip():
        raise refusals.blank("title", "Title")
    if field.type == "regexp" and (
        not field.regexp_for_validation or compile_pattern(field.regexp_for_validation) is None
    ):
        raise refusals.invalid("regexp_for_validation", "Regular expression: is invalid", "InvalidFormat")
    if field.type == "lookup" and not field.relationship_target_type:
        raise refusals.blank("relationship_target_type", "Relationship target type")
    if field.type in CHOOSING and not field.options:
        raise refusals.blank("custom_field_options", "Custom field options")


def without_option(options: tuple[Option, ...], gone: Option) -> tuple[Option, ...]:
    """Return a field's options without one; raise 422 if it is the last."""
    if len(options) == 1:
        raise refusals.blank("custom_field_options", "Custom field options")
    return tuple(option for option in options if option != gone)
