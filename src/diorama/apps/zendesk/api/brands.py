"""Brands and brand agents on the wire."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import account, audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.users import add_brand_agents
from diorama.apps.zendesk.schema import APP, Brand, BrandAgent, TicketForm, User
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

_NAMES = ("name", "subdomain", "host_mapping", "active", "default")
_NAME = re.compile(r"[a-z0-9]{3,63}")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def brand_of(tx: Tx, brand_id: int) -> Brand:
    """Return a brand, or raise 404 if it is deleted."""
    brand = tx.get(Brand, brand_id)
    if brand.is_deleted:
        raise refusals.not_found()
    return brand


@APP.get("/api/v2/brands", role="agent")
def list_brands(tx: Tx, page: Page) -> BrandsResponse:
    """List brands."""
    brands, around = page_of(tx, page, Brand, "is_deleted = 0")
    return BrandsResponse(brands=[brand_object(brand) for brand in brands], **around)


@APP.get("/api/v2/accounts/available", public=True)
def verify_subdomain_availability(tx: Tx, subdomain: str | None = None) -> AvailableResponse:
    """Whether a name is free for an account or a brand."""
    if not subdomain:
        raise refusals.parameter_missing("subdomain")
    taken = tx.count(Brand, "subdomain = ?", subdomain.lower()) or subdomain.lower() == account.subdomain(tx)
    return AvailableResponse(bool(_NAME.fullmatch(subdomain.lower())) and not taken)


@APP.get("/api/v2/brands/check_host_mapping", role="admin")
def check_host_mapping_validity(
    tx: Tx, host_mapping: str | None = None, subdomain: str | None = None
) -> HostMappingObject:
    """Whether an address could be a brand's."""
    if not host_mapping or not subdomain:
        raise refusals.parameter_missing("host_mapping" if not host_mapping else "subdomain")
    return _mapping(tx, host_mapping, subdomain)


@APP.get("/api/v2/brands/{brand_id}/check_host_mapping", role="admin")
def check_host_mapping_validity_for_existing_brand(tx: Tx, brand_id: int) -> HostMappingObject:
    """Whether the address of a brand works."""
    brand = brand_of(tx, brand_id)
    return _mapping(tx, brand.host_mapping or "", brand.subdomain, brand.id)


def _mapping(tx: Tx, host: str, subdomain: str, besides: int = 0) -> HostMappingObject:
    """An address is good when it is one, nobody else has it, and it is no address of the product itself."""
    expected = [f"{subdomain}.zendesk.com"]
    if not host or "." not in host.strip(".") or not all(_LABEL.fullmatch(part) for part in host.lower().split(".")):
        return HostMappingObject(is_valid=False, reason="invalid_host_mapping", expected_cnames=expected)
    if host.lower().endswith(".zendesk.com"):
        return HostMappingObject(is_valid=False, reason="not_a_cname", expected_cnames=expected)
    if tx.rows("SELECT 1 FROM zendesk_brands WHERE host_mapping = ? AND id <> ? AND is_deleted = 0", host, besides):
        return HostMappingObject(is_valid=False, reason="already_taken", expected_cnames=expected)
    return HostMappingObject(is_valid=True, cname=expected[0], expected_cnames=expected)


@APP.get("/api/v2/brands/{brand_id}", role="agent")
def show_brand(tx: Tx, brand_id: int) -> BrandResponse:
    """Show a brand."""
    return BrandResponse(brand_object(brand_of(tx, brand_id)))


def _fields(tx: Tx, asked: BrandInput, besides: int = 0) -> dict[str, Any]:
    fields = given_fields(asked, *_NAMES)
    if asked.signature_template is not UNSET:
        fields["signature_template"] = asked.signature_template or ""
    if asked.ticket_form_ids is not UNSET:
        fields["ticket_form_ids"] = tuple(tx.get(TicketForm, number).id for number in asked.ticket_form_ids)
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    if "subdomain" in fields:
        fields["subdomain"] = fields["subdomain"].lower()
        if not _LABEL.fullmatch(fields["subdomain"]):
            raise refusals.invalid("subdomain", "Subdomain: is invalid", "InvalidFormat")
        if tx.rows("SELECT 1 FROM zendesk_brands WHERE subdomain = ? AND id <> ?", fields["subdomain"], besides):
            raise refusals.invalid("subdomain", "Subdomain: has already been taken", "DuplicateValue")
    return fields


@APP.post("/api/v2/brands", role="admin", status=201)
def create_brand(tx: Tx, me: Me, body: BrandRequest) -> BrandResponse:
    """Create a brand."""
    moment = now(tx)
    fields = {"name": "", "subdomain": "", **given_fields(required(body.brand, "brand"), "name", "subdomain")}
    fields = {**fields, **_fields(tx, required(body.brand, "brand"))}
    for name in ("name", "subdomain"):
        if not fields[name]:
            raise refusals.blank(name, name.capitalize())
    default = fields.pop("default", False)
    brand = audit_logs.add(tx, me, Brand(created_at=moment, updated_at=moment, **fields))
    if default:
        brand = _make_default(tx, brand)
    for agent in tx.all(User, "role <> 'end-user' AND active = 1"):
        add_brand_agents(tx, agent)
    set_location(tx, f"brands/{brand.id}")
    return BrandResponse(brand_object(brand))


def _make_default(tx: Tx, brand: Brand) -> Brand:
    for other in tx.all(Brand, '"default" = 1'):
        tx.change(other, default=False)
    return tx.change(brand, default=True)


@APP.put("/api/v2/brands/{brand_id}", role="admin")
def update_brand(tx: Tx, me: Me, brand_id: int, body: BrandRequest) -> BrandResponse:
    """Update a brand."""
    brand = brand_of(tx, brand_id)
    fields = _fields(tx, required(body.brand, "brand"), brand.id)
    default = fields.pop("default", False)
    if brand.default and fields.get("active") is False:
        raise refusals.invalid("active", "Active: the default brand cannot be deactivated", "InvalidValue")
    brand = audit_logs.change(tx, me, brand, fields)
    if default and not brand.default:
        brand = _make_default(tx, brand)
    return BrandResponse(brand_object(brand))


@APP.delete("/api/v2/brands/{brand_id}", role="admin")
def delete_brand(tx: Tx, brand_id: int) -> None:
    """Delete a brand; its tickets keep its name."""
    brand = brand_of(tx, brand_id)
    if brand.default:
        raise refusals.invalid("base", "The default brand cannot be deleted", "InvalidValue")
    tx.change(brand, is_deleted=True, active=False, updated_at=now(tx))


@APP.get("/api/v2/brand_agents", role="agent")
def list_brand_agents(
    tx: Tx, page: Page, user_id: int | None = None, brand_id: int | None = None
) -> BrandAgentsResponse:
    """Who answers for which brand."""
    asked = [(column, value) for column, value in (("user_id", user_id), ("brand_id", brand_id)) if value is not None]
    where = " AND ".join(f"{column} = ?" for column, _ in asked)
    found, around = page_of(tx, page, BrandAgent, where, [value for _, value in asked])
    return BrandAgentsResponse(brand_agents=[brand_agent_object(one) for one in found], **around)


@APP.get("/api/v2/brand_agents/{brand_agent_id}", role="agent")
def show_brand_agent(tx: Tx, brand_agent_id: int) -> BrandAgentResponse:
    """That an agent answers for a brand."""
    return BrandAgentResponse(brand_agent_object(tx.get(BrandAgent, brand_agent_id)))
