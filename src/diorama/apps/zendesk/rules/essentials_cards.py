"""Essentials cards: which fields of a user, an organization or an object agents see first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import CustomObject, EssentialsCard, User
from diorama.kernel import Tx

MOST = 20
USUAL: dict[str, tuple[str, ...]] = {
    "zen:user": ("email", "phone", "organization_id", "time_zone", "locale", "tags", "details", "notes"),
    "zen:organization": ("domain_names", "group_id", "tags", "details", "notes"),
}
"""The fields that a card shows by default."""


def field_names(tx: Tx, kind: str) -> list[str]:
    """Return the field names of an object type; raise 404 for an unknown type."""
    if kind in USUAL:
        table = "zendesk_user_fields" if kind == "zen:user" else "zendesk_organization_fields"
        own = tx.rows(f"SELECT key FROM {table} WHERE active = 1 ORDER BY position, id")
        return [*USUAL[kind], *(key for (key,) in own)]
    key = kind.removeprefix("zen:custom_object:")
    if not kind.startswith("zen:custom_object:") or not tx.count(CustomObject, "key = ?", key):
        raise refusals.not_found()
    own = tx.rows("SELECT key FROM zendesk_custom_object_fields WHERE object_key = ? ORDER BY position, id", key)
    return [name for (name,) in own]


def set_card(tx: Tx, me: User, kind: str, fields: Sequence[Mapping[str, Any]], max_count: int = MOST) -> EssentialsCard:
    """Say which fields a card shows."""
    known = set(field_names(tx, kind))
    for one in fields:
        if one["id"] not in known:
            raise refusals.invalid("fields", f"Fields: {one['id']} is not a field", "InvalidValue")
    if len(fields) > min(max_count, MOST):
        raise refusals.invalid("fields", f"Fields: at most {min(max_count, MOST)}", "TooManyValues")
    there, shown = tx.first(EssentialsCard, "object_type = ?", kind), tuple(dict(one) for one in fields)
    if there is not None:
        return audit_logs.change(tx, me, there, {"fields": shown, "max_count": max_count})
    moment = now(tx)
    made = EssentialsCard(object_type=kind, fields=shown, max_count=max_count, created_at=moment, updated_at=moment)
    return audit_logs.add(tx, me, made)


def reset_card(tx: Tx, me: User, kind: str) -> None:
    """Show the default fields again; raise 404 if the card was not changed."""
    field_names(tx, kind)
    there = tx.first(EssentialsCard, "object_type = ?", kind)
    if there is None:
        raise refusals.not_found()
    audit_logs.remove(tx, me, there)
