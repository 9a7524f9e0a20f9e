"""From a record to its shape on the wire, where both call things alike."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from diorama.apps.zendesk.schema import BASE
from diorama.kernel import Record

S = TypeVar("S", bound=Struct)


def shaped(shape: type[S], record: Record, path: str, **more: Any) -> S:
    """The record's fields that the shape has, its address, and what else the shape wants."""
    names = [name for name in shape.__struct_fields__ if name not in more and hasattr(record, name)]
    known = {name: getattr(record, name) for name in names}
    if path and "url" in shape.__struct_fields__:
        known["url"] = f"{BASE}/{path}.json"
    return shape(**known, **more)
