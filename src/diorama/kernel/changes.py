"""Row changes: what a transaction changed, at most one change per row, and the state digest that is kept from them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from diorama.kernel.budget import BYTES_SHIFT, WRITTEN_PRICE

MODULUS = 1 << 128
Row = tuple[Any, ...]
Net = tuple[str, int | str, Row | None, Row | None, str]
"""A row that ended up different: table, key, first state, last state, writer."""

_pack = msgspec.msgpack.Encoder().encode


class Change(msgspec.Struct, frozen=True, gc=False):
    """One row that a transaction changed: the columns that differ, in stored values.

    `by` says who wrote it: the app that was called (its own triggers and timers included), or `app.handler` of the
    link, webhook or person that reacted.
    """

    table: str
    key: int | str
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    by: str = ""


class Journal:
    """Raw row changes in the order in which SQLite reported them, each with its writer."""

    __slots__ = ("cached", "raw", "touched", "tracked", "undone", "weighed", "writer")

    def __init__(self, tracked: dict[str, tuple[str, ...]], cached: frozenset[str] = frozenset()) -> None:
        self.tracked = tracked
        self.cached = cached
        """The tables whose rows are kept by their content."""
        self.touched: set[str] = set()
        """Those of them that this transaction wrote to, undone writes included."""
        self.writer = ""
        self.weighed = 0
        """How many of the changes were counted against the budget."""
        self.raw: list[tuple[str, Row | None, Row | None, str]] = []
        self.undone = 0
        """The price of the changes that this transaction made and undid."""

    def record(self, update: Any) -> None:
        """Keep one row change; this is the preupdate hook."""
        table = update.table_name
        if table in self.tracked:
            self.raw.append((table, update.old, update.new, self.writer))
            if table in self.cached:
                self.touched.add(table)

    def undo(self, mark: int = 0) -> None:
        """Forget the changes from a place on, because SQLite has undone them; they keep their price."""
        raw = self.raw
        if len(raw) > mark:
            size = sum(weight(new) for _, _, new, _ in raw[mark:])
            self.undone += (len(raw) - mark) * WRITTEN_PRICE + (size >> BYTES_SHIFT)
            del raw[mark:]
            self.weighed = min(self.weighed, mark)

    def net(self, called: str = "") -> list[Net]:
        """Return the rows that ended up different, sorted by table and key.

        A row that several wrote counts as written by the called app if that is one of them, else by the first.
        """
        raw = self.raw
        if not raw:
            return []
        ends: dict[tuple[str, int | str], list[Any]] = {}  # first state, last state, writer
        for table, old, new, writer in raw:
            if old is not None:
                moved = new is None or new[0] != old[0]
                end = ends.setdefault((table, old[0]), [old, old, writer])
                if end[2] != writer == called:
                    end[2] = writer
                end[1] = None if moved else new
                if not moved:
                    continue
            if new is not None:
                end = ends.setdefault((table, new[0]), [None, None, writer])
                if end[2] != writer == called:
                    end[2] = writer
                end[1] = new
        return [(*key, old, new, by) for key, (old, new, by) in sorted(ends.items()) if old != new]

    def describe(self, net: list[Net]) -> list[Change]:
        """Return net changes as records: the changed columns, before and after."""
        out = []
        for table, key, old, new, writer in net:
            names = self.tracked[table]
            if old is None and new is not None:
                out.append(Change(table, key, "insert", None, dict(zip(names, new, strict=True)), writer))
            elif new is None and old is not None:
                out.append(Change(table, key, "delete", dict(zip(names, old, strict=True)), None, writer))
            elif old is not None and new is not None:
                before: dict[str, Any] = {}
                after: dict[str, Any] = {}
                for name, was, now in zip(names, old, new, strict=True):
                    if was is not now and (was != now or type(was) is not type(now)):
                        before[name], after[name] = was, now
                out.append(Change(table, key, "update", before, after, writer))
        return out


def weight(row: Row | None) -> int:
    """Return the bytes of the texts and blobs of a row."""
    return sum(len(cell) for cell in row or () if isinstance(cell, str | bytes))


def row_hash(table: str, row: Row) -> int:
    """Return one row's share of the state digest."""
    return int.from_bytes(sha256(table.encode() + _pack(row)).digest()[:16], "big")


def updated_digest(state: bytes, net: list[Net]) -> bytes:
    """Return the state digest after net changes. It is additive: order does not count, and undoing restores it."""
    total = int.from_bytes(state, "big")
    for table, _, old, new, _ in net:
        if old is not None:
            total -= row_hash(table, old)
        if new is not None:
            total += row_hash(table, new)
    return (total % MODULUS).to_bytes(16, "big")


def updated_sums(sums: dict[str, int], net: list[Net], cached: frozenset[str]) -> dict[str, int]:
    """Return the sums of row hashes of the cached tables after net changes; a table without an entry has none."""
    out = dict(sums)
    for table, _, old, new, _ in net:
        if table in cached:
            change = (row_hash(table, new) if new is not None else 0) - (row_hash(table, old) if old is not None else 0)
            out[table] = (out.get(table, 0) + change) % MODULUS
    return {table: total for table, total in out.items() if total}
