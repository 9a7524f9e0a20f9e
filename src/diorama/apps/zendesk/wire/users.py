"""Users as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, User
from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.organizations import OrganizationObject
from diorama.apps.zendesk.wire.pagination import GivenId, Id, Listing
from diorama.apps.zendesk.wire.photos import PictureObject, picture_object
from diorama.apps.zendesk.wire.user_identities import IdentityInput, IdentityObject

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
    permanently_deleted: bool | UnsetType = UNSET
    result_type: str | UnsetType = UNSET


def user_object(user: User, **more: Any) -> UserObject:
    """Return the API object of a user, as agents see it."""
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


class AbilityObject(Struct, kw_only=True):
    url: str
    user_id: int
    can_edit: bool
    can_edit_password: bool
    can_manage_identities_of: bool
    can_verify_identities: bool


class RoleObject(Struct):
    id: int
    name: str
    configuration: dict[str, Any]


class UserResponse(Struct, kw_only=True):
    user: UserObject
    organizations: list[OrganizationObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    identities: list[IdentityObject] | UnsetType = UNSET
    roles: list[RoleObject] | UnsetType = UNSET
    abilities: list[AbilityObject] | UnsetType = UNSET
    open_ticket_count: dict[str, int] | UnsetType = UNSET


class UsersResponse(Listing, kw_only=True):
    users: list[UserObject]
    organizations: list[OrganizationObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    identities: list[IdentityObject] | UnsetType = UNSET
    roles: list[RoleObject] | UnsetType = UNSET
    abilities: list[AbilityObject] | UnsetType = UNSET
    open_ticket_count: dict[str, int] | UnsetType = UNSET


class OrganizationName(Struct):
    name: str = ""


class UserInput(Struct, kw_only=True):
    id: GivenId = UNSET
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


# Here and not in groups.py: lists of groups side-load users, and lists of users side-load groups.
class GroupsResponse(Listing, kw_only=True):
    groups: list[GroupObject]
    users: list[UserObject] | UnsetType = UNSET
