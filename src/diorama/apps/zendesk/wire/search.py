"""Search results as the API shows them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.organizations import OrganizationObject
from diorama.apps.zendesk.wire.pagination import Links, Listing, Meta
from diorama.apps.zendesk.wire.users import UserObject


class SearchResponse(Listing, kw_only=True):
    results: list[Any]
    facets: str | None = None
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class SearchExportResponse(Struct, kw_only=True):
    results: list[Any]
    facets: str | None = None
    meta: Meta
    links: Links
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class SearchCountResponse(Struct):
    count: int
