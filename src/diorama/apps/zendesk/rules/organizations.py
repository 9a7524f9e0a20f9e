"""Add, change and delete organizations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import change_if_different, now
from diorama.apps.zendesk.rules.profile_fields import set_profile_fields
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_edits import clear_from_tickets
from diorama.apps.zendesk.schema import Organization, OrganizationField, OrganizationMembership, User
from diorama.kernel import Tx


def organization_of_domain(tx: Tx, domain: str) -> int | None:
    """Return the id of the first organization with this domain, or None."""
    rows = tx.rows(
        "SELECT id FROM zendesk_organizations WHERE instr(domain_names, ?) > 0 ORDER BY id LIMIT 1", f'"{domain}"'
    )
    return rows[0][0] if rows else None


def add_organization(tx: Tx, *, name: str, **fields: Any) -> Organization:
    """Add an organization; names are unique."""
    _check_organization_name(tx, name)
    if "tags" in fields:
        fields["tags"] = tidy_tags(fields["tags"])
    set_profile_fields(tx, OrganizationField, fields, "organization_fields", {}, ())
    moment = now(tx)
    return tx.add(Organization(name=name.strip(), created_at=moment, updated_at=moment, **fields))


def change_organization(tx: Tx, organization: Organization, fields: Mapping[str, Any]) -> Organization:
    """Change an organization."""
    wanted = dict(fields)
    if "name" in wanted and wanted["name"] != organization.name:
        _check_organization_name(tx, wanted["name"])
    if "tags" in wanted:
        wanted["tags"] = tidy_tags(wanted["tags"])
    there = organization.organization_fields
    set_profile_fields(tx, OrganizationField, wanted, "organization_fields", there, organization.tags)
    return change_if_different(tx, organization, wanted)


def delete_organization(tx: Tx, organization: Organization) -> None:
    """Delete an organization; its users and tickets stay without it."""
    for user in tx.all(User, "organization_id = ?", organization.id):
        tx.change(user, organization_id=None)
    for membership in tx.all(OrganizationMembership, "organization_id = ?", organization.id):
        tx.remove(membership)
    clear_from_tickets(tx, {"organization_id": organization.id}, {"organization_id": None})
    tx.remove(organization)


def _check_organization_name(tx: Tx, name: str) -> None:
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.rows("SELECT 1 FROM zendesk_organizations WHERE name = ? COLLATE NOCASE", name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")
