"""Join and leave organizations and groups, and choose the default ones."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ticket_edits import clear_from_tickets
from diorama.apps.zendesk.schema import Group, GroupMembership, Organization, OrganizationMembership, User
from diorama.kernel import Tx


def add_membership(
    tx: Tx, user_id: int, organization_id: int, default: bool, view_tickets: bool = False
) -> OrganizationMembership:
    """Add an organization membership without any checks."""
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
    """Add a user to an organization; the first one is the default."""
    user, organization = tx.get(User, user_id), tx.get(Organization, organization_id)
    if tx.count(OrganizationMembership, "user_id = ? AND organization_id = ?", user.id, organization.id):
        raise refusals.invalid("user_id", "User: has already been taken", "DuplicateValue")
    first = user.organization_id is None
    made = add_membership(tx, user.id, organization.id, default or first, view_tickets)
    if default or first:
        set_default_organization(tx, user, organization.id)
    return tx.get(OrganizationMembership, made.id)


def set_default_organization(tx: Tx, user: User, organization_id: int | None) -> None:
    """Set the default organization of a user, to which their tickets belong."""
    moment = now(tx)
    if organization_id is not None:
        tx.get(Organization, organization_id)
        if not tx.count(OrganizationMembership, "user_id = ? AND organization_id = ?", user.id, organization_id):
            add_membership(tx, user.id, organization_id, default=True)
    for membership in tx.all(OrganizationMembership, "user_id = ?", user.id):
        wanted = membership.organization_id == organization_id
        if membership.default != wanted:
            tx.change(membership, default=wanted, updated_at=moment)
    tx.change(user, organization_id=organization_id, updated_at=moment)


def leave_organization(tx: Tx, membership: OrganizationMembership) -> None:
    """Remove a user from an organization; the oldest remaining one becomes the default."""
    user = tx.get(User, membership.user_id)
    tx.remove(membership)
    if user.organization_id == membership.organization_id:
        other = tx.first(OrganizationMembership, "user_id = ?", user.id)
        set_default_organization(tx, user, other.organization_id if other else None)


def join_group(tx: Tx, user_id: int, group_id: int, default: bool = False) -> GroupMembership:
    """Add an agent to a group; the first one is the default."""
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
    """Make a group the default for an agent's tickets."""
    moment = now(tx)
    for other in tx.all(
        GroupMembership, 'user_id = ? AND "default" = 1 AND id <> ?', membership.user_id, membership.id
    ):
        tx.change(other, default=False, updated_at=moment)
    tx.change(tx.get(User, membership.user_id), default_group_id=membership.group_id, updated_at=moment)
    return tx.change(membership, default=True, updated_at=moment)


def leave_group(tx: Tx, membership: GroupMembership) -> None:
    """Remove an agent from a group, and unassign them from its tickets."""
    user = tx.get(User, membership.user_id)
    tx.remove(membership)
    clear_from_tickets(tx, {"assignee_id": user.id, "group_id": membership.group_id}, {"assignee_id": None})
    if user.default_group_id == membership.group_id:
        other = tx.first(GroupMembership, "user_id = ?", user.id)
        tx.change(user, default_group_id=other.group_id if other else None, updated_at=now(tx))
        if other is not None:
            tx.change(other, default=True, updated_at=now(tx))
