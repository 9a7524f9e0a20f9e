"""Essentials cards on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, required
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, CustomObject, EssentialsCard
from diorama.apps.zendesk.wire.essentials_cards import (
    EssentialsCardObject,
    EssentialsCardRequest,
    EssentialsCardResponse,
    EssentialsCardsResponse,
    essentials_card_object,
)
from diorama.kernel import Tx

_USUAL: dict[str, tuple[str, ...]] = {
    "zen:user": ("email", "phone", "organization_id", "time_zone", "locale", "tags", "details", "notes"),
    "zen:organization": ("domain_names", "group_id", "tags", "details", "notes"),
}
"""The fields that a card shows where nobody arranged it."""


def _card(tx: Tx, kind: str) -> EssentialsCardObject:
    found = tx.first(EssentialsCard, "object_type = ?", kind)
    if found is not None:
        return essentials_card_object(found)
    names = _names(tx, kind)[:20]
    fields: tuple[dict[str, Any], ...] = tuple({"id": name, "zrn": f"zen:field:{kind}:{name}"} for name in names)
    return EssentialsCardObject(
        id=None,
        key=kind,
        layout="essentials_card",
        max_count=20,
        fields=fields,
        default=True,
        created_at=None,
        updated_at=None,
    )


def _names(tx: Tx, kind: str) -> list[str]:
    """The fields that a kind of thing has."""
    if kind in _USUAL:
        table = "zendesk_user_fields" if kind == "zen:user" else "zendesk_organization_fields"
        own = tx.rows(f"SELECT key FROM {table} WHERE active = 1 ORDER BY position, id")
        return [*_USUAL[kind], *(key for (key,) in own)]
    key = kind.removeprefix("zen:custom_object:")
    if not kind.startswith("zen:custom_object:") or not tx.count(CustomObject, "key = ?", key):
        raise refusals.not_found()
    own = tx.rows("SELECT key FROM zendesk_custom_object_fields WHERE object_key = ? ORDER BY position, id", key)
    return [name for (name,) in own]


@APP.get("/api/v2/object_layouts/essentials_cards", role="agent")
def show_essentials_cards(tx: Tx) -> EssentialsCardsResponse:
    """The cards of every kind of thing."""
    kinds = [*_USUAL, *(f"zen:custom_object:{one.key}" for one in tx.all(CustomObject, order="id"))]
    return EssentialsCardsResponse([_card(tx, kind) for kind in kinds])


@APP.get("/api/v2/object_layouts/{object_type}/essentials_card", role="agent")
def show_essentials_card(tx: Tx, object_type: str) -> EssentialsCardResponse:
    """The card of one kind of thing."""
    return EssentialsCardResponse(_card(tx, object_type))


@APP.put("/api/v2/object_layouts/{object_type}/essentials_card", role="admin")
def update_essentials_card(tx: Tx, me: Me, object_type: str, body: EssentialsCardRequest) -> EssentialsCardResponse:
    """Arrange a card."""
    moment = now(tx)
    known = set(_names(tx, object_type))
    asked = required(body.object_layout, "object_layout")
    fields = tuple({**one, "id": str(one.get("id"))} for one in required(asked.fields, "fields"))
    most = asked.max_count if asked.max_count is not UNSET else 20
    for one in fields:
        if one["id"] not in known:
            raise refusals.invalid("fields", f"Fields: {one['id']} is not a field", "InvalidValue")
    if len(fields) > min(most, 20):
        raise refusals.invalid("fields", f"Fields: at most {min(most, 20)}", "TooManyValues")
    there = tx.first(EssentialsCard, "object_type = ?", object_type)
    if there is None:
        made = EssentialsCard(
            object_type=object_type, fields=fields, max_count=most, created_at=moment, updated_at=moment
        )
        return EssentialsCardResponse(essentials_card_object(audit_logs.add(tx, me, made)))
    changed = audit_logs.change(tx, me, there, {"fields": fields, "max_count": most})
    return EssentialsCardResponse(essentials_card_object(changed))


@APP.delete("/api/v2/object_layouts/{object_type}/essentials_card", role="admin")
def delete_essentials_card(tx: Tx, me: Me, object_type: str) -> None:
    """Let a card show the usual fields again."""
    _names(tx, object_type)
    there = or_not_found(tx.first(EssentialsCard, "object_type = ?", object_type))
    audit_logs.remove(tx, me, there)
