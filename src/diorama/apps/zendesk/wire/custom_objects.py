"""Custom objects as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import CustomObject
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class CustomObjectObject(Struct, kw_only=True):
    url: str
    id: str
    key: str
    title: str
    raw_title: str
    title_pluralized: str
    raw_title_pluralized: str
    description: str
    raw_description: str
    include_in_list_view: bool
    allows_photos: bool
    allows_attachments: bool
    created_by_user_id: str
    updated_by_user_id: str
    created_at: datetime
    updated_at: datetime


def custom_object_object(made: CustomObject) -> CustomObjectObject:
    """A custom object: a type of record that the company defined."""
    return shaped(
        CustomObjectObject,
        made,
        f"custom_objects/{made.key}",
        raw_title=made.title,
        raw_title_pluralized=made.title_pluralized,
        raw_description=made.description,
        created_by_user_id=str(made.created_by_user_id),
        updated_by_user_id=str(made.updated_by_user_id),
    )


class CustomObjectInput(Struct, kw_only=True):
    key: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    title_pluralized: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    include_in_list_view: bool | UnsetType = UNSET
    allows_photos: bool | UnsetType = UNSET
    allows_attachments: bool | UnsetType = UNSET


class CustomObjectRequest(Struct):
    custom_object: CustomObjectInput | UnsetType = UNSET


class CustomObjectResponse(Struct):
    custom_object: CustomObjectObject


class CustomObjectsResponse(Listing, kw_only=True):
    custom_objects: list[CustomObjectObject]


class LimitResponse(Struct):
    count: int
    limit: int
