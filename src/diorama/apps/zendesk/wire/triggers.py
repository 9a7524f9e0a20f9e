"""Triggers and their revisions as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, Action, Conditions, Trigger, TriggerRevision
from diorama.apps.zendesk.wire.conditions import ActionList, ConditionList, ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class TriggerObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    active: bool
    updated_at: datetime
    created_at: datetime
    default: bool
    actions: tuple[Action, ...]
    conditions: Conditions
    description: str | None
    position: int
    raw_title: str
    category_id: str | None
    usage_1h: int | UnsetType = UNSET
    usage_24h: int | UnsetType = UNSET
    usage_7d: int | UnsetType = UNSET
    usage_30d: int | UnsetType = UNSET


def trigger_object(trigger: Trigger) -> TriggerObject:
    """Return the API object of a trigger."""
    return shaped(TriggerObject, trigger, f"triggers/{trigger.id}", raw_title=trigger.title)


class TriggerInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET
    all: ConditionList | UnsetType | None = UNSET
    any: ConditionList | UnsetType | None = UNSET
    actions: ActionList | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    category_id: str | UnsetType | None = UNSET


class TriggerRequest(Struct):
    trigger: TriggerInput | UnsetType = UNSET


class TriggerResponse(Struct):
    trigger: TriggerObject


class TriggersResponse(Listing, kw_only=True):
    triggers: list[TriggerObject]


class ReorderRequest(Struct):
    trigger_ids: list[Id] | UnsetType = UNSET


class RuleInput(Struct, kw_only=True):
    """What a bulk update can change on each rule."""

    id: Id
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    category_id: str | UnsetType | None = UNSET


class TriggersRequest(Struct):
    triggers: list[RuleInput] | UnsetType = UNSET


class TriggerRevisionObject(Struct, kw_only=True):
    id: int
    author_id: int
    created_at: datetime
    url: str
    snapshot: dict[str, Any]
    diff: dict[str, Any] | UnsetType = UNSET


def _listed(before: list[Any], after: list[Any], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return conditions or actions as a list of removed, kept and added ones."""
    marked = [
        *(("-", one) for one in before if one not in after),
        *(("=" if one in before else "+", one) for one in after),
    ]
    return [{name: [{"change": mark, "content": one.get(name)}] for name in names} for mark, one in marked]


def _changed(before: Any, after: Any) -> list[dict[str, Any]]:
    if before == after:
        return [{"change": "=", "content": after}]
    return [{"change": "-", "content": before}, {"change": "+", "content": after}]


def _diff(source: TriggerRevision, target: TriggerRevision) -> dict[str, Any]:
    old, new = source.content, target.content
    tests = ("field", "operator", "value")
    return {
        "source_id": source.id,
        "target_id": target.id,
        **{name: _changed(old[name], new[name]) for name in ("title", "description", "active")},
        "conditions": {
            some: _listed(old["conditions"][some], new["conditions"][some], tests) for some in ("all", "any")
        },
        "actions": _listed(old["actions"], new["actions"], ("field", "value")),
    }


def trigger_revision_object(revision: TriggerRevision, source: TriggerRevision | None) -> TriggerRevisionObject:
    """Return the API object of a trigger revision, with the changes since the previous one."""
    return TriggerRevisionObject(
        id=revision.number,
        author_id=revision.author_id,
        created_at=revision.created_at,
        url=f"{BASE}/triggers/{revision.trigger_id}/revisions/{revision.number}.json",
        snapshot=revision.content,
        diff=_diff(source, revision) if source is not None else UNSET,
    )


class TriggerRevisionResponse(Struct):
    trigger_revision: TriggerRevisionObject


class TriggerRevisionsResponse(Struct, kw_only=True):
    trigger_revisions: list[TriggerRevisionObject]
    count: int
    before_cursor: str
    after_cursor: str
    before_url: str
    after_url: str
