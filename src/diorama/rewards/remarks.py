"""The free texts that an agent left in records, as far as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from diorama.kernel import Tx
from diorama.kit.damage import UNKNOWN
from diorama.rewards.attention import RecordAttention
from diorama.rewards.finding import Finding
from diorama.rewards.history import History, stored_row
from diorama.rewards.insults import Remark, remarks
from diorama.rewards.recalling import Row


class Remarks(NamedTuple):
    """The texts that are read, in the order of their rows, and why success is lost if there are more."""

    read: list[Remark]
    by_row: dict[Row, list[Remark]]
    unread: dict[str, Finding]


def remarks_in(tx: Tx, history: History) -> Remarks:
    """Return the free texts that the agent's acts left in records; computed once as long as no row changes."""
    known = history.kept.get("remarks")
    if known is None or known[0] != len(history.log):
        known = history.kept["remarks"] = len(history.log), _found(tx, history)
    found: Remarks = known[1]
    return found


def _found(tx: Tx, history: History) -> Remarks:
    made = Remarks([], {}, {})
    attention = RecordAttention()
    for table, key in history.rows:
        kinds = history.kinds.get(table, UNKNOWN)
        now = stored_row(tx, table, key) if kinds.texts else None
        for one in _of_row(tx, history, table, key, now) if now is not None else ():
            if not attention.takes(one.text, one.seq):
                made.unread.update(attention.findings())
                return made
            made.read.append(one)
            made.by_row.setdefault((table, key), []).append(one)
    return made


def _of_row(tx: Tx, history: History, table: str, key: int | str, now: Mapping[str, Any]) -> Iterator[Remark]:
    """Yield the free texts of a row, and those that came with it if the agent added it."""
    row, kinds = history.rows[table, key], history.kinds.get(table, UNKNOWN)
    yield from remarks(table, key, row, kinds, now)
    if kinds.beside is not None and row.inserted:
        made = lambda other, number: (other, number) in history.rows  # noqa: E731 - one line
        for column, text in kinds.beside(tx, now, made):
            yield Remark(table, key, column, text, "", now, row.seq)
