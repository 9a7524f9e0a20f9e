"""Row changes: what a transaction did, netted per row, and the digest that adds them up."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

MODULUS = 1 << 128
Row = tuple[Any, ...]

_pack = msgspec.msgpack.Encoder().encode


class Change(msgspec.Struct, frozen=True):
    """One row that a transaction changed: only what differs, in stored values."""

    table: str
    key: int | str
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Journal:
    """Raw row changes in the order in which SQLite reported them."""

    __slots__ = ("raw", "tracked")

    def __init__(self, tracked: dict[str, tuple[str, ...]]) -> None:
        self.tracked = tracked
        self.raw: list[tuple[str, Row | None, Row | None]] = []

    def hear(self, update: Any) -> None:
        """The preupdate hook."""
        table = update.table_name
        if table in self.tracked:
            self.raw.append((table, update.old, update.new))

    def net(self) -> list[tuple[str, int | str, Row | None, Row | None]]:
        """First before and last after of every row that ended up different, sorted by table and key."""
        raw = self.raw
        if not raw:
            return []
        first: dict[tuple[str, int | str], Row | None] = {}
        last: dict[tuple[str, int | str], Row | None] = {}
        for table, old, new in raw:
            if old is not None:
                key = (table, old[0])
                first.setdefault(key, old)
                if new is None or new[0] != old[0]:
                    last[key] = None
            if new is not None:
                key = (table, new[0])
                first.setdefault(key, None)
                last[key] = new
        return [(*key, first[key], last[key]) for key in sorted(first) if first[key] != last[key]]

    def describe(self, net: list[tuple[str, int | str, Row | None, Row | None]]) -> list[Change]:
        """Net changes in words: the changed columns, before and after."""
        out = []
        for table, key, old, new in net:
            names = self.tracked[table]
            if old is None and new is not None:
                out.append(Change(table, key, "insert", None, dict(zip(names, new, strict=True))))
            elif new is None and old is not None:
                out.append(Change(table, key, "delete", dict(zip(names, old, strict=True)), None))
            elif old is not None and new is not None:
                before: dict[str, Any] = {}
                after: dict[str, Any] = {}
                for name, was, now in zip(names, old, new, strict=True):
                    if was is not now and (was != now or type(was) is not type(now)):
                        before[name], after[name] = was, now
                out.append(Change(table, key, "update", before, after))
        return out


def row_hash(table: str, row: Row) -> int:
    """The share of one row in the state digest."""
    return int.from_bytes(sha256(table.encode() + _pack(row)).digest()[:16], "big")


def shifted(state: int, net: list[tuple[str, int | str, Row | None, Row | None]]) -> int:
    """The state digest after net changes: additive, so order-free, and undoing returns to the same value."""
    for table, _, old, new in net:
        if old is not None:
            state -= row_hash(table, old)
        if new is not None:
            state += row_hash(table, new)
    return state % MODULUS
