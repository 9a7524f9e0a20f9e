"""Sharing agreements as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import SharingAgreement
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class SharingAgreementObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    type: str
    status: str
    partner_name: str | None
    remote_subdomain: str
    allows_public_comments: bool
    sync_tags: bool
    sync_custom_fields: bool
    created_at: datetime
    updated_at: datetime


def sharing_agreement_object(agreement: SharingAgreement) -> SharingAgreementObject:
    """An agreement to share tickets between this account and another."""
    return shaped(SharingAgreementObject, agreement, f"sharing_agreements/{agreement.id}")


class SharingAgreementInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    partner_name: str | UnsetType | None = UNSET
    remote_subdomain: str | UnsetType = UNSET
    allows_public_comments: bool | UnsetType = UNSET
    sync_tags: bool | UnsetType = UNSET
    sync_custom_fields: bool | UnsetType = UNSET


class SharingAgreementRequest(Struct):
    sharing_agreement: SharingAgreementInput | UnsetType = UNSET


class SharingAgreementResponse(Struct):
    sharing_agreement: SharingAgreementObject


class SharingAgreementsResponse(Listing, kw_only=True):
    sharing_agreements: list[SharingAgreementObject]
