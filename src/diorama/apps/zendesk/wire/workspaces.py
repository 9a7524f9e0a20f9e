"""Workspaces as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Conditions, Workspace
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class SelectedMacro(Struct, kw_only=True):
    id: int
    title: str
    active: bool
    usage_7d: int | UnsetType = UNSET
    restriction: dict[str, Any] | None = None


class WorkspaceObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    description: str | None
    activated: bool
    position: int
    ticket_form_id: int | None
    macro_ids: tuple[int, ...]
    macros: tuple[int, ...]
    apps: tuple[dict[str, Any], ...]
    selected_macros: list[SelectedMacro]
    layout_uuid: str | None
    prefer_workspace_app_order: bool
    conditions: Conditions
    created_at: datetime
    updated_at: datetime


def workspace_object(workspace: Workspace, macros: list[SelectedMacro]) -> WorkspaceObject:
    """Return the API object of a workspace."""
    return shaped(
        WorkspaceObject,
        workspace,
        f"workspaces/{workspace.id}",
        macros=workspace.macro_ids,
        selected_macros=macros,
    )


class WorkspaceInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    activated: bool | UnsetType = UNSET
    ticket_form_id: Id | UnsetType | None = UNSET
    macros: list[Id] | UnsetType = UNSET
    macro_ids: list[Id] | UnsetType = UNSET
    apps: list[dict[str, Any]] | UnsetType = UNSET
    layout_uuid: str | UnsetType | None = UNSET
    prefer_workspace_app_order: bool | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET


class WorkspaceRequest(Struct):
    workspace: WorkspaceInput | UnsetType = UNSET


class WorkspaceResponse(Struct):
    workspace: WorkspaceObject


class WorkspacesResponse(Listing, kw_only=True):
    workspaces: list[WorkspaceObject]


class WorkspaceOrder(Struct):
    ids: list[Id] | UnsetType = UNSET
