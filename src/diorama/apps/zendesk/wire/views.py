"""Views as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Conditions, View
from diorama.apps.zendesk.wire.conditions import ConditionList, ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.triggers import RuleInput
from diorama.apps.zendesk.wire.users import UserObject


class ColumnObject(Struct, kw_only=True):
    id: int | str
    title: str
    order: str | UnsetType = UNSET
    filterable: bool | UnsetType = UNSET
    sortable: bool | UnsetType = UNSET


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
    """Return the API object of a view; `titles` names the columns, including custom fields."""
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


FILTERABLE = frozenset(
    {
        "assignee", "brand", "channel", "group", "organization", "priority", "requester", "satisfaction_score",
        "status", "submitter", "ticket_form", "type",
    }
)  # fmt: skip
"""The columns whose values come from a list; which ones the vendor filters is not documented."""
UNSORTED = frozenset({"brand", "description", "ticket_form"})


def _column_id(name: str) -> int | str:
    return int(name) if name.isdigit() else name


def column_object(name: str, titles: dict[str, str]) -> ColumnObject:
    """Return a column of an executed view; columns of custom fields have their number as id."""
    sortable = not name.isdigit() and name not in UNSORTED
    title = titles.get(name, name)
    return ColumnObject(id=_column_id(name), title=title, filterable=name in FILTERABLE, sortable=sortable)


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
    all: ConditionList | UnsetType | None = UNSET
    any: ConditionList | UnsetType | None = UNSET
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


class ViewsRequest(Struct):
    views: list[RuleInput] | UnsetType = UNSET
