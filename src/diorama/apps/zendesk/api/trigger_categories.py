"""API operations for trigger categories."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import trigger_categories
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.rules.triggers import change_trigger
from diorama.apps.zendesk.schema import APP, Trigger, TriggerCategory
from diorama.apps.zendesk.wire.trigger_categories import (
    BatchItems,
    BatchRequest,
    BatchResponse,
    BatchResults,
    BatchTrigger,
    RuleCount,
    TriggerCategoriesResponse,
    TriggerCategoryInput,
    TriggerCategoryRequest,
    TriggerCategoryResponse,
    trigger_category_object,
)
from diorama.apps.zendesk.wire.triggers import trigger_object
from diorama.kernel import Tx

ORDERS = {"position": "position", "name": "name", "created_at": "created_at", "updated_at": "updated_at"}


def _found(tx: Tx, category_id: str | int | UnsetType) -> TriggerCategory:
    return trigger_categories.category_of(tx, parse_id(str(category_id)) or 0)


def _fields(asked: TriggerCategoryInput) -> dict[str, Any]:
    return given_fields(asked, "name", "position")


@APP.get("/api/v2/trigger_categories", role="admin")
def list_trigger_categories(tx: Tx, page: Page, include: str | None = None) -> TriggerCategoriesResponse:
    """List trigger categories."""
    found, around = page_of(tx, page, TriggerCategory, orders=ORDERS, default="position")
    counts: list[RuleCount] | UnsetType = UNSET
    if include and "rule_counts" in include:
        counts = [
            RuleCount(
                str(one.id),
                tx.count(Trigger, "category_id = ? AND active = 1", str(one.id)),
                tx.count(Trigger, "category_id = ? AND active = 0", str(one.id)),
            )
            for one in found
        ]
    shapes = [trigger_category_object(one) for one in found]
    return TriggerCategoriesResponse(trigger_categories=shapes, rule_counts=counts, **around)


@APP.get("/api/v2/trigger_categories/{trigger_category_id}", role="admin")
def show_trigger_category(tx: Tx, trigger_category_id: str) -> TriggerCategoryResponse:
    """Show a trigger category."""
    return TriggerCategoryResponse(trigger_category_object(_found(tx, trigger_category_id)))


@APP.post("/api/v2/trigger_categories", role="admin")
def create_trigger_category(tx: Tx, body: TriggerCategoryRequest) -> TriggerCategoryResponse:
    """Create a trigger category."""
    made = trigger_categories.add_category(tx, _fields(required(body.trigger_category, "trigger_category")))
    return TriggerCategoryResponse(trigger_category_object(made))


@APP.patch("/api/v2/trigger_categories/{trigger_category_id}", role="admin")
def update_trigger_category(tx: Tx, trigger_category_id: str, body: TriggerCategoryRequest) -> TriggerCategoryResponse:
    """Update the name or position of a trigger category."""
    category = _found(tx, trigger_category_id)
    fields = _fields(required(body.trigger_category, "trigger_category"))
    return TriggerCategoryResponse(trigger_category_object(trigger_categories.change_category(tx, category, fields)))


@APP.delete("/api/v2/trigger_categories/{trigger_category_id}", role="admin")
def delete_trigger_category(tx: Tx, trigger_category_id: str) -> None:
    """Delete a trigger category without active triggers; inactive ones lose their category."""
    trigger_categories.delete_category(tx, _found(tx, trigger_category_id))


@APP.post("/api/v2/trigger_categories/jobs", role="admin")
def batch_operate_trigger_categories(tx: Tx, me: Me, body: BatchRequest) -> BatchResponse:
    """Update several trigger categories and triggers at once."""
    if body.job is UNSET or not isinstance(body.job.items, BatchItems):
        raise refusals.parameter_missing("job")
    if body.job.action not in ("patch", ""):
        raise trigger_categories.refused(400, "InvalidJobAction", "action is not valid")
    items = body.job.items
    folders = items.trigger_categories if isinstance(items.trigger_categories, list) else []
    listed = items.triggers if isinstance(items.triggers, list) else []
    categories = [trigger_categories.change_category(tx, _found(tx, one.id), _fields(one)) for one in folders]
    triggers = [
        change_trigger(tx, _trigger(tx, one), me.id, given_fields(one, "active", "position", "category_id"))
        for one in listed
    ]
    results = BatchResults(
        trigger_categories=[trigger_category_object(one) for one in categories],
        triggers=[trigger_object(one) for one in triggers],
    )
    return BatchResponse(status="complete", results=results, errors=[])


def _trigger(tx: Tx, asked: BatchTrigger) -> Trigger:
    category = (parse_id(asked.category_id) or 0) if isinstance(asked.category_id, str) else None
    return trigger_categories.trigger_to_move(tx, parse_id(str(asked.id)) or 0, category)
