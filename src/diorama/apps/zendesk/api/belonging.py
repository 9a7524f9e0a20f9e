"""Who belongs to or follows what, in bulk; merges of organizations; whom a ticket can go to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.bulk import queued
from diorama.apps.zendesk.api.configuring import existing, several
from diorama.apps.zendesk.api.exports import changed_since, export_size
from diorama.apps.zendesk.api.listing import MOST, Page, ids_of, page_of
from diorama.apps.zendesk.rules import merged_people as merging
from diorama.apps.zendesk.rules import people
from diorama.apps.zendesk.rules.acting import acting, admin, agent, agents_only, now
from diorama.apps.zendesk.rules.bulk import JOBS
from diorama.apps.zendesk.schema import (
    APP,
    Group,
    GroupMembership,
    Organization,
    OrganizationMembership,
    OrganizationMerge,
    OrganizationSubscription,
    User,
)
from diorama.apps.zendesk.wire.business import JobStatusResponse
from diorama.apps.zendesk.wire.merged_people import (
    AssignableAgent,
    AssignableAgentsResponse,
    AssignableGroup,
    AssignableGroupsResponse,
    AssignablesResponse,
    DefaultMembershipResponse,
    ExportedOrganizationsResponse,
    FoundAgent,
    GroupMembershipsRequest,
    OrganizationMembershipsRequest,
    OrganizationMergeRequest,
    OrganizationMergeResponse,
    OrganizationMergesResponse,
    OrganizationSubscriptionRequest,
    OrganizationSubscriptionResponse,
    OrganizationSubscriptionsResponse,
    organization_merge_object,
    organization_subscription_object,
)
from diorama.apps.zendesk.wire.people import MembershipInput, organization_membership_object, organization_object
from diorama.kernel import Tx

# --- memberships in bulk


@APP.post("/api/v2/organization_memberships/create_many")
def create_many_organization_memberships(tx: Tx, body: OrganizationMembershipsRequest) -> JobStatusResponse:
    """Put up to a hundred users into organizations, in the background."""
    me = agent(tx)
    items = several(body.organization_memberships, "organization_memberships")
    return queued(tx, me, "Bulk Create OrganizationMembership", items)


@APP.delete("/api/v2/organization_memberships/destroy_many")
def delete_many_organization_memberships(tx: Tx, ids: str | None = None) -> JobStatusResponse:
    """Take up to a hundred users out of organizations, in the background."""
    me = agent(tx)
    return queued(tx, me, "Bulk Delete OrganizationMembership", ids_of(ids))


@APP.post("/api/v2/group_memberships/create_many")
def group_membership_bulk_create(tx: Tx, body: GroupMembershipsRequest) -> JobStatusResponse:
    """Put up to a hundred agents into groups, in the background."""
    me = admin(tx)
    items = several(body.group_memberships, "group_memberships")
    return queued(tx, me, "Bulk Create GroupMembership", items)


@APP.delete("/api/v2/group_memberships/destroy_many")
def group_membership_bulk_delete(tx: Tx, ids: str | None = None) -> JobStatusResponse:
    """Take up to a hundred agents out of groups, in the background."""
    me = admin(tx)
    return queued(tx, me, "Bulk Delete GroupMembership", ids_of(ids))


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
    made = people.join_organization(
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
    people.leave_organization(tx, tx.get(OrganizationMembership, int(item)))
    return {"index": place, "id": int(item), "action": "delete", "status": "Deleted", "success": True}


@JOBS.worker("Bulk Create GroupMembership", "Creating group membership")
def join_one_group(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    asked = _read(item, "user_id", "group_id")
    made = people.join_group(
        tx, msgspec.convert(asked.user_id, int), msgspec.convert(asked.group_id, int), asked.default is True
    )
    return {"index": place, "id": made.id, "status": "Created"}


@JOBS.worker("Bulk Delete GroupMembership", "Deleting group membership")
def leave_one_group(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One membership of many."""
    people.leave_group(tx, tx.get(GroupMembership, int(item)))
    return {"index": place, "id": int(item), "action": "delete", "status": "Deleted", "success": True}


# --- a user's organizations


