"""Custom roles as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import CustomRole
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class CustomRoleObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    description: str
    role_type: int
    team_member_count: int
    configuration: dict[str, Any]
    created_at: datetime
    updated_at: datetime


def custom_role_object(role: CustomRole, members: int, defaults: dict[str, Any]) -> CustomRoleObject:
    """Return the API object of a custom role; `defaults` are the permissions that it does not store."""
    complete = {**defaults, **role.configuration}
    return shaped(CustomRoleObject, role, f"custom_roles/{role.id}", team_member_count=members, configuration=complete)


class CustomRoleInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    configuration: dict[str, Any] | UnsetType = UNSET


class CustomRoleRequest(Struct):
    custom_role: CustomRoleInput | UnsetType = UNSET


class CustomRoleResponse(Struct):
    custom_role: CustomRoleObject


class CustomRolesResponse(Listing, kw_only=True):
    custom_roles: list[CustomRoleObject]
