"""A read-only transaction for graders that answers from memory what it has read before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from diorama.kernel import Company, Record, Tx
from diorama.kernel.records import TABLES
from diorama.kit.lazy_patterns import re

R = TypeVar("R", bound=Record)
Row = tuple[str, int | str]
MOST_ANSWERS = 400
"""How many answers are kept; with more of them, all are forgotten."""
_NAME = re.compile(r"\w+")
_SOURCE = re.compile(r"\b(?:from|join)\s+\"?(\w+)", re.IGNORECASE)
_UNSTEADY = re.compile(r"random|'now'|current_|,\s*\w+_search\b", re.IGNORECASE)
"""What makes an answer depend on more than the rows of its tables."""


class Changes(Protocol):
    """When tables and rows changed last, by the numbers of events, and the rows that are known without reading them."""

    changed: dict[str, int]
    touched: dict[Row, int]
    stored: dict[Row, Mapping[str, Any] | None]


class Memory:
    """The answers of one episode; each holds until one of its tables, or its row, changes."""

    __slots__ = ("answers", "changes")

    def __init__(self, changes: Changes) -> None:
        self.changes = changes
        self.answers: dict[Any, tuple[Any, Any]] = {}

    def keep(self, key: Any, stamp: Any, answer: Any) -> None:
        """Keep an answer; a stamp says how far its tables had changed."""
        if len(self.answers) >= MOST_ANSWERS:
            self.answers.clear()
        self.answers[key] = stamp, answer


@lru_cache(maxsize=2048)
def tables_in(sql: str, company: Company) -> tuple[str, ...]:
    """Return the tables that a statement reads; none if its answer may depend on anything else."""
    tracked = company.tracked
    sources = _SOURCE.findall(sql)
    if _UNSTEADY.search(sql) or any(one.startswith("_") or one not in tracked for one in sources):
        return ()
    return tuple(dict.fromkeys(one for one in _NAME.findall(sql) if one in tracked))


@lru_cache(maxsize=2048)
def _tables_of(record: type[Record], where: str, order: str, company: Company) -> tuple[str, ...]:
    return tables_in(f"FROM {TABLES[record].name} WHERE {where} ORDER BY {order}", company)


_SLOTS = tuple(vars(Tx)[name] for name in Tx.__slots__)


class RecallingTx(Tx):
    """A read-only transaction that keeps what it has read, in the memory of an episode's history."""

    __slots__ = ("_memory",)
    _memory: Memory

    @classmethod
    def of(cls, tx: Tx, memory: Memory) -> RecallingTx:
        """Return a transaction that reads what another one reads."""
        made = object.__new__(cls)
        for slot in _SLOTS:
            slot.__set__(made, slot.__get__(tx))
        made._memory = memory
        return made

    def find(self, record: type[R], id: int | str) -> R | None:
        """Return the record with this id, or None."""
        table = TABLES[record]
        if table.control or type(id) is not (str if table.text_key else int) or table.name not in self.company.tracked:
            return super().find(record, id)
        memory, row = self._memory, (table.name, id)
        stamp = memory.changes.touched.get(row, 0)
        known = memory.answers.get(row)
        if known is None or known[0] != stamp:
            known = stamp, self._load(record, row)
            memory.keep(row, *known)
        found: R | None = known[1]
        return found

    def _load(self, record: type[R], row: Row) -> R | None:
        """Return a record from its stored row, which is read if it is not known but changes."""
        changes, table = self._memory.changes, TABLES[record]
        if row not in changes.stored and row not in changes.touched:
            return super().find(record, row[1])
        cells = self.stored(*row)
        return None if cells is None else table.load([cells[name] for name in table.names])

    def all(
        self, record: type[R], where: str = "", *args: Any, order: str = "id", limit: int | None = None, offset: int = 0
    ) -> list[R]:
        """Return the records that match an SQL condition, in order."""
        key = (record, where, args, order, limit, offset)
        stamp = self._stamp(_tables_of(record, where, order, self.company))
        if stamp is None:
            return super().all(record, where, *args, order=order, limit=limit, offset=offset)
        known = self._memory.answers.get(key)
        if known is None or known[0] != stamp:
            known = stamp, super().all(record, where, *args, order=order, limit=limit, offset=offset)
            self._memory.keep(key, *known)
        return list(known[1])

    def rows(self, sql: str, *args: Any) -> list[Any]:
        """Return the rows of a SELECT over app tables."""
        stamp = self._stamp(tables_in(sql, self.company))
        if stamp is None:
            return super().rows(sql, *args)
        known = self._memory.answers.get((sql, args))
        if known is None or known[0] != stamp:
            known = stamp, super().rows(sql, *args)
            self._memory.keep((sql, args), *known)
        return list(known[1])

    def stored(self, table: str, key: int | str) -> Mapping[str, Any] | None:
        """Return a row as it is stored now, or None."""
        stored, row = self._memory.changes.stored, (table, key)
        if row not in stored:
            stored[row] = read_stored(self, table, key)
        return stored[row]

    def _stamp(self, tables: tuple[str, ...]) -> tuple[int, ...] | None:
        """Return how far tables have changed; None if there are none: then an answer must not be kept."""
        changed = self._memory.changes.changed
        return tuple([changed.get(table, 0) for table in tables]) if tables else None


def read_stored(tx: Tx, table: str, key: int | str) -> dict[str, Any] | None:
    """Read a row as it is stored now, or None."""
    names, sql = _select(table, tx.company)
    rows = Tx.rows(tx, sql, key)
    return dict(zip(names, rows[0], strict=True)) if rows else None


@lru_cache(maxsize=1024)
def _select(table: str, company: Company) -> tuple[tuple[str, ...], str]:
    names = company.tracked[table]
    listed = ", ".join(f'"{name}"' for name in names)
    return names, f"SELECT {listed} FROM {table} WHERE id = ?"
