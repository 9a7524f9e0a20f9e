"""Records of workspaces."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, sparse


@APP.record("workspaces", ids=sparse(18_416_290_770_196, 384), index=[("position",)], cached=True)
class Workspace(Record):
    """The tools that agents get for one kind of ticket: a form, macros and apps."""

    title: str
    description: str | None = None
    activated: bool = False
    position: int = 0
    ticket_form_id: int | None = None
    macro_ids: tuple[int, ...] = ()
    apps: tuple[dict[str, Any], ...] = ()
    layout_uuid: str | None = None
    prefer_workspace_app_order: bool = False
    conditions: Conditions
    created_at: datetime
    updated_at: datetime
