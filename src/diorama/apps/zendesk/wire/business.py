"""Triggers, macros, views, fields and jobs as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    Action,
    Condition,
    Conditions,
    Job,
    Macro,
    Trigger,
    View,
)
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.people import UserObject
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


def trigger_object(trigger: Trigger) -> TriggerObject:
    """A trigger."""
    return shaped(TriggerObject, trigger, f"triggers/{trigger.id}", raw_title=trigger.title)


class ConditionsInput(Struct, kw_only=True):
    all: list[Condition] | None = None
    any: list[Condition] | None = None


class TriggerInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET
    actions: list[Action] | UnsetType = UNSET
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


class MacroObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    active: bool
    updated_at: datetime
    created_at: datetime
    default: bool
    position: int
    description: str | None
    actions: tuple[Action, ...]
    restriction: dict[str, Any] | None
    raw_title: str


def macro_object(macro: Macro) -> MacroObject:
    """A macro."""
    return shaped(MacroObject, macro, f"macros/{macro.id}", raw_title=macro.title)


class MacroInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    actions: list[Action] | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    restriction: dict[str, Any] | UnsetType | None = UNSET


class MacroRequest(Struct):
    macro: MacroInput | UnsetType = UNSET


class MacroResponse(Struct):
    macro: MacroObject


class MacrosResponse(Listing, kw_only=True):
    macros: list[MacroObject]


class MacroCategoriesResponse(Struct):
    categories: list[str]


class AppliedComment(Struct, kw_only=True):
    body: str
    html_body: str
    scoped_body: list[list[str]]
    public: bool


class AppliedTicket(Struct, kw_only=True):
    """What a macro would change; with a ticket, the whole ticket as it would be."""

    url: str | UnsetType = UNSET
    id: int | UnsetType = UNSET
    subject: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    priority: str | UnsetType | None = UNSET
    type: str | UnsetType | None = UNSET
    assignee_id: int | UnsetType | None = UNSET
    group_id: int | UnsetType | None = UNSET
    tags: tuple[str, ...] | UnsetType = UNSET
    requester_id: int | UnsetType = UNSET
    organization_id: int | UnsetType | None = UNSET
    follower_ids: tuple[int, ...] | UnsetType = UNSET
    custom_fields: list[Any] | UnsetType = UNSET
    comment: AppliedComment | UnsetType = UNSET


class MacroResult(Struct):
    ticket: AppliedTicket


class MacroApplyTicketResponse(Struct):
    result: MacroResult


class ColumnObject(Struct, kw_only=True):
    id: int | str
    title: str
    order: str | UnsetType = UNSET


class Execution(Struct, kw_only=True):
    group_by: str | None
    group_order: str
    sort_by: str | None
    sort_order: str
    group: ColumnObject | None
    sort: ColumnObject | None
    columns: list[ColumnObject]
    fields: list[ColumnObject]
    custom_fields: list[ColumnObject]


class ViewObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    active: bool
    updated_at: datetime
    created_at: datetime
    default: bool
    position: int
    description: str | None
    execution: Execution
    conditions: Conditions
    restriction: dict[str, Any] | None
    raw_title: str
    watchable: bool = True


def view_object(view: View, titles: dict[str, str]) -> ViewObject:
    """A view; `titles` names the columns, the company's own fields among them."""
    output = view.output
    columns = [ColumnObject(id=_column_id(name), title=titles.get(name, name)) for name in output.columns]
    own = [column for column in columns if isinstance(column.id, int)]
    group = _sorted_by(output.group_by, output.group_order, titles)
    return shaped(
        ViewObject,
        view,
        f"views/{view.id}",
        execution=Execution(
            group_by=output.group_by,
            group_order=output.group_order,
            sort_by=output.sort_by,
            sort_order=output.sort_order,
            group=group,
            sort=_sorted_by(output.sort_by, output.sort_order, titles),
            columns=columns,
            fields=columns,
            custom_fields=own,
        ),
        raw_title=view.title,
    )


def _sorted_by(name: str | None, order: str, titles: dict[str, str]) -> ColumnObject | None:
    return ColumnObject(id=name, title=titles.get(name, name), order=order) if name else None


def _column_id(name: str) -> int | str:
    return int(name) if name.isdigit() else name


class OutputInput(Struct, kw_only=True):
    columns: list[str] | UnsetType = UNSET
    group_by: str | UnsetType | None = UNSET
    group_order: str | UnsetType = UNSET
    sort_by: str | UnsetType | None = UNSET
    sort_order: str | UnsetType = UNSET


class ViewInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    all: list[Condition] | UnsetType | None = UNSET
    any: list[Condition] | UnsetType | None = UNSET
    conditions: ConditionsInput | UnsetType | None = UNSET
    output: OutputInput | UnsetType | None = UNSET
    execution: OutputInput | UnsetType | None = UNSET
    restriction: dict[str, Any] | UnsetType | None = UNSET


class ViewRequest(Struct):
    view: ViewInput | UnsetType = UNSET


class ViewResponse(Struct):
    view: ViewObject


class ViewsResponse(Listing, kw_only=True):
    views: list[ViewObject]


class CompactView(Struct):
    id: int
    title: str
    active: bool
    updated_at: datetime
    created_at: datetime
    position: int
    url: str


class CompactViewsResponse(Listing, kw_only=True):
    views: list[CompactView]


class ViewGroup(Struct, kw_only=True):
    id: str
    title: str
    order: str


class ViewExecuteResponse(Listing, kw_only=True):
    rows: list[dict[str, Any]]
    columns: list[ColumnObject]
    groups: list[ViewGroup]
    view: ViewObject
    users: list[UserObject] | UnsetType = UNSET


class ViewCountObject(Struct, kw_only=True):
    url: str
    view_id: int
    value: int | None
    pretty: str
    fresh: bool
    active: bool


class ViewCountResponse(Struct):
    view_count: ViewCountObject


class ViewCountsResponse(Struct):
    view_counts: list[ViewCountObject]


class PreviewResponse(Listing, kw_only=True):
    rows: list[dict[str, Any]]
    columns: list[ColumnObject]
    groups: list[ViewGroup]


class JobStatusObject(Struct, kw_only=True):
    id: str
    url: str
    job_type: str
    total: int
    progress: int | None
    status: str
    message: str | None
    results: list[Any] | None


def job_status_object(job: Job, now: datetime) -> JobStatusObject:
    """A job as far as it has got."""
    progress = job.progress(now)
    message = None
    if job.status == "working":
        message = f"{job.message or 'Processing'} #{progress}"
    elif job.status == "completed":
        message = f"Completed at {job.ends_at:%Y-%m-%d %H:%M:%S} +0000"
    return shaped(JobStatusObject, job, f"job_statuses/{job.id}", job_type=job.kind, progress=progress, message=message)


class JobStatusResponse(Struct):
    job_status: JobStatusObject


class JobStatusesResponse(Listing, kw_only=True):
    job_statuses: list[JobStatusObject]
