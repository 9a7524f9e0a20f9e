"""Tags of users and organizations, and memberships by the path of their owner, on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.configuring import within
from diorama.apps.zendesk.api.listing import Page, page_of
from diorama.apps.zendesk.rules import people
from diorama.apps.zendesk.rules.acting import admin, agents_only
from diorama.apps.zendesk.rules.people import tidy_tags
from diorama.apps.zendesk.schema import APP, Group, GroupMembership, Organization, OrganizationMembership, User
from diorama.apps.zendesk.wire.people import (
    GroupMembershipResponse,
    GroupMembershipsResponse,
    OrganizationMembershipResponse,
    group_membership_object,
    organization_membership_object,
)
from diorama.apps.zendesk.wire.tickets import TagsByObjectIdResponse, TagsRequest
from diorama.kernel import Tx

# --- tags of users


def _tag_user(tx: Tx, user: User, tags: set[str]) -> TagsByObjectIdResponse:
    return TagsByObjectIdResponse(people.change_user(tx, user, {"tags": tuple(sorted(tags))}).tags)


@APP.get("/api/v2/users/{user_id}/tags")
def list_user_tags(tx: Tx, user_id: int) -> TagsByObjectIdResponse:
    """The tags of a user, which their new tickets inherit."""
    agents_only(tx)
    return TagsByObjectIdResponse(tx.get(User, user_id).tags)


@APP.post("/api/v2/users/{user_id}/tags", status=201)
def set_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Give a user these tags and no others."""
    agents_only(tx)
    return _tag_user(tx, tx.get(User, user_id), set(tidy_tags(body.tags)))


@APP.put("/api/v2/users/{user_id}/tags")
def add_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to a user."""
    agents_only(tx)
    user = tx.get(User, user_id)
    return _tag_user(tx, user, {*user.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/users/{user_id}/tags")
def remove_user_tags(tx: Tx, user_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Take tags off a user."""
    agents_only(tx)
    user = tx.get(User, user_id)
    return _tag_user(tx, user, set(user.tags) - set(tidy_tags(body.tags)))


# --- tags of organizations


def _tag_company(tx: Tx, company: Organization, tags: set[str]) -> TagsByObjectIdResponse:
    return TagsByObjectIdResponse(people.change_organization(tx, company, {"tags": tuple(sorted(tags))}).tags)


@APP.get("/api/v2/organizations/{organization_id}/tags")
def list_organization_tags(tx: Tx, organization_id: int) -> TagsByObjectIdResponse:
    """The tags of an organization, which new tickets of its users inherit."""
    agents_only(tx)
    return TagsByObjectIdResponse(tx.get(Organization, organization_id).tags)


@APP.post("/api/v2/organizations/{organization_id}/tags", status=201)
def set_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Give an organization these tags and no others."""
    admin(tx)
    return _tag_company(tx, tx.get(Organization, organization_id), set(tidy_tags(body.tags)))


@APP.put("/api/v2/organizations/{organization_id}/tags")
def add_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to an organization."""
    admin(tx)
    company = tx.get(Organization, organization_id)
    return _tag_company(tx, company, {*company.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/organizations/{organization_id}/tags")
def remove_organization_tags(tx: Tx, organization_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Take tags off an organization."""
    admin(tx)
    company = tx.get(Organization, organization_id)
    return _tag_company(tx, company, set(company.tags) - set(tidy_tags(body.tags)))


# --- memberships by the path of their owner


@APP.get("/api/v2/users/{user_id}/group_memberships/{group_membership_id}")
def show_group_membership_of_user(tx: Tx, user_id: int, group_membership_id: int) -> GroupMembershipResponse:
    """One place of an agent."""
    agents_only(tx)
    return GroupMembershipResponse(
        group_membership_object(within(tx, GroupMembership, group_membership_id, user_id=user_id))
    )


@APP.delete("/api/v2/users/{user_id}/group_memberships/{group_membership_id}")
def delete_group_membership_of_user(tx: Tx, user_id: int, group_membership_id: int) -> None:
    """Take an agent out of a group."""
    admin(tx)
    people.leave_group(tx, within(tx, GroupMembership, group_membership_id, user_id=user_id))


@APP.get("/api/v2/groups/{group_id}/memberships/assignable")
def list_assignable_members_of_group(tx: Tx, group_id: int, page: Page) -> GroupMembershipsResponse:
    """Who of a group can be given tickets."""
    agents_only(tx)
    where = "group_id = ? AND user_id IN (SELECT id FROM zendesk_users WHERE active = 1 AND suspended = 0)"
    found, around = page_of(tx, page, GroupMembership, where, (tx.get(Group, group_id).id,))
    return GroupMembershipsResponse(group_memberships=[group_membership_object(one) for one in found], **around)


@APP.get("/api/v2/users/{user_id}/organization_memberships/{organization_membership_id}")
def show_organization_membership_of_user(
    tx: Tx, user_id: int, organization_membership_id: int
) -> OrganizationMembershipResponse:
    """One place of a user."""
    agents_only(tx)
    found = within(tx, OrganizationMembership, organization_membership_id, user_id=user_id)
    company = tx.get(Organization, found.organization_id)
    return OrganizationMembershipResponse(organization_membership_object(found, company.name))


@APP.delete("/api/v2/users/{user_id}/organization_memberships/{organization_membership_id}")
def delete_organization_membership_of_user(tx: Tx, user_id: int, organization_membership_id: int) -> None:
    """Take a user out of an organization."""
    agents_only(tx)
    people.leave_organization(tx, within(tx, OrganizationMembership, organization_membership_id, user_id=user_id))
