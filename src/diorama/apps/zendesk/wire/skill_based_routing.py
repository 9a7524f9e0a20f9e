"""Skills as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, Conditions
from diorama.apps.zendesk.schema.skill_based_routing import HeldSkill, Skill, SkillValue
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing


class SkillObject(Struct):
    url: str
    id: str
    name: str
    created_at: datetime
    updated_at: datetime


def skill_object(skill: Skill) -> SkillObject:
    """Return the API object of a skill type."""
    url = f"{BASE}/routing/attributes/{skill.id}.json"
    return SkillObject(url, skill.id, skill.name, skill.created_at, skill.updated_at)


class SkillResponse(Struct):
    attribute: SkillObject


class SkillsResponse(Listing, kw_only=True):
    attributes: list[SkillObject]


class SkillValueObject(Struct):
    url: str
    id: str
    attribute_id: str
    name: str
    conditions: Conditions
    created_at: datetime
    updated_at: datetime


def skill_value_object(value: SkillValue) -> SkillValueObject:
    """Return the API object of a skill."""
    url = f"{BASE}/routing/attributes/{value.attribute_id}/values/{value.id}.json"
    return SkillValueObject(
        url, value.id, value.attribute_id, value.name, value.conditions, value.created_at, value.updated_at
    )


class SkillValueResponse(Struct):
    attribute_value: SkillValueObject


class SkillValuesResponse(Listing, kw_only=True):
    attribute_values: list[SkillValueObject]


class HeldObject(Struct):
    id: str
    agent_id: int
    attribute_id: str
    attribute_value_id: str
    created_at: datetime


def held_object(held: HeldSkill) -> HeldObject:
    """Return the API object of one skill of one agent."""
    return HeldObject(held.id, held.holder_id, held.attribute_id, held.value_id, held.created_at)


class HeldResponse(Listing, kw_only=True):
    instance_values: list[HeldObject]


class SkillInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET


class SkillRequest(Struct):
    attribute: SkillInput | UnsetType = UNSET


class SkillValueRequest(Struct):
    attribute_value: SkillInput | UnsetType = UNSET


class GiveRequest(Struct):
    attribute_value_ids: list[str] | UnsetType = UNSET


class BulkItem(Struct):
    agent_id: Id
    attribute_value_ids: list[str]


class BulkJob(Struct):
    items: list[BulkItem] = []
    action: str = "upsert"


class BulkRequest(Struct):
    job: BulkJob | UnsetType = UNSET


class Named(Struct):
    subject: str
    title: str


class SkillDefinitions(Struct):
    conditions_all: list[Named]
    conditions_any: list[Named]


class SkillDefinitionsResponse(Struct):
    definitions: SkillDefinitions


class FulfilledResponse(Struct):
    fulfilled_ticket_ids: list[int]


class ExportedSkillsResponse(Struct, kw_only=True):
    attributes: list[Any]
    attribute_values: list[Any]
    instance_values: list[Any]
    count: int
    end_time: int
    next_page: str
