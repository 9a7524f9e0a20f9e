"""Group and organization memberships on the wire: one by one and in bulk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.pagination import Page, get_many, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, or_not_found, required_list
from diorama.apps.zendesk.rules import memberships
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Group, GroupMembership, Organization, OrganizationMembership, User
from diorama.apps.zendesk.wire.groups import group_object
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.memberships import (
    DefaultMembershipResponse,
    GroupMembershipRequest,
    GroupMembershipResponse,
    GroupMembershipsRequest,
    GroupMembershipsResponse,
    MembershipInput,
    OrganizationMembershipRequest,
    OrganizationMembershipResponse,
    OrganizationMembershipsRequest,
    OrganizationMembershipsResponse,
    group_membership_object,
    organization_membership_object,
)
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx


def _group_memberships(
    tx: Tx, page: Page, where: str, args: Sequence[Any], include: str | None = None
) -> GroupMembershipsResponse:
    found, around = page_of(tx, page, GroupMembership, where, args)
    reply = GroupMembershipsResponse(group_memberships=[group_membership_object(one) for one in found], **around)
    if include and "users" in include:
        reply.users = [user_object(user) for user in get_many(tx, User, [one.user_id for one in found])]
    if include and "groups" in include:
        reply.groups = [group_object(group) for group in get_many(tx, Group, [one.group_id for one in found])]
    return reply


@APP.get("/api/v2/group_memberships", role="agent")
def list_group_memberships(tx: Tx, page: Page, include: str | None = None) -> GroupMembershipsResponse:
    """Who works in which group."""
    return _group_memberships(tx, page, "", (), include)


@APP.get("/api/v2/group_memberships/assignable", role="agent")
def list_assignable_group_memberships(tx: Tx, page: Page) -> GroupMembershipsResponse:
    """Who can be given tickets, and in which group."""
    return _group_memberships(tx, page, "user_id IN (SELECT id FROM zendesk_users WHERE active = 1)", ())


@APP.get("/api/v2/users/{user_id}/group_memberships", role="agent")
def list_user_group_memberships(tx: Tx, user_id: int, page: Page) -> GroupMembershipsResponse:
    """The groups of an agent."""
    return _group_memberships(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


@APP.get("/api/v2/groups/{group_id}/memberships", role="agent")
def list_members_of_group(tx: Tx, group_id: int, page: Page) -> GroupMembershipsResponse:
    """The agents of a group."""
    return _group_memberships(tx, page, "group_id = ?", (tx.get(Group, group_id).id,))


@APP.post("/api/v2/group_memberships", role="admin", status=201)
def create_group_membership(tx: Tx, body: GroupMembershipRequest) -> GroupMembershipResponse:
    """Put an agent into a group."""
    asked = body.group_membership
    if asked is UNSET or not isinstance(asked.user_id, int) or not isinstance(asked.group_id, int):
        raise refusals.parameter_missing("group_membership")
    made = memberships.join_group(tx, asked.user_id, asked.group_id, asked.default is True)
    return GroupMembershipResponse(group_membership_object(made))


@APP.get("/api/v2/group_memberships/{group_membership_id}", role="agent")
def show_group_membership_by_id(tx: Tx, group_membership_id: int) -> GroupMembershipResponse:
    """One membership."""
    return GroupMembershipResponse(group_membership_object(tx.get(GroupMembership, group_membership_id)))


@APP.delete("/api/v2/group_memberships/{group_membership_id}", role="admin")
def delete_group_membership(tx: Tx, group_membership_id: int) -> None:
    """Take an agent out of a group."""
    memberships.leave_group(tx, tx.get(GroupMembership, group_membership_id))


@APP.put("/api/v2/users/{user_id}/group_memberships/{group_membership_id}/make_default", role="agent")
def group_membership_set_default(
    tx: Tx, user_id: int, group_membership_id: int, page: Page
) -> GroupMembershipsResponse:
    """An agent's tickets go to this group where none is named."""
    memberships.set_default_group(tx, get_owned(tx, GroupMembership, group_membership_id, user_id=user_id))
    return _group_memberships(tx, page, "user_id = ?", (user_id,))


