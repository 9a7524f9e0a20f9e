"""Support addresses as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import SupportAddress
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


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
    """An email address that customers write to."""
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
