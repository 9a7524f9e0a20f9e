"""Brands as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Brand, BrandAgent
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.photos import PictureObject, picture_object
from diorama.apps.zendesk.wire.shapes import shaped


class BrandObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    brand_url: str
    subdomain: str
    host_mapping: str | None
    has_help_center: bool
    help_center_state: str
    active: bool
    default: bool
    is_deleted: bool
    logo: PictureObject | None
    ticket_form_ids: tuple[int, ...]
    signature_template: str
    created_at: datetime
    updated_at: datetime


def brand_object(brand: Brand) -> BrandObject:
    """Return the API object of a brand."""
    address = f"https://{brand.host_mapping or brand.subdomain + '.zendesk.com'}"
    return shaped(BrandObject, brand, f"brands/{brand.id}", brand_url=address, logo=picture_object(brand.logo))


class BrandInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    subdomain: str | UnsetType = UNSET
    host_mapping: str | UnsetType | None = UNSET
    active: bool | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    signature_template: str | UnsetType | None = UNSET
    ticket_form_ids: list[Id] | UnsetType = UNSET


class BrandRequest(Struct):
    brand: BrandInput | UnsetType = UNSET


class BrandResponse(Struct):
    brand: BrandObject


class BrandsResponse(Listing, kw_only=True):
    brands: list[BrandObject]


class AvailableResponse(Struct):
    success: bool


class HostMappingObject(Struct, kw_only=True):
    cname: str | UnsetType = UNSET
    expected_cnames: list[str] | UnsetType = UNSET
    is_valid: bool
    reason: str | UnsetType = UNSET


class BrandAgentObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    brand_id: int
    created_at: datetime
    updated_at: datetime


def brand_agent_object(member: BrandAgent) -> BrandAgentObject:
    """An agent's membership in a brand."""
    return shaped(BrandAgentObject, member, f"brand_agents/{member.id}")


class BrandAgentResponse(Struct):
    brand_agent: BrandAgentObject


class BrandAgentsResponse(Listing, kw_only=True):
    brand_agents: list[BrandAgentObject]
