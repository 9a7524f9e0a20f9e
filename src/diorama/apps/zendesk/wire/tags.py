"""Tags as the API shows and takes them."""

from __future__ import annotations

from msgspec import Struct

from diorama.apps.zendesk.wire.pagination import Listing


class TagsRequest(Struct):
    tags: list[str] | str = []
    safe_update: bool = False
    updated_stamp: str | None = None


class TagsByObjectIdResponse(Struct):
    tags: tuple[str, ...]


class TagObject(Struct):
    name: str
    count: int


class TagsResponse(Listing, kw_only=True):
    tags: list[TagObject]


class AutocompleteTagsResponse(Struct):
    tags: list[str]
    count: int
