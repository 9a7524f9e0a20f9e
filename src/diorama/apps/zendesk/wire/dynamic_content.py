"""Dynamic content as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import DynamicItem, DynamicVariant
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class VariantObject(Struct, kw_only=True):
    url: str
    id: int
    content: str
    locale_id: int
    outdated: bool
    active: bool
    default: bool
    created_at: datetime
    updated_at: datetime


def variant_object(variant: DynamicVariant, outdated: bool) -> VariantObject:
    """The text of an item in one language."""
    path = f"dynamic_content/items/{variant.item_id}/variants/{variant.id}"
    return shaped(VariantObject, variant, path, outdated=outdated)


class ItemObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    placeholder: str
    default_locale_id: int
    outdated: bool
    created_at: datetime
    updated_at: datetime
    variants: list[VariantObject]


def item_object(item: DynamicItem, variants: Sequence[VariantObject]) -> ItemObject:
    """Return the API object of dynamic content."""
    outdated = any(variant.outdated for variant in variants)
    return shaped(ItemObject, item, f"dynamic_content/items/{item.id}", outdated=outdated, variants=list(variants))


class VariantInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    locale_id: Id | UnsetType = UNSET
    content: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    default: bool | UnsetType = UNSET


class ItemInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    default_locale_id: Id | UnsetType = UNSET
    content: str | UnsetType = UNSET
    variants: list[VariantInput] | UnsetType = UNSET


class ItemRequest(Struct):
    item: ItemInput | UnsetType = UNSET


class ItemResponse(Struct):
    item: ItemObject


class ItemsResponse(Listing, kw_only=True):
    items: list[ItemObject]


class VariantRequest(Struct):
    variant: VariantInput | UnsetType = UNSET


class ManyVariantsRequest(Struct):
    variants: list[VariantInput] | UnsetType = UNSET


class VariantResponse(Struct):
    variant: VariantObject


class VariantsResponse(Listing, kw_only=True):
    variants: list[VariantObject]
