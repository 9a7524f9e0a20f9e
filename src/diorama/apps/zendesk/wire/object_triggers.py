"""Triggers of custom objects in API format."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Action, Conditions, ObjectTrigger
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class ObjectTriggerObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    raw_title: str
    active: bool
    default: bool
    position: int
    description: str | None
    conditions: Conditions
    actions: tuple[Action, ...]
    created_at: datetime
    updated_at: datetime


def object_trigger_object(trigger: ObjectTrigger) -> ObjectTriggerObject:
    """Return the API object of an object trigger."""
    path = f"custom_objects/{trigger.object_key}/triggers/{trigger.id}"
    return shaped(ObjectTriggerObject, trigger, path, raw_title=trigger.title)


class ObjectTriggerInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    conditions: ConditionsInput | UnsetType = UNSET
    actions: list[Action] | UnsetType = UNSET


class ObjectTriggerRequest(Struct):
    trigger: ObjectTriggerInput | UnsetType = UNSET


class ObjectTriggerResponse(Struct):
    trigger: ObjectTriggerObject


class ObjectTriggersResponse(Listing, kw_only=True):
    triggers: list[ObjectTriggerObject]