def _membership(tx: Tx, user_id: int, organization_id: int) -> OrganizationMembership:
    where = "user_id = ? AND organization_id = ?"
    return existing(tx.first(OrganizationMembership, where, user_id, organization_id))


@APP.delete("/api/v2/users/{user_id}/organizations/{organization_id}")
def unassign_organization(tx: Tx, user_id: int, organization_id: int) -> None:
    """Take a user out of an organization."""
    agents_only(tx)
    people.leave_organization(tx, _membership(tx, user_id, organization_id))


@APP.put("/api/v2/users/{user_id}/organizations/{organization_id}/make_default")
def set_organization_as_default(tx: Tx, user_id: int, organization_id: int) -> DefaultMembershipResponse:
    """A user's tickets go to this organization from now on."""
    agents_only(tx)
    membership = _membership(tx, user_id, organization_id)
    people.set_default_organization(tx, tx.get(User, user_id), organization_id)
    company = tx.get(Organization, organization_id)
    shape = organization_membership_object(tx.get(OrganizationMembership, membership.id), company.name)
    return DefaultMembershipResponse(shape)


# --- subscriptions


def _subscriptions(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> OrganizationSubscriptionsResponse:
    found, around = page_of(tx, page, OrganizationSubscription, where, args)
    shapes = [organization_subscription_object(one) for one in found]
    return OrganizationSubscriptionsResponse(organization_subscriptions=shapes, **around)


@APP.get("/api/v2/organization_subscriptions")
def list_organization_subscriptions(tx: Tx, page: Page) -> OrganizationSubscriptionsResponse:
    """Who follows which organization; end users see their own."""
    me = acting(tx)
    return _subscriptions(tx, page, "" if me.staff else "user_id = ?", () if me.staff else (me.id,))


@APP.get("/api/v2/organizations/{organization_id}/subscriptions")
def list_subscriptions_of_organization(tx: Tx, organization_id: int, page: Page) -> OrganizationSubscriptionsResponse:
    """Who follows an organization."""
    agents_only(tx)
    return _subscriptions(tx, page, "organization_id = ?", (tx.get(Organization, organization_id).id,))


@APP.get("/api/v2/users/{user_id}/organization_subscriptions")
def list_organization_subscriptions_of_user(tx: Tx, user_id: int, page: Page) -> OrganizationSubscriptionsResponse:
    """Which organizations a user follows."""
    agents_only(tx)
    return _subscriptions(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


def _seen(tx: Tx, subscription_id: int) -> OrganizationSubscription:
    me, found = acting(tx), tx.get(OrganizationSubscription, subscription_id)
    if not me.staff and found.user_id != me.id:
        raise refusals.not_found()
    return found


@APP.post("/api/v2/organization_subscriptions")
def create_organization_subscription(tx: Tx, body: OrganizationSubscriptionRequest) -> OrganizationSubscriptionResponse:
    """Follow an organization; end users follow their own, where it shares its tickets."""
    me, asked = acting(tx), body.organization_subscription
    if asked is UNSET or not isinstance(asked.organization_id, int):
        raise refusals.parameter_missing("organization_subscription")
    company = tx.get(Organization, asked.organization_id)
    user = tx.get(User, asked.user_id) if isinstance(asked.user_id, int) else me
    if not me.staff and (user.id != me.id or me.organization_id != company.id or not company.shared_tickets):
        raise refusals.forbidden()
    known = tx.first(OrganizationSubscription, "user_id = ? AND organization_id = ?", user.id, company.id)
    made = known or tx.add(OrganizationSubscription(user_id=user.id, organization_id=company.id, created_at=now(tx)))
    return OrganizationSubscriptionResponse(organization_subscription_object(made))


@APP.get("/api/v2/organization_subscriptions/{organization_subscription_id}")
def show_organization_subscription(tx: Tx, organization_subscription_id: int) -> OrganizationSubscriptionResponse:
    """One subscription."""
    return OrganizationSubscriptionResponse(organization_subscription_object(_seen(tx, organization_subscription_id)))


@APP.delete("/api/v2/organization_subscriptions/{organization_subscription_id}")
def delete_organization_subscription(tx: Tx, organization_subscription_id: int) -> None:
    """Stop following."""
    tx.remove(_seen(tx, organization_subscription_id))


# --- merges


@APP.post("/api/v2/organizations/{organization_id}/merge")
def create_organization_merge(
    tx: Tx, organization_id: int, body: OrganizationMergeRequest
) -> OrganizationMergeResponse:
    """The organization of the path goes into the one of the body."""
    admin(tx)
    loser = tx.get(Organization, organization_id)
    if body.organization_merge is UNSET or not isinstance(body.organization_merge.winner_id, int):
        raise refusals.parameter_missing("winner_id")
    merge = merging.merge_organizations(tx, loser, tx.get(Organization, body.organization_merge.winner_id))
    return OrganizationMergeResponse(organization_merge_object(merge))


@APP.get("/api/v2/organizations/{organization_id}/merges")
def list_organization_merges(tx: Tx, organization_id: int, page: Page) -> OrganizationMergesResponse:
    """What went into an organization."""
    agents_only(tx)
    merges, around = page_of(tx, page, OrganizationMerge, "winner_id = ? OR loser_id = ?", (organization_id,) * 2)
    shapes = [organization_merge_object(merge) for merge in merges]
    return OrganizationMergesResponse(organization_merges=shapes, **around)


@APP.get("/api/v2/organization_merges/{organization_merge_id}")
def show_organization_merge(tx: Tx, organization_merge_id: str) -> OrganizationMergeResponse:
    """How far a merge has got."""
    agents_only(tx)
    return OrganizationMergeResponse(organization_merge_object(tx.get(OrganizationMerge, organization_merge_id)))


@APP.get("/api/v2/incremental/organizations", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_organization_export(
    tx: Tx, start_time: int | None = None, per_page: int | None = None
) -> ExportedOrganizationsResponse:
    """Organizations that changed since a time."""
    admin(tx)
    companies, around = changed_since(tx, Organization, "organizations", start_time, export_size(per_page))
    shapes = [organization_object(company) for company in companies]
    return ExportedOrganizationsResponse(organizations=shapes, **around)


# --- whom a ticket can go to, as the agents' own interface asks

_ASSIGNABLE = "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships)"
_IN_GROUP = "active = 1 AND id IN (SELECT user_id FROM zendesk_group_memberships WHERE group_id = ?)"


@APP.get("/api/lotus/assignables/groups")
def list_assignee_field_assignable_groups(tx: Tx, page: Page) -> AssignableGroupsResponse:
    """The groups that a ticket can go to."""
    agents_only(tx)
    groups, around = page_of(tx, page, Group, _ASSIGNABLE, default="name")
    shapes = [AssignableGroup(group.id, group.name, group.description) for group in groups]
    return AssignableGroupsResponse(groups=shapes, **around)


@APP.get("/api/lotus/assignables/groups/{group_id}/agents")
def list_assignee_field_assignable_group_agents(tx: Tx, group_id: int, page: Page) -> AssignableAgentsResponse:
    """The agents of a group that a ticket can go to."""
    agents_only(tx)
    agents, around = page_of(tx, page, User, _IN_GROUP, (tx.get(Group, group_id).id,), default="name")
    return AssignableAgentsResponse(agents=[AssignableAgent(one.id, one.name) for one in agents], **around)


@APP.get("/api/lotus/assignables/autocomplete")
def list_assignee_field_assignable_groups_and_agents_search(tx: Tx, name: str = "") -> AssignablesResponse:
    """Groups and agents whose name has this in it."""
    agents_only(tx)
    text = name.strip().lower()
    if not text:
        raise refusals.parameter_missing("name")
    groups = tx.all(Group, f"{_ASSIGNABLE} AND instr(lower(name), ?) > 0", text, order="name", limit=MOST)
    rows = tx.rows(
        "SELECT u.id, u.name, g.id, g.name FROM zendesk_group_memberships m JOIN zendesk_users u ON u.id = m.user_id "
        "JOIN zendesk_groups g ON g.id = m.group_id WHERE u.active = 1 AND g.deleted = 0 "
        "AND instr(lower(u.name), ?) > 0 ORDER BY u.name, g.name LIMIT ?",
        text,
        MOST,
    )
    agents = [FoundAgent(*row) for row in rows]
    found = [AssignableGroup(group.id, group.name) for group in groups]
    return AssignablesResponse(agents, found, len(agents) + len(found))
