"""From a record to its shape on the wire."""

from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from diorama.kernel import Record
from diorama.kit.wire import alike, shared_fields

V = TypeVar("V", bound=msgspec.Struct)


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="object"):
    """The base of reply models; `object` names the type."""


@cache
def _nullable(shape: Any) -> frozenset[str]:
    return frozenset(name for name, kind in get_type_hints(shape).items() if NoneType in get_args(kind))


@cache
def _special(shape: Any, record: Any, more: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the shared and the other fields that can hold a time, and those that can be null."""
    shared, hints, nullable = shared_fields(shape, record), get_type_hints(record), _nullable(shape)
    kinds = {name: hints.get(name, Any) for name in shared}  # a property has no hint
    moments = tuple(name for name, kind in kinds.items() if kind in (Any, datetime) or datetime in get_args(kind))
    return (*moments, *more), tuple(name for name in (*shared, *more) if name in nullable)


def shown(shape: type[V], record: Record, **more: Any) -> V:
    """Build a reply model from a record: copy shared fields, truncate times to seconds, turn empty text into null."""
    said = alike(shape, record)
    said.update(more)
    moments, nullable = _special(shape, record.__class__, tuple(more))
    for name in moments:
        value = said[name]
        if isinstance(value, datetime) and value.microsecond:
            said[name] = value.replace(microsecond=0)
    for name in nullable:
        if said[name] == "":
            said[name] = None
    return shape(**said)
