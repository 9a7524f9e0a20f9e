"""Merges, deleted users, subscriptions and passwords as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, ComplianceDeletion, OrganizationMerge, OrganizationSubscription, User
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.people import (
    LOCALES,
    MembershipInput,
    OrganizationMembershipObject,
    OrganizationObject,
)
from diorama.apps.zendesk.wire.pictures import PictureObject, picture_object
from diorama.apps.zendesk.wire.shapes import shaped


class DeletedUserObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    email: str | None
    created_at: datetime
    updated_at: datetime
    time_zone: str
    phone: str | None
    shared_phone_number: bool | None
    photo: PictureObject | None
    locale_id: int
    locale: str
    organization_id: int | None
    role: str
    active: bool


def deleted_user_object(user: User) -> DeletedUserObject:
    """A user who was deleted."""
    return shaped(
        DeletedUserObject,
        user,
        f"deleted_users/{user.id}",
        shared_phone_number=None if user.phone is None else False,
        photo=picture_object(user.photo),
        locale_id=LOCALES.get(user.locale, 1),
    )


class DeletedUserResponse(Struct):
    deleted_user: DeletedUserObject


class DeletedUsersResponse(Listing, kw_only=True):
    deleted_users: list[DeletedUserObject]


class ComplianceDeletionObject(Struct):
    action: str
    application: str
    account_subdomain: str
    executer_id: int
    user_id: int
    created_at: datetime


def compliance_deletion_object(step: ComplianceDeletion) -> ComplianceDeletionObject:
    """One step of forgetting a user."""
    return ComplianceDeletionObject(
        step.action, step.application, "larkspur", step.executer_id, step.user_id, step.created_at
    )


class ComplianceDeletionsResponse(Listing, kw_only=True):
    compliance_deletion_statuses: list[ComplianceDeletionObject]


class PasswordRequest(Struct):
    password: str = ""
    previous_password: str = ""


class RequirementsResponse(Struct):
    requirements: tuple[str, ...]


class MergedUser(Struct):
    id: Id | UnsetType = UNSET
    email: str | UnsetType = UNSET
    password: str | UnsetType = UNSET


class UserMergeRequest(Struct):
    user: MergedUser | UnsetType = UNSET


class OrganizationMergeObject(Struct):
    id: str
    url: str
    loser_id: int
    winner_id: int
    status: str


def organization_merge_object(merge: OrganizationMerge) -> OrganizationMergeObject:
    """How far the merging of two organizations has got."""
    url = f"{BASE}/organization_merges/{merge.id}.json"
    return OrganizationMergeObject(merge.id, url, merge.loser_id, merge.winner_id, merge.status)


class MergeInput(Struct):
    winner_id: Id | UnsetType = UNSET


class OrganizationMergeRequest(Struct):
    organization_merge: MergeInput | UnsetType = UNSET


class OrganizationMergeResponse(Struct):
    organization_merge: OrganizationMergeObject


class OrganizationMergesResponse(Listing, kw_only=True):
    organization_merges: list[OrganizationMergeObject]


class OrganizationSubscriptionObject(Struct):
    url: str
    id: int
    user_id: int
    organization_id: int
    created_at: datetime


def organization_subscription_object(subscription: OrganizationSubscription) -> OrganizationSubscriptionObject:
    """Who follows which organization."""
    return OrganizationSubscriptionObject(
        f"{BASE}/organization_subscriptions/{subscription.id}.json",
        subscription.id,
        subscription.user_id,
        subscription.organization_id,
        subscription.created_at,
    )


class OrganizationSubscriptionRequest(Struct):
    organization_subscription: MembershipInput | UnsetType = UNSET


class OrganizationSubscriptionResponse(Struct):
    organization_subscription: OrganizationSubscriptionObject


class OrganizationSubscriptionsResponse(Listing, kw_only=True):
    organization_subscriptions: list[OrganizationSubscriptionObject]


class OrganizationMembershipsRequest(Struct):
    organization_memberships: list[MembershipInput] | UnsetType = UNSET


class GroupMembershipsRequest(Struct):
    group_memberships: list[MembershipInput] | UnsetType = UNSET


class DefaultMembershipResponse(Struct):
    organization_membership: OrganizationMembershipObject


class ExportedOrganizationsResponse(Struct, kw_only=True):
    organizations: list[OrganizationObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None


class AssignableGroup(Struct):
    id: int
    name: str
    description: str | UnsetType = UNSET


class AssignableGroupsResponse(Listing, kw_only=True):
    groups: list[AssignableGroup]


class AssignableAgent(Struct):
    id: int
    name: str
    avatar_url: str | None = None


class AssignableAgentsResponse(Listing, kw_only=True):
    agents: list[AssignableAgent]


class FoundAgent(Struct):
    id: int
    name: str
    group_id: int
    group: str
    photo_url: str | None = None


class AssignablesResponse(Struct):
    agents: list[FoundAgent]
    groups: list[AssignableGroup]
    count: int
