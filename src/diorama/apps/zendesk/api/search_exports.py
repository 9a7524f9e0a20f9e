"""API operations for search exports: all results of one type, without the limit of a thousand."""

from __future__ import annotations

from typing import Annotated, Any

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import bad_page
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.search import found_objects, sideloaded
from diorama.apps.zendesk.rules import search
from diorama.apps.zendesk.schema import APP, BASE
from diorama.apps.zendesk.wire.pagination import Links, Meta
from diorama.apps.zendesk.wire.search import SearchExportResponse
from diorama.kernel import Refusal, Tx, to_us
from diorama.kit import Query
from diorama.kit.paging import BadCursor, Cursor, by, link, read_cursor, window, write_cursor

MOST, USUAL = 1000, 100
HOUR_US = 3_600_000_000
CURSOR = "search-export"
ORDER = by("created_at", descending=True)
"""Only the column is documented; the direction is the default of the search."""


def _invalid(reason: str) -> Refusal:
    """Return the error of an invalid search; its text for exports has not been recorded from the real API."""
    return Refusal(422, "invalid", f"Invalid search: {reason}")


def _place(tx: Tx, after: str) -> str:
    """Return the position that a cursor holds; raise an error if it is invalid or older than an hour."""
    try:
        issued, *cells = read_cursor(after, CURSOR)
    except (BadCursor, ValueError):
        raise bad_page("page[after]", after) from None
    if not isinstance(issued, int) or len(cells) != len(ORDER.keys) or tx.now_us - issued > HOUR_US:
        raise bad_page("page[after]", after)
    return write_cursor(ORDER.name, cells)


@APP.get("/api/v2/search/export", role="agent", seconds=1.2, rate_limits=(limits.SEARCH_EXPORT,))
def export_search_results(
    tx: Tx,
    me: Me,
    query: str | None = None,
    kind: Annotated[str | None, Query("filter[type]")] = None,
    size: Annotated[int | None, Query("page[size]")] = None,
    after: Annotated[str | None, Query("page[after]")] = None,
    include: str | None = None,
) -> SearchExportResponse:
    """Export all results of one type by creation time; later changes do not shift the pages."""
    if query is None:
        raise refusals.parameter_missing("query")
    if not kind:
        raise refusals.parameter_missing("filter[type]")
    if kind not in search.SEARCHABLE:
        raise refusals.bad_parameter("filter.type", f"must be one of {', '.join(search.SEARCHABLE)}")
    if search.named_types(query) - {kind}:
        raise _invalid("type cannot be given in the query, use filter[type]")
    size = USUAL if size is None else size
    if not 0 < size <= MOST:
        raise refusals.bad_parameter("page.size", f"must be between 1 and {MOST}")
    found = search.understand(tx, me, query, kinds=(kind,))
    tx.spend_searches(found.terms)
    place = Cursor(size, after=_place(tx, after) if after else "")
    records: list[Any] = []
    more, cursor = False, None
    for part in found.parts:
        shown = window(tx, part.kind.record, part.found.text, part.found.args, ORDER, place)
        records, more = list(shown.items), shown.has_more
        if records:
            last = records[-1]
            cursor = write_cursor(CURSOR, [tx.now_us, to_us(last.created_at), last.id])
    results = [(kind, record) for record in records]
    tickets = records if kind == "ticket" else []
    extra = (("include", include),) if include else ()
    asked = [("query", query), ("filter[type]", kind), *extra, ("page[size]", size), ("page[after]", cursor or "")]
    return SearchExportResponse(
        results=found_objects(tx, results, include),
        meta=Meta(more, cursor, None),
        links=Links(None, link(f"{BASE}/search/export.json", asked) if more else None),
        **sideloaded(tx, include, tickets),
    )
