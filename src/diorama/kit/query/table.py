"""The table of fields that a query may test: what each one means in SQL and, for tests, for a plain record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from diorama.kit.query.errors import QueryError
from diorama.kit.query.sql import Sql
from diorama.kit.query.tree import FunctionCall, Leaf, Test, Text

C = TypeVar("C")
"""What the app passes through to its fields: who asks, and when."""
Row = Mapping[str, Any]


class QueryField(msgspec.Struct, Generic[C], frozen=True):
    """A field: how a test of it becomes SQL, and how the same test is evaluated on a plain record.

    Bare words reach the text field as a Test with an empty field and operator.
    """

    sql: Callable[[C, Test], Sql]
    holds: Callable[[C, Test, Row], bool | None] | None = None
    """None as an answer means unknown, like NULL."""
    operators: frozenset[str] | None = None
    """The operators that the field takes; None means all."""
    column: str = ""
    """The SQL expression to sort by, empty if the field cannot be sorted by."""
    key: str = ""
    """The key of a plain record to sort by."""


class Function(msgspec.Struct, Generic[C], frozen=True):
    """A function that can be used as a condition."""

    sql: Callable[[C, FunctionCall], Sql]
    holds: Callable[[C, FunctionCall, Row], bool | None] | None = None


class Table(msgspec.Struct, Generic[C], frozen=True, kw_only=True):
    """The fields and functions of one kind of record."""

    fields: Mapping[str, QueryField[C]]
    text: QueryField[C] | None = None
    """What bare words are looked for in."""
    functions: Mapping[str, Function[C]] = {}
    """Functions by name in lower case."""
    other: Callable[[str], QueryField[C] | None] | None = None
    """Finds fields that are not known beforehand, such as custom fields."""
    lenient: bool = False
    """A test that cannot be understood matches nothing, instead of raising QueryError."""
    three_valued: bool = False
    """NOT of an unknown test is unknown, as in SQL; otherwise an unknown test does not hold, and its NOT does."""

    def find(self, name: str) -> QueryField[C] | None:
        """Return the field of this name, or None."""
        return self.fields.get(name) or (self.other(name) if self.other is not None else None)

    def resolve(self, leaf: Test | Text) -> tuple[QueryField[C], Test]:
        """Return the field that a condition tests, and the test; raise QueryError if there is none."""
        if isinstance(leaf, Text):
            if self.text is None:
                raise QueryError("unknown_field", leaf.text)
            return self.text, Test("", "", (leaf,))
        field = self.find(leaf.field)
        if field is None:
            raise QueryError("unknown_field", leaf.field)
        if field.operators is not None and leaf.operator not in field.operators:
            raise QueryError("unsupported_operator", leaf.operator, expected=leaf.field)
        return field, leaf

    def function(self, call: FunctionCall) -> Function[C]:
        """Return the function that a condition calls; raise QueryError if there is none."""
        found = self.functions.get(call.name.lower())
        if found is None:
            raise QueryError("unknown_function", call.name)
        return found

    def knows(self, conditions: Iterable[Leaf]) -> bool:
        """Return whether every field that is tested exists here."""
        return all(self.find(leaf.field) is not None for leaf in conditions if isinstance(leaf, Test))
