"""Organizations as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Organization
from diorama.apps.zendesk.wire.pagination import GivenId, Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class OrganizationObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    shared_tickets: bool
    shared_comments: bool
    external_id: str | None
    created_at: datetime
    updated_at: datetime
    domain_names: tuple[str, ...]
    details: str | None
    notes: str | None
    group_id: int | None
    tags: tuple[str, ...]
    organization_fields: dict[str, Any]
    result_type: str | UnsetType = UNSET


def organization_object(organization: Organization, **more: Any) -> OrganizationObject:
    """Return the API object of an organization."""
    return shaped(OrganizationObject, organization, f"organizations/{organization.id}", **more)


class OrganizationResponse(Struct):
    organization: OrganizationObject


class OrganizationsResponse(Listing, kw_only=True):
    organizations: list[OrganizationObject]


class OrganizationInput(Struct, kw_only=True):
    id: GivenId = UNSET
    name: str | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    domain_names: list[str] | UnsetType = UNSET
    details: str | UnsetType | None = UNSET
    notes: str | UnsetType | None = UNSET
    group_id: Id | UnsetType | None = UNSET
    tags: list[str] | UnsetType = UNSET
    shared_tickets: bool | UnsetType = UNSET
    shared_comments: bool | UnsetType = UNSET
    organization_fields: dict[str, Any] | UnsetType = UNSET


class OrganizationRequest(Struct):
    organization: OrganizationInput | UnsetType = UNSET


class OrganizationsRequest(Struct):
    organizations: list[OrganizationInput] | UnsetType = UNSET
    organization: OrganizationInput | UnsetType = UNSET


class OrganizationRelated(Struct):
    tickets_count: int
    users_count: int


class OrganizationRelatedResponse(Struct):
    organization_related: OrganizationRelated
