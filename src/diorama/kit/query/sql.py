"""Conditions as pieces of SQL with their bound values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

WIDEST = 16
"""How many parts are joined in one chain: SQLite counts a chain of n parts as n levels deep and allows 1,000."""


class Sql(msgspec.Struct, frozen=True):
    """A piece of SQL, with a value for each question mark."""

    text: str
    args: tuple[Any, ...] = ()


TRUE, FALSE = Sql("1"), Sql("0")


def both(parts: Iterable[Sql]) -> Sql:
    """Return the condition that all parts hold; without parts, it always holds."""
    return _joined([part for part in parts if part.text != TRUE.text], " AND ", TRUE)


def either(parts: Iterable[Sql]) -> Sql:
    """Return the condition that at least one part holds; without parts, it never holds."""
    return _joined([part for part in parts if part.text != FALSE.text], " OR ", FALSE)


def negate(part: Sql) -> Sql:
    """Return the condition that the part does not hold; a part that is NULL does not hold."""
    return Sql(f"NOT coalesce(({part.text}), 0)", part.args)


def _joined(parts: Sequence[Sql], word: str, empty: Sql) -> Sql:
    while len(parts) > WIDEST:
        parts = [_joined(parts[start : start + WIDEST], word, empty) for start in range(0, len(parts), WIDEST)]
    if len(parts) < 2:
        return parts[0] if parts else empty
    return Sql("(" + word.join(part.text for part in parts) + ")", tuple(arg for part in parts for arg in part.args))


def one_of(column: str, values: Sequence[Any]) -> Sql:
    """Return the condition that the column has one of these values; None stands for NULL."""
    listed = [value for value in values if value is not None]
    parts = [f"{column} IN ({', '.join('?' * len(listed))})"] if listed else []
    if len(listed) < len(values):
        parts.append(f"{column} IS NULL")
    return Sql("(" + " OR ".join(parts) + ")" if parts else "0", tuple(listed))
