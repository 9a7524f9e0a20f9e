"""Agent availabilities as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema.agent_availabilities import Availability
from diorama.apps.zendesk.wire.pagination import Listing


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
    """Return the API object of an agent's availability, with groups, skills and load."""
    attributes = PresenceAttributes(presence.user_id, status, groups, skills, presence.capacity, load)
    return PresenceObject("agent_availabilities", str(presence.user_id), attributes)
