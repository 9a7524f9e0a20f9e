"""Actions of triggers, macros and automations."""

from __future__ import annotations

from typing import Any

import msgspec


class Action(msgspec.Struct, frozen=True):
    """One thing to do to a ticket."""

    field: str
    value: Any = None
