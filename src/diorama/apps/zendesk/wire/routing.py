"""Skills, queues and presence as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, Conditions, Group
from diorama.apps.zendesk.schema.routing import Availability, HeldSkill, Queue, Skill, SkillValue
from diorama.apps.zendesk.wire.business import ConditionsInput
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class SkillObject(Struct):
    url: str
    id: str
    name: str
    created_at: datetime
    updated_at: datetime


def skill_object(skill: Skill) -> SkillObject:
    """A kind of skill."""
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
    """A skill."""
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
    """One skill of one agent."""
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


# --- queues


class QueueGroups(Struct):
    count: int
    groups: list[dict[str, Any]]


class QueueObject(Struct, kw_only=True):
    url: str
    id: str
    name: str
    description: str
    definition: Conditions
    priority: int
    order: int
    primary_groups: QueueGroups
    secondary_groups: QueueGroups
    created_at: datetime
    updated_at: datetime


def queue_object(queue: Queue, groups: dict[int, Group]) -> QueueObject:
    """A queue, with the names of its groups."""

    def named(ids: tuple[int, ...]) -> QueueGroups:
        found = [{"id": number, "name": groups[number].name} for number in ids if number in groups]
        return QueueGroups(len(found), found)

    return shaped(
        QueueObject,
        queue,
        f"queues/{queue.id}",
        order=queue.position,
        primary_groups=named(queue.primary_group_ids),
        secondary_groups=named(queue.secondary_group_ids),
    )


class QueueResponse(Struct):
    queue: QueueObject


class QueuesResponse(Listing, kw_only=True):
    queues: list[QueueObject]


class QueueInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    definition: ConditionsInput | UnsetType = UNSET
    priority: int | UnsetType = UNSET
    primary_groups_id: list[Id] | UnsetType = UNSET
    secondary_groups_id: list[Id] | UnsetType = UNSET


class QueueRequest(Struct):
    queue: QueueInput | UnsetType = UNSET


class QueueOrderRequest(Struct):
    queue_ids: list[str] | UnsetType = UNSET


class Choice(Struct):
    value: str
    title: str
    enabled: bool


class Comparison(Struct):
    value: str
    title: str
    terminal: bool


class QueueCondition(Struct):
    subject: str
    title: str
    type: str
    group: str
    nullable: bool
    repeatable: bool
    operators: list[Comparison]
    values: list[Choice]


class QueueDefinitions(Struct):
    conditions_all: list[QueueCondition]
    conditions_any: list[QueueCondition]


class QueueDefinitionsResponse(Struct):
    definitions: QueueDefinitions


# --- presence


class PresenceStatus(Struct):
    id: int
    name: str
    updated_at: datetime | UnsetType = UNSET


class PresenceAttributes(Struct):
    agent_id: int
    agent_status: PresenceStatus
    group_ids: list[int]
    skills: list[str]
    max_capacity: int
    work_item_count: int


class PresenceObject(Struct):
    type: str
    id: str
    attributes: PresenceAttributes


class PresenceResponse(Struct):
    data: PresenceObject


class PresencesResponse(Listing, kw_only=True):
    data: list[PresenceObject]


class PresenceStatusesResponse(Struct):
    data: list[PresenceStatus]


class PresenceRequest(Struct):
    id: int | UnsetType = UNSET


def presence_object(
    presence: Availability, status: PresenceStatus, groups: list[int], skills: list[str], load: int
) -> PresenceObject:
    """Whether an agent is there, with what, and for whom."""
    attributes = PresenceAttributes(presence.user_id, status, groups, skills, presence.capacity, load)
    return PresenceObject("agent_availabilities", str(presence.user_id), attributes)
