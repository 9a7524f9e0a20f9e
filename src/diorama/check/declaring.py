"""How a check is declared: a function that yields one sentence for each thing that is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

import msgspec

Of = Literal["app", "operation", "tool", "door", "world", "scenario"]
F = TypeVar("F", bound=Callable[..., Iterator[str]])


class NotApplicable(Exception):
    """This check cannot be made here; the message says why."""


class Warned(str):
    """A sentence about something that is weak but not wrong: the check passes and shows it."""


class Check(msgspec.Struct, frozen=True):
    """One check: its name, what it is about, what it says, and the function that looks for problems."""

    name: str
    of: Of
    says: str
    problems: Callable[..., Iterator[str]]


CHECKS: list[Check] = []
"""Every check, in the order in which they are made."""


def check(of: Of) -> Callable[[F], F]:
    """Declare a check of an app, of one of its operations or tools, of an app behind a door, a world or a scenario."""

    def declare(function: F) -> F:
        says = (inspect.getdoc(function) or "").split("\n")[0].rstrip(".")
        CHECKS.append(Check(function.__name__, of, says, function))
        return function

    return declare


def checks_of(*kinds: Of) -> list[Check]:
    """Return the checks of some kinds."""
    return [one for one in CHECKS if one.of in kinds]


def short(value: Any, limit: int = 300) -> str:
    """Return a value as text that fits on a few lines."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[:limit]}..."
