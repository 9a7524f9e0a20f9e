"""Conditions of seeded triggers, views, automations and SLA policies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from diorama.apps.zendesk.schema import Condition, Conditions

Test = tuple[str, str, Any]
Deed = tuple[str, Any]


def conditions_of(every: Iterable[Test], some: Iterable[Test] = ()) -> Conditions:
    """Return conditions: every one of `every` must hold, and one of `some` if there are any."""
    return Conditions(tuple(Condition(*test) for test in every), tuple(Condition(*test) for test in some))
