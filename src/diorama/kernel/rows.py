"""Rows: results of queries over tables that rarely change, shared by all worlds in which those tables are equal."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

Results = tuple[tuple[Any, ...], ...]

MOST_ROWS = 200
"""A longer result is not kept."""
GENERATION = 8 << 20
"""The bytes of results after which the older half is dropped."""


class Rows:
    """A cache of query results that drops those that were not used for longest.

    A key names the statement, its bindings and the content of its tables. So an entry never becomes wrong, and no
    world can tell whether another one filled it. Results are tuples of tuples of plain cells: callers get a copy of
    the outermost only.
    """

    __slots__ = ("_new", "_old", "_weight")

    def __init__(self) -> None:
        self._new: dict[Hashable, Results] = {}
        self._old: dict[Hashable, Results] = {}
        self._weight = 0

    def get(self, key: Hashable) -> Results | None:
        """Return a kept result, or None."""
        found = self._new.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.keep(key, found)
        return found

    def keep(self, key: Hashable, rows: Results) -> None:
        """Keep a result, unless it is large."""
        if len(rows) > MOST_ROWS:
            return
        weight = 400 + sum(60 + sum(8 if cell is None else _size(cell) for cell in row) for row in rows)
        if weight > GENERATION // 64:
            return
        if self._weight + weight > GENERATION:
            self._old, self._new, self._weight = self._new, {}, 0
        self._new[key] = rows
        self._weight += weight

    def __len__(self) -> int:
        return len(self._new.keys() | self._old.keys())


def _size(cell: Any) -> int:
    return 50 + len(cell) if isinstance(cell, str | bytes) else 32
