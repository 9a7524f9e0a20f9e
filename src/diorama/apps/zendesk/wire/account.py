"""Brands, addresses, languages, dynamic content, roles and settings as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    BASE,
    Brand,
    BrandAgent,
    CustomRole,
    DynamicItem,
    DynamicVariant,
    Locale,
    SupportAddress,
)
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.pictures import PictureObject, picture_object
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
    """A brand."""
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
    """An agent answers for a brand."""
    return shaped(BrandAgentObject, member, f"brand_agents/{member.id}")


class BrandAgentResponse(Struct):
    brand_agent: BrandAgentObject


class BrandAgentsResponse(Listing, kw_only=True):
    brand_agents: list[BrandAgentObject]


class SupportAddressObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    email: str
    brand_id: int
    default: bool
    forwarding_status: str
    spf_status: str
    cname_status: str
    domain_verification_status: str
    domain_verification_code: str | None
    created_at: datetime
    updated_at: datetime


def support_address_object(address: SupportAddress) -> SupportAddressObject:
    """An address that customers write to."""
    code = address.domain_verification_code or None
    return shaped(SupportAddressObject, address, f"recipient_addresses/{address.id}", domain_verification_code=code)


class SupportAddressInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    email: str | UnsetType = UNSET
    brand_id: Id | UnsetType = UNSET
    default: bool | UnsetType = UNSET


class SupportAddressRequest(Struct):
    recipient_address: SupportAddressInput | UnsetType = UNSET


class SupportAddressResponse(Struct):
    recipient_address: SupportAddressObject


class SupportAddressesResponse(Listing, kw_only=True):
    recipient_addresses: list[SupportAddressObject]


class VerifyRequest(Struct):
    type: str | UnsetType = UNSET


class LocaleObject(Struct, kw_only=True):
    url: str
    id: int
    locale: str
    name: str
    native_name: str
    presentation_name: str
    rtl: bool
    default: bool
    created_at: datetime
    updated_at: datetime


def locale_object(locale: Locale) -> LocaleObject:
    """A language."""
    return shaped(LocaleObject, locale, f"locales/{locale.id}")


class LocaleResponse(Struct):
    locale: LocaleObject


class LocalesResponse(Listing, kw_only=True):
    locales: list[LocaleObject]


class VariantObject(Struct, kw_only=True):
    url: str
    id: int
    content: str
    locale_id: int
    outdated: bool
    active: bool
    default: bool
    created_at: datetime
    updated_at: datetime


def variant_object(variant: DynamicVariant, outdated: bool) -> VariantObject:
    """A text in one of its languages."""
    path = f"dynamic_content/items/{variant.item_id}/variants/{variant.id}"
    return shaped(VariantObject, variant, path, outdated=outdated)


class ItemObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    placeholder: str
    default_locale_id: int
    outdated: bool
    created_at: datetime
    updated_at: datetime
    variants: list[VariantObject]


def item_object(item: DynamicItem, variants: Sequence[VariantObject]) -> ItemObject:
    """A text in several languages."""
    outdated = any(variant.outdated for variant in variants)
    return shaped(ItemObject, item, f"dynamic_content/items/{item.id}", outdated=outdated, variants=list(variants))


class VariantInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    locale_id: Id | UnsetType = UNSET
    content: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    default: bool | UnsetType = UNSET


class ItemInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    default_locale_id: Id | UnsetType = UNSET
    content: str | UnsetType = UNSET
    variants: list[VariantInput] | UnsetType = UNSET


class ItemRequest(Struct):
    item: ItemInput | UnsetType = UNSET


class ItemResponse(Struct):
    item: ItemObject


class ItemsResponse(Listing, kw_only=True):
    items: list[ItemObject]


class VariantRequest(Struct):
    variant: VariantInput | UnsetType = UNSET


class ManyVariantsRequest(Struct):
    variants: list[VariantInput] | UnsetType = UNSET


class VariantResponse(Struct):
    variant: VariantObject


class VariantsResponse(Listing, kw_only=True):
    variants: list[VariantObject]


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


def custom_role_object(role: CustomRole, members: int) -> CustomRoleObject:
    """What agents of a role may do."""
    return shaped(CustomRoleObject, role, f"custom_roles/{role.id}", team_member_count=members)


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


class SettingsRequest(Struct):
    settings: dict[str, Any] | UnsetType = UNSET


class SettingsResponse(Struct):
    settings: dict[str, dict[str, Any]]


class SessionObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    authenticated_at: datetime
    last_seen_at: datetime


class SessionsResponse(Listing, kw_only=True):
    sessions: list[SessionObject]


class SessionResponse(Struct):
    session: list[SessionObject]


class RenewedResponse(Struct):
    authenticity_token: str


class AuditLogObject(Struct, kw_only=True):
    url: str
    id: int
    action: str
    action_label: str
    actor_id: int
    actor_name: str
    source_id: int
    source_type: str
    source_label: str
    change_description: str
    ip_address: str
    created_at: datetime


class AuditLogResponse(Struct):
    audit_log: AuditLogObject


class AuditLogsResponse(Listing, kw_only=True):
    audit_logs: list[AuditLogObject]


class ActivityObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    verb: str
    user_id: int
    actor_id: int
    created_at: datetime
    updated_at: datetime
    object: dict[str, Any]
    target: dict[str, Any]
    user: dict[str, Any]
    actor: dict[str, Any]


class ActivityResponse(Struct):
    activity: ActivityObject


class ActivitiesResponse(Listing, kw_only=True):
    activities: list[ActivityObject]
    users: list[Any]
    actors: list[Any]


class LimitResponse(Struct):
    count: int
    limit: int


def session_url(user_id: int, session_id: int) -> str:
    """Where a session is."""
    return f"{BASE}/users/{user_id}/sessions/{session_id}.json"
