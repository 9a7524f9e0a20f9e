"""From a record to its shape on the wire."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from inspect import signature
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

import msgspec

from diorama.kernel import Record
from diorama.kit.wire import shared_fields

V = TypeVar("V", bound=msgspec.Struct)


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="object"):
    """The base of reply models; `object` names the type."""


def shown(shape: type[V], record: Record, **more: Any) -> V:
    """Build a reply model from a record: copy shared fields, truncate times to seconds, turn empty text into null."""
    return cast(V, _builder(shape, record.__class__, tuple(more))(record, more))


@cache
def _builder(shape: Any, record: Any, more: tuple[str, ...]) -> Callable[[Record, Mapping[str, Any]], Any]:
    """Return the function that builds a shape of a record and of values by name; generated once, for speed."""
    hints, nullable = get_type_hints(record), _nullable(shape)
    names = {name: f"record.{name}" for name in shared_fields(shape, record)}
    kinds = {name: hints.get(name, Any) for name in names}  # a property has no hint
    names |= {name: f"more[{name!r}]" for name in more}
    values = {}
    for name, value in names.items():
        kind = kinds.get(name, Any) if name not in more else Any
        if kind is Any or kind is datetime or datetime in get_args(kind):
            value = f"to_seconds({value})"
        values[name] = f"null_for_empty({value})" if name in nullable else value
    taken = signature(shape).parameters
    if taken.keys() == values.keys() and all(one.kind is one.POSITIONAL_OR_KEYWORD for one in taken.values()):
        parts = [values[name] for name in taken]  # many keywords would take several times as long
    else:
        parts = [f"{name}={value}" for name, value in values.items()]
    space = {"shape": shape, "to_seconds": _to_seconds, "null_for_empty": _null_for_empty}
    exec(f"def build(record, more):\n    return shape({', '.join(parts)})", space)  # noqa: S102 - own text
    return cast(Callable[[Record, Mapping[str, Any]], Any], space["build"])


@cache
def _nullable(shape: Any) -> frozenset[str]:
    return frozenset(name for name, kind in get_type_hints(shape).items() if NoneType in get_args(kind))


def _to_seconds(value: Any) -> Any:
    return value.replace(microsecond=0) if isinstance(value, datetime) and value.microsecond else value


def _null_for_empty(value: Any) -> Any:
    return None if value == "" else value
