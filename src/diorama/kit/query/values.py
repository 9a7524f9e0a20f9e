"""Read the values of tests: text, numbers, flags, dates, ranges and functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any, Literal, TypeVar

import msgspec

from diorama.kernel import to_us
from diorama.kit.query.errors import QueryError
from diorama.kit.query.tree import FunctionCall, Value

C = TypeVar("C")
Reader = Callable[[C, Value], Any]
"""Returns what a column is compared with: a plain value, None for NULL, a Span, or a list of them for any of several.
Raises QueryError `bad_value` for an invalid value."""

LARGEST = (1 << 63) - 1
"""The largest integer that SQLite stores."""
FARTHEST = timedelta(days=365 * 100)
"""How far a relative date may go."""


class Span(msgspec.Struct, frozen=True):
    """Everything from `start` up to, but without, `end`; None means no bound.

    A column equals a span if it is inside, is less if it is before, and is greater if it is after.
    """

    start: Any
    end: Any


def bad_value(value: Value) -> QueryError:
    """Return the error for a value that cannot be read."""
    return QueryError("bad_value", value.name if isinstance(value, FunctionCall) else value.text)


def text(context: object, value: Value) -> str:
    """Read a value as it is written."""
    if isinstance(value, FunctionCall):
        raise bad_value(value)
    return value.text


def integer(context: object, value: Value) -> int:
    """Read a 64-bit integer."""
    if isinstance(value, FunctionCall) or not re.fullmatch(r"[+-]?[0-9]{1,19}", value.text):
        raise bad_value(value)
    found = int(value.text)
    if abs(found) > LARGEST:
        raise bad_value(value)
    return found


def flag(context: object, value: Value) -> int:
    """Read true or false as 1 or 0."""
    found = {"true": 1, "false": 0}.get(text(context, value).lower())
    if found is None:
        raise bad_value(value)
    return found


def nullable(read: Reader[C], *words: str) -> Reader[C]:
    """Return a reader for which these unquoted words, in any case, mean NULL."""

    def reader(context: C, value: Value) -> Any:
        if not isinstance(value, FunctionCall) and not value.quoted and value.text.lower() in words:
            return None
        return read(context, value)

    return reader


def with_functions(read: Reader[C], functions: Mapping[str, Callable[[C, Sequence[Value]], Any]]) -> Reader[C]:
    """Return a reader that also calls these functions, by name in lower case."""

    def reader(context: C, value: Value) -> Any:
        if not isinstance(value, FunctionCall):
            return read(context, value)
        function = functions.get(value.name.lower())
        if function is None:
            raise QueryError("unknown_function", value.name)
        return function(context, value.args)

    return reader


def ranged(read: Callable[[C, Value], Any], step: int = 1) -> Reader[C]:
    """Return a reader for `low..high` with both ends included, and `*` or nothing for no bound."""

    def bound(context: C, value: Value, part: str) -> Any:
        return None if part in ("", "*") else read(context, msgspec.structs.replace(value, text=part))

    def reader(context: C, value: Value) -> Any:
        if isinstance(value, FunctionCall) or ".." not in value.text:
            return read(context, value)
        low, high = (bound(context, value, part) for part in value.text.split("..", 1))
        start = low.start if isinstance(low, Span) else low
        end = high.end if isinstance(high, Span) else None if high is None else high + step
        return Span(start, end)

    return reader


class Dates(msgspec.Struct, frozen=True):
    """How a vendor writes moments, besides ISO 8601: `2days`, `-1d`, `today`."""

    units: Mapping[str, timedelta]
    """Units after a number, in lower case."""
    days: Mapping[str, int] = {}
    """Names of whole days, as days from today."""
    unsigned: Literal["past", "future"] = "past"
    """What a number without a sign means; with one, `-` is the past."""
    signed: bool = True
    """Whether numbers may have a sign."""

    def span(self, written: str, now: datetime, zone: tzinfo = UTC) -> tuple[datetime, datetime] | None:
        """Return the first moment that a text means and the first one after it: a day, or one moment twice."""
        lower = written.lower()
        relative = re.match(r"([+-]?)([0-9]{1,6})\s*([a-z]+)$", lower)
        if relative and relative[3] in self.units and (self.signed or not relative[1]):
            past = relative[1] == "-" or (not relative[1] and self.unsigned == "past")
            away = int(relative[2]) * self.units[relative[3]]
            if away >= FARTHEST:
                return None
            moment = now - away if past else now + away
            return moment, moment
        if lower in self.days:
            start = datetime.combine(now.astimezone(zone).date(), time(), zone) + timedelta(days=self.days[lower])
            return start, start + timedelta(days=1)
        try:
            moment = datetime.fromisoformat(written)
        except ValueError:
            return None
        aware = moment.replace(tzinfo=zone) if moment.tzinfo is None else moment
        if not 1900 < aware.year < 2900:
            return None
        return aware, aware + timedelta(days=len(written) <= len("2026-01-01"))

    def reader(self, now: Callable[[C], datetime], zone: tzinfo = UTC) -> Reader[C]:
        """Return a reader for columns that keep microseconds, as those of records do."""

        def read(context: C, value: Value) -> Span:
            found = self.span(text(context, value), now(context), zone)
            if found is None:
                raise bad_value(value)
            start = to_us(found[0])
            return Span(start, max(to_us(found[1]), start + 1))

        return read
