"""Users, organizations and groups as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import (
    BASE,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    User,
)
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.pictures import PictureObject, picture_object
from diorama.apps.zendesk.wire.shapes import shaped

LOCALES = {"en-US": 1, "en-GB": 1176, "de": 8, "fr": 16, "es": 2, "it": 22, "nl": 1005, "pt-BR": 19, "ja": 67}


class UserObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    email: str | None
    created_at: datetime
    updated_at: datetime
    time_zone: str
    iana_time_zone: str
    phone: str | None
    shared_phone_number: bool | None
    photo: PictureObject | None
    locale_id: int
    locale: str
    organization_id: int | None
    role: str
    verified: bool
    external_id: str | None
    tags: tuple[str, ...]
    alias: str | None
    active: bool
    shared: bool
    shared_agent: bool
    last_login_at: datetime | None
    two_factor_auth_enabled: bool | None
    signature: str | None
    details: str | None
    notes: str | None
    role_type: int | None
    custom_role_id: int | None
    moderator: bool
    ticket_restriction: str | None
    only_private_comments: bool
    restricted_agent: bool
    suspended: bool
    default_group_id: int | None
    report_csv: bool
    user_fields: dict[str, Any]
    chat_only: bool = False
    remote_photo_url: str | None = None
    authenticity_token: str | UnsetType = UNSET
    result_type: str | UnsetType = UNSET


def user_object(user: User, **more: Any) -> UserObject:
    """A user as agents see one."""
    return UserObject(
        url=f"{BASE}/users/{user.id}.json",
        id=user.id,
        name=user.name,
        email=user.email,
        created_at=user.created_at,
        updated_at=user.updated_at,
        time_zone=user.time_zone,
        iana_time_zone=user.iana_time_zone,
        phone=user.phone,
        shared_phone_number=None if user.phone is None else False,
        photo=picture_object(user.photo),
        locale_id=LOCALES.get(user.locale, 1),
        locale=user.locale,
        organization_id=user.organization_id,
        role=user.role,
        verified=user.verified,
        external_id=user.external_id,
        tags=user.tags,
        alias=user.alias,
        active=user.active,
        shared=False,
        shared_agent=False,
        last_login_at=user.last_login_at,
        two_factor_auth_enabled=False if user.staff else None,
        signature=user.signature,
        details=user.details,
        notes=user.notes,
        role_type=4 if user.role == "admin" else None,
        custom_role_id=user.custom_role_id,
        moderator=user.moderator,
        ticket_restriction=user.ticket_restriction if user.staff else user.ticket_restriction or "requested",
        only_private_comments=user.only_private_comments,
        restricted_agent=user.role != "admin",
        suspended=user.suspended,
        default_group_id=user.default_group_id,
        report_csv=user.role == "admin",
        user_fields=user.user_fields,
        remote_photo_url=user.remote_photo_url,
        **more,
    )


class UserResponse(Struct):
    user: UserObject


class UsersResponse(Listing, kw_only=True):
    users: list[UserObject]
    organizations: list[OrganizationObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET


class IdentityInput(Struct, kw_only=True):
    type: str = "email"
    value: str = ""
    verified: bool | UnsetType = UNSET
    primary: bool | UnsetType = UNSET


class OrganizationName(Struct):
    name: str = ""


class UserInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    email: str | UnsetType | None = UNSET
    role: str | UnsetType = UNSET
    organization_id: Id | UnsetType | None = UNSET
    organization: OrganizationName | UnsetType = UNSET
    default_group_id: Id | UnsetType | None = UNSET
    phone: str | UnsetType | None = UNSET
    external_id: str | UnsetType | None = UNSET
    alias: str | UnsetType | None = UNSET
    time_zone: str | UnsetType = UNSET
    locale: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    details: str | UnsetType | None = UNSET
    notes: str | UnsetType | None = UNSET
    signature: str | UnsetType | None = UNSET
    verified: bool | UnsetType = UNSET
    suspended: bool | UnsetType = UNSET
    moderator: bool | UnsetType = UNSET
    only_private_comments: bool | UnsetType = UNSET
    ticket_restriction: str | UnsetType | None = UNSET
    custom_role_id: Id | UnsetType | None = UNSET
    user_fields: dict[str, Any] | UnsetType = UNSET
    remote_photo_url: str | UnsetType | None = UNSET
    identities: list[IdentityInput] | UnsetType = UNSET
    skip_verify_email: bool | UnsetType = UNSET


class UserRequest(Struct):
    user: UserInput | UnsetType = UNSET


class UsersRequest(Struct):
    users: list[UserInput] | UnsetType = UNSET
    user: UserInput | UnsetType = UNSET


class UserRelated(Struct):
    assigned_tickets: int
    requested_tickets: int
    ccd_tickets: int
    organization_subscriptions: int
    topics: int = 0
    topic_comments: int = 0
    votes: int = 0
    subscriptions: int = 0
    entry_subscriptions: int = 0
    forum_subscriptions: int = 0


class UserRelatedResponse(Struct):
    user_related: UserRelated


class IdentityObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    type: str
    value: str
    verified: bool
    primary: bool
    created_at: datetime
    updated_at: datetime
    undeliverable_count: int | UnsetType = UNSET
    deliverable_state: str | UnsetType = UNSET


def identity_object(identity: Identity) -> IdentityObject:
    """One address of a user."""
    mail = identity.type == "email"
    return shaped(
        IdentityObject,
        identity,
        f"users/{identity.user_id}/identities/{identity.id}",
        undeliverable_count=0 if mail else UNSET,
        deliverable_state="deliverable" if mail else UNSET,
    )


class IdentityRequest(Struct):
    identity: IdentityInput | UnsetType = UNSET


class UserIdentityResponse(Struct):
    identity: IdentityObject


class UserIdentitiesResponse(Listing, kw_only=True):
    identities: list[IdentityObject]


class OrganizationObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    shared_tickets: bool
    shared_comments: bool
    external_id: str | None
    created_at: datetime
    updated_at: datetime
    domain_names: tuple[str, ...]
    details: str | None
    notes: str | None
    group_id: int | None
    tags: tuple[str, ...]
    organization_fields: dict[str, Any]
    result_type: str | UnsetType = UNSET


def organization_object(organization: Organization, **more: Any) -> OrganizationObject:
    """An organization."""
    return shaped(OrganizationObject, organization, f"organizations/{organization.id}", **more)


class OrganizationResponse(Struct):
    organization: OrganizationObject


class OrganizationsResponse(Listing, kw_only=True):
    organizations: list[OrganizationObject]


class OrganizationInput(Struct, kw_only=True):
    id: Id | UnsetType = UNSET
    name: str | UnsetType = UNSET
    external_id: str | UnsetType | None = UNSET
    domain_names: list[str] | UnsetType = UNSET
    details: str | UnsetType | None = UNSET
    notes: str | UnsetType | None = UNSET
    group_id: Id | UnsetType | None = UNSET
    tags: list[str] | UnsetType = UNSET
    shared_tickets: bool | UnsetType = UNSET
    shared_comments: bool | UnsetType = UNSET
    organization_fields: dict[str, Any] | UnsetType = UNSET


class OrganizationRequest(Struct):
    organization: OrganizationInput | UnsetType = UNSET


class OrganizationsRequest(Struct):
    organizations: list[OrganizationInput] | UnsetType = UNSET
    organization: OrganizationInput | UnsetType = UNSET


class OrganizationRelated(Struct):
    tickets_count: int
    users_count: int


class OrganizationRelatedResponse(Struct):
    organization_related: OrganizationRelated


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
    """A user's place in an organization."""
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


