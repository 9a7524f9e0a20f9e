"""Lists of the API: offset and cursor paging, sorting and side-loading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, TypeVar
from urllib.parse import parse_qsl

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import HOST, Group, Organization, Ticket, User
from diorama.apps.zendesk.wire.groups import group_object
from diorama.apps.zendesk.wire.organizations import organization_object
from diorama.apps.zendesk.wire.pagination import Count, CountResponse, Links, Meta
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Record, Refusal, Request, Tx
from diorama.kit.paging import BadCursor, Cell, Cursor, Offset, Order, by, link, read_cursor, window, write_cursor
from diorama.kit.paging import page as ordered

R = TypeVar("R", bound=Record)
T = TypeVar("T")
MOST = 100
DEEPEST = 10_000
"""The last record that offset paging can reach."""
_PAGING = ("page", "per_page", "page[size]", "page[after]", "page[before]")


class Page(msgspec.Struct, frozen=True):
    """The paging parameters of a request, and the links to neighbouring pages."""

    PARAMETERS: ClassVar[dict[str, Any]] = {
        "page": {"type": "integer"},
        "per_page": {"type": "integer", "maximum": MOST},
        "page[size]": {"type": "integer", "maximum": MOST},
        "page[after]": {"type": "string"},
        "page[before]": {"type": "string"},
        "sort": {"type": "string"},
        "sort_by": {"type": "string"},
        "sort_order": {"type": "string", "enum": ["asc", "desc"]},
    }

    path: str
    query: str
    offset: Offset
    cursor: Cursor | None = None
    sort: str = ""
    sort_by: str = ""
    sort_order: str = ""

    @classmethod
    def parse(cls, query: Mapping[str, list[str]], request: Request) -> Page:
        """Read the paging parameters of a request."""
        given = {name: values[-1] for name, values in query.items()}
        offset = Offset(_number(given, "per_page", MOST), _number(given, "page", 1))
        cursor = None
        if any(name.startswith("page[") for name in given):
            after, before = given.get("page[after]", ""), given.get("page[before]", "")
            cursor = Cursor(_number(given, "page[size]", MOST), after, before)
        elif offset.skip + offset.size > DEEPEST:
            raise _too_deep()
        return cls(
            request.path,
            request.query,
            offset,
            cursor,
            given.get("sort", ""),
            given.get("sort_by", ""),
            given.get("sort_order", ""),
        )

    def with_cursor(self) -> Page:
        """Return this page as a cursor page, for lists that have no numbered pages."""
        return self if self.cursor is not None else msgspec.structs.replace(self, cursor=Cursor(self.offset.size))

    def link(self, *parameters: tuple[str, str | int]) -> str:
        """Return the URL of a neighbouring page."""
        others = [one for one in parse_qsl(self.query, keep_blank_values=True) if one[0] not in _PAGING]
        return link(f"https://{HOST}{self.path}", [*others, *parameters])

    def around(self, count: int) -> dict[str, Any]:
        """Return the paging fields of an offset page."""
        page, size = self.offset.number, self.offset.size
        sized = (("per_page", size),) if size != MOST else ()
        more = page * size < count
        return {
            "count": count,
            "next_page": self.link(("page", page + 1), *sized) if more else None,
            "previous_page": self.link(("page", page - 1), *sized) if page > 1 else None,
        }


def _number(given: Mapping[str, str], name: str, default: int, most: int = MOST) -> int:
    """Parse a numeric paging parameter; values above the maximum are reduced to it."""
    text = given.get(name)
    if text is None or text == "":
        return default
    if not text.isascii() or not text.isdigit():
        raise refusals.bad_parameter("page.size" if name == "page[size]" else name, "must be an integer")
    value = max(1, int(text[:12]))
    return min(value, most) if name != "page" else value


def _too_deep() -> Refusal:
    return _ill_paged(
        "InvalidPaginationDepth",
        f"Pagination requests using Offset Pagination are limited to page {DEEPEST // MOST} or up to {DEEPEST} records "
        "(page * per_page)",
        "There are limits to the page depth in Offset Pagination. Offset Pagination will be deprecated fully in the "
        "near future.\nPlease switch to Cursor Pagination at the earliest. Cursor Pagination does not have any "
        "limits.\nSee https://developer.zendesk.com/documentation/api-basics/pagination/"
        "comparing-cursor-pagination-and-offset-pagination\n",
    )


def bad_page(name: str, value: str) -> Refusal:
    """Return the error for an unknown cursor or an unsupported sort; the code is the vendor's, the text is ours."""
    return _ill_paged(
        "InvalidPaginationParameter", "Invalid pagination parameter", f"{name}: {value} is not valid for this list"
    )


