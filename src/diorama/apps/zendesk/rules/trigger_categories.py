"""Trigger categories: folders of triggers, in an order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Trigger, TriggerCategory
from diorama.kernel import Refusal, Tx

MOST = 500


def refused(status: int, code: str, title: str) -> Refusal:
    """Return a refusal in the format that trigger categories use."""
    return Refusal(status, code, title, fields={"errors": [{"code": code, "title": title}]})


def category_of(tx: Tx, number: int) -> TriggerCategory:
    """Return a category; raise 404 if there is none."""
    found = tx.find(TriggerCategory, number)
    if found is None:
        raise refused(404, "TriggerCategoryNotFound", "Category can’t be found. Check the ID and try again.")
    return found


def _check_name(fields: Mapping[str, Any]) -> None:
    if "name" in fields and not fields["name"].strip():
        raise refused(400, "InvalidTriggerCategory", "Name cannot be blank")


def add_category(tx: Tx, fields: Mapping[str, Any]) -> TriggerCategory:
    """Add a category, behind the others unless a position is given."""
    _check_name({"name": "", **fields})
    if tx.count(TriggerCategory) >= MOST:
        title = f"Your account has reached the limit of {MOST} ticket trigger categories."
        raise refused(403, "ProductLimitExceeded", title)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_trigger_categories")[0][0]
    return tx.add(TriggerCategory(**{"position": last + 1, **fields}, created_at=now(tx), updated_at=now(tx)))


def change_category(tx: Tx, category: TriggerCategory, fields: Mapping[str, Any]) -> TriggerCategory:
    """Change the name or position of a category."""
    _check_name(fields)
    return tx.change(category, **fields, updated_at=now(tx))


def delete_category(tx: Tx, category: TriggerCategory) -> None:
    """Delete a category without active triggers; inactive ones lose their category."""
    if tx.count(Trigger, "category_id = ? AND active = 1", str(category.id)):
        raise refused(400, "TriggerCategoryNotEmpty", "A category with active ticket triggers cannot be deleted.")
    for trigger in tx.all(Trigger, "category_id = ?", str(category.id)):
        tx.change(trigger, category_id=None, updated_at=now(tx))
    tx.remove(category)


def trigger_to_move(tx: Tx, number: int, category: int | None) -> Trigger:
    """Return a trigger that a job changes; refuse unknown ones, and unknown categories (None means unchanged)."""
    trigger = tx.find(Trigger, number)
    if trigger is None:
        raise refused(400, "InvalidTrigger", "trigger_id is not valid")
    if category is not None and tx.find(TriggerCategory, category) is None:
        raise refused(400, "InvalidTrigger", "category_id is not valid")
    return trigger
