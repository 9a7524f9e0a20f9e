"""Standard views, and how a world adds more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Output, View
from diorama.apps.zendesk.seed.conditions import Test, conditions_of
from diorama.kernel import Tx


def add_view(
    tx: Tx,
    title: str,
    every: Sequence[Test],
    output: Output | None = None,
    *,
    some: Sequence[Test] = (),
    description: str | None = None,
    restriction: Mapping[str, Any] | None = None,
    active: bool = True,
    default: bool = False,
) -> View:
    """Add a view."""
    moment = now(tx)
    return tx.add(
        View(
            title=title,
            active=active,
            position=tx.count(View) + 1,
            conditions=conditions_of(every, some),
            output=output or Output(),
            description=description,
            restriction=dict(restriction) if restriction else None,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )


_UNSOLVED: Test = ("status", "less_than", "solved")
_BY_STATUS = {"group_by": "status", "group_order": "asc"}


def usual_views(tx: Tx) -> None:
    """Add an account's standard views."""
    columns = ("nice_id", "subject", "requester", "created", "type", "priority")
    mine, theirs = ("assignee_id", "is", "current_user"), ("group_id", "is", "current_groups")
    add_view(
        tx, "Your unsolved tickets", [_UNSOLVED, mine], Output(columns, **_BY_STATUS, sort_by="nice_id"), default=True
    )
    add_view(
        tx,
        "Unassigned tickets",
        [_UNSOLVED, ("assignee_id", "is", "")],
        Output(columns, sort_by="created", sort_order="asc"),
        default=True,
    )
    add_view(
        tx,
        "All unsolved tickets",
        [_UNSOLVED],
        Output((*columns, "assignee"), group_by="priority", group_order="desc", sort_by="nice_id"),
        default=True,
    )
    add_view(
        tx,
        "Recently updated tickets",
        [("updated_at", "less_than", "30"), ("status", "is_not", "closed")],
        Output(("nice_id", "subject", "requester", "updated", "assignee"), sort_by="updated"),
        default=True,
    )
    add_view(
        tx,
        "New tickets in your groups",
        [("status", "is", "new"), theirs],
        Output(columns, sort_by="created"),
        default=True,
    )
    add_view(
        tx,
        "Pending tickets",
        [("status", "is", "pending")],
        Output((*columns, "assignee"), group_by="assignee", sort_by="nice_id"),
        default=True,
    )
    add_view(
        tx,
        "Recently solved tickets",
        [("status", "is", "solved"), ("SOLVED", "less_than", "48")],
        Output((*columns, "assignee", "solved"), sort_by="solved"),
        default=True,
    )
    add_view(
        tx,
        "Unsolved tickets in your groups",
        [_UNSOLVED, theirs],
        Output((*columns, "assignee"), **_BY_STATUS, sort_by="nice_id"),
        default=True,
    )
