"""Macros as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Action, Macro
from diorama.apps.zendesk.wire.conditions import ActionList
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.triggers import RuleInput


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
    usage_1h: int | UnsetType = UNSET
    usage_24h: int | UnsetType = UNSET
    usage_7d: int | UnsetType = UNSET
    usage_30d: int | UnsetType = UNSET


def macro_object(macro: Macro) -> MacroObject:
    """Return the API object of a macro."""
    return shaped(MacroObject, macro, f"macros/{macro.id}", raw_title=macro.title)


class MacroInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    actions: ActionList | UnsetType = UNSET
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
    """What a macro would change; for a given ticket, the whole ticket after the change."""

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


class MacrosRequest(Struct):
    macros: list[RuleInput] | UnsetType = UNSET


class ActionsResponse(Struct):
    actions: list[dict[str, Any]]


class ReplicaObject(Struct, kw_only=True):
    """A macro that is not saved yet."""

    title: str
    active: bool
    actions: list[dict[str, Any]]
    description: str | None
    restriction: dict[str, Any] | None


class ReplicaResponse(Struct):
    macro: ReplicaObject
