"""Why a query is refused, and how large a query may be."""

from __future__ import annotations

from typing import Literal

import msgspec

ErrorKind = Literal[
    "syntax", "too_complex", "unknown_field", "unknown_function", "unsupported_operator", "bad_value", "not_sortable"
]


class QueryError(Exception):
    """A query that cannot be answered. The app words it as its vendor does, from these facts."""

    def __init__(self, kind: ErrorKind, subject: str, *, expected: str = "", position: int | None = None) -> None:
        expects = f", expected {expected}" if expected else ""
        where = f" at character {position}" if position is not None else ""
        super().__init__(f"{kind.replace('_', ' ')}: {subject or 'end of query'}{expects}{where}")
        self.kind = kind
        self.subject = subject
        """The piece of text that is wrong: a word, a field, an operator, a value; empty at the end of the query."""
        self.expected = expected
        """What a strict grammar expected instead: field, operator, value, list, `)`, end."""
        self.position = position
        """The offset of the subject in the query, for syntax errors."""


class QueryLimits(msgspec.Struct, frozen=True):
    """How large a query may be; beyond it, parsing or compiling raises QueryError `too_complex`.

    With these limits no query reaches SQLite's own: 1,000 levels of an expression and 32,766 bound values.
    """

    length: int = 10_000
    """Characters of text."""
    terms: int = 500
    """Words (also those of a phrase), tests and values in lists."""
    depth: int = 25
    """Nested groups, negations and calls."""
    bindings: int = 10_000
    """Values bound in the SQL."""


LIMITS = QueryLimits()
