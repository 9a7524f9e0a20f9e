"""Bookmarks as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.schema.bookmarks import Bookmark
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.tickets import TicketObject


class BookmarkObject(Struct, kw_only=True):
    url: str
    id: int
    ticket: TicketObject
    created_at: datetime


def bookmark_object(bookmark: Bookmark, ticket: TicketObject) -> BookmarkObject:
    """Return the API object of a bookmark."""
    return BookmarkObject(
        url=f"{BASE}/bookmarks/{bookmark.id}.json", id=bookmark.id, ticket=ticket, created_at=bookmark.created_at
    )


class BookmarkInput(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET


class BookmarkRequest(Struct):
    bookmark: BookmarkInput | UnsetType = UNSET


class BookmarkResponse(Struct):
    bookmark: BookmarkObject


class BookmarksResponse(Listing, kw_only=True):
    bookmarks: list[BookmarkObject]
