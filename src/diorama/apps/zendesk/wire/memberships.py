"""Group and organization memberships as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import GroupMembership, OrganizationMembership
from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.users import UserObject


class OrganizationMembershipObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    organization_id: int
    organization_name: str
    default: bool | None
    view_tickets: bool
    created_at: datetime
    updated_at: datetime


def organization_membership_object(membership: OrganizationMembership, name: str) -> OrganizationMembershipObject:
    """Return the API object of an organization membership."""
    return shaped(
        OrganizationMembershipObject, membership, f"organization_memberships/{membership.id}", organization_name=name
    )


class MembershipInput(Struct, kw_only=True):
    user_id: Id | UnsetType = UNSET
    organization_id: Id | UnsetType = UNSET
    group_id: Id | UnsetType = UNSET
    default: bool | UnsetType | None = UNSET
    view_tickets: bool | UnsetType = UNSET


class OrganizationMembershipRequest(Struct):
    organization_membership: MembershipInput | UnsetType = UNSET


class OrganizationMembershipResponse(Struct):
    organization_membership: OrganizationMembershipObject


class OrganizationMembershipsResponse(Listing, kw_only=True):
    organization_memberships: list[OrganizationMembershipObject]


class GroupMembershipObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    group_id: int
    default: bool
    created_at: datetime
    updated_at: datetime


def group_membership_object(membership: GroupMembership) -> GroupMembershipObject:
    """Return the API object of a group membership."""
    return shaped(GroupMembershipObject, membership, f"group_memberships/{membership.id}")


class GroupMembershipRequest(Struct):
    group_membership: MembershipInput | UnsetType = UNSET


class GroupMembershipResponse(Struct):
    group_membership: GroupMembershipObject


class GroupMembershipsResponse(Listing, kw_only=True):
    group_memberships: list[GroupMembershipObject]
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET


class OrganizationMembershipsRequest(Struct):
    organization_memberships: list[MembershipInput] | UnsetType = UNSET


class GroupMembershipsRequest(Struct):
    group_memberships: list[MembershipInput] | UnsetType = UNSET


class DefaultMembershipResponse(Struct):
    organization_membership: OrganizationMembershipObject
