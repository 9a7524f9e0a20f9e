"""Organization merges on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.rules import organization_merges
from diorama.apps.zendesk.schema import APP, Organization, OrganizationMerge
from diorama.apps.zendesk.wire.organization_merges import (
    OrganizationMergeRequest,
    OrganizationMergeResponse,
    OrganizationMergesResponse,
    organization_merge_object,
)
from diorama.kernel import Tx


@APP.post("/api/v2/organizations/{organization_id}/merge", role="admin")
def create_organization_merge(
    tx: Tx, organization_id: int, body: OrganizationMergeRequest
) -> OrganizationMergeResponse:
    """The organization of the path goes into the one of the body."""
    loser = tx.get(Organization, organization_id)
    if body.organization_merge is UNSET or not isinstance(body.organization_merge.winner_id, int):
        raise refusals.parameter_missing("winner_id")
    merge = organization_merges.merge_organizations(tx, loser, tx.get(Organization, body.organization_merge.winner_id))
    return OrganizationMergeResponse(organization_merge_object(merge))


@APP.get("/api/v2/organizations/{organization_id}/merges", role="agent")
def list_organization_merges(tx: Tx, organization_id: int, page: Page) -> OrganizationMergesResponse:
    """What went into an organization."""
    merges, around = page_of(tx, page, OrganizationMerge, "winner_id = ? OR loser_id = ?", (organization_id,) * 2)
    shapes = [organization_merge_object(merge) for merge in merges]
    return OrganizationMergesResponse(organization_merges=shapes, **around)


@APP.get("/api/v2/organization_merges/{organization_merge_id}", role="agent")
def show_organization_merge(tx: Tx, organization_merge_id: str) -> OrganizationMergeResponse:
    """How far a merge has got."""
    return OrganizationMergeResponse(organization_merge_object(tx.get(OrganizationMerge, organization_merge_id)))
