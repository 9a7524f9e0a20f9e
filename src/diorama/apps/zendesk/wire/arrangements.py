"""Workspaces, targets, agreements, schedules of deletion and cards as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    BASE,
    Conditions,
    DeletionSchedule,
    EssentialsCard,
    SharingAgreement,
    Target,
    Workspace,
)
from diorama.apps.zendesk.wire.business import ConditionsInput
from diorama.apps.zendesk.wire.lists import Id, Listing
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
    """What agents are shown for tickets of one kind."""
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


def target_object(target: Target) -> dict[str, Any]:
    """Where triggers can send a message; what it has besides its title depends on its type."""
    return {
        "url": f"{BASE}/targets/{target.id}.json",
        "id": target.id,
        "type": target.type,
        "title": target.title,
        "active": target.active,
        "created_at": target.created_at,
        **{name: None if name == "password" else value for name, value in target.settings.items()},
    }


class TargetRequest(Struct):
    target: dict[str, Any] | UnsetType = UNSET


class TargetResponse(Struct):
    target: dict[str, Any]


class TargetsResponse(Listing, kw_only=True):
    targets: list[dict[str, Any]]


class TargetFailureObject(Struct, kw_only=True):
    url: str
    id: int
    target_name: str
    status_code: int | None
    consecutive_failure_count: int
    raw_request: str
    raw_response: str
    created_at: datetime


class TargetFailureResponse(Struct):
    target_failure: TargetFailureObject


class TargetFailuresResponse(Struct):
    target_failures: list[TargetFailureObject]


class SharingAgreementObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    type: str
    status: str
    partner_name: str | None
    remote_subdomain: str
    allows_public_comments: bool
    sync_tags: bool
    sync_custom_fields: bool
    created_at: datetime
    updated_at: datetime


def sharing_agreement_object(agreement: SharingAgreement) -> SharingAgreementObject:
    """Tickets that pass between this account and another."""
    return shaped(SharingAgreementObject, agreement, f"sharing_agreements/{agreement.id}")


class SharingAgreementInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    partner_name: str | UnsetType | None = UNSET
    remote_subdomain: str | UnsetType = UNSET
    allows_public_comments: bool | UnsetType = UNSET
    sync_tags: bool | UnsetType = UNSET
    sync_custom_fields: bool | UnsetType = UNSET


class SharingAgreementRequest(Struct):
    sharing_agreement: SharingAgreementInput | UnsetType = UNSET


class SharingAgreementResponse(Struct):
    sharing_agreement: SharingAgreementObject


class SharingAgreementsResponse(Listing, kw_only=True):
    sharing_agreements: list[SharingAgreementObject]


class DeletionScheduleObject(Struct, kw_only=True):
    url: str
    id: str
    title: str
    description: str | None
    object: str
    active: bool
    default: bool
    conditions: Conditions
    created_at: datetime
    updated_at: datetime


def deletion_schedule_object(schedule: DeletionSchedule) -> DeletionScheduleObject:
    """What is deleted by itself, and when."""
    return shaped(DeletionScheduleObject, schedule, f"deletion_schedules/{schedule.id}")


class DeletionScheduleInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    object: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET


class DeletionScheduleRequest(Struct):
    deletion_schedule: DeletionScheduleInput | UnsetType = UNSET


class DeletionScheduleResponse(Struct):
    deletion_schedule: DeletionScheduleObject


class DeletionSchedulesResponse(Listing, kw_only=True):
    deletion_schedules: list[DeletionScheduleObject]


class EssentialsCardObject(Struct, kw_only=True):
    id: str | None
    key: str
    layout: str
    max_count: int
    fields: tuple[dict[str, Any], ...]
    default: bool
    created_at: datetime | None
    updated_at: datetime | None


def essentials_card_object(card: EssentialsCard) -> EssentialsCardObject:
    """Which fields of an object agents see first."""
    return shaped(EssentialsCardObject, card, "", key=card.object_type, default=False)


class EssentialsCardInput(Struct, kw_only=True):
    fields: list[dict[str, Any]] | UnsetType = UNSET
    max_count: Id | UnsetType = UNSET


class EssentialsCardRequest(Struct):
    object_layout: EssentialsCardInput | UnsetType = UNSET


class EssentialsCardResponse(Struct):
    object_layout: EssentialsCardObject


class EssentialsCardsResponse(Struct):
    object_layouts: list[EssentialsCardObject]
