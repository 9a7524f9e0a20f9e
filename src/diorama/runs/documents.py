"""The stored documents of an attempt: its result, events and turns are checked once, where they are read."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec

from diorama.episodes.result import Result
from diorama.kernel import Boundary, Event
from diorama.runs.file import Damaged

UNREADABLE = (
    *(msgspec.MsgspecError, LookupError, TypeError, AttributeError, ValueError, ArithmeticError),
    *(RecursionError, MemoryError),
)
"""What reading, showing or replaying a record can raise if someone changed it."""
UTTERANCES = "_people_utterances"
"""The table in which people keep what they say."""
LATEST_US = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
"""The latest virtual time that can be shown."""
TOLD = 200

Json = dict[str, Any]


class _Call(msgspec.Struct):
    tool: str
    text: str
    is_error: bool


class _Request(msgspec.Struct):
    http: str
    app: str
    text: str
    is_error: bool
    seat: str = ""


class _Asked(msgspec.Struct):
    method: str
    path: str
    query: str


class _WrongCall(msgspec.Struct):
    tool: str
    error: str


class _Speech(msgspec.Struct):
    speech: str
    text: str


def checked_result(document: Any, what: str) -> Json:
    """Return a decoded result; raise Damaged, which names `what`, unless it has what readers of a result need."""
    result = _converted(document, Result, what)
    void = result.ended == "void"
    if result.fault is None if void else None in (result.success, result.reward):
        raise Damaged("result changed", f"{what} contradicts itself: an episode has either a reward or a fault.")
    if result.fault is not None and result.fault.boundary not in get_args(Boundary):
        raise _damaged(what, f"no fault has the boundary {result.fault.boundary!r}")
    return dict(document)


def checked_events(document: Any, what: str) -> list[Json]:
    """Return decoded events; raise Damaged, which names `what`, unless each has what readers of an event need."""
    for number, event in enumerate(_converted(document, list[Event], what), 1):
        place = f"{what}, event {number}"
        if not 0 <= event.at <= LATEST_US:
            raise _damaged(place, f"no clock shows {str(event.at)[:TOLD]}")
        if "method" in event.request:
            _converted(event.request, _Asked, place)
        elif event.operation == "wrong_call":
            _converted(event.request, _WrongCall, place)
        for said in _said(event):
            _converted(said, _Speech, place)
    return list(document)


def checked_turns(document: Any, what: str) -> list[Json]:
    """Return decoded turns; raise Damaged, which names `what`, unless each has what readers of a turn need.

    What turns each kind of agent can make is a matter of `shapes`.
    """
    for number, turn in enumerate(_converted(document, list[dict[str, Any]], what), 1):
        form = _Call if "tool" in turn else _Request if "http" in turn else None
        if form is not None:
            _converted(turn, form, f"{what}, turn {number}")
    return list(document)


def _said(event: Event) -> Iterator[Mapping[str, Any] | None]:
    return (change.after for change in event.changes if change.table == UTTERANCES and change.op == "insert")


def _converted(document: Any, shape: Any, what: str) -> Any:
    try:
        return msgspec.convert(document, shape)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _damaged(what, str(error)) from None


def _damaged(what: str, why: str) -> Damaged:
    return Damaged("unreadable record", f"{what} cannot be read ({why[:TOLD]}).")
