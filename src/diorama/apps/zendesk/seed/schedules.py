"""Add schedules with business hours and holidays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Holiday, Interval, Schedule
from diorama.kernel import Tx, sparse

WEEKDAYS = (1, 2, 3, 4, 5)
HOLIDAY_IDS = sparse(18_416_410_220_116, 320)


def weekly(opens: int, closes: int, days: Sequence[int] = WEEKDAYS) -> tuple[Interval, ...]:
    """Return the same hours on several days; Sunday is 0."""
    return tuple(Interval(day * 1440 + opens * 60, day * 1440 + closes * 60) for day in days)


def add_schedule(
    tx: Tx,
    name: str,
    time_zone: str,
    intervals: Sequence[Interval],
    holidays: Mapping[str, tuple[str, str]] | None = None,
) -> Schedule:
    """Add business hours; `holidays` maps names to first and last day."""
    made = tuple(
        Holiday(id=int(tx.mint("zendesk_holidays", HOLIDAY_IDS)), name=title, start_date=first, end_date=last)
        for title, (first, last) in (holidays or {}).items()
    )
    return tx.add(
        Schedule(
            name=name,
            time_zone=time_zone,
            intervals=tuple(intervals),
            holidays=made,
            created_at=now(tx),
            updated_at=now(tx),
        )
    )
