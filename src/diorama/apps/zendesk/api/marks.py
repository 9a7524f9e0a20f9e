"""Skips, bookmarks and satisfaction reasons on the wire."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import located, within
from diorama.apps.zendesk.api.listing import Page, many, page_of
from diorama.apps.zendesk.api.tickets import shown
from diorama.apps.zendesk.rules import sight
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import admin, agent, agents_only, now
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.schema.marks import Bookmark, SatisfactionReason, Skip
from diorama.apps.zendesk.wire.marks import (
    BookmarkRequest,
    BookmarkResponse,
    BookmarksResponse,
    ReasonResponse,
    ReasonsResponse,
    SkipObject,
    SkipRequest,
    SkipResponse,
    SkipsResponse,
    bookmark_object,
    reason_object,
    skip_object,
)
from diorama.apps.zendesk.wire.tickets import TicketObject
from diorama.kernel import Reply, Tx


def _tickets(tx: Tx, numbers: Sequence[int]) -> dict[int, TicketObject]:
    return {ticket.id: ticket for ticket in shown(tx, many(tx, Ticket, numbers))}


def _skips(tx: Tx, skips: Sequence[Skip]) -> list[SkipObject]:
    tickets = _tickets(tx, [skip.ticket_id for skip in skips])
    return [skip_object(skip, tickets[skip.ticket_id]) for skip in skips]


@APP.post("/api/v2/skips", status=201)
def record_new_skip(tx: Tx, body: SkipRequest) -> SkipResponse:
    """Pass a ticket by, and say why."""
    me = agent(tx)
    if body.skip is UNSET or body.skip.ticket_id is UNSET:
        raise refusals.parameter_missing("skip")
    ticket, moment = desk.seen(tx, body.skip.ticket_id), now(tx)
    skip = tx.add(
        Skip(ticket_id=ticket.id, user_id=me.id, reason=body.skip.reason, created_at=moment, updated_at=moment)
    )
    return SkipResponse(_skips(tx, (skip,))[0])


@APP.get("/api/v2/users/{user_id}/skips")
def list_ticket_skips(tx: Tx, user_id: int, page: Page, ticket_id: int | None = None) -> SkipsResponse:
    """The tickets that an agent passed by."""
    agents_only(tx)
    where, args = "user_id = ?", [tx.get(User, user_id).id]
    if ticket_id is not None:
        where, args = f"{where} AND ticket_id = ?", [*args, ticket_id]
    where, bound = sight.about(tx, where, tuple(args))
    skips, around = page_of(tx, page, Skip, where, bound, orders={"created_at": "created_at"}, default="created_at")
    return SkipsResponse(skips=_skips(tx, skips), **around)


@APP.get("/api/v2/tickets/{ticket_id}/skips")
def list_skips_of_ticket(tx: Tx, ticket_id: int, page: Page) -> SkipsResponse:
    """Who passed a ticket by."""
    agents_only(tx)
    number = desk.seen(tx, ticket_id).id
    skips, around = page_of(
        tx, page, Skip, "ticket_id = ?", (number,), orders={"created_at": "created_at"}, default="created_at"
    )
    return SkipsResponse(skips=_skips(tx, skips), **around)


# --- bookmarks


@APP.get("/api/v2/bookmarks")
def list_bookmarks(tx: Tx, page: Page) -> BookmarksResponse:
    """The tickets that I want to find again."""
    me = agent(tx)
    where, args = sight.about(tx, "user_id = ?", (me.id,))
    bookmarks, around = page_of(tx, page, Bookmark, where, args)
    tickets = _tickets(tx, [bookmark.ticket_id for bookmark in bookmarks])
    return BookmarksResponse(bookmarks=[bookmark_object(one, tickets[one.ticket_id]) for one in bookmarks], **around)


@APP.post("/api/v2/bookmarks", status=201, answers=BookmarkResponse)
def create_bookmark(tx: Tx, body: BookmarkRequest) -> BookmarkResponse | Reply:
    """Remember a ticket; 200 where it was remembered before."""
    me = agent(tx)
    if body.bookmark is UNSET or body.bookmark.ticket_id is UNSET:
        raise refusals.parameter_missing("bookmark")
    ticket = desk.seen(tx, body.bookmark.ticket_id)
    [shape] = shown(tx, (ticket,))
    known = tx.first(Bookmark, "user_id = ? AND ticket_id = ?", me.id, ticket.id)
    if known is not None:
        return Reply(200, {}, msgspec.json.encode(BookmarkResponse(bookmark_object(known, shape))))
    made = tx.add(Bookmark(user_id=me.id, ticket_id=ticket.id, created_at=now(tx)))
    located(tx, f"bookmarks/{made.id}")
    return BookmarkResponse(bookmark_object(made, shape))


@APP.delete("/api/v2/bookmarks/{bookmark_id}")
def delete_bookmark(tx: Tx, bookmark_id: int) -> None:
    """Forget one of my bookmarks."""
    tx.remove(within(tx, Bookmark, bookmark_id, user_id=agent(tx).id))


# --- reasons


@APP.get("/api/v2/satisfaction_reasons")
def list_satisfaction_rating_reasons(tx: Tx, page: Page) -> ReasonsResponse:
    """Why customers may be dissatisfied."""
    admin(tx)
    reasons, around = page_of(tx, page, SatisfactionReason, "deleted_at IS NULL", ())
    return ReasonsResponse(reasons=[reason_object(reason) for reason in reasons], **around)


@APP.get("/api/v2/satisfaction_reasons/{satisfaction_reason_id}")
def show_satisfaction_ratings(tx: Tx, satisfaction_reason_id: int) -> ReasonResponse:
    """One reason."""
    admin(tx)
    return ReasonResponse(reason_object(tx.get(SatisfactionReason, satisfaction_reason_id)))
