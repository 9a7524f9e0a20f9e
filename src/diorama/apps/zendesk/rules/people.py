"""What happens to users, organizations and groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import profiles
from diorama.apps.zendesk.rules.acting import SYSTEM, by_email, now, revised
from diorama.apps.zendesk.rules.edits import Edit
from diorama.apps.zendesk.schema import (
    ROLES,
    BrandAgent,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationField,
    OrganizationMembership,
    ProfileField,
    Role,
    Ticket,
    User,
    UserField,
    Via,
)
from diorama.kernel import Tx


def tidy_tags(tags: Iterable[str] | str) -> tuple[str, ...]:
    """Tags as Zendesk keeps them: lower case, one word each, sorted, no doubles."""
    text = tags if isinstance(tags, str) else " ".join(tags)
    cleaned = {
        "".join(c for c in word if c.isalnum() or c in "_-/.:") for word in text.lower().replace(",", " ").split()
    }
    return tuple(sorted(cleaned - {""}))


def name_from(email: str) -> str:
    """The name that Zendesk makes up from an address."""
    local = email.partition("@")[0].partition("+")[0]
    return (
        " ".join(part.capitalize() for part in local.replace(".", " ").replace("_", " ").replace("-", " ").split())
        or email
    )


def valid_email(email: str) -> bool:
    """Whether an address could be one."""
    local, at, domain = email.partition("@")
    return bool(local and at and "." in domain.strip(".")) and not any(c.isspace() or c in ",;<>()" for c in email)


def _own_fields(
    tx: Tx, record: type[ProfileField], fields: dict[str, Any], name: str, there: Mapping[str, Any], tags: Iterable[str]
) -> None:
    """Check the values of the company's own fields, and let tags follow them."""
    if name not in fields:
        return
    fields[name], gained, lost = profiles.fill(tx, record, fields[name] or {}, there)
    if gained or lost:
        fields["tags"] = tuple(sorted((set(fields.get("tags", tags)) - lost) | gained))


def release(tx: Tx, where: str, *args: Any, closed: bool = False, **fields: Any) -> None:
    """Tickets lose whom or what they belonged to: an update of each by the system, which asks no trigger."""
    for ticket in tx.all(Ticket, where if closed else f"{where} AND status <> 'closed'", *args):
        edit = Edit(tx, ticket, SYSTEM, Via("system"), ticket, {"system": {}, "custom": {}})
        edit.set(**fields)
        edit.finish()


# --- users


def add_user(tx: Tx, *, name: str, email: str | None = None, role: Role = "end-user", **fields: Any) -> User:
    """A new user with an identity for the address, in the organization that was named or that the domain means."""
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
        organization_id = _organization_of_domain(tx, address.partition("@")[2])
    if "tags" in fields:
        fields["tags"] = tidy_tags(fields["tags"])
    _own_fields(tx, UserField, fields, "user_fields", {}, ())
    user = tx.add(
        User(
            name=name.strip(),
            email=address,
            role=role,
            organization_id=organization_id,
            created_at=moment,
            updated_at=moment,
            **fields,
        )
    )
    if address is not None:
        add_identity(tx, user, address, primary=True, verified=user.verified)
    if user.phone:
        add_identity(tx, user, user.phone, type="phone_number", primary=address is None, verified=user.verified)
    if organization_id is not None:
        _join(tx, user.id, organization_id, default=True)
    if user.staff:
        user = _first_group(tx, user)
    return user


RESTRICTIONS = ("organization", "groups", "assigned", "requested")
"""How a user's sight of tickets can be narrowed; nothing means all."""


def _check_restriction(fields: Mapping[str, Any]) -> None:
    found = fields.get("ticket_restriction")
    if found is not None and found not in RESTRICTIONS:
        raise refusals.not_listed("ticket_restriction", "Ticket restriction", found)


def find_or_add(tx: Tx, email: str, name: str = "") -> User:
    """The user of an address, made up where nobody has it yet."""
    return by_email(tx, email) or add_user(tx, name=name or name_from(email), email=email)


def change_user(tx: Tx, user: User, fields: Mapping[str, Any]) -> User:
    """Change a user; a new address becomes one more identity and the primary one."""
    wanted = dict(fields)
    if "tags" in wanted:
        wanted["tags"] = tidy_tags(wanted["tags"])
    if "name" in wanted and not str(wanted["name"] or "").strip():
        raise refusals.invalid("name", "Name: is too short (minimum one character)", "ValueTooShort")
    if "role" in wanted and wanted["role"] not in ROLES:
        raise refusals.not_listed("role", "Role", wanted["role"])
    _check_restriction(wanted)
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
    _own_fields(tx, UserField, wanted, "user_fields", user.user_fields, user.tags)
    changed = {name: value for name, value in wanted.items() if getattr(user, name) != value}
    if not changed:
        return user
    user = tx.change(user, **changed, updated_at=now(tx))
    if "role" in changed and user.staff and user.default_group_id is None:
        user = _first_group(tx, user)
    return user


