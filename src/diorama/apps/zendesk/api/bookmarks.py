"""Bookmarks on the wire."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, set_location
from diorama.apps.zendesk.api.tickets import ticket_objects, ticket_objects_by_id
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.bookmarks import Bookmark
from diorama.apps.zendesk.wire.bookmarks import BookmarkRequest, BookmarkResponse, BookmarksResponse, bookmark_object
from diorama.kernel import Reply, Tx


@APP.get("/api/v2/bookmarks", role="agent")
def list_bookmarks(tx: Tx, me: Me, page: Page) -> BookmarksResponse:
    """List the caller's bookmarks."""
    where, args = permissions.restrict_related(tx, "user_id = ?", (me.id,))
    bookmarks, around = page_of(tx, page, Bookmark, where, args)
    tickets = ticket_objects_by_id(tx, [bookmark.ticket_id for bookmark in bookmarks])
    return BookmarksResponse(bookmarks=[bookmark_object(one, tickets[one.ticket_id]) for one in bookmarks], **around)


@APP.post("/api/v2/bookmarks", role="agent", status=201, also=(200,), answers=BookmarkResponse)
def create_bookmark(tx: Tx, me: Me, body: BookmarkRequest) -> BookmarkResponse | Reply:
    """Bookmark a ticket; 200 if it was already bookmarked."""
    if body.bookmark is UNSET or body.bookmark.ticket_id is UNSET:
        raise refusals.parameter_missing("bookmark")
    ticket = desk.visible_ticket(tx, body.bookmark.ticket_id)
    [shape] = ticket_objects(tx, (ticket,))
    known = tx.first(Bookmark, "user_id = ? AND ticket_id = ?", me.id, ticket.id)
    if known is not None:
        return Reply(200, {}, msgspec.json.encode(BookmarkResponse(bookmark_object(known, shape))))
    made = tx.add(Bookmark(user_id=me.id, ticket_id=ticket.id, created_at=now(tx)))
    set_location(tx, f"bookmarks/{made.id}")
    return BookmarkResponse(bookmark_object(made, shape))


@APP.delete("/api/v2/bookmarks/{bookmark_id}", role="agent")
def delete_bookmark(tx: Tx, me: Me, bookmark_id: int) -> None:
    """Delete one of the caller's bookmarks."""
    tx.remove(get_owned(tx, Bookmark, bookmark_id, user_id=me.id))