class GroupObject(Struct, kw_only=True):
    url: str
    id: int
    is_public: bool
    name: str
    description: str
    default: bool
    deleted: bool
    created_at: datetime
    updated_at: datetime
    result_type: str | UnsetType = UNSET


def group_object(group: Group, **more: Any) -> GroupObject:
    """A group of agents."""
    return shaped(GroupObject, group, f"groups/{group.id}", **more)


class GroupInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET


class GroupRequest(Struct):
    group: GroupInput | UnsetType = UNSET


class GroupResponse(Struct):
    group: GroupObject


class GroupsResponse(Listing, kw_only=True):
    groups: list[GroupObject]
    users: list[UserObject] | UnsetType = UNSET


class GroupMembershipObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    group_id: int
    default: bool
    created_at: datetime
    updated_at: datetime


def group_membership_object(membership: GroupMembership) -> GroupMembershipObject:
    """An agent's place in a group."""
    return shaped(GroupMembershipObject, membership, f"group_memberships/{membership.id}")


class GroupMembershipRequest(Struct):
    group_membership: MembershipInput | UnsetType = UNSET


class GroupMembershipResponse(Struct):
    group_membership: GroupMembershipObject


class GroupMembershipsResponse(Listing, kw_only=True):
    group_memberships: list[GroupMembershipObject]
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