def _ill_paged(code: str, title: str, detail: str) -> Refusal:
    return Refusal(400, code, title, fields={"errors": [{"code": code, "title": title, "detail": detail}]})


def page_of(
    tx: Tx,
    page: Page,
    record: type[R],
    where: str = "",
    args: Sequence[Any] = (),
    *,
    orders: Mapping[str, str] | None = None,
    cursors: Mapping[str, str] | None = None,
    default: str = "id",
    fixed: str = "",
) -> tuple[list[R], dict[str, Any]]:
    """Return one page of a list, and the paging fields of the reply.

    Tickets that the caller may not see are left out. `orders` maps `sort_by` names to columns, and `cursors` does
    the same for `sort` if cursor paging supports fewer of them; a leading minus on `default` means descending;
    `fixed` is an ORDER BY that no parameter changes.
    """
    if record is Ticket:
        where, args = permissions.restrict(tx, where, tuple(args))
    if page.cursor is None or fixed:
        order = fixed or _order(page, orders or {}, default).sql()
        items = ordered(tx, record, where, args, order, page.offset.size, page.offset.skip)
        short = len(items) < page.offset.size and (items or page.offset.number == 1)
        count = page.offset.skip + len(items) if short else tx.count(record, where, *args)
        return items, page.around(count)
    order_ = _followed(page, (orders or {}) if cursors is None else cursors, default)
    try:
        found = window(tx, record, where, args, order_, page.cursor)
    except BadCursor as error:
        raise bad_page("page[before]" if page.cursor.before else "page[after]", str(error)) from None
    size = page.cursor.size
    # like Zendesk, report has_more for every full page, even the last; clients rely on it
    meta = Meta(len(found.items) == size, found.last, found.first)
    links = Links(None, None)
    if found.first is not None and found.last is not None:
        links = Links(
            page.link(("page[before]", found.first), ("page[size]", size)),
            page.link(("page[after]", found.last), ("page[size]", size)),
        )
    return found.items, {"meta": meta, "links": links}


def page_of_list(
    page: Page,
    items: Sequence[T],
    key: Callable[[T], Cell] = attrgetter("id"),
) -> tuple[list[T], dict[str, Any]]:
    """Return one page of a list in memory, and its paging fields; a cursor holds an item's key and its index."""
    if page.cursor is None:
        return list(items[page.offset.skip : page.offset.skip + page.offset.size]), page.around(len(items))
    size, text = page.cursor.size, page.cursor.before or page.cursor.after
    start = 0
    if text:
        place = _stood(page.cursor, items, key)
        start = max(0, place - size) if page.cursor.before else place + 1
        end = place if page.cursor.before else start + size
    else:
        end = size
    part = list(items[start:end])
    if not part:
        return part, {"meta": Meta(False, None, None), "links": Links(None, None)}
    first, last = (
        write_cursor("part", [key(part[0]), start]),
        write_cursor("part", [key(part[-1]), start + len(part) - 1]),
    )
    links = Links(
        page.link(("page[before]", first), ("page[size]", size)), page.link(("page[after]", last), ("page[size]", size))
    )
    return part, {"meta": Meta(len(part) == size, last, first), "links": links}


