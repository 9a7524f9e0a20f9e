"""From a record to its shape on the wire."""

from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from diorama.kernel import Record
from diorama.kit.wire import alike

V = TypeVar("V", bound=msgspec.Struct)


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="object"):
    """The base of reply models; `object` names the type."""


@cache
def _nullable(shape: Any) -> frozenset[str]:
    return frozenset(name for name, kind in get_type_hints(shape).items() if NoneType in get_args(kind))


def shown(shape: type[V], record: Record, **more: Any) -> V:
    """Build a reply model from a record: copy shared fields, truncate times to seconds, turn empty text into null."""
    said = {**alike(shape, record), **more}
    for name, value in said.items():
        if isinstance(value, datetime):
            said[name] = value.replace(microsecond=0)
        elif value == "" and name in _nullable(shape):
            said[name] = None
    return shape(**said)
