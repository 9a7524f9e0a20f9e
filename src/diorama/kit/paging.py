"""Pages of a list: numbered ones (offset) and ones that follow a row (cursor), over plain SQL."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

from diorama.kernel import Record, Tx, table_of, to_us

R = TypeVar("R", bound=Record)
Cell = int | float | str | None

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[str, list[Cell]]).decode


class BadCursor(ValueError):
    """A cursor that this list never gave out."""


class Key(msgspec.Struct, frozen=True):
    """One column that a list is ordered by; the column is a field of the record and never null."""

    column: str
    descending: bool = False

    @property
    def direction(self) -> str:
        return "DESC" if self.descending else "ASC"


class Order(msgspec.Struct, frozen=True):
    """How a list is ordered: the last key is unique, so that every row has one place."""

    name: str
    keys: tuple[Key, ...]

    def sql(self, backwards: bool = False) -> str:
        """Return the ORDER BY text."""
        return ", ".join(f"{key.column} {'DESC' if key.descending != backwards else 'ASC'}" for key in self.keys)

    def cursor(self, record: Record) -> str:
        """Return the cursor of a record: its place in this order as opaque text."""
        cells = [getattr(record, key.column.rpartition(".")[2]) for key in self.keys]
        return write_cursor(self.name, [to_us(cell) if isinstance(cell, datetime) else cell for cell in cells])

    def beyond(self, cells: Sequence[Cell], backwards: bool = False) -> tuple[str, list[Cell]]:
        """Return the condition for all rows after a place, or before it when going backwards."""
        parts, args = [], []
        for i, key in enumerate(self.keys):
            same = [f"{earlier.column} = ?" for earlier in self.keys[:i]]
            sign = "<" if key.descending != backwards else ">"
            parts.append("(" + " AND ".join([*same, f"{key.column} {sign} ?"]) + ")")
            args.extend([*cells[:i], cells[i]])
        first = self.keys[0]
        edge = f"{first.column} {'<=' if first.descending != backwards else '>='} ?"  # what an index can start from
        return f"({edge} AND (" + " OR ".join(parts) + "))", [cells[0], *args]


def by(column: str, descending: bool = False, tie: str = "id") -> Order:
    """Return an order by one column; ties are broken by the key in the same direction."""
    keys = (Key(column, descending),) if column == tie else (Key(column, descending), Key(tie, descending))
    return Order(f"-{column}" if descending else column, keys)


class Cursor(msgspec.Struct, frozen=True):
    """A page that follows (or precedes) a place."""

    size: int
    after: str = ""
    before: str = ""


class Offset(msgspec.Struct, frozen=True):
    """A page by its number, from 1."""

    size: int
    number: int = 1

    @property
    def skip(self) -> int:
        return (self.number - 1) * self.size


class Window(msgspec.Struct, Generic[R], frozen=True):
    """The records of a cursor page, the cursors of its first and last one, and whether there are more."""

    items: list[R]
    has_more: bool
    first: str | None
    last: str | None


def write_cursor(order: str, cells: Sequence[Cell]) -> str:
    """Return a place as opaque text."""
    return base64.b64encode(_encode((order, cells))).decode()


def read_cursor(text: str, order: str) -> list[Cell]:
    """Return the place that a cursor names in an order; raise BadCursor if the list never gave it out."""
    try:
        name, cells = _decode(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError) as error:
        raise BadCursor(text) from error
    if name != order or any(isinstance(cell, int) and not -(2**63) <= cell < 2**63 for cell in cells):
        raise BadCursor(text)
    return cells


def window(tx: Tx, record: type[R], where: str, args: Sequence[Any], order: Order, place: Cursor) -> Window[R]:
    """Return the records of a cursor page."""
    backwards = bool(place.before)
    conditions, cells = [where] if where else [], list(args)
    if place.after or place.before:
        edge = read_cursor(place.before or place.after, order.name)
        if len(edge) != len(order.keys):
            raise BadCursor(place.before or place.after)
        beyond, more = order.beyond(edge, backwards)
        conditions.append(beyond)
        cells.extend(more)
    found = tx.all(record, " AND ".join(conditions), *cells, order=order.sql(backwards), limit=place.size + 1)
    has_more = len(found) > place.size
    items = found[: place.size]
    if backwards:
        items.reverse()
    if not items:
        return Window(items, has_more, None, None)
    return Window(items, has_more, order.cursor(items[0]), order.cursor(items[-1]))


def page(
    tx: Tx, record: type[R], where: str, args: Sequence[Any], order: str, limit: int | None = None, offset: int = 0
) -> list[R]:
    """Return the records of an ordered page; keys are sorted before rows are read, because rows are wide."""
    name = table_of(record).name
    sql = f"SELECT {name}.id FROM {name}{f' WHERE {where}' if where else ''} ORDER BY {order} LIMIT ? OFFSET ?"
    return by_ids(tx, record, [row[0] for row in tx.rows(sql, *args, -1 if limit is None else limit, offset)])


def by_ids(tx: Tx, record: type[R], ids: Sequence[int | str]) -> list[R]:
    """Return the records with these ids, in this order; ids that are not there are left out."""
    if not ids:
        return []
    found = {each.id: each for each in tx.all(record, f"id IN ({', '.join('?' * len(ids))})", *ids)}
    return [found[key] for key in ids if key in found]


def link(base: str, parameters: Sequence[tuple[str, str | int]]) -> str:
    """Return a URL with a query, escaped as browsers escape it."""
    return base + "?" + "&".join(f"{quote(name, safe='')}={quote(str(value), safe='')}" for name, value in parameters)