def _stood(cursor: Cursor, items: Sequence[T], key: Callable[[T], Cell]) -> int:
    """Return the index of the cursor's item, or its former index if it was removed."""
    text = cursor.before or cursor.after
    try:
        wanted, place = read_cursor(text, "part")
    except (BadCursor, ValueError):
        raise bad_page("page[before]" if cursor.before else "page[after]", text) from None
    for index, item in enumerate(items):
        if key(item) == wanted:
            return index
    place = place if isinstance(place, int) else 0
    return place if cursor.before else place - 1


def _order(page: Page, orders: Mapping[str, str], default: str) -> Order:
    """Return the sort order of offset pages, from `sort_by` and `sort_order`; unknown values are ignored."""
    asked = page.sort_by or page.sort.removeprefix("-")
    descending = page.sort_order == "desc" if page.sort_by else page.sort.startswith("-")
    if asked not in orders:
        return by(default.removeprefix("-"), default.startswith("-"))
    return by(orders[asked], descending)


def _followed(page: Page, orders: Mapping[str, str], default: str) -> Order:
    """Return the sort order of cursor pages, from `sort`; raise 400 if unsupported; `sort_by` is ignored."""
    asked = page.sort.removeprefix("-")
    if not asked:
        return by(default.removeprefix("-"), default.startswith("-"))
    column = orders.get(asked, asked if asked == "id" else "")
    if not column:
        raise bad_page("sort", page.sort)
    return by(column, page.sort.startswith("-"))


def ids_of(text: str | None, name: str = "ids") -> list[int]:
    """Parse a comma-separated list of at most a hundred ids."""
    if not text:
        raise refusals.parameter_missing(name)
    parts = parts_of(text)
    if len(parts) > MOST:
        raise refusals.too_many()
    numbers = [number for part in parts if (number := parse_id(part)) is not None]
    if len(numbers) != len(parts):
        raise refusals.bad_parameter(name, "must be a comma-separated list of integers")
    return numbers


def parts_of(text: str | None) -> list[str]:
    """Split a comma-separated text."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def get_many(tx: Tx, record: type[R], ids: Iterable[int], where: str = "", *args: Any) -> list[R]:
    """Return the records with these ids, sorted by id."""
    listed = sorted(set(ids))
    if not listed:
        return []
    more = f" AND {where}" if where else ""
    return tx.all(record, f"id IN ({', '.join('?' * len(listed))}){more}", *listed, *args)


def sideload(tx: Tx, include: str | None, tickets: Sequence[Ticket]) -> dict[str, Any]:
    """Return the users, groups and organizations of the tickets that `include` asks for."""
    out: dict[str, Any] = {}
    if not include:
        return out
    wanted = parts_of(include)
    if "users" in wanted:
        people = {
            number
            for ticket in tickets
            for number in (ticket.requester_id, ticket.submitter_id, ticket.assignee_id, *ticket.follower_ids)
            if number is not None
        }
        out["users"] = [user_object(user) for user in get_many(tx, User, people)]
    if "groups" in wanted:
        groups = {ticket.group_id for ticket in tickets if ticket.group_id is not None}
        out["groups"] = [group_object(group) for group in get_many(tx, Group, groups)]
    if "organizations" in wanted:
        companies = {ticket.organization_id for ticket in tickets if ticket.organization_id is not None}
        out["organizations"] = [organization_object(company) for company in get_many(tx, Organization, companies)]
    return out


def single_page(items: Sequence[Any]) -> dict[str, Any]:
    """Return the paging fields of a list with only one page."""
    return {"count": len(items), "next_page": None, "previous_page": None}


def count_records(tx: Tx, record: type[Record], where: str = "", *args: Any) -> CountResponse:
    """Count records; of tickets, only those that the caller may see."""
    if record is Ticket:
        where, args = permissions.restrict(tx, where, args)
    return CountResponse(Count(tx.count(record, where, *args), now(tx)))


def given_fields(value: msgspec.Struct, *names: str) -> dict[str, Any]:
    """Return those of the named fields that were sent in the body."""
    return {name: found for name in names if (found := getattr(value, name)) is not msgspec.UNSET}
