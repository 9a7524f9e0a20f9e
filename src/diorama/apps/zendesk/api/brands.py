"""Brands and brand agents on the wire."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import account, brands
from diorama.apps.zendesk.schema import APP, Brand, BrandAgent
from diorama.apps.zendesk.wire.brands import (
    AvailableResponse,
    BrandAgentResponse,
    BrandAgentsResponse,
    BrandInput,
    BrandRequest,
    BrandResponse,
    BrandsResponse,
    HostMappingObject,
    brand_agent_object,
    brand_object,
)
from diorama.kernel import Tx

_NAMES = ("name", "subdomain", "host_mapping", "active", "default", "ticket_form_ids")
_NAME = re.compile(r"[a-z0-9]{3,63}")


@APP.get("/api/v2/brands", role="agent")
def list_brands(tx: Tx, page: Page) -> BrandsResponse:
    """List brands."""
    found, around = page_of(tx, page, Brand, "is_deleted = 0")
    return BrandsResponse(brands=[brand_object(brand) for brand in found], **around)


@APP.get("/api/v2/accounts/available", public=True)
def verify_subdomain_availability(tx: Tx, subdomain: str | None = None) -> AvailableResponse:
    """Check whether a subdomain is available for an account or a brand."""
    if not subdomain:
        raise refusals.parameter_missing("subdomain")
    taken = tx.count(Brand, "subdomain = ?", subdomain.lower()) or subdomain.lower() == account.subdomain(tx)
    return AvailableResponse(bool(_NAME.fullmatch(subdomain.lower())) and not taken)


@APP.get("/api/v2/brands/check_host_mapping", role="admin")
def check_host_mapping_validity(
    tx: Tx, host_mapping: str | None = None, subdomain: str | None = None
) -> HostMappingObject:
    """Check whether a host mapping is valid for a new brand."""
    if not host_mapping or not subdomain:
        raise refusals.parameter_missing("host_mapping" if not host_mapping else "subdomain")
    return _mapping(tx, host_mapping, subdomain)


@APP.get("/api/v2/brands/{brand_id}/check_host_mapping", role="admin")
def check_host_mapping_validity_for_existing_brand(tx: Tx, brand_id: int) -> HostMappingObject:
    """Check whether the host mapping of a brand is valid."""
    brand = brands.brand_of(tx, brand_id)
    return _mapping(tx, brand.host_mapping or "", brand.subdomain, brand.id)


def _mapping(tx: Tx, host: str, subdomain: str, besides: int = 0) -> HostMappingObject:
    """Validate a host mapping: a well-formed host name that is unused and not under zendesk.com."""
    expected = [f"{subdomain}.zendesk.com"]
    if (
        not host
        or "." not in host.strip(".")
        or not all(brands.LABEL.fullmatch(part) for part in host.lower().split("."))
    ):
        return HostMappingObject(is_valid=False, reason="invalid_host_mapping", expected_cnames=expected)
    if host.lower().endswith(".zendesk.com"):
        return HostMappingObject(is_valid=False, reason="not_a_cname", expected_cnames=expected)
    if tx.rows("SELECT 1 FROM zendesk_brands WHERE host_mapping = ? AND id <> ? AND is_deleted = 0", host, besides):
        return HostMappingObject(is_valid=False, reason="already_taken", expected_cnames=expected)
    return HostMappingObject(is_valid=True, cname=expected[0], expected_cnames=expected)


@APP.get("/api/v2/brands/{brand_id}", role="agent")
def show_brand(tx: Tx, brand_id: int) -> BrandResponse:
    """Show a brand."""
    return BrandResponse(brand_object(brands.brand_of(tx, brand_id)))


def _fields(asked: BrandInput) -> dict[str, Any]:
    fields = given_fields(asked, *_NAMES)
    if asked.signature_template is not UNSET:
        fields["signature_template"] = asked.signature_template or ""
    return fields


@APP.post("/api/v2/brands", role="admin", status=201)
def create_brand(tx: Tx, me: Me, body: BrandRequest) -> BrandResponse:
    """Create a brand."""
    brand = brands.add_brand(tx, me, _fields(required(body.brand, "brand")))
    set_location(tx, f"brands/{brand.id}")
    return BrandResponse(brand_object(brand))


@APP.put("/api/v2/brands/{brand_id}", role="admin")
def update_brand(tx: Tx, me: Me, brand_id: int, body: BrandRequest) -> BrandResponse:
    """Update a brand."""
    brand = brands.brand_of(tx, brand_id)
    return BrandResponse(brand_object(brands.change_brand(tx, me, brand, _fields(required(body.brand, "brand")))))


@APP.delete("/api/v2/brands/{brand_id}", role="admin")
def delete_brand(tx: Tx, brand_id: int) -> None:
    """Delete a brand; its tickets keep the brand."""
    brands.delete_brand(tx, brands.brand_of(tx, brand_id))


@APP.get("/api/v2/brand_agents", role="agent")
def list_brand_agents(
    tx: Tx, page: Page, user_id: int | None = None, brand_id: int | None = None
) -> BrandAgentsResponse:
    """List which agents belong to which brand."""
    asked = [(column, value) for column, value in (("user_id", user_id), ("brand_id", brand_id)) if value is not None]
    where = " AND ".join(f"{column} = ?" for column, _ in asked)
    found, around = page_of(tx, page, BrandAgent, where, [value for _, value in asked])
    return BrandAgentsResponse(brand_agents=[brand_agent_object(one) for one in found], **around)


@APP.get("/api/v2/brand_agents/{brand_agent_id}", role="agent")
def show_brand_agent(tx: Tx, brand_agent_id: int) -> BrandAgentResponse:
    """Show the membership of an agent in a brand."""
    return BrandAgentResponse(brand_agent_object(tx.get(BrandAgent, brand_agent_id)))
