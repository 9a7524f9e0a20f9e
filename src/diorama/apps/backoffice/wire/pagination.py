"""Lists: newest first, with cursor paging by the last id."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from diorama.kernel import Record, Refusal, Request, Tx
from diorama.kit import Detail, parse_iso
from diorama.kit.arguments import Arguments
from diorama.kit.bounds import Invalid

R = TypeVar("R", bound=Record)
V = TypeVar("V")
_SPANS = {"created[gt]": ">", "created[gte]": ">=", "created[lt]": "<", "created[lte]": "<="}
_MOMENT = {"type": "string", "format": "date-time"}


class Listing(msgspec.Struct, Generic[V], frozen=True, tag_field="object", tag="list"):
    """One page of a list; if `has_more`, continue with `starting_after` set to the last id."""

    url: str
    has_more: bool
    data: list[V]


class Page(msgspec.Struct, frozen=True):
    """The paging parameters of a list."""

    PARAMETERS: ClassVar[dict[str, Any]] = {
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "starting_after": {"type": "string"},
        "ending_before": {"type": "string"},
        **dict.fromkeys(_SPANS, _MOMENT),
    }

    path: str
    limit: int = 10
    starting_after: str = ""
    ending_before: str = ""
    created: tuple[tuple[str, datetime], ...] = ()

    @classmethod
    def parse(cls, query: Arguments, request: Request) -> Self:
        """Parse the paging parameters of a query."""
        values = {name: given[-1] for name, given in query.items() if name in cls.PARAMETERS}
        limit = values.get("limit", "10")
        if not (limit.isascii() and limit.isdigit() and 1 <= len(limit) <= 3 and 1 <= int(limit) <= 100):
            raise Invalid(Detail("limit must be an integer from 1 to 100", "query", "limit"))
        if "starting_after" in values and "ending_before" in values:
            raise Invalid(Detail("starting_after and ending_before exclude each other", "query", "ending_before"))
        created = tuple((sign, _moment(values[name], name)) for name, sign in _SPANS.items() if name in values)
        return cls(request.path, int(limit), values.get("starting_after", ""), values.get("ending_before", ""), created)


def listing(
    tx: Tx,
    record: type[R],
    page: Page,
    show: Callable[[R], V],
    filters: Sequence[tuple[str, Any]] = (),
    by: str = "created_at",
) -> Listing[V]:
    """Return a page of records that match every filter whose value is not None."""
    found, has_more = page_of(tx, record, page, filters, by)
    return Listing(url=page.path, has_more=has_more, data=[show(one) for one in found])


def page_of(
    tx: Tx, record: type[R], page: Page, filters: Sequence[tuple[str, Any]] = (), by: str = "created_at"
) -> tuple[list[R], bool]:
    """Return the records of a page that match every filter, and whether there are more."""
    conditions = [condition for condition, value in filters if value is not None]
    values = [value for _, value in filters if value is not None]
    for sign, moment in page.created:
        conditions.append(f"{by} {sign} ?")
        values.append(moment)
    backwards = bool(page.ending_before)
    if cursor := page.starting_after or page.ending_before:
        anchor = tx.find(record, cursor)
        if anchor is None:
            param = "ending_before" if backwards else "starting_after"
            raise Refusal(
                400, "cursor_unknown", f"No such {record.__name__.lower()}: '{cursor}'", fields={"param": param}
            )
        sign = ">" if backwards else "<"
        conditions.append(f"({by}, id) {sign} (?, ?)")
        values += [getattr(anchor, by), anchor.id]
    way = "ASC" if backwards else "DESC"
    found = tx.all(record, " AND ".join(conditions), *values, order=f"{by} {way}, id {way}", limit=page.limit + 1)
    kept = found[: page.limit]
    if backwards:
        kept.reverse()
    return kept, len(found) > page.limit


def _moment(text: str, name: str) -> datetime:
    try:
        return parse_iso(text)
    except (ValueError, OverflowError):
        raise Invalid(Detail(f"{name} must be an ISO 8601 time such as 2026-03-02T08:00:00Z", "query", name)) from None
