"""Agent availabilities as the API shows and takes them: a JSON:API document with channels and work items."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.schema.agent_availabilities import PRESENCES, Availability
from diorama.apps.zendesk.wire.pagination import Links, Meta

CHANNEL = "support"
"""The only channel of this desk: its tickets."""


class PresenceStatus(Struct, kw_only=True):
    id: int
    name: str
    updated_at: datetime | UnsetType = UNSET


class SkillRef(Struct):
    id: str


class PresenceAttributes(Struct, kw_only=True):
    agent_id: int
    agent_status: PresenceStatus
    group_ids: list[int]
    skills: list[SkillRef]
    version: int


class Ref(Struct):
    id: str
    type: str


class Relation(Struct):
    data: list[Ref]


class PresenceObject(Struct, kw_only=True):
    type: str
    id: str
    attributes: PresenceAttributes
    links: dict[str, str]
    relationships: dict[str, Relation]


class IncludedObject(Struct, kw_only=True):
    """A channel or a work item."""

    type: str
    id: str
    attributes: dict[str, Any]
    relationships: dict[str, Relation] | UnsetType = UNSET


class PresenceResponse(Struct, kw_only=True):
    data: PresenceObject
    included: list[IncludedObject]


class PresencesResponse(Struct, kw_only=True):
    data: list[PresenceObject]
    included: list[IncludedObject]
    links: Links
    meta: Meta


class PresenceStatusesResponse(Struct):
    data: list[PresenceStatus]


class PresenceRequest(Struct):
    id: int | UnsetType = UNSET


def status_object(presence: Availability) -> PresenceStatus:
    """Return the status of an agent, with its number."""
    number = PRESENCES.index(presence.status) + 1
    return PresenceStatus(id=number, name=presence.status, updated_at=presence.updated_at)


def presence_object(presence: Availability, groups: list[int], skills: Sequence[str]) -> PresenceObject:
    """Return the API object of an agent's availability."""
    name = f"agent_availabilities|{presence.user_id}"
    return PresenceObject(
        type="agent_availabilities",
        id=name,
        attributes=PresenceAttributes(
            agent_id=presence.user_id,
            agent_status=status_object(presence),
            group_ids=groups,
            skills=[SkillRef(one) for one in skills],
            version=presence.version,
        ),
        links={"self": f"{BASE}/agent_availabilities/{presence.user_id}"},
        relationships={"channels": Relation([Ref(f"{name}|channels|{CHANNEL}", "channels")])},
    )


def included_objects(presence: Availability, items: Sequence[tuple[int, datetime]], load: int) -> list[IncludedObject]:
    """Return the channel of an agent and its first work items, given as ticket and time."""
    name = f"agent_availabilities|{presence.user_id}|channels|{CHANNEL}"
    refs = [Ref(f"{name}|work_items|{number}", "work_items") for number, _ in items]
    channel = IncludedObject(
        type="channels",
        id=name,
        attributes={
            "name": CHANNEL,
            "status": presence.status,
            "max_capacity": presence.capacity,
            "work_item_count": load,
        },
        relationships={"work_items": Relation(refs)},
    )
    works = [
        IncludedObject(type="work_items", id=ref.id, attributes={"added_at": added})
        for ref, (_, added) in zip(refs, items, strict=True)
    ]
    return [channel, *works]
