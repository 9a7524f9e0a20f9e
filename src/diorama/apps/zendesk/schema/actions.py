"""Actions of triggers, macros and automations."""

from __future__ import annotations

from typing import Any

import msgspec


class Action(msgspec.Struct, frozen=True):
    """One action of a rule."""

    field: str
    value: Any = None
