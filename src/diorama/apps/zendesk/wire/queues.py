"""Queues as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Conditions, Group
from diorama.apps.zendesk.schema.queues import Queue
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


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
    """Return the API object of a queue, with the names of its groups."""

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