def _organization_memberships(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> OrganizationMembershipsResponse:
    found, around = page_of(tx, page, OrganizationMembership, where, args)
    names = {company.id: company.name for company in get_many(tx, Organization, [one.organization_id for one in found])}
    shapes = [organization_membership_object(one, names.get(one.organization_id, "")) for one in found]
    return OrganizationMembershipsResponse(organization_memberships=shapes, **around)


def _shown(tx: Tx, membership: OrganizationMembership) -> OrganizationMembershipResponse:
    company = tx.get(Organization, membership.organization_id)
    return OrganizationMembershipResponse(organization_membership_object(membership, company.name))


@APP.get("/api/v2/organization_memberships", role="agent")
def list_organization_memberships(tx: Tx, page: Page) -> OrganizationMembershipsResponse:
    """Who belongs to which organization."""
    return _organization_memberships(tx, page, "", ())


@APP.get("/api/v2/users/{user_id}/organization_memberships", role="agent")
def list_user_organization_memberships(tx: Tx, user_id: int, page: Page) -> OrganizationMembershipsResponse:
    """The organizations that a user belongs to."""
    return _organization_memberships(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


@APP.get("/api/v2/organizations/{organization_id}/organization_memberships", role="agent")
def list_members_of_organization(tx: Tx, organization_id: int, page: Page) -> OrganizationMembershipsResponse:
    """The users who belong to an organization."""
    return _organization_memberships(tx, page, "organization_id = ?", (tx.get(Organization, organization_id).id,))


@APP.post("/api/v2/organization_memberships", role="agent", status=201)
def create_organization_membership(tx: Tx, body: OrganizationMembershipRequest) -> OrganizationMembershipResponse:
    """Put a user into an organization."""
    asked = body.organization_membership
    if asked is UNSET or not isinstance(asked.user_id, int) or not isinstance(asked.organization_id, int):
        raise refusals.parameter_missing("organization_membership")
    made = memberships.join_organization(
        tx, asked.user_id, asked.organization_id, asked.default is True, asked.view_tickets is True
    )
    return _shown(tx, made)


@APP.get("/api/v2/organization_memberships/{organization_membership_id}", role="agent")
def show_organization_membership_by_id(tx: Tx, organization_membership_id: int) -> OrganizationMembershipResponse:
    """One membership."""
    return _shown(tx, tx.get(OrganizationMembership, organization_membership_id))


@APP.delete("/api/v2/organization_memberships/{organization_membership_id}", role="agent")
def delete_organization_membership(tx: Tx, organization_membership_id: int) -> None:
    """Take a user out of an organization."""
    memberships.leave_organization(tx, tx.get(OrganizationMembership, organization_membership_id))


@APP.put("/api/v2/users/{user_id}/organization_memberships/{organization_membership_id}/make_default", role="agent")
def set_organization_membership_as_default(
    tx: Tx, user_id: int, organization_membership_id: int, page: Page
) -> OrganizationMembershipsResponse:
    """A user's tickets go to this organization from now on."""
    membership = get_owned(tx, OrganizationMembership, organization_membership_id, user_id=user_id)
    memberships.set_default_organization(tx, tx.get(User, user_id), membership.organization_id)
    return _organization_memberships(tx, page, "user_id = ?", (user_id,))


@APP.get("/api/v2/users/{user_id}/group_memberships/{group_membership_id}", role="agent")
def show_group_membership_of_user(tx: Tx, user_id: int, group_membership_id: int) -> GroupMembershipResponse:
    """One place of an agent."""
    return GroupMembershipResponse(
        group_membership_object(get_owned(tx, GroupMembership, group_membership_id, user_id=user_id))
    )


@APP.delete("/api/v2/users/{user_id}/group_memberships/{group_membership_id}", role="admin")
def delete_group_membership_of_user(tx: Tx, user_id: int, group_membership_id: int) -> None:
    """Take an agent out of a group."""
    memberships.leave_group(tx, get_owned(tx, GroupMembership, group_membership_id, user_id=user_id))


@APP.get("/api/v2/groups/{group_id}/memberships/assignable", role="agent")
def list_assignable_members_of_group(tx: Tx, group_id: int, page: Page) -> GroupMembershipsResponse:
    """Who of a group can be given tickets."""
    where = "group_id = ? AND user_id IN (SELECT id FROM zendesk_users WHERE active = 1 AND suspended = 0)"
    found, around = page_of(tx, page, GroupMembership, where, (tx.get(Group, group_id).id,))
    return GroupMembershipsResponse(group_memberships=[group_membership_object(one) for one in found], **around)


@APP.get("/api/v2/users/{user_id}/organization_memberships/{organization_membership_id}", role="agent")
def show_organization_membership_of_user(
    tx: Tx, user_id: int, organization_membership_id: int
) -> OrganizationMembershipResponse:
    """One place of a user."""
    found = get_owned(tx, OrganizationMembership, organization_membership_id, user_id=user_id)
    company = tx.get(Organization, found.organization_id)
    return OrganizationMembershipResponse(organization_membership_object(found, company.name))


@APP.delete("/api/v2/users/{user_id}/organization_memberships/{organization_membership_id}", role="agent")
def delete_organization_membership_of_user(tx: Tx, user_id: int, organization_membership_id: int) -> None:
    """Take a user out of an organization."""
    memberships.leave_organization(
        tx, get_owned(tx, OrganizationMembership, organization_membership_id, user_id=user_id)
    )


@APP.post("/api/v2/organization_memberships/create_many", role="agent")
def create_many_organization_memberships(tx: Tx, me: Me, body: OrganizationMembershipsRequest) -> JobStatusResponse:
    """Put up to a hundred users into organizations, in the background."""
    items = required_list(body.organization_memberships, "organization_memberships")
    return enqueue_job(tx, me, "Bulk Create OrganizationMembership", items)


@APP.delete("/api/v2/organization_memberships/destroy_many", role="agent")
def delete_many_organization_memberships(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Take up to a hundred users out of organizations, in the background."""
    return enqueue_job(tx, me, "Bulk Delete OrganizationMembership", ids_of(ids))


@APP.post("/api/v2/group_memberships/create_many", role="admin")
def group_membership_bulk_create(tx: Tx, me: Me, body: GroupMembershipsRequest) -> JobStatusResponse:
    """Put up to a hundred agents into groups, in the background."""
    items = required_list(body.group_memberships, "group_memberships")
    return enqueue_job(tx, me, "Bulk Create GroupMembership", items)


@APP.delete("/api/v2/group_memberships/destroy_many", role="admin")
def group_membership_bulk_delete(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Take up to a hundred agents out of groups, in the background."""
    return enqueue_job(tx, me, "Bulk Delete GroupMembership", ids_of(ids))


def _read(item: Any, *names: str) -> MembershipInput:
    asked = msgspec.convert(item, MembershipInput, strict=False)
    for name in names:
        if getattr(asked, name) is UNSET:
            raise refusals.blank(name, name.removesuffix("_id").capitalize())
    return asked


@JOBS.worker("Bulk Create OrganizationMembership", "Creating organization membership")
def join_one_organization(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    asked = _read(item, "user_id", "organization_id")
    made = memberships.join_organization(
        tx,
        msgspec.convert(asked.user_id, int),
        msgspec.convert(asked.organization_id, int),
        asked.default is True,
        asked.view_tickets is True,
    )
    return {"index": place, "id": made.id, "status": "Created"}


@JOBS.worker("Bulk Delete OrganizationMembership", "Deleting organization membership")
def leave_one_organization(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    memberships.leave_organization(tx, tx.get(OrganizationMembership, int(item)))
    return {"index": place, "id": int(item), "action": "delete", "status": "Deleted", "success": True}


@JOBS.worker("Bulk Create GroupMembership", "Creating group membership")
def join_one_group(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    asked = _read(item, "user_id", "group_id")
    made = memberships.join_group(
        tx, msgspec.convert(asked.user_id, int), msgspec.convert(asked.group_id, int), asked.default is True
    )
    return {"index": place, "id": made.id, "status": "Created"}


@JOBS.worker("Bulk Delete GroupMembership", "Deleting group membership")
def leave_one_group(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    memberships.leave_group(tx, tx.get(GroupMembership, int(item)))
    return {"index": place, "id": int(item), "action": "delete", "status": "Deleted", "success": True}


def _membership(tx: Tx, user_id: int, organization_id: int) -> OrganizationMembership:
    where = "user_id = ? AND organization_id = ?"
    return or_not_found(tx.first(OrganizationMembership, where, user_id, organization_id))


@APP.delete("/api/v2/users/{user_id}/organizations/{organization_id}", role="agent")
def unassign_organization(tx: Tx, user_id: int, organization_id: int) -> None:
    """Take a user out of an organization."""
    memberships.leave_organization(tx, _membership(tx, user_id, organization_id))


@APP.put("/api/v2/users/{user_id}/organizations/{organization_id}/make_default", role="agent")
def set_organization_as_default(tx: Tx, user_id: int, organization_id: int) -> DefaultMembershipResponse:
    """A user's tickets go to this organization from now on."""
    membership = _membership(tx, user_id, organization_id)
    memberships.set_default_organization(tx, tx.get(User, user_id), organization_id)
    company = tx.get(Organization, organization_id)
    shape = organization_membership_object(tx.get(OrganizationMembership, membership.id), company.name)
    return DefaultMembershipResponse(shape)
