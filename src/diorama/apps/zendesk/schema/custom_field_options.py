"""Options of custom fields."""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True):
    """One value of a field; `id` is 0 for the options of system fields."""

    name: str
    value: str
    id: int = 0
    default: bool = False
