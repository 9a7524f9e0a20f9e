"""From a record to its shape on the wire, where both call things alike.

Tickets, users, comments and audits write theirs out instead: they are shown most, and that takes half the time.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

from diorama.apps.zendesk.schema import BASE
from diorama.kit.wire import alike

S = TypeVar("S", bound=Struct)


def shaped(shape: type[S], record: object, path: str = "", **more: Any) -> S:
    """The record's fields that the shape has, its address, and what else the shape wants."""
    known = alike(shape, record)
    if path and "url" in shape.__struct_fields__:
        known["url"] = f"{BASE}/{path}.json"
    return shape(**{**known, **more})
