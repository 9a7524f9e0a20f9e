"""Add, change and delete users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.account import default_locale, time_zone_name
from diorama.apps.zendesk.rules.current_user import by_email, now
from diorama.apps.zendesk.rules.memberships import add_membership, join_group, set_default_organization
from diorama.apps.zendesk.rules.organizations import organization_of_domain
from diorama.apps.zendesk.rules.profile_fields import set_profile_fields
from diorama.apps.zendesk.rules.tags import tidy_tags
from diorama.apps.zendesk.rules.ticket_edits import clear_from_tickets
from diorama.apps.zendesk.rules.time_zones import iana_name
from diorama.apps.zendesk.rules.user_identities import add_identity, make_primary, valid_email
from diorama.apps.zendesk.schema import (
    ROLES,
    BrandAgent,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    Role,
    User,
    UserField,
)
from diorama.kernel import Tx


def name_from_email(email: str) -> str:
    """Return the name that Zendesk derives from an email address."""
    local = email.partition("@")[0].partition("+")[0]
    return (
        " ".join(part.capitalize() for part in local.replace(".", " ").replace("_", " ").replace("-", " ").split())
        or email
    )


def add_user(tx: Tx, *, name: str, email: str | None = None, role: Role = "end-user", **fields: Any) -> User:
    """Add a user with an identity for the email, in the given organization or the one of its domain."""
    if not name.strip():
        raise refusals.invalid("name", "Name: is too short (minimum one character)", "ValueTooShort")
    if role not in ROLES:
        raise refusals.not_listed("role", "Role", role)
    _check_restriction(fields)
    address = email.strip().lower() if email else None
    if address is not None:
        _check_email(tx, address)
    moment = now(tx)
    organization_id = fields.pop("organization_id", None)
    if organization_id is not None:
        tx.get(Organization, organization_id)
    elif address and role == "end-user":
        organization_id = organization_of_domain(tx, address.partition("@")[2])
    if "tags" in fields:
        fields["tags"] = tidy_tags(fields["tags"])
    fields["time_zone"] = fields.get("time_zone") or time_zone_name(tx)
    fields["locale"] = fields.get("locale") or default_locale(tx)
    set_profile_fields(tx, UserField, fields, "user_fields", {}, ())
    user = tx.add(
        User(
            name=name.strip(),
            email=address,
            role=role,
            organization_id=organization_id,
            created_at=moment,
            updated_at=moment,
            iana_time_zone=iana_name(fields["time_zone"]),
            **fields,
        )
    )
    if address is not None:
        add_identity(tx, user, address, primary=True, verified=user.verified)
    if user.phone:
        add_identity(tx, user, user.phone, type="phone_number", primary=address is None, verified=user.verified)
    if organization_id is not None:
        add_membership(tx, user.id, organization_id, default=True)
    if user.staff:
        user = _first_group(tx, user)
    return user


RESTRICTIONS = ("organization", "groups", "assigned", "requested")
"""The values of a user's ticket restriction; None means access to all tickets."""


def _check_restriction(fields: Mapping[str, Any]) -> None:
    found = fields.get("ticket_restriction")
    if found is not None and found not in RESTRICTIONS:
        raise refusals.not_listed("ticket_restriction", "Ticket restriction", found)


def find_or_add(tx: Tx, email: str, name: str = "") -> User:
    """Return the user with an email address; add one if there is none."""
    return by_email(tx, email) or add_user(tx, name=name or name_from_email(email), email=email)


def change_user(tx: Tx, user: User, fields: Mapping[str, Any]) -> User:
    """Change a user; a new email is added as an identity and made primary."""
    wanted = dict(fields)
    if "tags" in wanted:
        wanted["tags"] = tidy_tags(wanted["tags"])
    if "name" in wanted and not str(wanted["name"] or "").strip():
        raise refusals.invalid("name", "Name: is too short (minimum one character)", "ValueTooShort")
    if "role" in wanted and wanted["role"] not in ROLES:
        raise refusals.not_listed("role", "Role", wanted["role"])
    _check_restriction(wanted)
    if "time_zone" in wanted:
        wanted["iana_time_zone"] = iana_name(wanted["time_zone"])
    email = wanted.pop("email", user.email)
    address = email.strip().lower() if email else user.email
    if address and address != user.email:
        _check_email(tx, address, besides=user.id)
        known = tx.first(Identity, "user_id = ? AND value = ? AND type = 'email'", user.id, address)
        make_primary(tx, known or add_identity(tx, user, address))
        user = tx.get(User, user.id)
    if "organization_id" in wanted and wanted["organization_id"] != user.organization_id:
        set_default_organization(tx, user, wanted.pop("organization_id"))
        user = tx.get(User, user.id)
    set_profile_fields(tx, UserField, wanted, "user_fields", user.user_fields, user.tags)
    changed = {name: value for name, value in wanted.items() if getattr(user, name) != value}
    if not changed:
        return user
    user = tx.change(user, **changed, updated_at=now(tx))
    if "role" in changed and user.staff and user.default_group_id is None:
        user = _first_group(tx, user)
    return user


def delete_user(tx: Tx, user: User) -> User:
    """Delete a user: keep them in the history, without email or open tickets."""
    if tx.rows(
        "SELECT 1 FROM zendesk_tickets WHERE requester_id = ? AND status <> 'closed' AND deleted_at IS NULL LIMIT 1",
        user.id,
    ):
        raise refusals.invalid("base", f"{user.name} is requester on 1 or more open tickets.", "RequesterOfOpenTickets")
    for identity in tx.all(Identity, "user_id = ?", user.id):
        tx.remove(identity)
    for membership in tx.all(OrganizationMembership, "user_id = ?", user.id):
        tx.remove(membership)
    for member in tx.all(GroupMembership, "user_id = ?", user.id):
        tx.remove(member)
    clear_from_tickets(tx, {"assignee_id": user.id}, {"assignee_id": None})
    return tx.change(user, active=False, email=None, updated_at=now(tx))


def _check_email(tx: Tx, address: str, besides: int = 0) -> None:
    if not valid_email(address):
        raise refusals.invalid("email", f"Email: {address} is not properly formatted", "InvalidFormat")
    owner = by_email(tx, address)
    if owner is not None and owner.id != besides:
        raise refusals.invalid("email", f"Email: {address} is already being used by another user", "DuplicateValue")


def add_brand_agents(tx: Tx, user: User) -> None:
    """Add an agent to every brand."""
    moment = user.created_at
    for (number,) in tx.rows(
        "SELECT id FROM zendesk_brands WHERE is_deleted = 0 AND id NOT IN "
        "(SELECT brand_id FROM zendesk_brand_agents WHERE user_id = ?) ORDER BY id",
        user.id,
    ):
        tx.add(BrandAgent(user_id=user.id, brand_id=number, created_at=moment, updated_at=moment))


def _first_group(tx: Tx, user: User) -> User:
    add_brand_agents(tx, user)
    group = tx.first(Group, '"default" = 1 AND deleted = 0')
    if group is None:
        return user
    join_group(tx, user.id, group.id, default=True)
    return tx.get(User, user.id)


def check_may_write(me: User, user: User | None, role: Any = None) -> None:
    """Raise 403 unless the caller may add a user with this role, or change this one.

    Agents look after end users and themselves; only administrators add or change agents.
    """
    wanted = role if isinstance(role, str) else "end-user"
    touches_staff = wanted != "end-user" or (user is not None and user.staff and user.id != me.id)
    if me.role != "admin" and (touches_staff or not me.staff):
        raise refusals.forbidden()
