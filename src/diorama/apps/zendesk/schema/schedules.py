"""Records of schedules."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


class Interval(msgspec.Struct, frozen=True):
    """An interval of business hours, in minutes since Sunday at midnight; it never spans two days."""

    start_time: int
    end_time: int


class Holiday(msgspec.Struct, frozen=True, kw_only=True):
    """Days without work; the dates are local, and both are included."""

    id: int
    name: str
    start_date: str
    end_date: str


@APP.record("schedules", ids=sparse(18_416_402_118_932, 320), cached=True)
class Schedule(Record):
    """Business hours; the first schedule applies to every ticket for which no rule set another."""

    name: str
    time_zone: str
    intervals: tuple[Interval, ...] = ()
    holidays: tuple[Holiday, ...] = ()
    created_at: datetime
    updated_at: datetime
