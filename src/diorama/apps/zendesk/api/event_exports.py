"""Incremental exports on the wire: ticket events, and samples of every export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.exports import EXPORT, SECOND, changed_since, settled, since
from diorama.apps.zendesk.api.listing import many
from diorama.apps.zendesk.api.tickets import shown
from diorama.apps.zendesk.rules.acting import admin
from diorama.apps.zendesk.schema import APP, BASE, Audit, Comment, Organization, Ticket, User
from diorama.apps.zendesk.wire.exports import (
    SampleResponse,
    TicketEventObject,
    TicketEventsResponse,
    ticket_event_object,
)
from diorama.apps.zendesk.wire.people import organization_object, user_object
from diorama.kernel import Tx, to_us

SAMPLE = 50


def _events(tx: Tx, start_time: int | None, size: int, include: str | None) -> tuple[list[Audit], dict[str, Any]]:
    """The updates since a time, whole seconds together, later than the last page, without those of the last minute."""
    start, fresh = since(tx, start_time), settled(tx)
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
    comments = {comment.id: comment for comment in many(tx, Comment, numbers)}
    return [ticket_event_object(audit, comments, spoken) for audit in audits]


@APP.get("/api/v2/incremental/ticket_events", seconds=1.2, limits=(limits.INCREMENTAL,))
def incremental_ticket_events(
    tx: Tx, start_time: int | None = None, include: str | None = None, per_page: int | None = None
) -> TicketEventsResponse:
    """Every update of every ticket since a time, with its words on demand."""
    admin(tx)
    audits, around = _events(tx, start_time, max(1, min(per_page or EXPORT, EXPORT)), include)
    return TicketEventsResponse(ticket_events=_told(tx, audits, "comment_events" in (include or "")), **around)


@APP.get("/api/v2/incremental/{incremental_resource}/sample", seconds=1.2, limits=(limits.SAMPLES,))
def incremental_sample_export(
    tx: Tx, incremental_resource: str, start_time: int | None = None, include: str | None = None
) -> SampleResponse:
    """At most fifty results of an export, to look at its format."""
    admin(tx)
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
        return SampleResponse(tickets=list(shown(tx, found)), **around)
    if incremental_resource == "users":
        return SampleResponse(users=[user_object(one) for one in found], **around)
    return SampleResponse(organizations=[organization_object(one) for one in found], **around)


def _cut(around: dict[str, Any], count: int) -> dict[str, Any]:
    return {**around, "count": count}
