"""One queue per episode: calls from several threads run one after the other (law 2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Q = TypeVar("Q", bound=Any)


def one_at_a_time(method: Callable[Concatenate[Q, P], R]) -> Callable[Concatenate[Q, P], R]:
    """Hold the object's `lock` while a method runs, so that threads wait for each other."""

    @wraps(method)
    def queued(self: Q, /, *args: P.args, **named: P.kwargs) -> R:
        with self.lock:
            return method(self, *args, **named)

    return queued
