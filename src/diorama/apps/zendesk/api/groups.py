"""Groups on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, count_records, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.rules import groups as group_rules
from diorama.apps.zendesk.schema import APP, Group, User
from diorama.apps.zendesk.wire.groups import GroupRequest, GroupResponse, group_object
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.users import GroupsResponse, user_object
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


@APP.get("/api/v2/groups", role="agent")
def list_groups(tx: Tx, page: Page, exclude_deleted: bool = True, include: str | None = None) -> GroupsResponse:
    """List groups."""
    return _page(tx, page, "deleted = 0" if exclude_deleted else "", (), include)


@APP.get("/api/v2/groups/assignable", role="agent")
def list_assignable_groups(tx: Tx, page: Page) -> GroupsResponse:
    """List the groups that a ticket can be assigned to."""
    return _page(tx, page, "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships)")


@APP.get("/api/v2/users/{user_id}/groups", role="agent")
def list_user_groups(tx: Tx, user_id: int, page: Page) -> GroupsResponse:
    """List the groups that an agent belongs to."""
    where = "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships WHERE user_id = ?)"
    return _page(tx, page, where, (tx.get(User, user_id).id,))


@APP.get("/api/v2/groups/count", role="agent")
def count_groups(tx: Tx) -> CountResponse:
    """Count groups."""
    return count_records(tx, Group, "deleted = 0")


@APP.get("/api/v2/groups/{group_id}", role="agent")
def show_group_by_id(tx: Tx, group_id: int) -> GroupResponse:
    """Show a group."""
    return GroupResponse(group_object(tx.get(Group, group_id)))


@APP.post("/api/v2/groups", role="admin", status=201)
def create_group(tx: Tx, body: GroupRequest) -> GroupResponse:
    """Create a group."""
    fields = given_fields(required(body.group, "group"), *FIELDS)
    group = group_rules.add_group(tx, **{"name": "", **fields})
    set_location(tx, f"groups/{group.id}")
    return GroupResponse(group_object(group))


@APP.put("/api/v2/groups/{group_id}", role="admin")
def update_group(tx: Tx, group_id: int, body: GroupRequest) -> GroupResponse:
    """Update a group."""
    group = tx.get(Group, group_id)
    fields = given_fields(required(body.group, "group"), *FIELDS)
    return GroupResponse(group_object(group_rules.change_group(tx, group, fields)))


@APP.delete("/api/v2/groups/{group_id}", role="admin")
def delete_group(tx: Tx, group_id: int) -> None:
    """Delete a group."""
    group = tx.get(Group, group_id)
    if group.deleted:
        raise refusals.not_found()
    group_rules.delete_group(tx, group)
