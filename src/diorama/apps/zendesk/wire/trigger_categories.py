"""Trigger categories as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import TriggerCategory
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.triggers import TriggerObject


class TriggerCategoryObject(Struct, kw_only=True):
    id: str
    name: str
    position: int
    created_at: datetime
    updated_at: datetime


def trigger_category_object(category: TriggerCategory) -> TriggerCategoryObject:
    """Return the API object of a trigger category; its id is text."""
    return shaped(TriggerCategoryObject, category, id=str(category.id))


class TriggerCategoryInput(Struct, kw_only=True):
    id: str | int | UnsetType = UNSET
    name: str | UnsetType = UNSET
    position: Id | UnsetType = UNSET


class TriggerCategoryRequest(Struct):
    trigger_category: TriggerCategoryInput | UnsetType = UNSET


class TriggerCategoryResponse(Struct):
    trigger_category: TriggerCategoryObject


class RuleCount(Struct):
    trigger_category_id: str
    active_count: int
    inactive_count: int


class TriggerCategoriesResponse(Listing, kw_only=True):
    trigger_categories: list[TriggerCategoryObject]
    rule_counts: list[RuleCount] | UnsetType = UNSET


class BatchTrigger(Struct, kw_only=True):
    id: str | int
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    category_id: str | UnsetType | None = UNSET


class BatchItems(Struct, kw_only=True):
    trigger_categories: list[TriggerCategoryInput] | UnsetType | None = UNSET
    triggers: list[BatchTrigger] | UnsetType | None = UNSET


class BatchJob(Struct, kw_only=True):
    action: str = ""
    items: BatchItems | UnsetType = UNSET


class BatchRequest(Struct):
    job: BatchJob | UnsetType = UNSET


class BatchResults(Struct, kw_only=True):
    trigger_categories: list[TriggerCategoryObject]
    triggers: list[TriggerObject]


class BatchResponse(Struct, kw_only=True):
    status: str
    results: BatchResults
    errors: list[dict[str, Any]]
