"""The registry of checks: how needs ask the real state of a world whether something has happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diorama.kernel import Defect, Tx

Check = Callable[[Tx, Mapping[str, Any]], bool]

CHECKS: dict[str, Check] = {}
"""Filled by worlds and scenarios when they are imported."""


def check(name: str) -> Callable[[Check], Check]:
    """Declare a check under a name that needs can carry."""

    def declare(function: Check) -> Check:
        if CHECKS.get(name, function).__qualname__ != function.__qualname__:
            raise ValueError(f"two checks are named {name}")
        CHECKS[name] = function
        return function

    return declare


def holds(tx: Tx, name: str, args: Mapping[str, Any]) -> bool:
    """Whether the world fulfils a check right now."""
    found = CHECKS.get(name)
    if found is None:
        raise Defect(f"no check is named {name!r}; known are {', '.join(sorted(CHECKS))}", boundary="persona")
    return bool(found(tx, args))


@check("always")
def always(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Nothing has to happen."""
    return True


@check("never")
def never(tx: Tx, args: Mapping[str, Any]) -> bool:
    """What is wanted cannot be had."""
    return False
