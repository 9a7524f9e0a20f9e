"""Incremental exports and job statuses on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.listing import MOST, Page, page_of, parts_of, sideload
from diorama.apps.zendesk.api.tickets import shown
from diorama.apps.zendesk.rules.acting import admin, agents_only
from diorama.apps.zendesk.schema import APP, BASE, Job, Ticket, User
from diorama.apps.zendesk.wire.business import JobStatusesResponse, JobStatusResponse, job_status_object
from diorama.apps.zendesk.wire.people import user_object
from diorama.apps.zendesk.wire.tickets import (
    CursorTicketsResponse,
    CursorUsersResponse,
    TimeTicketsResponse,
    TimeUsersResponse,
)
from diorama.kernel import Record, Tx, to_us
from diorama.kit.paging import BadCursor, by, read_cursor, window, write_cursor
from diorama.kit.paging import Cursor as Place

EXPORT = 1000
SECOND = 1_000_000
ORDER = by("updated_at")


def export_size(per_page: int | None) -> int:
    """How many rows one page of an export has."""
    return max(1, min(per_page or EXPORT, EXPORT))


def _slice(
    tx: Tx, record: type[Any], resource: str, start_time: int | None, cursor: str | None, size: int, extra: str
) -> tuple[list[Any], dict[str, Any]]:
    """The part of an export behind a cursor, or since a time; the time must lie in the past."""
    cursor = cursor or None  # clients send an empty one with their first request
    if cursor is None and start_time is None:
        raise refusals.parameter_missing("start_time")
    try:
        if cursor is not None:
            read_cursor(cursor, ORDER.name)
            found = window(tx, record, "updated_at <= ?", (settled(tx),), ORDER, Place(size, after=cursor))
        else:
            span = (since(tx, start_time), settled(tx))
            found = window(tx, record, "updated_at >= ? AND updated_at <= ?", span, ORDER, Place(size))
    except BadCursor:
        raise refusals.bad_parameter("cursor", "is not valid") from None
    after = found.last or cursor or write_cursor(ORDER.name, (since(tx, start_time), 0))
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


def settled(tx: Tx) -> int:
    """The last moment that an export tells of: in the last minute a second may still get more changes."""
    return tx.now_us - 60 * SECOND


def since(tx: Tx, start_time: int | None) -> int:
    """The beginning of an export, which lies at least a minute back."""
    if start_time is None:
        raise refusals.parameter_missing("start_time")
    if start_time * SECOND > tx.now_us - 60 * SECOND:
        raise refusals.bad_parameter("start_time", "must be at least one minute ago")
    return max(0, start_time) * SECOND


@APP.get("/api/v2/incremental/tickets/cursor", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_ticket_export_cursor(
    tx: Tx,
    start_time: int | None = None,
    cursor: str | None = None,
    per_page: int | None = None,
    exclude_deleted: bool = False,
    include: str | None = None,
) -> CursorTicketsResponse:
    """Tickets in the order in which they last changed, deleted ones included."""
    admin(tx)
    extra = f"&per_page={per_page}" if per_page else ""
    tickets, around = _slice(tx, Ticket, "tickets", start_time, cursor, export_size(per_page), extra)
    kept = [ticket for ticket in tickets if not (exclude_deleted and ticket.deleted_at)]
    return CursorTicketsResponse(tickets=shown(tx, kept, include), **around, **sideload(tx, include, kept))


@APP.get("/api/v2/incremental/users/cursor", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_user_export_cursor(
    tx: Tx, start_time: int | None = None, cursor: str | None = None, per_page: int | None = None
) -> CursorUsersResponse:
    """Users in the order in which they last changed, deleted ones included."""
    admin(tx)
    extra = f"&per_page={per_page}" if per_page else ""
    users, around = _slice(tx, User, "users", start_time, cursor, export_size(per_page), extra)
    return CursorUsersResponse(users=[user_object(user) for user in users], **around)


def changed_since(
    tx: Tx, record: type[Any], resource: str, start_time: int | None, size: int
) -> tuple[list[Any], dict[str, Any]]:
    """All that changed since a time, whole seconds together so that no page cuts one, and later than the last page."""
    found: list[Any] = []
    start, more = since(tx, start_time), True
    while more and (not found or to_us(found[-1].updated_at) == start):
        found.extend(_next(tx, record, found[-1] if found else None, start, size))
        more = bool(found) and _behind(tx, record, found[-1])
    end = to_us(found[-1].updated_at) // SECOND if found else None
    url = f"{BASE}/incremental/{resource}.json?start_time={end}" if end is not None else None
    return found, {"count": len(found), "end_of_stream": not more, "end_time": end, "next_page": url}


def _next(tx: Tx, record: type[Any], last: Any, start: int, size: int) -> list[Any]:
    """So many changes, and what else changed in the second of the last of them."""
    where = "updated_at > ?" if last is not None else "updated_at >= ?"
    edges = (to_us(last.updated_at) if last is not None else start, settled(tx))
    found: list[Any] = tx.all(record, f"{where} AND updated_at <= ?", *edges, order="updated_at, id", limit=size)
    if len(found) == size:
        rest = "updated_at = ? AND id > ?"
        found.extend(tx.all(record, rest, to_us(found[-1].updated_at), found[-1].id, order="id"))
    return found


def _behind(tx: Tx, record: type[Record], last: Any) -> bool:
    where = "updated_at > ? AND updated_at <= ?"
    return tx.first(record, where, last.updated_at, settled(tx), order="updated_at") is not None


@APP.get("/api/v2/incremental/tickets", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_ticket_export_time(
    tx: Tx, start_time: int | None = None, per_page: int | None = None, include: str | None = None
) -> TimeTicketsResponse:
    """Tickets that changed since a time."""
    admin(tx)
    tickets, around = changed_since(tx, Ticket, "tickets", start_time, export_size(per_page))
    return TimeTicketsResponse(tickets=shown(tx, tickets, include), **around, **sideload(tx, include, tickets))


@APP.get("/api/v2/incremental/users", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_user_export_time(
    tx: Tx, start_time: int | None = None, per_page: int | None = None
) -> TimeUsersResponse:
    """Users that changed since a time."""
    admin(tx)
    users, around = changed_since(tx, User, "users", start_time, export_size(per_page))
    return TimeUsersResponse(users=[user_object(user) for user in users], **around)


# --- jobs


@APP.get("/api/v2/job_statuses")
def list_job_statuses(tx: Tx, page: Page) -> JobStatusesResponse:
    """The background jobs, the newest first."""
    agents_only(tx)
    jobs, around = page_of(tx, page, Job, "", (), default="-created_at")
    return JobStatusesResponse(job_statuses=[job_status_object(job, tx.now) for job in jobs], **around)


@APP.get("/api/v2/job_statuses/show_many")
def show_many_job_statuses(tx: Tx, ids: str | None = None) -> JobStatusesResponse:
    """Several background jobs."""
    agents_only(tx)
    if not ids:
        raise refusals.parameter_missing("ids")
    listed = parts_of(ids)
    if len(listed) > MOST:
        raise refusals.too_many()
    jobs = tx.all(Job, f"id IN ({', '.join('?' * len(listed))})", *listed, order="created_at, id")
    return JobStatusesResponse(job_statuses=[job_status_object(job, tx.now) for job in jobs])


@APP.get("/api/v2/job_statuses/{job_status_id}")
def show_job_status(tx: Tx, job_status_id: str) -> JobStatusResponse:
    """How far a background job has got."""
    agents_only(tx)
    return JobStatusResponse(job_status_object(tx.get(Job, job_status_id), tx.now))
