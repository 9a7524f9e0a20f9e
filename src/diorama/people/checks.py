"""The registry of checks: named conditions on the state of a world, used by needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diorama.kernel import Defect, Tx

Check = Callable[[Tx, Mapping[str, Any]], bool]

CHECKS: dict[str, Check] = {}
"""All checks by name; worlds and scenarios add theirs when they are imported."""


def check(name: str) -> Callable[[Check], Check]:
    """Register a check under a name that needs can refer to."""

    def declare(function: Check) -> Check:
        if CHECKS.get(name, function).__qualname__ != function.__qualname__:
            raise ValueError(f"two checks are named {name}")
        CHECKS[name] = function
        return function

    return declare


def holds(tx: Tx, name: str, args: Mapping[str, Any]) -> bool:
    """Check whether the world fulfils a check now."""
    found = CHECKS.get(name)
    if found is None:
        raise Defect(f"no check is named {name!r}; known are {', '.join(sorted(CHECKS))}", boundary="persona")
    return bool(found(tx, args))


@check("always")
def always(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Return True: nothing has to happen."""
    return True


@check("never")
def never(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Return False: the need cannot be met."""
    return False
