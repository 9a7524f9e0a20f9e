"""Evaluate a parsed query on plain records: slow and simple, as the reference for tests of the compiled SQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from diorama.kit.query.errors import QueryError
from diorama.kit.query.table import Row, Table
from diorama.kit.query.tree import And, FunctionCall, Leaf, Node, Not, Or, Order

C = TypeVar("C")


def evaluate(table: Table[C], context: C, node: Node | None, row: Row) -> bool:
    """Return whether a record fulfils a condition; unknown counts as no."""
    return node is None or _value(table, context, node, row) is True


def _value(table: Table[C], context: C, node: Node, row: Row) -> bool | None:
    if isinstance(node, And):
        return every([_value(table, context, part, row) for part in node.parts])
    if isinstance(node, Or):
        return some([_value(table, context, part, row) for part in node.parts])
    if isinstance(node, Not):
        found = _value(table, context, node.part, row)
        return opposite(found) if table.three_valued else not found
    try:
        return _leaf(table, context, node, row)
    except QueryError as error:
        if table.lenient and error.kind != "too_complex":
            return False
        raise


def _leaf(table: Table[C], context: C, leaf: Leaf, row: Row) -> bool | None:
    if isinstance(leaf, FunctionCall):
        function = table.function(leaf)
        if function.holds is None:
            raise TypeError(f"the function {leaf.name} has no evaluator")
        return function.holds(context, leaf, row)
    field, test = table.resolve(leaf)
    if field.holds is None:
        raise TypeError(f"the field {test.field!r} has no evaluator")
    return field.holds(context, test, row)


def every(answers: Iterable[bool | None]) -> bool | None:
    """Return whether all answers are yes, in three-valued logic."""
    known = list(answers)
    return False if False in known else None if None in known else True


def some(answers: Iterable[bool | None]) -> bool | None:
    """Return whether one answer is yes, in three-valued logic."""
    known = list(answers)
    return True if True in known else None if None in known else False


def opposite(answer: bool | None) -> bool | None:
    """Return the opposite; that of unknown is unknown."""
    return None if answer is None else not answer


def ordered(table: Table[C], order: Sequence[Order], rows: Iterable[Row]) -> list[Row]:
    """Return records in the order of an ORDER BY clause; equal ones keep their order."""
    out = list(rows)
    for item in reversed(order):
        field = table.find(item.field)
        if field is None or not field.key:
            raise QueryError("unknown_field" if field is None else "not_sortable", item.field)
        key, nulls_last = field.key, item.nulls == "last" or (not item.nulls and item.descending)
        present = sorted(
            (row for row in out if row[key] is not None), key=lambda row: row[key], reverse=item.descending
        )
        absent = [row for row in out if row[key] is None]
        out = [*present, *absent] if nulls_last else [*absent, *present]
    return out
