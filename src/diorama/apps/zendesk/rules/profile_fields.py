"""Values of user fields and organization fields: check them by type, and keep tags in step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.custom_fields import InvalidFieldValue, tags_of, value_of
from diorama.apps.zendesk.schema import ProfileField
from diorama.kernel import Tx


def fill(
    tx: Tx, record: type[ProfileField], wanted: Mapping[str, Any], there: Mapping[str, Any]
) -> tuple[dict[str, Any], set[str], set[str]]:
    """Return the values after some were set, and the tags to add and remove; ignore unknown keys."""
    out = dict(there)
    gained: set[str] = set()
    lost: set[str] = set()
    fields = {field.key: field for field in tx.all(record, "active = 1")} if wanted else {}
    for key, value in wanted.items():
        field = fields.get(key)
        if field is None:
            continue
        try:
            kept = value_of(tx, field, value, numbers=True)
        except InvalidFieldValue as error:
            raise refusals.invalid(key, str(error), "InvalidValue") from None
        before, after = tags_of(field, out.get(key)), tags_of(field, kept)
        lost |= before - after
        gained |= after - before
        out[key] = kept
    return out, gained, lost


def set_profile_fields(
    tx: Tx, record: type[ProfileField], fields: dict[str, Any], name: str, there: Mapping[str, Any], tags: Iterable[str]
) -> None:
    """Validate the values of custom fields, and update the tags they set."""
    if name not in fields:
        return
    fields[name], gained, lost = fill(tx, record, fields[name] or {}, there)
    if gained or lost:
        fields["tags"] = tuple(sorted((set(fields.get("tags", tags)) - lost) | gained))
