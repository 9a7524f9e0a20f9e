"""Conditions on business hours as SQL: the moments that bound them are computed beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.zendesk.rules.ids import LARGEST
from diorama.apps.zendesk.rules.schedules import Hours, Schedules
from diorama.kernel.functions import SEPARATOR
from diorama.kit.query import FALSE, Sql, both, either

HOUR_US = 3_600_000_000


TICKETS = "zendesk_tickets"


def includes_any(column: str, words: Sequence[str]) -> Sql:
    """Return SQL that tests whether a text contains one of several words, which are in lower case."""
    listed = SEPARATOR.join(word.replace(SEPARATOR, " ") for word in words)
    return Sql(f"includes_any({column}, ?)", (listed,)) if words else FALSE


def _of_one(column: str, plain: str, value: int, now_us: int, hours: Hours) -> Sql:
    """Return SQL for a condition on business hours of one schedule; its time bounds are precomputed."""
    edges, further = hours.since(now_us, value * HOUR_US), hours.since(now_us, (value + 1) * HOUR_US)
    if edges is None:
        return FALSE if plain != "less_than" else Sql(f"{column} IS NOT NULL")
    if plain == "less_than":
        return Sql(f"{column} > ?", (edges[1],))
    if plain == "greater_than":
        return Sql(f"{column} < ?", (edges[0],))
    return Sql(f"({column} <= ? AND {column} > ?)", (edges[1], further[1] if further else -LARGEST))


def worked(column: str, plain: str, value: int, now_us: int, known: Schedules) -> Sql:
    """Return SQL for a condition on business hours, by the schedule of each ticket."""
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