def delete_user(tx: Tx, user: User) -> User:
    """A deleted user stays in the history, without address or open tickets."""
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
    release(tx, "assignee_id = ?", user.id, assignee_id=None)
    return tx.change(user, active=False, email=None, updated_at=now(tx))


def _check_email(tx: Tx, address: str, besides: int = 0) -> None:
    if not valid_email(address):
        raise refusals.invalid("email", f"Email: {address} is not properly formatted", "InvalidFormat")
    owner = by_email(tx, address)
    if owner is not None and owner.id != besides:
        raise refusals.invalid("email", f"Email: {address} is already being used by another user", "DuplicateValue")


def _organization_of_domain(tx: Tx, domain: str) -> int | None:
    rows = tx.rows(
        "SELECT id FROM zendesk_organizations WHERE instr(domain_names, ?) > 0 ORDER BY id LIMIT 1", f'"{domain}"'
    )
    return rows[0][0] if rows else None


def answer_for_brands(tx: Tx, user: User) -> None:
    """Agents answer for every brand."""
    moment = now(tx)
    for (number,) in tx.rows(
        "SELECT id FROM zendesk_brands WHERE is_deleted = 0 AND id NOT IN "
        "(SELECT brand_id FROM zendesk_brand_agents WHERE user_id = ?) ORDER BY id",
        user.id,
    ):
        tx.add(BrandAgent(user_id=user.id, brand_id=number, created_at=moment, updated_at=moment))


def _first_group(tx: Tx, user: User) -> User:
    answer_for_brands(tx, user)
    group = tx.first(Group, '"default" = 1 AND deleted = 0')
    if group is None:
        return user
    join_group(tx, user.id, group.id, default=True)
    return tx.get(User, user.id)


# --- identities


def add_identity(
    tx: Tx, user: User, value: str, *, type: str = "email", primary: bool = False, verified: bool = False
) -> Identity:
    """One more address of a user."""
    moment = now(tx)
    return tx.add(
        Identity(
            user_id=user.id,
            type=type,
            value=value,
            primary=primary,
            verified=verified,
            created_at=moment,
            updated_at=moment,
        )
    )


def claim_identity(
    tx: Tx, user: User, value: str, *, type: str = "email", primary: bool = False, verified: bool = False
) -> Identity:
    """One more address of a user, if nobody else has it."""
    if type == "email":
        value = value.strip().lower()
        if not valid_email(value):
            raise refusals.invalid("value", f"Value: {value} is not properly formatted", "InvalidFormat")
        owner = by_email(tx, value)
        if owner is not None:
            raise refusals.invalid("value", f"Value: {value} is already being used by another user", "DuplicateValue")
    made = add_identity(tx, user, value, type=type, verified=verified)
    return make_primary(tx, made) if primary else made


def make_primary(tx: Tx, identity: Identity) -> Identity:
    """This address is the one to write to."""
    moment = now(tx)
    for other in tx.all(
        Identity, 'user_id = ? AND type = ? AND "primary" = 1 AND id <> ?', identity.user_id, identity.type, identity.id
    ):
        tx.change(other, primary=False, updated_at=moment)
    if identity.type == "email":
        tx.change(tx.get(User, identity.user_id), email=identity.value, updated_at=moment)
    return tx.change(identity, primary=True, updated_at=moment)


# --- organizations


def add_organization(tx: Tx, *, name: str, **fields: Any) -> Organization:
    """A new organization; names are unique."""
    _check_organization_name(tx, name)
    if "tags" in fields:
        fields["tags"] = tidy_tags(fields["tags"])
    _own_fields(tx, OrganizationField, fields, "organization_fields", {}, ())
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
    _own_fields(tx, OrganizationField, wanted, "organization_fields", there, organization.tags)
    return revised(tx, organization, wanted)


def delete_organization(tx: Tx, organization: Organization) -> None:
    """An organization goes; its users and tickets stay without it."""
    for user in tx.all(User, "organization_id = ?", organization.id):
        tx.change(user, organization_id=None)
    for membership in tx.all(OrganizationMembership, "organization_id = ?", organization.id):
        tx.remove(membership)
    release(tx, "organization_id = ?", organization.id, organization_id=None)
    tx.remove(organization)


