"""Organizations on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import change_of, enqueue_change, enqueue_job
from diorama.apps.zendesk.api.pagination import (
    MOST,
    Page,
    count_records,
    get_many,
    given_fields,
    ids_of,
    page_of,
    parts_of,
    single_page,
)
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, required, required_list, set_location
from diorama.apps.zendesk.rules import organizations
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Organization, OrganizationMembership, Ticket, User
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.organizations import (
    OrganizationInput,
    OrganizationRelated,
    OrganizationRelatedResponse,
    OrganizationRequest,
    OrganizationResponse,
    OrganizationsRequest,
    OrganizationsResponse,
    organization_object,
)
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.kernel import Tx

FIELDS = (
    "name", "external_id", "domain_names", "details", "notes", "group_id", "tags", "shared_tickets", "shared_comments",
    "organization_fields",
)  # fmt: skip
ORDERS = {"id": "id", "name": "name", "created_at": "created_at", "updated_at": "updated_at"}


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any] = ()) -> OrganizationsResponse:
    companies, around = page_of(tx, page, Organization, where, args, orders=ORDERS)
    return OrganizationsResponse(organizations=[organization_object(company) for company in companies], **around)


def _all(companies: Sequence[Organization]) -> OrganizationsResponse:
    shapes = [organization_object(company) for company in companies]
    return OrganizationsResponse(organizations=shapes, **single_page(shapes))


@APP.get("/api/v2/organizations", role="agent")
def list_organizations(tx: Tx, page: Page) -> OrganizationsResponse:
    """List organizations."""
    return _page(tx, page, "")


@APP.get("/api/v2/users/{user_id}/organizations", role="agent")
def list_user_organizations(tx: Tx, user_id: int, page: Page) -> OrganizationsResponse:
    """List the organizations of a user."""
    where = "id IN (SELECT organization_id FROM zendesk_organization_memberships WHERE user_id = ?)"
    return _page(tx, page, where, (tx.get(User, user_id).id,))


@APP.get("/api/v2/organizations/count", role="agent")
def count_organizations(tx: Tx) -> CountResponse:
    """Count organizations."""
    return count_records(tx, Organization)


@APP.get("/api/v2/organizations/show_many", role="agent")
def show_many_organizations(tx: Tx, ids: str | None = None, external_ids: str | None = None) -> OrganizationsResponse:
    """Show up to a hundred organizations by id or external id."""
    if ids is None and external_ids:
        names = parts_of(external_ids)[:MOST]
        return _all(tx.all(Organization, f"external_id IN ({', '.join('?' * len(names))})", *names, order="name"))
    return _all(sorted(get_many(tx, Organization, ids_of(ids)), key=lambda company: company.name))


@APP.get("/api/v2/organizations/search", role="agent")
def search_organizations(tx: Tx, external_id: str | None = None, name: str | None = None) -> OrganizationsResponse:
    """Find organizations by external id or exact name."""
    if external_id is not None:
        return _all(tx.all(Organization, "external_id = ?", external_id))
    if name is None:
        raise refusals.parameter_missing("external_id")
    return _all(tx.all(Organization, "name = ? COLLATE NOCASE", name))


@APP.get("/api/v2/organizations/autocomplete", role="agent")
def autocomplete_organizations(tx: Tx, page: Page, name: str = "") -> OrganizationsResponse:
    """Search organizations by the start of their name."""
    if len(name) < 2:
        return _all(())
    return _page(tx, page, "name LIKE ? ESCAPE '\\'", (_beginning(name),))


def _beginning(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{escaped}%"


@APP.get("/api/v2/organizations/{organization_id}", role="agent")
def show_organization(tx: Tx, organization_id: int) -> OrganizationResponse:
    """Show an organization."""
    return OrganizationResponse(organization_object(tx.get(Organization, organization_id)))


@APP.get("/api/v2/organizations/{organization_id}/related", role="agent")
def organization_related(tx: Tx, organization_id: int) -> OrganizationRelatedResponse:
    """Count the users and tickets of an organization."""
    company = tx.get(Organization, organization_id)
    return OrganizationRelatedResponse(
        OrganizationRelated(
            tickets_count=tx.count(Ticket, "organization_id = ? AND deleted_at IS NULL", company.id),
            users_count=tx.count(OrganizationMembership, "organization_id = ?", company.id),
        )
    )


def _fields(body: OrganizationInput) -> dict[str, Any]:
    fields = given_fields(body, *FIELDS)
    if "domain_names" in fields:
        fields["domain_names"] = tuple(dict.fromkeys(name.strip().lower() for name in fields["domain_names"] if name))
    return fields


def make(tx: Tx, body: OrganizationInput) -> Organization:
    """Create the organization that a body describes."""
    fields = _fields(body)
    return organizations.add_organization(tx, name=fields.pop("name", ""), **fields)


def _known(tx: Tx, body: OrganizationInput) -> Organization | None:
    if isinstance(body.id, int):
        return tx.find(Organization, body.id)
    if isinstance(body.external_id, str):
        return tx.first(Organization, "external_id = ?", body.external_id)
    return tx.first(Organization, "name = ? COLLATE NOCASE", body.name) if isinstance(body.name, str) else None


@APP.post("/api/v2/organizations", role="admin", status=201)
def create_organization(tx: Tx, body: OrganizationRequest) -> OrganizationResponse:
    """Create an organization."""
    company = make(tx, required(body.organization, "organization"))
    set_location(tx, f"organizations/{company.id}")
    return OrganizationResponse(organization_object(company))


@APP.post("/api/v2/organizations/create_or_update", role="admin")
def create_or_update_organization(tx: Tx, body: OrganizationRequest) -> OrganizationResponse:
    """Create an organization, or update the one with the same id, external id or name."""
    asked = required(body.organization, "organization")
    known = _known(tx, asked)
    company = make(tx, asked) if known is None else organizations.change_organization(tx, known, _fields(asked))
    return OrganizationResponse(organization_object(company))


@APP.put("/api/v2/organizations/{organization_id}", role="agent")
def update_organization(tx: Tx, me: Me, organization_id: int, body: OrganizationRequest) -> OrganizationResponse:
    """Update an organization; agents may only change its notes."""
    company, asked = tx.get(Organization, organization_id), required(body.organization, "organization")
    fields = _fields(asked)
    if me.role != "admin":
        fields = {"notes": fields["notes"]} if "notes" in fields else {}
    return OrganizationResponse(organization_object(organizations.change_organization(tx, company, fields)))


@APP.delete("/api/v2/organizations/{organization_id}", role="admin")
def delete_organization(tx: Tx, organization_id: int) -> None:
    """Delete an organization."""
    organizations.delete_organization(tx, tx.get(Organization, organization_id))


@APP.post("/api/v2/organizations/create_many", role="admin")
def create_many_organizations(tx: Tx, me: Me, body: OrganizationsRequest) -> JobStatusResponse:
    """Create up to a hundred organizations in the background."""
    return enqueue_job(tx, me, "Bulk Create Organization", required_list(body.organizations, "organizations"))


@APP.put("/api/v2/organizations/update_many", role="admin")
def update_many_organizations(tx: Tx, me: Me, body: OrganizationsRequest, ids: str | None = None) -> JobStatusResponse:
    """Update up to a hundred organizations in the background."""
    if body.organization is not UNSET and body.organizations is UNSET:
        return enqueue_change(tx, me, "Bulk Update Organization", body.organization, ids)
    return enqueue_job(tx, me, "Bulk Update Organization", required_list(body.organizations, "organizations"))


@APP.delete("/api/v2/organizations/destroy_many", role="admin")
def delete_many_organizations(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Delete up to a hundred organizations in the background."""
    return enqueue_job(tx, me, "Bulk Delete Organization", ids_of(ids))


@JOBS.worker("Bulk Create Organization", "Creating organization")
def create_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one organization of a bulk job."""
    return {"status": "Created", "id": make(tx, msgspec.convert(item, OrganizationInput, strict=False)).id}


@JOBS.worker("Bulk Update Organization", "Updating Organization")
def update_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one organization of a bulk job."""
    body = msgspec.convert(change_of(job, item), OrganizationInput, strict=False)
    known = or_not_found(_known(tx, body))
    organizations.change_organization(tx, known, _fields(body))
    return {"action": "update", "id": known.id, "status": "Updated", "success": True}


@JOBS.worker("Bulk Delete Organization", "Deleting Organization")
def delete_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one organization of a bulk job."""
    organizations.delete_organization(tx, tx.get(Organization, int(item)))
    return {"action": "delete", "id": int(item), "status": "Deleted", "success": True}
