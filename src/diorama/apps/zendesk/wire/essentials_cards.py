"""Essentials cards as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import EssentialsCard
from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.shapes import shaped


class EssentialsCardObject(Struct, kw_only=True):
    id: str | None
    key: str
    layout: str
    max_count: int
    fields: tuple[dict[str, Any], ...]
    default: bool
    created_at: datetime | None
    updated_at: datetime | None


def essentials_card_object(card: EssentialsCard) -> EssentialsCardObject:
    """The fields of an object that agents see first."""
    return shaped(EssentialsCardObject, card, "", key=card.object_type, default=False)


class EssentialsCardInput(Struct, kw_only=True):
    fields: list[dict[str, Any]] | UnsetType = UNSET
    max_count: Id | UnsetType = UNSET


class EssentialsCardRequest(Struct):
    object_layout: EssentialsCardInput | UnsetType = UNSET


class EssentialsCardResponse(Struct):
    object_layout: EssentialsCardObject


class EssentialsCardsResponse(Struct):
    object_layouts: list[EssentialsCardObject]
