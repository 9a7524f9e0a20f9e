"""Workspaces on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me, reorder, required, set_location
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import audit_logs, workspaces
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Conditions, Macro, TicketForm, Workspace
from diorama.apps.zendesk.wire.workspaces import (
    SelectedMacro,
    WorkspaceInput,
    WorkspaceObject,
    WorkspaceOrder,
    WorkspaceRequest,
    WorkspaceResponse,
    WorkspacesResponse,
    workspace_object,
)
from diorama.kernel import Tx

_NAMES = ("title", "description", "activated", "layout_uuid", "prefer_workspace_app_order")


def _shape(tx: Tx, workspace: Workspace) -> WorkspaceObject:
    found = {macro.id: macro for macro in get_many(tx, Macro, workspace.macro_ids)}
    listed = [found[number] for number in workspace.macro_ids if number in found]
    macros = [
        SelectedMacro(id=one.id, title=one.title, active=one.active, restriction=one.restriction) for one in listed
    ]
    return workspace_object(workspace, macros)


@APP.get("/api/v2/workspaces", role="agent")
def list_workspaces(tx: Tx, page: Page) -> WorkspacesResponse:
    """List workspaces."""
    found, around = page_of(tx, page, Workspace, default="position")
    return WorkspacesResponse(workspaces=[_shape(tx, one) for one in found], **around)


@APP.get("/api/v2/workspaces/{workspace_id}", role="agent")
def show_workspace(tx: Tx, workspace_id: int) -> WorkspaceResponse:
    """Show a workspace."""
    return WorkspaceResponse(_shape(tx, tx.get(Workspace, workspace_id)))


def _fields(tx: Tx, asked: WorkspaceInput) -> dict[str, Any]:
    fields = given_fields(asked, *_NAMES)
    listed = asked.macros if asked.macros is not UNSET else asked.macro_ids
    if listed is not UNSET:
        fields["macro_ids"] = tuple(tx.get(Macro, number).id for number in listed)
    if asked.ticket_form_id is not UNSET:
        fields["ticket_form_id"] = tx.get(TicketForm, asked.ticket_form_id).id if asked.ticket_form_id else None
    if asked.apps is not UNSET:
        fields["apps"] = tuple(asked.apps)
    if asked.conditions is not UNSET:
        fields["conditions"] = conditions_of(asked.conditions)
    workspaces.check_fields(fields)
    return fields


@APP.post("/api/v2/workspaces", role="admin", status=201)
def create_workspace(tx: Tx, me: Me, body: WorkspaceRequest) -> WorkspaceResponse:
    """Create a workspace."""
    moment = now(tx)
    fields = {"title": "", "conditions": Conditions(), **_fields(tx, required(body.workspace, "workspace"))}
    workspaces.check_fields(fields)
    place = tx.count(Workspace) + 1
    made = audit_logs.add(tx, me, Workspace(position=place, created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"workspaces/{made.id}")
    return WorkspaceResponse(_shape(tx, made))


@APP.put("/api/v2/workspaces/reorder", role="admin")
def reorder_workspaces(tx: Tx, body: WorkspaceOrder) -> str:
    """Reorder workspaces."""
    reorder(tx, Workspace, required(body.ids, "ids"))
    return ""


@APP.put("/api/v2/workspaces/{workspace_id}", role="admin")
def update_workspace(tx: Tx, me: Me, workspace_id: int, body: WorkspaceRequest) -> WorkspaceResponse:
    """Update a workspace."""
    workspace = tx.get(Workspace, workspace_id)
    fields = _fields(tx, required(body.workspace, "workspace"))
    return WorkspaceResponse(_shape(tx, audit_logs.change(tx, me, workspace, fields)))


@APP.delete("/api/v2/workspaces/destroy_many", role="admin")
def destroy_many_workspaces(tx: Tx, me: Me, ids: str | None = None) -> str:
    """Delete several workspaces."""
    for number in ids_of(ids):
        audit_logs.remove(tx, me, tx.get(Workspace, number))
    return ""


@APP.delete("/api/v2/workspaces/{workspace_id}", role="admin")
def delete_workspace(tx: Tx, me: Me, workspace_id: int) -> None:
    """Delete a workspace."""
    audit_logs.remove(tx, me, tx.get(Workspace, workspace_id))
