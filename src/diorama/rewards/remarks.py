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

COMPARED = frozenset({"body", "note", "reason"})
"""The columns of notes for colleagues, which are compared with the records like a reply."""


class Remarks(NamedTuple):
    """The texts that are read, in the order of their rows, and why success is lost if there are more."""

    read: list[Remark]
    by_row: dict[Row, list[Remark]]
    unread: dict[str, Finding]
    report: str
    """What the agent reported at the end; "" if it is not read."""
    steps: int
    """What all words take to read once."""


def remarks_in(tx: Tx, history: History) -> Remarks:
    """Return the free texts that the agent's acts left in records; computed once as long as nothing happens."""
    history.sent(tx)
    stamp = len(history.log), history.report.seq, history.attention.steps
    known = history.kept.get("remarks")
    if known is None or known[0] != stamp:
        known = history.kept["remarks"] = stamp, _found(tx, history)
    found: Remarks = known[1]
    return found


def _found(tx: Tx, history: History) -> Remarks:
    read, by_row = list[Remark](), dict[Row, list[Remark]]()
    attention, report = RecordAttention(history.attention.steps), history.report
    is_read = not report.body or attention.takes(report.body, report.seq, compared=True)
    for one in _each(tx, history):
        compared = one.column in COMPARED and not one.row.get("public")
        if not attention.takes(one.text, one.seq, compared=compared):
            break
        read.append(one)
        by_row.setdefault((one.table, one.key), []).append(one)
    return Remarks(read, by_row, attention.findings(), report.body if is_read else "", attention.steps)


def _each(tx: Tx, history: History) -> Iterator[Remark]:
    for table, key in history.rows:
        kinds = history.kinds.get(table, UNKNOWN)
        now = stored_row(tx, table, key) if kinds.texts else None
        if now is not None:
            yield from _of_row(tx, history, table, key, now)


def _of_row(tx: Tx, history: History, table: str, key: int | str, now: Mapping[str, Any]) -> Iterator[Remark]:
    """Yield the free texts of a row, and those that came with it if the agent added it."""
    row, kinds = history.rows[table, key], history.kinds.get(table, UNKNOWN)
    yield from remarks(table, key, row, kinds, now)
    if kinds.beside is not None and row.inserted:
        made = lambda other, number: (other, number) in history.rows  # noqa: E731 - one line
        for column, text in kinds.beside(tx, now, made, history.files.read):
            yield Remark(table, key, column, text, "", now, row.seq)
