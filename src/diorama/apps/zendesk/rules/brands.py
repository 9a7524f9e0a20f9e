"""Add, change and delete brands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.users import add_brand_agents
from diorama.apps.zendesk.schema import Brand, TicketForm, User
from diorama.kernel import Tx

LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""One part of a host name."""


def brand_of(tx: Tx, brand_id: int) -> Brand:
    """Return a brand, or raise 404 if it is deleted."""
    brand = tx.get(Brand, brand_id)
    if brand.is_deleted:
        raise refusals.not_found()
    return brand


def _checked(tx: Tx, asked: Mapping[str, Any], besides: int = 0) -> dict[str, Any]:
    """Return the fields of a brand as they are kept; raise 422 for a blank name or a subdomain that does not do."""
    fields = dict(asked)
    if "ticket_form_ids" in fields:
        fields["ticket_form_ids"] = tuple(tx.get(TicketForm, number).id for number in fields["ticket_form_ids"])
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    if "subdomain" in fields:
        fields["subdomain"] = fields["subdomain"].lower()
        if not LABEL.fullmatch(fields["subdomain"]):
            raise refusals.invalid("subdomain", "Subdomain: is invalid", "InvalidFormat")
        if tx.rows("SELECT 1 FROM zendesk_brands WHERE subdomain = ? AND id <> ?", fields["subdomain"], besides):
            raise refusals.invalid("subdomain", "Subdomain: has already been taken", "DuplicateValue")
    return fields


def add_brand(tx: Tx, by: User, asked: Mapping[str, Any]) -> Brand:
    """Add a brand; every agent answers for it."""
    fields, moment = _checked(tx, asked), now(tx)
    for name in ("name", "subdomain"):
        if not fields.get(name):
            raise refusals.blank(name, name.capitalize())
    default = fields.pop("default", False)
    brand = audit_logs.add(tx, by, Brand(created_at=moment, updated_at=moment, **fields))
    if default:
        brand = _make_default(tx, brand)
    for agent in tx.all(User, "role <> 'end-user' AND active = 1"):
        add_brand_agents(tx, agent)
    return brand


def change_brand(tx: Tx, by: User, brand: Brand, asked: Mapping[str, Any]) -> Brand:
    """Change a brand; the default one stays active."""
    fields = _checked(tx, asked, brand.id)
    default = fields.pop("default", False)
    if brand.default and fields.get("active") is False:
        raise refusals.invalid("active", "Active: the default brand cannot be deactivated", "InvalidValue")
    brand = audit_logs.change(tx, by, brand, fields)
    return _make_default(tx, brand) if default and not brand.default else brand


def delete_brand(tx: Tx, brand: Brand) -> None:
    """Delete a brand; its tickets keep its name, and the default one stays."""
    if brand.default:
        raise refusals.invalid("base", "The default brand cannot be deleted", "InvalidValue")
    tx.change(brand, is_deleted=True, active=False, updated_at=now(tx))


def _make_default(tx: Tx, brand: Brand) -> Brand:
    for other in tx.all(Brand, '"default" = 1'):
        tx.change(other, default=False)
    return tx.change(brand, default=True)
