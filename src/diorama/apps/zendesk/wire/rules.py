"""Categories and revisions of triggers, files of macros, and rules changed many at a time, as the API has them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, MacroAttachment, TriggerCategory, TriggerRevision
from diorama.apps.zendesk.wire.business import TriggerObject
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class RuleInput(Struct, kw_only=True):
    """What can be changed on many rules at once."""

    id: Id
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    category_id: str | UnsetType | None = UNSET


class TriggersRequest(Struct):
    triggers: list[RuleInput] | UnsetType = UNSET


class ViewsRequest(Struct):
    views: list[RuleInput] | UnsetType = UNSET


class MacrosRequest(Struct):
    macros: list[RuleInput] | UnsetType = UNSET


class TriggerCategoryObject(Struct, kw_only=True):
    id: str
    name: str
    position: int
    created_at: datetime
    updated_at: datetime


def trigger_category_object(category: TriggerCategory) -> TriggerCategoryObject:
    """A folder of triggers; its number is text on the wire."""
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


class TriggerRevisionObject(Struct, kw_only=True):
    id: int
    author_id: int
    created_at: datetime
    url: str
    snapshot: dict[str, Any]
    diff: dict[str, Any] | UnsetType = UNSET


def _listed(before: list[Any], after: list[Any], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Conditions or actions as a list of what went, what stayed and what came."""
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
    """A trigger as it was, and what differs from the revision before."""
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


class MacroAttachmentObject(Struct, kw_only=True):
    id: int
    filename: str
    content_type: str
    content_url: str
    size: int
    created_at: datetime


def macro_attachment_object(file: MacroAttachment) -> MacroAttachmentObject:
    """A file that comes with a macro."""
    return shaped(MacroAttachmentObject, file, content_url=f"{BASE}/macros/attachments/{file.id}/content")


class MacroAttachmentResponse(Struct):
    macro_attachment: MacroAttachmentObject


class MacroAttachmentsResponse(Struct):
    macro_attachments: list[MacroAttachmentObject]


class ActionsResponse(Struct):
    actions: list[dict[str, Any]]


class ReplicaObject(Struct, kw_only=True):
    """A macro that nobody has saved yet."""

    title: str
    active: bool
    actions: list[dict[str, Any]]
    description: str | None
    restriction: dict[str, Any] | None


class ReplicaResponse(Struct):
    macro: ReplicaObject
