"""Compile a parsed query to SQL by a table of fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from diorama.kit.query.errors import LIMITS, QueryError, QueryLimits
from diorama.kit.query.sql import FALSE, TRUE, Sql, both, either, negate
from diorama.kit.query.table import Table
from diorama.kit.query.tree import And, FunctionCall, Leaf, Node, Not, Or, Order

C = TypeVar("C")


def compile_query(table: Table[C], context: C, node: Node | None, limits: QueryLimits = LIMITS) -> Sql:
    """Return the condition as SQL; raise QueryError for what the table does not know, or for too many values."""
    found = TRUE if node is None else _compiled(table, context, node)
    if len(found.args) > limits.bindings:
        raise QueryError("too_complex", "values")
    return found


def _compiled(table: Table[C], context: C, node: Node) -> Sql:
    if isinstance(node, And):
        return both(_compiled(table, context, part) for part in node.parts)
    if isinstance(node, Or):
        return either(_compiled(table, context, part) for part in node.parts)
    if isinstance(node, Not):
        part = _compiled(table, context, node.part)
        return Sql(f"NOT ({part.text})", part.args) if table.three_valued else negate(part)
    try:
        return _leaf(table, context, node)
    except QueryError as error:
        if table.lenient and error.kind != "too_complex":
            return FALSE
        raise


def _leaf(table: Table[C], context: C, leaf: Leaf) -> Sql:
    if isinstance(leaf, FunctionCall):
        return table.function(leaf).sql(context, leaf)
    field, test = table.resolve(leaf)
    return field.sql(context, test)


def compile_order(table: Table[C], order: Sequence[Order]) -> str:
    """Return the items of an ORDER BY clause as SQL, without the words ORDER BY."""
    items = []
    for item in order:
        field = table.find(item.field)
        if field is None or not field.column:
            raise QueryError("unknown_field" if field is None else "not_sortable", item.field)
        nulls = f" NULLS {item.nulls.upper()}" if item.nulls else ""
        items.append(f"{field.column} {'DESC' if item.descending else 'ASC'}{nulls}")
    return ", ".join(items)
