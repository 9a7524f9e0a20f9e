"""Search on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, sideload
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.rules import search
from diorama.apps.zendesk.schema import APP, Ticket
from diorama.apps.zendesk.wire.groups import group_object
from diorama.apps.zendesk.wire.organizations import organization_object
from diorama.apps.zendesk.wire.search import SearchCountResponse, SearchResponse
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Refusal, Tx

_SHAPES: dict[str, Any] = {"user": user_object, "organization": organization_object, "group": group_object}


@APP.get("/api/v2/search", role="agent", seconds=0.7)
def list_search_results(
    tx: Tx,
    me: Me,
    page: Page,
    query: str | None = None,
    sort_by: str = "",
    sort_order: str = "",
    include: str | None = None,
) -> SearchResponse:
    """Search tickets, users, organizations and groups in Zendesk's search language."""
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
    shapes = {shape.id: shape for shape in ticket_objects(tx, tickets, _asked_for(include), result_type="ticket")}
    return [
        shapes[record.id] if kind == "ticket" else _SHAPES[kind](record, result_type=kind) for kind, record in results
    ]


def sideloaded(tx: Tx, include: str | None, tickets: list[Ticket]) -> dict[str, Any]:
    """Search side-loads with its own spelling: tickets(users,groups)."""
    return sideload(tx, _asked_for(include), tickets) if include else {}


def _asked_for(include: str | None) -> str | None:
    return include.replace("tickets(", "").replace(")", "") if include else None


@APP.get("/api/v2/search/count", role="agent")
def count_search_results(tx: Tx, me: Me, query: str | None = None) -> SearchCountResponse:
    """How many results a search has."""
    if query is None:
        raise refusals.parameter_missing("query")
    return SearchCountResponse(search.understand(tx, me, query).count(tx))
