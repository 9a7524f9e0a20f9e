"""Organization merges as the API shows and takes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, OrganizationMerge
from diorama.apps.zendesk.wire.pagination import Id, Listing


class OrganizationMergeObject(Struct):
    id: str
    url: str
    loser_id: int
    winner_id: int
    status: str


def organization_merge_object(merge: OrganizationMerge) -> OrganizationMergeObject:
    """Return the API object of an organization merge and its progress."""
    url = f"{BASE}/organization_merges/{merge.id}.json"
    return OrganizationMergeObject(merge.id, url, merge.loser_id, merge.winner_id, merge.status)


class MergeInput(Struct):
    winner_id: Id | UnsetType = UNSET


class OrganizationMergeRequest(Struct):
    organization_merge: MergeInput | UnsetType = UNSET


class OrganizationMergeResponse(Struct):
    organization_merge: OrganizationMergeObject


class OrganizationMergesResponse(Listing, kw_only=True):
    organization_merges: list[OrganizationMergeObject]
