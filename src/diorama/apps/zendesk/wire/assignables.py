"""Assignable groups and agents as the API shows them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Listing


class AssignableGroup(Struct):
    id: int
    name: str
    description: str | UnsetType = UNSET


class AssignableGroupsResponse(Listing, kw_only=True):
    groups: list[AssignableGroup]


class AssignableAgent(Struct):
    id: int
    name: str
    avatar_url: str | None = None


class AssignableAgentsResponse(Listing, kw_only=True):
    agents: list[AssignableAgent]


class FoundAgent(Struct):
    id: int
    name: str
    group_id: int
    group: str
    photo_url: str | None = None


class AssignablesResponse(Struct):
    agents: list[FoundAgent]
    groups: list[AssignableGroup]
    count: int
