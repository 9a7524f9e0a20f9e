"""Search and tags on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.listing import Page, part_of, sideload
from diorama.apps.zendesk.api.tickets import API, shown
from diorama.apps.zendesk.rules import search
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import agent, agents_only, now
from diorama.apps.zendesk.rules.people import tidy_tags
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.wire.lists import Count, CountResponse
from diorama.apps.zendesk.wire.people import group_object, organization_object, user_object
from diorama.apps.zendesk.wire.tickets import (
    AutocompleteTagsResponse,
    SearchCountResponse,
    SearchResponse,
    TagObject,
    TagsByObjectIdResponse,
    TagsRequest,
    TagsResponse,
)
from diorama.kernel import Refusal, Tx

_SHAPES: dict[str, Any] = {"user": user_object, "organization": organization_object, "group": group_object}


@APP.get("/api/v2/search", seconds=0.7)
def list_search_results(
    tx: Tx, page: Page, query: str | None = None, sort_by: str = "", sort_order: str = "", include: str | None = None
) -> SearchResponse:
    """Search tickets, users, organizations and groups in Zendesk's search language."""
    me = agent(tx)
    if query is None:
        raise refusals.parameter_missing("query")
    if page.cursor is not None:
        raise refusals.bad_parameter("page", "must be an integer")
    if page.offset.skip + page.offset.size > search.LIMIT:
        raise Refusal(422, "invalid", "Invalid search: Requested response size was greater than Search Response Limits")
    found = search.understand(tx, me, query, order_by=sort_by, order=sort_order)
    results, count = found.fetch(tx, page.offset.size, page.offset.skip)
    tickets = [record for kind, record in results if kind == "ticket"]
    return SearchResponse(
        results=found_objects(tx, results, include), **page.around(count), **sideloaded(tx, include, tickets)
    )


def found_objects(tx: Tx, results: Sequence[tuple[str, Any]], include: str | None = None) -> list[Any]:
    """Results of a search, each with its kind."""
    tickets = [record for kind, record in results if kind == "ticket"]
    shapes = {shape.id: shape for shape in shown(tx, tickets, _asked_for(include), result_type="ticket")}
    return [
        shapes[record.id] if kind == "ticket" else _SHAPES[kind](record, result_type=kind) for kind, record in results
    ]


def sideloaded(tx: Tx, include: str | None, tickets: list[Ticket]) -> dict[str, Any]:
    """Search side-loads with its own spelling: tickets(users,groups)."""
    return sideload(tx, _asked_for(include), tickets) if include else {}


def _asked_for(include: str | None) -> str | None:
    return include.replace("tickets(", "").replace(")", "") if include else None


@APP.get("/api/v2/search/count")
def count_search_results(tx: Tx, query: str | None = None) -> SearchCountResponse:
    """How many results a search has."""
    me = agent(tx)
    if query is None:
        raise refusals.parameter_missing("query")
    return SearchCountResponse(search.understand(tx, me, query).count(tx))


# --- tags


def _popular(tx: Tx) -> list[tuple[str, int]]:
    rows = tx.rows(
        "SELECT j.value, count(*) FROM zendesk_tickets t, json_each(t.tags) j WHERE t.deleted_at IS NULL "
        "GROUP BY j.value ORDER BY 2 DESC, 1"
    )
    return [(row[0], row[1]) for row in rows]


@APP.get("/api/v2/tags")
def list_tags(tx: Tx, page: Page) -> TagsResponse:
    """The tags in use, the most popular first."""
    agents_only(tx)
    tags = _popular(tx)
    part, around = part_of(page, tags, lambda tag: tag[0])
    return TagsResponse(tags=[TagObject(name, count) for name, count in part], **around)


@APP.get("/api/v2/tags/count")
def count_tags(tx: Tx) -> CountResponse:
    """How many tags are in use."""
    agents_only(tx)
    return CountResponse(Count(len(_popular(tx)), now(tx)))


@APP.get("/api/v2/autocomplete/tags")
def autocomplete_tags(tx: Tx, name: str = "") -> AutocompleteTagsResponse:
    """Tags that begin like this."""
    agents_only(tx)
    if len(name) < 2:
        return AutocompleteTagsResponse([], 0)
    found = [tag for tag, _ in _popular(tx) if tag.startswith(name.lower())]
    return AutocompleteTagsResponse(found, len(found))


@APP.get("/api/v2/tickets/{ticket_id}/tags")
def list_resource_tags(tx: Tx, ticket_id: int) -> TagsByObjectIdResponse:
    """The tags of a ticket."""
    agents_only(tx)
    return TagsByObjectIdResponse(desk.seen(tx, ticket_id).tags)


def _retag(tx: Tx, me: User, ticket: Ticket, body: TagsRequest, tags: set[str]) -> TagsByObjectIdResponse:
    if body.safe_update:
        desk.check_stamp(ticket, body.updated_stamp)
    done = desk.update(tx, ticket, by=me, fields={"tags": tuple(sorted(tags))}, via=API)
    return TagsByObjectIdResponse(done.ticket.tags)


@APP.post("/api/v2/tickets/{ticket_id}/tags", status=201)
def set_tags_ticket(tx: Tx, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Give a ticket these tags and no others."""
    me, ticket = agent(tx), desk.seen(tx, ticket_id)
    return _retag(tx, me, ticket, body, set(tidy_tags(body.tags)))


@APP.put("/api/v2/tickets/{ticket_id}/tags")
def put_tags_ticket(tx: Tx, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Add tags to a ticket."""
    me, ticket = agent(tx), desk.seen(tx, ticket_id)
    return _retag(tx, me, ticket, body, {*ticket.tags, *tidy_tags(body.tags)})


@APP.delete("/api/v2/tickets/{ticket_id}/tags")
def delete_tags_ticket(tx: Tx, ticket_id: int, body: TagsRequest) -> TagsByObjectIdResponse:
    """Take tags off a ticket."""
    me, ticket = agent(tx), desk.seen(tx, ticket_id)
    return _retag(tx, me, ticket, body, set(ticket.tags) - set(tidy_tags(body.tags)))
