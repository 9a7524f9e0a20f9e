"""Automations as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Action, Automation, Conditions
from diorama.apps.zendesk.wire.conditions import ActionList, ConditionList, ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class AutomationObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    active: bool
    updated_at: datetime
    created_at: datetime
    default: bool
    actions: tuple[Action, ...]
    conditions: Conditions
    position: int
    raw_title: str
    usage_1h: int | UnsetType = UNSET
    usage_24h: int | UnsetType = UNSET
    usage_7d: int | UnsetType = UNSET
    usage_30d: int | UnsetType = UNSET


def automation_object(automation: Automation) -> AutomationObject:
    """Return the API object of an automation."""
    return shaped(AutomationObject, automation, f"automations/{automation.id}", raw_title=automation.title)


class AutomationInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET
    all: ConditionList | UnsetType | None = UNSET
    any: ConditionList | UnsetType | None = UNSET
    actions: ActionList | UnsetType = UNSET


class AutomationRequest(Struct):
    automation: AutomationInput | UnsetType = UNSET


class AutomationsRequest(Struct):
    automations: list[AutomationInput] | UnsetType = UNSET


class AutomationResponse(Struct):
    automation: AutomationObject


class AutomationsResponse(Listing, kw_only=True):
    automations: list[AutomationObject]