def _check_organization_name(tx: Tx, name: str) -> None:
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.rows("SELECT 1 FROM zendesk_organizations WHERE name = ? COLLATE NOCASE", name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")


def _join(
    tx: Tx, user_id: int, organization_id: int, default: bool, view_tickets: bool = False
) -> OrganizationMembership:
    moment = now(tx)
    return tx.add(
        OrganizationMembership(
            user_id=user_id,
            organization_id=organization_id,
            default=default,
            view_tickets=view_tickets,
            created_at=moment,
            updated_at=moment,
        )
    )


def join_organization(
    tx: Tx, user_id: int, organization_id: int, default: bool = False, view_tickets: bool = False
) -> OrganizationMembership:
    """A user joins an organization; the first one is the default."""
    user, organization = tx.get(User, user_id), tx.get(Organization, organization_id)
    if tx.count(OrganizationMembership, "user_id = ? AND organization_id = ?", user.id, organization.id):
        raise refusals.invalid("user_id", "User: has already been taken", "DuplicateValue")
    first = user.organization_id is None
    made = _join(tx, user.id, organization.id, default or first, view_tickets)
    if default or first:
        set_default_organization(tx, user, organization.id)
    return tx.get(OrganizationMembership, made.id)


def set_default_organization(tx: Tx, user: User, organization_id: int | None) -> None:
    """A user's tickets belong to this organization from now on."""
    moment = now(tx)
    if organization_id is not None:
        tx.get(Organization, organization_id)
        if not tx.count(OrganizationMembership, "user_id = ? AND organization_id = ?", user.id, organization_id):
            _join(tx, user.id, organization_id, default=True)
    for membership in tx.all(OrganizationMembership, "user_id = ?", user.id):
        wanted = membership.organization_id == organization_id
        if membership.default != wanted:
            tx.change(membership, default=wanted, updated_at=moment)
    tx.change(user, organization_id=organization_id, updated_at=moment)


def leave_organization(tx: Tx, membership: OrganizationMembership) -> None:
    """A user leaves an organization; the oldest of the others becomes the default."""
    user = tx.get(User, membership.user_id)
    tx.remove(membership)
    if user.organization_id == membership.organization_id:
        other = tx.first(OrganizationMembership, "user_id = ?", user.id)
        set_default_organization(tx, user, other.organization_id if other else None)


# --- groups


def add_group(tx: Tx, *, name: str, description: str = "", is_public: bool = True) -> Group:
    """A new group; the first one is the default for agents."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    moment = now(tx)
    first = tx.count(Group, "deleted = 0") == 0
    return tx.add(
        Group(
            name=name.strip(),
            description=description,
            is_public=is_public,
            default=first,
            created_at=moment,
            updated_at=moment,
        )
    )


def delete_group(tx: Tx, group: Group) -> None:
    """A deleted group keeps its name in old tickets, and nobody in it."""
    if group.default:
        raise refusals.invalid("base", "The default group cannot be deleted", "DefaultGroup")
    for member in tx.all(GroupMembership, "group_id = ?", group.id):
        leave_group(tx, member)
    release(tx, "group_id = ?", group.id, group_id=None, assignee_id=None)
    tx.change(group, deleted=True, updated_at=now(tx))


def join_group(tx: Tx, user_id: int, group_id: int, default: bool = False) -> GroupMembership:
    """An agent joins a group; the first one is the default."""
    user, group = tx.get(User, user_id), tx.get(Group, group_id)
    if group.deleted:
        raise refusals.not_found()
    if not user.staff:
        raise refusals.invalid("user_id", "User: must be an agent", "InvalidValue")
    if tx.count(GroupMembership, "user_id = ? AND group_id = ?", user_id, group_id):
        raise refusals.invalid("user_id", "User: has already been taken", "DuplicateValue")
    moment, first = now(tx), user.default_group_id is None
    made = tx.add(
        GroupMembership(user_id=user_id, group_id=group_id, default=False, created_at=moment, updated_at=moment)
    )
    return set_default_group(tx, made) if default or first else made


def set_default_group(tx: Tx, membership: GroupMembership) -> GroupMembership:
    """An agent's tickets go to this group where none is named."""
    moment = now(tx)
    for other in tx.all(
        GroupMembership, 'user_id = ? AND "default" = 1 AND id <> ?', membership.user_id, membership.id
    ):
        tx.change(other, default=False, updated_at=moment)
    tx.change(tx.get(User, membership.user_id), default_group_id=membership.group_id, updated_at=moment)
    return tx.change(membership, default=True, updated_at=moment)


def leave_group(tx: Tx, membership: GroupMembership) -> None:
    """An agent leaves a group; tickets held for it lose the agent."""
    user = tx.get(User, membership.user_id)
    tx.remove(membership)
    release(tx, "assignee_id = ? AND group_id = ?", user.id, membership.group_id, assignee_id=None)
    if user.default_group_id == membership.group_id:
        other = tx.first(GroupMembership, "user_id = ?", user.id)
        tx.change(user, default_group_id=other.group_id if other else None, updated_at=now(tx))
        if other is not None:
            tx.change(other, default=True, updated_at=now(tx))
