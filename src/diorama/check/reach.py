"""Find the records that a function can use: those named in its code, and in the code of the functions it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from diorama.kernel import Record
from diorama.kernel.records import TABLES


def records_used_by(function: Callable[..., Any]) -> set[type[Record]]:
    """Return the records with a table that a function names, directly or through the functions that it names."""
    found: set[type[Record]] = set()
    seen: set[Any] = set()
    waiting: list[Any] = [function]
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and one in TABLES:
            found.add(one)
        one = getattr(one, "__wrapped__", one)
        if isinstance(one, FunctionType) and one not in seen:
            seen.add(one)
            waiting.extend(_named_in(one))
    return found


def _named_in(function: FunctionType) -> Iterator[Any]:
    """Return the values of the global names in a function, and of the names in modules (`people.Persona`)."""
    names = _names(function.__code__)
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            yield from (getattr(value, other, None) for other in names)
        else:
            yield value


def _names(code: CodeType) -> set[str]:
    """Return the global and attribute names in some code, and in the functions inside it."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*(_names(one) for one in inner))
