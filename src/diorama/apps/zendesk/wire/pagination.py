"""Pagination of API lists, and counts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec import Meta as Limits

Id = Annotated[int, Limits(ge=-(1 << 63), le=(1 << 63) - 1)]
"""A 64-bit integer."""
GivenId = Id | Literal[""] | UnsetType
"""An id in a body that also creates records; an empty text counts as missing."""


class Meta(Struct, frozen=True):
    """The position of a cursor page."""

    has_more: bool
    after_cursor: str | None
    before_cursor: str | None


class Links(Struct, frozen=True):
    """Links to the previous and next cursor page."""

    prev: str | None
    next: str | None


class Listing(Struct, kw_only=True):
    """Either offset paging (count, next_page, previous_page) or cursor paging (meta, links)."""

    count: int | UnsetType = UNSET
    next_page: str | UnsetType | None = UNSET
    previous_page: str | UnsetType | None = UNSET
    meta: Meta | UnsetType = UNSET
    links: Links | UnsetType = UNSET


class Count(Struct):
    """A count, and when it was computed."""

    value: int
    refreshed_at: datetime


class CountResponse(Struct):
    count: Count
