"""Essentials cards on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import essentials_cards
from diorama.apps.zendesk.schema import APP, CustomObject, EssentialsCard
from diorama.apps.zendesk.wire.essentials_cards import (
    EssentialsCardObject,
    EssentialsCardRequest,
    EssentialsCardResponse,
    EssentialsCardsResponse,
    essentials_card_object,
)
from diorama.kernel import Tx


def _card(tx: Tx, kind: str) -> EssentialsCardObject:
    found = tx.first(EssentialsCard, "object_type = ?", kind)
    if found is not None:
        return essentials_card_object(found)
    names = essentials_cards.field_names(tx, kind)[: essentials_cards.MOST]
    fields: tuple[dict[str, Any], ...] = tuple({"id": name, "zrn": f"zen:field:{kind}:{name}"} for name in names)
    return EssentialsCardObject(
        id=None,
        key=kind,
        layout="essentials_card",
        max_count=essentials_cards.MOST,
        fields=fields,
        default=True,
        created_at=None,
        updated_at=None,
    )


@APP.get("/api/v2/object_layouts/essentials_cards", role="agent")
def show_essentials_cards(tx: Tx) -> EssentialsCardsResponse:
    """List the essentials cards of all object types."""
    kinds = [*essentials_cards.USUAL, *(f"zen:custom_object:{one.key}" for one in tx.all(CustomObject, order="id"))]
    return EssentialsCardsResponse([_card(tx, kind) for kind in kinds])


@APP.get("/api/v2/object_layouts/{object_type}/essentials_card", role="agent")
def show_essentials_card(tx: Tx, object_type: str) -> EssentialsCardResponse:
    """Show the essentials card of an object type."""
    return EssentialsCardResponse(_card(tx, object_type))


@APP.put("/api/v2/object_layouts/{object_type}/essentials_card", role="admin")
def update_essentials_card(tx: Tx, me: Me, object_type: str, body: EssentialsCardRequest) -> EssentialsCardResponse:
    """Update an essentials card."""
    essentials_cards.field_names(tx, object_type)  # an unknown type is refused first
    asked = required(body.object_layout, "object_layout")
    fields = [{**one, "id": str(one.get("id"))} for one in required(asked.fields, "fields")]
    most = asked.max_count if asked.max_count is not UNSET else essentials_cards.MOST
    return EssentialsCardResponse(essentials_card_object(essentials_cards.set_card(tx, me, object_type, fields, most)))


@APP.delete("/api/v2/object_layouts/{object_type}/essentials_card", role="admin")
def delete_essentials_card(tx: Tx, me: Me, object_type: str) -> None:
    """Reset an essentials card to its default fields."""
    essentials_cards.reset_card(tx, me, object_type)
