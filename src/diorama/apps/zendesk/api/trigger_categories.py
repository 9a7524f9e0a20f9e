"""Folders of triggers on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, parse_id, required
from diorama.apps.zendesk.rules.current_user import now
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
from diorama.kernel import Refusal, Tx

MOST = 500
ORDERS = {"position": "position", "name": "name", "created_at": "created_at", "updated_at": "updated_at"}


def _no(status: int, code: str, title: str) -> Refusal:
    return Refusal(status, code, title, fields={"errors": [{"code": code, "title": title}]})


def _found(tx: Tx, category_id: str | int | UnsetType) -> TriggerCategory:
    text = str(category_id)
    found = tx.find(TriggerCategory, parse_id(text) or 0)
    if found is None:
        raise _no(404, "TriggerCategoryNotFound", "Category can’t be found. Check the ID and try again.")
    return found


def _checked(asked: TriggerCategoryInput) -> dict[str, Any]:
    fields = given_fields(asked, "name", "position")
    if "name" in fields and not fields["name"].strip():
        raise _no(400, "InvalidTriggerCategory", "Name cannot be blank")
    return fields


@APP.get("/api/v2/trigger_categories", role="admin")
def list_trigger_categories(tx: Tx, page: Page, include: str | None = None) -> TriggerCategoriesResponse:
    """List the folders of triggers."""
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
    """Show a folder of triggers."""
    return TriggerCategoryResponse(trigger_category_object(_found(tx, trigger_category_id)))


@APP.post("/api/v2/trigger_categories", role="admin")
def create_trigger_category(tx: Tx, body: TriggerCategoryRequest) -> TriggerCategoryResponse:
    """Create a folder of triggers."""
    fields = _checked(required(body.trigger_category, "trigger_category"))
    if "name" not in fields:
        raise _no(400, "InvalidTriggerCategory", "Name cannot be blank")
    if tx.count(TriggerCategory) >= MOST:
        title = f"Your account has reached the limit of {MOST} ticket trigger categories."
        raise _no(403, "ProductLimitExceeded", title)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_trigger_categories")[0][0]
    made = TriggerCategory(**{"position": last + 1, **fields}, created_at=now(tx), updated_at=now(tx))
    return TriggerCategoryResponse(trigger_category_object(tx.add(made)))


@APP.patch("/api/v2/trigger_categories/{trigger_category_id}", role="admin")
def update_trigger_category(tx: Tx, trigger_category_id: str, body: TriggerCategoryRequest) -> TriggerCategoryResponse:
    """Rename or move a folder of triggers."""
    category = tx.change(
        _found(tx, trigger_category_id),
        **_checked(required(body.trigger_category, "trigger_category")),
        updated_at=now(tx),
    )
    return TriggerCategoryResponse(trigger_category_object(category))


@APP.delete("/api/v2/trigger_categories/{trigger_category_id}", role="admin")
def delete_trigger_category(tx: Tx, trigger_category_id: str) -> None:
    """Delete a folder that has no active triggers in it; the others leave it."""
    category = _found(tx, trigger_category_id)
    if tx.count(Trigger, "category_id = ? AND active = 1", str(category.id)):
        raise _no(400, "TriggerCategoryNotEmpty", "A category with active ticket triggers cannot be deleted.")
    for trigger in tx.all(Trigger, "category_id = ?", str(category.id)):
        tx.change(trigger, category_id=None, updated_at=now(tx))
    tx.remove(category)


@APP.post("/api/v2/trigger_categories/jobs", role="admin")
def batch_operate_trigger_categories(tx: Tx, me: Me, body: BatchRequest) -> BatchResponse:
    """Move several folders and triggers at once."""
    if body.job is UNSET or not isinstance(body.job.items, BatchItems):
        raise refusals.parameter_missing("job")
    if body.job.action not in ("patch", ""):
        raise _no(400, "InvalidJobAction", "action is not valid")
    items = body.job.items
    folders = items.trigger_categories if isinstance(items.trigger_categories, list) else []
    listed = items.triggers if isinstance(items.triggers, list) else []
    categories = [tx.change(_found(tx, one.id), **_checked(one), updated_at=now(tx)) for one in folders]
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
    text = str(asked.id)
    trigger = tx.find(Trigger, parse_id(text) or 0)
    if trigger is None:
        raise _no(400, "InvalidTrigger", "trigger_id is not valid")
    if isinstance(asked.category_id, str):
        try:
            _found(tx, asked.category_id)
        except Refusal:
            raise _no(400, "InvalidTrigger", "category_id is not valid") from None
    return trigger
