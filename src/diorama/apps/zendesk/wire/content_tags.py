"""Content tags as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema.content_tags import ContentTag
from diorama.apps.zendesk.wire.pagination import Links, Meta
from diorama.apps.zendesk.wire.shapes import shaped


class ContentTagObject(Struct):
    id: str
    name: str
    created_at: datetime
    updated_at: datetime


def content_tag_object(tag: ContentTag) -> ContentTagObject:
    """Return the API object of a content tag."""
    return shaped(ContentTagObject, tag)


class ContentTagResponse(Struct):
    content_tag: ContentTagObject


class ContentTagsResponse(Struct, kw_only=True):
    records: list[ContentTagObject]
    meta: Meta
    links: Links


class ContentTagInput(Struct):
    name: str = ""


class ContentTagRequest(Struct):
    content_tag: ContentTagInput | UnsetType = UNSET
