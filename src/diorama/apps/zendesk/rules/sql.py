"""Conditions as SQL: pieces that are put together, and stretches of business hours as moments known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.schedules import Hours, Schedules

HOUR_US = 3_600_000_000
LARGEST = (1 << 63) - 1
"""The largest number that SQLite can hold."""


class Sql(msgspec.Struct, frozen=True):
    """A condition as SQL over the ticket table, columns named in full."""

    text: str
    args: tuple[Any, ...] = ()


TRUE, FALSE = Sql("1"), Sql("0")
TICKETS = "zendesk_tickets"


def both(parts: Iterable[Sql]) -> Sql:
    """All of them hold."""
    return _joined(parts, " AND ", TRUE)


def either(parts: Iterable[Sql]) -> Sql:
    """One of them holds."""
    return _joined(parts, " OR ", FALSE)


def negate(part: Sql) -> Sql:
    """It does not hold; what is unknown does not hold either."""
    return Sql(f"NOT coalesce(({part.text}), 0)", part.args)


def _joined(parts: Iterable[Sql], word: str, empty: Sql) -> Sql:
    listed = list(parts)
    if len(listed) < 2:
        return listed[0] if listed else empty
    return Sql("(" + word.join(part.text for part in listed) + ")", tuple(arg for part in listed for arg in part.args))


def one_of(column: str, values: Sequence[Any]) -> Sql:
    """The column has one of these values; None among them means none at all."""
    listed = [value for value in values if value is not None]
    parts = [f"{column} IN ({', '.join('?' * len(listed))})"] if listed else []
    if len(listed) < len(values):
        parts.append(f"{column} IS NULL")
    return Sql("(" + " OR ".join(parts) + ")" if parts else "0", tuple(listed))


def _of_one(column: str, plain: str, value: int, now_us: int, hours: Hours) -> Sql:
    """A condition on business hours: the moments since which so much work was done are known beforehand."""
    edges, further = hours.since(now_us, value * HOUR_US), hours.since(now_us, (value + 1) * HOUR_US)
    if edges is None:
        return FALSE if plain != "less_than" else Sql(f"{column} IS NOT NULL")
    if plain == "less_than":
        return Sql(f"{column} > ?", (edges[1],))
    if plain == "greater_than":
        return Sql(f"{column} < ?", (edges[0],))
    return Sql(f"({column} <= ? AND {column} > ?)", (edges[1], further[1] if further else -LARGEST))


def worked(column: str, plain: str, value: int, now_us: int, known: Schedules) -> Sql:
    """A condition on business hours, each ticket by its own."""
    (usual, *others), parts = known, []
    for schedule in others:
        hours = known[schedule] or known[usual]
        if hours is not None:
            own = Sql(f"{TICKETS}.schedule_id = ?", (schedule,))
            parts.append(both([own, _of_one(column, plain, value, now_us, hours)]))
    first = known[usual]
    found = _of_one(column, plain, value, now_us, first) if first is not None else FALSE
    if not others:
        return found
    rest = Sql(f"coalesce({TICKETS}.schedule_id, 0) NOT IN ({', '.join('?' * len(others))})", tuple(others))
    return either([both([rest, found]), *parts])
