"""Incremental exports on the wire: tickets, users, organizations, ticket events and samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import get_many, sideload
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.schema import APP, BASE, Audit, Comment, Organization, Ticket, User
from diorama.apps.zendesk.wire.incremental_exports import (
    CursorTicketsResponse,
    CursorUsersResponse,
    ExportedOrganizationsResponse,
    SampleResponse,
    TicketEventObject,
    TicketEventsResponse,
    TimeTicketsResponse,
    TimeUsersResponse,
    ticket_event_object,
)
from diorama.apps.zendesk.wire.organizations import organization_object
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Record, Tx, to_us
from diorama.kit.paging import BadCursor, by, read_cursor, window, write_cursor
from diorama.kit.paging import Cursor as Place

EXPORT = 1000
SECOND = 1_000_000
ORDER = by("updated_at")


def export_size(per_page: int | None) -> int:
    """Return the page size of an export."""
    return max(1, min(per_page or EXPORT, EXPORT))


def _slice(
    tx: Tx, record: type[Any], resource: str, start_time: int | None, cursor: str | None, size: int, extra: str
) -> tuple[list[Any], dict[str, Any]]:
    """Return the page of an export after a cursor or since a time, which must be in the past."""
    cursor = cursor or None  # clients send an empty cursor with their first request
    if cursor is None and start_time is None:
        raise refusals.parameter_missing("start_time")
    try:
        if cursor is not None:
            read_cursor(cursor, ORDER.name)
            found = window(tx, record, "updated_at <= ?", (export_end(tx),), ORDER, Place(size, after=cursor))
        else:
            span = (export_start(tx, start_time), export_end(tx))
            found = window(tx, record, "updated_at >= ? AND updated_at <= ?", span, ORDER, Place(size))
    except BadCursor:
        raise refusals.bad_parameter("cursor", "is not valid") from None
    after = found.last or cursor or write_cursor(ORDER.name, (export_start(tx, start_time), 0))
    url = f"{BASE}/incremental/{resource}/cursor.json?cursor={_escaped(after)}{extra}" if after else None
    around = {
        "after_url": url,
        "before_url": None,
        "after_cursor": after,
        "before_cursor": None,
        "end_of_stream": not found.has_more,
    }
    return found.items, around


def _escaped(cursor: str) -> str:
    return cursor.replace("=", "%3D").replace("+", "%2B").replace("/", "%2F")


def export_end(tx: Tx) -> int:
    """Return the end of an export: a minute ago, because a recent second may still get more changes."""
    return tx.now_us - 60 * SECOND


def export_start(tx: Tx, start_time: int | None) -> int:
    """Return the start of an export; raise 400 unless it is at least a minute ago."""
    if start_time is None:
        raise refusals.parameter_missing("start_time")
    if start_time * SECOND > tx.now_us - 60 * SECOND:
        raise refusals.bad_parameter("start_time", "must be at least one minute ago")
    return max(0, start_time) * SECOND


@APP.get("/api/v2/incremental/tickets/cursor", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_ticket_export_cursor(
    tx: Tx,
    start_time: int | None = None,
    cursor: str | None = None,
    per_page: int | None = None,
    exclude_deleted: bool = False,
    include: str | None = None,
) -> CursorTicketsResponse:
    """Export tickets in the order of their last change, including deleted ones."""
    extra = f"&per_page={per_page}" if per_page else ""
    tickets, around = _slice(tx, Ticket, "tickets", start_time, cursor, export_size(per_page), extra)
    kept = [ticket for ticket in tickets if not (exclude_deleted and ticket.deleted_at)]
    return CursorTicketsResponse(tickets=ticket_objects(tx, kept, include), **around, **sideload(tx, include, kept))


@APP.get("/api/v2/incremental/users/cursor", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_user_export_cursor(
    tx: Tx, start_time: int | None = None, cursor: str | None = None, per_page: int | None = None
) -> CursorUsersResponse:
    """Export users in the order of their last change, including deleted ones."""
    extra = f"&per_page={per_page}" if per_page else ""
    users, around = _slice(tx, User, "users", start_time, cursor, export_size(per_page), extra)
    return CursorUsersResponse(users=[user_object(user) for user in users], **around)


def changed_since(
    tx: Tx, record: type[Any], resource: str, start_time: int | None, size: int
) -> tuple[list[Any], dict[str, Any]]:
    """Return a page of records changed since a time; no second is split, and each page ends later than the last."""
    found: list[Any] = []
    start, more = export_start(tx, start_time), True
    while more and (not found or to_us(found[-1].updated_at) == start):
        found.extend(_next(tx, record, found[-1] if found else None, start, size))
        more = bool(found) and _behind(tx, record, found[-1])
    end = to_us(found[-1].updated_at) // SECOND if found else None
    url = f"{BASE}/incremental/{resource}.json?start_time={end}" if end is not None else None
    return found, {"count": len(found), "end_of_stream": not more, "end_time": end, "next_page": url}


def _next(tx: Tx, record: type[Any], last: Any, start: int, size: int) -> list[Any]:
    """Return up to `size` changes, plus all others in the same second as the last of them."""
    where = "updated_at > ?" if last is not None else "updated_at >= ?"
    edges = (to_us(last.updated_at) if last is not None else start, export_end(tx))
    found: list[Any] = tx.all(record, f"{where} AND updated_at <= ?", *edges, order="updated_at, id", limit=size)
    if len(found) == size:
        rest = "updated_at = ? AND id > ?"
        found.extend(tx.all(record, rest, to_us(found[-1].updated_at), found[-1].id, order="id"))
    return found


def _behind(tx: Tx, record: type[Record], last: Any) -> bool:
    where = "updated_at > ? AND updated_at <= ?"
    return tx.first(record, where, last.updated_at, export_end(tx), order="updated_at") is not None


@APP.get("/api/v2/incremental/tickets", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_ticket_export_time(
    tx: Tx, start_time: int | None = None, per_page: int | None = None, include: str | None = None
) -> TimeTicketsResponse:
    """Export the tickets that changed since a time."""
    tickets, around = changed_since(tx, Ticket, "tickets", start_time, export_size(per_page))
    return TimeTicketsResponse(tickets=ticket_objects(tx, tickets, include), **around, **sideload(tx, include, tickets))


@APP.get("/api/v2/incremental/users", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_user_export_time(
    tx: Tx, start_time: int | None = None, per_page: int | None = None
) -> TimeUsersResponse:
    """Export the users that changed since a time."""
    users, around = changed_since(tx, User, "users", start_time, export_size(per_page))
    return TimeUsersResponse(users=[user_object(user) for user in users], **around)


@APP.get("/api/v2/incremental/organizations", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_organization_export(
    tx: Tx, start_time: int | None = None, per_page: int | None = None
) -> ExportedOrganizationsResponse:
    """Export the organizations that changed since a time."""
    companies, around = changed_since(tx, Organization, "organizations", start_time, export_size(per_page))
    shapes = [organization_object(company) for company in companies]
    return ExportedOrganizationsResponse(organizations=shapes, **around)


SAMPLE = 50


def _events(tx: Tx, start_time: int | None, size: int, include: str | None) -> tuple[list[Audit], dict[str, Any]]:
    """Return a page of audits since a time, without the last minute and without splitting a second between pages."""
    start, fresh = export_start(tx, start_time), export_end(tx)
    found: list[Audit] = []
    edge, more = start - 1, True
    while more and (not found or edge == start):
        page = tx.all(Audit, "created_at > ? AND created_at <= ?", edge, fresh, order="created_at, id", limit=size)
        found.extend(page)
        edge = to_us(page[-1].created_at) if page else edge
        if len(page) == size:
            found.extend(tx.all(Audit, "created_at = ? AND id > ?", edge, page[-1].id, order="id"))
        rest = "SELECT 1 FROM zendesk_audits WHERE created_at > ? AND created_at <= ? LIMIT 1"
        more = bool(page) and bool(tx.rows(rest, edge, fresh))
    end = edge // SECOND if found else None
    also = f"&include={include}" if include else ""
    url = f"{BASE}/incremental/ticket_events.json?start_time={end}{also}" if end is not None else None
    return found, {"count": len(found), "end_of_stream": not more, "end_time": end, "next_page": url}


def _told(tx: Tx, audits: Sequence[Audit], spoken: bool) -> list[TicketEventObject]:
    numbers = [event.id for audit in audits for event in audit.events if event.type == "Comment"]
    comments = {comment.id: comment for comment in get_many(tx, Comment, numbers)}
    return [ticket_event_object(audit, comments, spoken) for audit in audits]


@APP.get("/api/v2/incremental/ticket_events", role="admin", seconds=1.2, rate_limits=(limits.INCREMENTAL,))
def incremental_ticket_events(
    tx: Tx, start_time: int | None = None, include: str | None = None, per_page: int | None = None
) -> TicketEventsResponse:
    """Export the ticket events since a time, with comments on request."""
    audits, around = _events(tx, start_time, max(1, min(per_page or EXPORT, EXPORT)), include)
    return TicketEventsResponse(ticket_events=_told(tx, audits, "comment_events" in (include or "")), **around)


@APP.get("/api/v2/incremental/{incremental_resource}/sample", role="admin", seconds=1.2, rate_limits=(limits.SAMPLES,))
def incremental_sample_export(
    tx: Tx, incremental_resource: str, start_time: int | None = None, include: str | None = None
) -> SampleResponse:
    """Show at most fifty results of an export, to preview its format."""
    if incremental_resource == "ticket_events":
        audits, around = _events(tx, start_time, SAMPLE, include)
        told = _told(tx, audits[:SAMPLE], "comment_events" in (include or ""))
        return SampleResponse(ticket_events=told, **_cut(around, len(told)))
    kinds: dict[str, type[Any]] = {"tickets": Ticket, "users": User, "organizations": Organization}
    if incremental_resource not in kinds:
        raise refusals.not_found()
    found, around = changed_since(tx, kinds[incremental_resource], incremental_resource, start_time, SAMPLE)
    found = found[:SAMPLE]
    around = _cut(around, len(found))
    if incremental_resource == "tickets":
        return SampleResponse(tickets=list(ticket_objects(tx, found)), **around)
    if incremental_resource == "users":
        return SampleResponse(users=[user_object(one) for one in found], **around)
    return SampleResponse(organizations=[organization_object(one) for one in found], **around)


def _cut(around: dict[str, Any], count: int) -> dict[str, Any]:
    return {**around, "count": count}
