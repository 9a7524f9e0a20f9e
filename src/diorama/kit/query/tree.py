"""The parsed form of every query language: And, Or, Not, Test, FunctionCall and Text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from diorama.kit.query.errors import QueryError


class Text(msgspec.Struct, frozen=True):
    """A word or a quoted phrase: a value, or a condition where a search box accepts bare words."""

    text: str
    quoted: bool = False


class FunctionCall(msgspec.Struct, frozen=True):
    """A function call: a value such as `currentUser()`, or a condition such as `startswith(name, 'A')`."""

    name: str
    args: tuple[Value, ...] = ()


Value: TypeAlias = Text | FunctionCall


class Test(msgspec.Struct, frozen=True):
    """A comparison of one field with one value, or with a list of values."""

    field: str
    operator: str
    values: tuple[Value, ...]

    @property
    def word(self) -> Text:
        """Return the first value; raise QueryError if it is a call."""
        value = self.values[0]
        if isinstance(value, FunctionCall):
            raise QueryError("bad_value", value.name)
        return value


class Not(msgspec.Struct, frozen=True):
    """The part does not hold."""

    part: Node


class And(msgspec.Struct, frozen=True):
    """All parts hold. Build it with `all_of`, so that there are at least two parts and none is an And."""

    parts: tuple[Node, ...]


class Or(msgspec.Struct, frozen=True):
    """At least one part holds. Build it with `any_of`, so that there are at least two parts and none is an Or."""

    parts: tuple[Node, ...]


Node: TypeAlias = And | Or | Not | Test | FunctionCall | Text
Leaf: TypeAlias = Test | FunctionCall | Text


class Order(msgspec.Struct, frozen=True):
    """One item of an ORDER BY clause."""

    field: str
    descending: bool = False
    nulls: Literal["", "first", "last"] = ""


class ParsedQuery(msgspec.Struct, frozen=True):
    """A parsed query: its condition (None if there is none), its order, and clauses such as LIMIT."""

    where: Node | None = None
    order: tuple[Order, ...] = ()
    clauses: tuple[tuple[str, str], ...] = ()


def all_of(parts: Iterable[Node]) -> Node | None:
    """Join parts with And: flatten nested Ands, return a single part as it is and nothing as None."""
    flat: list[Node] = []
    for part in parts:
        if isinstance(part, And):
            flat.extend(part.parts)
        else:
            flat.append(part)
    return And(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def any_of(parts: Iterable[Node]) -> Node | None:
    """Join parts with Or: flatten nested Ors, return a single part as it is and nothing as None."""
    flat: list[Node] = []
    for part in parts:
        if isinstance(part, Or):
            flat.extend(part.parts)
        else:
            flat.append(part)
    return Or(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def parts_of(node: Node | None) -> tuple[Node, ...]:
    """Return the conditions that must all hold: the parts of an And, or the node itself."""
    return () if node is None else node.parts if isinstance(node, And) else (node,)


def leaves(node: Node | None) -> Iterator[Leaf]:
    """Yield every Test, FunctionCall and Text that is a condition, in the order of the query, negated ones too."""
    if isinstance(node, And | Or):
        for part in node.parts:
            yield from leaves(part)
    elif isinstance(node, Not):
        yield from leaves(node.part)
    elif node is not None:
        yield node


def alternatives(parts: Iterable[Node], joins: Callable[[Test], bool]) -> list[Node]:
    """Join repeated tests of one field with Or, where `joins` says so; they follow the other parts.

    Several vendors read `status:open status:new` as "open or new".
    """
    rest: list[Node] = []
    joined: dict[str, list[Node]] = {}
    for part in parts:
        if isinstance(part, Test) and joins(part):
            joined.setdefault(part.field, []).append(part)
        else:
            rest.append(part)
    return [*rest, *(node for group in joined.values() if (node := any_of(group)) is not None)]
