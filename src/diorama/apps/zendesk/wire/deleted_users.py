"""Deleted users as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema import ComplianceDeletion, User
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.photos import PictureObject, picture_object
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.users import LOCALES


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
    permanently_deleted: bool


def deleted_user_object(user: User, permanently: bool = False) -> DeletedUserObject:
    """Return the API object of a deleted user."""
    return shaped(
        DeletedUserObject,
        user,
        f"deleted_users/{user.id}",
        shared_phone_number=None if user.phone is None else False,
        photo=picture_object(user.photo),
        locale_id=LOCALES.get(user.locale, 1),
        permanently_deleted=permanently,
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


def compliance_deletion_object(step: ComplianceDeletion, subdomain: str) -> ComplianceDeletionObject:
    """Return the API object of one step of a permanent deletion."""
    return ComplianceDeletionObject(
        step.action, step.application, subdomain, step.executer_id, step.user_id, step.created_at
    )


class ComplianceDeletionsResponse(Listing, kw_only=True):
    compliance_deletion_statuses: list[ComplianceDeletionObject]
