"""Conditions of triggers, views, automations and SLA policies."""

from __future__ import annotations

from typing import Any

import msgspec


class Condition(msgspec.Struct, frozen=True):
    """One test of a ticket."""

    field: str
    operator: str
    value: Any = None


class Conditions(msgspec.Struct, frozen=True):
    """All of `all` must hold and, if `any` is not empty, at least one of `any`."""

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
