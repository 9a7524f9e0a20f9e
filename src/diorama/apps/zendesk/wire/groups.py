"""Groups as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Group
from diorama.apps.zendesk.wire.shapes import shaped


class GroupObject(Struct, kw_only=True):
    url: str
    id: int
    is_public: bool
    name: str
    description: str
    default: bool
    deleted: bool
    created_at: datetime
    updated_at: datetime
    result_type: str | UnsetType = UNSET


def group_object(group: Group, **more: Any) -> GroupObject:
    """Return the API object of a group."""
    return shaped(GroupObject, group, f"groups/{group.id}", **more)


class GroupInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET


class GroupRequest(Struct):
    group: GroupInput | UnsetType = UNSET


class GroupResponse(Struct):
    group: GroupObject
