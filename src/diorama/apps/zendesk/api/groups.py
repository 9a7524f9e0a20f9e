"""Groups and their memberships on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import located, need, within
from diorama.apps.zendesk.api.listing import Page, counted, given, many, page_of
from diorama.apps.zendesk.rules import people
from diorama.apps.zendesk.rules.acting import admin, agents_only, now
from diorama.apps.zendesk.schema import APP, Group, GroupMembership, User
from diorama.apps.zendesk.wire.lists import CountResponse
from diorama.apps.zendesk.wire.people import (
    GroupMembershipRequest,
    GroupMembershipResponse,
    GroupMembershipsResponse,
    GroupRequest,
    GroupResponse,
    GroupsResponse,
    group_membership_object,
    group_object,
    user_object,
)
from diorama.kernel import Tx

FIELDS = ("name", "description", "is_public")


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any] = (), include: str | None = None) -> GroupsResponse:
    groups, around = page_of(tx, page, Group, where, args, orders={"name": "name", "id": "id"})
    reply = GroupsResponse(groups=[group_object(group) for group in groups], **around)
    if include and "users" in include:
        marks = ", ".join("?" * len(groups)) or "NULL"
        where_users = f"id IN (SELECT user_id FROM zendesk_group_memberships WHERE group_id IN ({marks}))"
        reply.users = [user_object(user) for user in tx.all(User, where_users, *(group.id for group in groups))]
    return reply


@APP.get("/api/v2/groups")
def list_groups(tx: Tx, page: Page, exclude_deleted: bool = True, include: str | None = None) -> GroupsResponse:
    """List groups."""
    agents_only(tx)
    return _page(tx, page, "deleted = 0" if exclude_deleted else "", (), include)


@APP.get("/api/v2/groups/assignable")
def list_assignable_groups(tx: Tx, page: Page) -> GroupsResponse:
    """The groups that a ticket can go to."""
    agents_only(tx)
    return _page(tx, page, "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships)")


@APP.get("/api/v2/users/{user_id}/groups")
def list_user_groups(tx: Tx, user_id: int, page: Page) -> GroupsResponse:
    """The groups that an agent works in."""
    agents_only(tx)
    where = "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships WHERE user_id = ?)"
    return _page(tx, page, where, (tx.get(User, user_id).id,))


@APP.get("/api/v2/groups/count")
def count_groups(tx: Tx) -> CountResponse:
    """Count groups."""
    agents_only(tx)
    return counted(tx, Group, "deleted = 0")


@APP.get("/api/v2/groups/{group_id}")
def show_group_by_id(tx: Tx, group_id: int) -> GroupResponse:
    """Show a group."""
    agents_only(tx)
    return GroupResponse(group_object(tx.get(Group, group_id)))


@APP.post("/api/v2/groups", status=201)
def create_group(tx: Tx, body: GroupRequest) -> GroupResponse:
    """Create a group."""
    admin(tx)
    fields = given(need(body.group, "group"), *FIELDS)
    group = people.add_group(tx, **{"name": "", **fields})
    located(tx, f"groups/{group.id}")
    return GroupResponse(group_object(group))


@APP.put("/api/v2/groups/{group_id}")
def update_group(tx: Tx, group_id: int, body: GroupRequest) -> GroupResponse:
    """Update a group."""
    admin(tx)
    group = tx.get(Group, group_id)
    fields = given(need(body.group, "group"), *FIELDS)
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    return GroupResponse(group_object(tx.change(group, **fields, updated_at=now(tx))))


@APP.delete("/api/v2/groups/{group_id}")
def delete_group(tx: Tx, group_id: int) -> None:
    """Delete a group."""
    admin(tx)
    group = tx.get(Group, group_id)
    if group.deleted:
        raise refusals.not_found()
    people.delete_group(tx, group)


# --- memberships


def _memberships(
    tx: Tx, page: Page, where: str, args: Sequence[Any], include: str | None = None
) -> GroupMembershipsResponse:
    found, around = page_of(tx, page, GroupMembership, where, args)
    reply = GroupMembershipsResponse(group_memberships=[group_membership_object(one) for one in found], **around)
    if include and "users" in include:
        reply.users = [user_object(user) for user in many(tx, User, [one.user_id for one in found])]
    if include and "groups" in include:
        reply.groups = [group_object(group) for group in many(tx, Group, [one.group_id for one in found])]
    return reply


@APP.get("/api/v2/group_memberships")
def list_group_memberships(tx: Tx, page: Page, include: str | None = None) -> GroupMembershipsResponse:
    """Who works in which group."""
    agents_only(tx)
    return _memberships(tx, page, "", (), include)


@APP.get("/api/v2/group_memberships/assignable")
def list_assignable_group_memberships(tx: Tx, page: Page) -> GroupMembershipsResponse:
    """Who can be given tickets, and in which group."""
    agents_only(tx)
    return _memberships(tx, page, "user_id IN (SELECT id FROM zendesk_users WHERE active = 1)", ())


@APP.get("/api/v2/users/{user_id}/group_memberships")
def list_user_group_memberships(tx: Tx, user_id: int, page: Page) -> GroupMembershipsResponse:
    """The groups of an agent."""
    agents_only(tx)
    return _memberships(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


@APP.get("/api/v2/groups/{group_id}/memberships")
def list_members_of_group(tx: Tx, group_id: int, page: Page) -> GroupMembershipsResponse:
    """The agents of a group."""
    agents_only(tx)
    return _memberships(tx, page, "group_id = ?", (tx.get(Group, group_id).id,))


@APP.post("/api/v2/group_memberships", status=201)
def create_group_membership(tx: Tx, body: GroupMembershipRequest) -> GroupMembershipResponse:
    """Put an agent into a group."""
    admin(tx)
    asked = body.group_membership
    if asked is UNSET or not isinstance(asked.user_id, int) or not isinstance(asked.group_id, int):
        raise refusals.parameter_missing("group_membership")
    made = people.join_group(tx, asked.user_id, asked.group_id, asked.default is True)
    return GroupMembershipResponse(group_membership_object(made))


@APP.get("/api/v2/group_memberships/{group_membership_id}")
def show_group_membership_by_id(tx: Tx, group_membership_id: int) -> GroupMembershipResponse:
    """One membership."""
    agents_only(tx)
    return GroupMembershipResponse(group_membership_object(tx.get(GroupMembership, group_membership_id)))


@APP.delete("/api/v2/group_memberships/{group_membership_id}")
def delete_group_membership(tx: Tx, group_membership_id: int) -> None:
    """Take an agent out of a group."""
    admin(tx)
    people.leave_group(tx, tx.get(GroupMembership, group_membership_id))


@APP.put("/api/v2/users/{user_id}/group_memberships/{group_membership_id}/make_default")
def group_membership_set_default(
    tx: Tx, user_id: int, group_membership_id: int, page: Page
) -> GroupMembershipsResponse:
    """An agent's tickets go to this group where none is named."""
    agents_only(tx)
    people.set_default_group(tx, within(tx, GroupMembership, group_membership_id, user_id=user_id))
    return _memberships(tx, page, "user_id = ?", (user_id,))
