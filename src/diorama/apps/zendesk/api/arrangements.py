"""Workspaces, targets and sharing agreements on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import located, need, reorder
from diorama.apps.zendesk.api.listing import Page, given, ids_of, many, page_of
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import conditions, ledger
from diorama.apps.zendesk.rules.acting import admin, agents_only, now
from diorama.apps.zendesk.schema import APP, Conditions, Macro, SharingAgreement, Target, TicketForm, Workspace
from diorama.apps.zendesk.wire.arrangements import (
    SelectedMacro,
    SharingAgreementInput,
    SharingAgreementRequest,
    SharingAgreementResponse,
    SharingAgreementsResponse,
    TargetRequest,
    TargetResponse,
    TargetsResponse,
    WorkspaceInput,
    WorkspaceObject,
    WorkspaceOrder,
    WorkspaceRequest,
    WorkspaceResponse,
    WorkspacesResponse,
    sharing_agreement_object,
    target_object,
    workspace_object,
)
from diorama.kernel import Tx

_NAMES = ("title", "description", "activated", "layout_uuid", "prefer_workspace_app_order")


def _shape(tx: Tx, workspace: Workspace) -> WorkspaceObject:
    found = {macro.id: macro for macro in many(tx, Macro, workspace.macro_ids)}
    listed = [found[number] for number in workspace.macro_ids if number in found]
    macros = [
        SelectedMacro(id=one.id, title=one.title, active=one.active, restriction=one.restriction) for one in listed
    ]
    return workspace_object(workspace, macros)


@APP.get("/api/v2/workspaces")
def list_workspaces(tx: Tx, page: Page) -> WorkspacesResponse:
    """List workspaces."""
    agents_only(tx)
    found, around = page_of(tx, page, Workspace, default="position")
    return WorkspacesResponse(workspaces=[_shape(tx, one) for one in found], **around)


@APP.get("/api/v2/workspaces/{workspace_id}")
def show_workspace(tx: Tx, workspace_id: int) -> WorkspaceResponse:
    """Show a workspace."""
    agents_only(tx)
    return WorkspaceResponse(_shape(tx, tx.get(Workspace, workspace_id)))


def _fields(tx: Tx, asked: WorkspaceInput) -> dict[str, Any]:
    fields = given(asked, *_NAMES)
    if "title" in fields and not fields["title"].strip():
        raise refusals.blank("title", "Title")
    listed = asked.macros if asked.macros is not UNSET else asked.macro_ids
    if listed is not UNSET:
        fields["macro_ids"] = tuple(tx.get(Macro, number).id for number in listed)
    if asked.ticket_form_id is not UNSET:
        fields["ticket_form_id"] = tx.get(TicketForm, asked.ticket_form_id).id if asked.ticket_form_id else None
    if asked.apps is not UNSET:
        fields["apps"] = tuple(asked.apps)
    if asked.conditions is not UNSET:
        when = conditions_of(asked.conditions)
        for one in (*when.all, *when.any):
            if not conditions.known(one.field):
                raise refusals.invalid("conditions", f"Conditions: {one.field} is invalid", "InvalidValue")
        fields["conditions"] = when
    return fields


@APP.post("/api/v2/workspaces", status=201)
def create_workspace(tx: Tx, body: WorkspaceRequest) -> WorkspaceResponse:
    """Create a workspace."""
    me, moment = admin(tx), now(tx)
    fields = {"title": "", "conditions": Conditions(), **_fields(tx, need(body.workspace, "workspace"))}
    if not fields["title"]:
        raise refusals.blank("title", "Title")
    place = tx.count(Workspace) + 1
    made = ledger.added(tx, me, Workspace(position=place, created_at=moment, updated_at=moment, **fields))
    located(tx, f"workspaces/{made.id}")
    return WorkspaceResponse(_shape(tx, made))


@APP.put("/api/v2/workspaces/reorder")
def reorder_workspaces(tx: Tx, body: WorkspaceOrder) -> str:
    """Put workspaces in order."""
    admin(tx)
    reorder(tx, Workspace, need(body.ids, "ids"))
    return ""


@APP.put("/api/v2/workspaces/{workspace_id}")
def update_workspace(tx: Tx, workspace_id: int, body: WorkspaceRequest) -> WorkspaceResponse:
    """Update a workspace."""
    me, workspace = admin(tx), tx.get(Workspace, workspace_id)
    fields = _fields(tx, need(body.workspace, "workspace"))
    return WorkspaceResponse(_shape(tx, ledger.changed(tx, me, workspace, fields)))


@APP.delete("/api/v2/workspaces/destroy_many")
def destroy_many_workspaces(tx: Tx, ids: str | None = None) -> str:
    """Delete several workspaces."""
    me = admin(tx)
    for number in ids_of(ids):
        ledger.removed(tx, me, tx.get(Workspace, number))
    return ""


@APP.delete("/api/v2/workspaces/{workspace_id}")
def delete_workspace(tx: Tx, workspace_id: int) -> None:
    """Delete a workspace."""
    ledger.removed(tx, admin(tx), tx.get(Workspace, workspace_id))


# --- targets

_WANTS: dict[str, tuple[str, ...]] = {
    "email_target": ("email", "subject"),
    "http_target": ("target_url", "method", "content_type"),
    "url_target": ("target_url", "method", "attribute"),
    "url_target_v2": ("target_url", "method"),
    "basecamp_target": ("target_url", "token", "project_id", "resource"),
    "campfire_target": ("subdomain", "room", "token"),
    "clickatell_target": ("username", "password", "api_id", "to"),
    "flowdock_target": ("api_token",),
    "jira_target": ("target_url", "username", "password"),
    "twitter_target": ("token", "secret"),
}
"""What each type of target must be told."""
_MORE = (
    "username",
    "password",
    "message_id",
    "todo_list_id",
    "from",
    "us_small_business_account",
    "ssl",
    "preserve_format",
)


def _target_fields(kind: str, asked: dict[str, Any]) -> dict[str, Any]:
    allowed = (*_WANTS[kind], *_MORE)
    return {name: value for name, value in asked.items() if name in allowed}


def _check_target(kind: str, title: str, settings: dict[str, Any]) -> None:
    if not title.strip():
        raise refusals.blank("title", "Title")
    for name in _WANTS[kind]:
        if settings.get(name) in (None, ""):
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    url = settings.get("target_url", "https://")
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise refusals.invalid("target_url", "Target url: is invalid", "InvalidFormat")


@APP.get("/api/v2/targets")
def list_targets(tx: Tx, page: Page) -> TargetsResponse:
    """List targets."""
    agents_only(tx)
    found, around = page_of(tx, page, Target)
    return TargetsResponse(targets=[target_object(one) for one in found], **around)


@APP.get("/api/v2/targets/{target_id}")
def show_target(tx: Tx, target_id: int) -> TargetResponse:
    """Show a target."""
    agents_only(tx)
    return TargetResponse(target_object(tx.get(Target, target_id)))


@APP.post("/api/v2/targets", status=201)
def create_target(tx: Tx, body: TargetRequest) -> TargetResponse:
    """Create a target."""
    me, asked = admin(tx), need(body.target, "target")
    kind, title = str(asked.get("type") or ""), str(asked.get("title") or "")
    if kind not in _WANTS:
        raise refusals.not_listed("type", "Type", kind or "empty")
    settings = _target_fields(kind, asked)
    _check_target(kind, title, settings)
    active = asked.get("active") is not False
    target = ledger.added(tx, me, Target(type=kind, title=title, active=active, settings=settings, created_at=now(tx)))
    located(tx, f"targets/{target.id}")
    return TargetResponse(target_object(target))


@APP.put("/api/v2/targets/{target_id}")
def update_target(tx: Tx, target_id: int, body: TargetRequest) -> TargetResponse:
    """Update a target; its type stays."""
    me, target = admin(tx), tx.get(Target, target_id)
    asked = need(body.target, "target")
    title = str(asked.get("title", target.title) or "")
    settings = {**target.settings, **_target_fields(target.type, asked)}
    _check_target(target.type, title, settings)
    active = target.active if asked.get("active") is None else asked["active"] is True
    fields = {"title": title, "settings": settings, "active": active}
    return TargetResponse(target_object(ledger.changed(tx, me, target, fields)))


@APP.delete("/api/v2/targets/{target_id}")
def delete_target(tx: Tx, target_id: int) -> None:
    """Delete a target."""
    ledger.removed(tx, admin(tx), tx.get(Target, target_id))


# --- sharing agreements

_SHARED = (
    "name", "partner_name", "remote_subdomain", "allows_public_comments", "sync_tags", "sync_custom_fields", "status",
    "type",
)  # fmt: skip
_STATUSES = ("accepted", "declined", "pending", "inactive", "failed", "ssl_error", "configuration_error")


def _agreed(asked: SharingAgreementInput) -> dict[str, Any]:
    fields = given(asked, *_SHARED)
    if fields.get("status", "pending") not in _STATUSES:
        raise refusals.not_listed("status", "Status", fields["status"])
    if fields.get("type", "outbound") not in ("inbound", "outbound"):
        raise refusals.not_listed("type", "Type", fields["type"])
    return fields


@APP.get("/api/v2/sharing_agreements")
def list_sharing_agreements(tx: Tx, page: Page) -> SharingAgreementsResponse:
    """List sharing agreements."""
    agents_only(tx)
    found, around = page_of(tx, page, SharingAgreement)
    return SharingAgreementsResponse(sharing_agreements=[sharing_agreement_object(one) for one in found], **around)


@APP.get("/api/v2/sharing_agreements/{sharing_agreement_id}")
def show_sharing_agreement(tx: Tx, sharing_agreement_id: int) -> SharingAgreementResponse:
    """Show a sharing agreement."""
    agents_only(tx)
    return SharingAgreementResponse(sharing_agreement_object(tx.get(SharingAgreement, sharing_agreement_id)))


@APP.post("/api/v2/sharing_agreements", status=201)
def create_sharing_agreement(tx: Tx, body: SharingAgreementRequest) -> SharingAgreementResponse:
    """Invite another account to share tickets; it has to accept."""
    me, moment = admin(tx), now(tx)
    fields = _agreed(need(body.sharing_agreement, "sharing_agreement"))
    if not fields.get("remote_subdomain"):
        raise refusals.blank("remote_subdomain", "Remote subdomain")
    fields.setdefault("name", fields["remote_subdomain"])
    agreement = ledger.added(tx, me, SharingAgreement(created_at=moment, updated_at=moment, **fields))
    located(tx, f"sharing_agreements/{agreement.id}")
    return SharingAgreementResponse(sharing_agreement_object(agreement))


@APP.put("/api/v2/sharing_agreements/{sharing_agreement_id}")
def update_sharing_agreement(
    tx: Tx, sharing_agreement_id: int, body: SharingAgreementRequest
) -> SharingAgreementResponse:
    """Change the status of a sharing agreement."""
    me, agreement = admin(tx), tx.get(SharingAgreement, sharing_agreement_id)
    fields = _agreed(need(body.sharing_agreement, "sharing_agreement"))
    wanted = {name: value for name, value in fields.items() if name == "status"}
    return SharingAgreementResponse(sharing_agreement_object(ledger.changed(tx, me, agreement, wanted)))


@APP.delete("/api/v2/sharing_agreements/{sharing_agreement_id}")
def delete_sharing_agreement(tx: Tx, sharing_agreement_id: int) -> None:
    """End a sharing agreement."""
    ledger.removed(tx, admin(tx), tx.get(SharingAgreement, sharing_agreement_id))
