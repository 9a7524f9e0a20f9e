"""The parts that a scenario's reward is made of, declared as decorated methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from diorama.kernel import Chain, Event, Tx, from_us

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")
PHASES = ("opened", "classified", "responded", "resolved")
_MARK = "__reward_part__"


class View:
    """What a grader may look at: the state (read-only), the history, and when the episode began."""

    __slots__ = ("_known", "events", "staged_seq", "staged_us", "tx")

    def __init__(self, tx: Tx, events: Chain, staged_us: int, staged_seq: int) -> None:
        self.tx = tx
        self.events = events
        self.staged_us = staged_us
        self.staged_seq = staged_seq
        self._known: dict[str, Any] = {}

    def once(self, name: str, find: Callable[[], R]) -> R:
        """What several parts ask, found out once per look at the state."""
        if name not in self._known:
            self._known[name] = find()
        found: R = self._known[name]
        return found

    @property
    def staged_at(self) -> datetime:
        """When the episode began."""
        return from_us(self.staged_us)

    def own(self) -> list[Event]:
        """The events of the episode itself, staging left out."""
        return self.once("own events", lambda: self.events[self.staged_seq :])


class Fact(msgspec.Struct, frozen=True):
    """Something that was not so at staging and must be so at the end; a deed is judged from the agent's own events."""

    name: str
    phase: str
    weight: float
    check: Callable[..., bool]
    because: str
    deed: bool = False


class Harm(msgspec.Struct, frozen=True):
    """An irreversible wrong act: how often it was done, what each costs; no success with any of it."""

    name: str
    cost: float
    count: Callable[..., int]
    because: str


class Quality(msgspec.Struct, frozen=True):
    """How well it was done, from 0 to 1, once it was done at all."""

    name: str
    weight: float
    measure: Callable[..., float]
    because: str


def _sentence(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or function.__name__.replace("_", " ")).split("\n")[0]


def fact(phase: str, weight: float = 1.0) -> Callable[[F], F]:
    """A method (view, truth) -> bool over the state."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Fact(function.__name__, phase, weight, function, _sentence(function)))
        return function

    return mark


def deed(phase: str, weight: float = 1.0) -> Callable[[F], F]:
    """A method (event, truth) -> bool over one event of the agent: once true, it stays so."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Fact(function.__name__, phase, weight, function, _sentence(function), deed=True))
        return function

    return mark


def harm(cost: float) -> Callable[[F], F]:
    """A method (view, truth) -> int: how many irreversible wrong acts were done."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Harm(function.__name__, cost, function, _sentence(function)))
        return function

    return mark


def quality(weight: float = 1.0) -> Callable[[F], F]:
    """A method (view, truth) -> float in [0, 1]."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Quality(function.__name__, weight, function, _sentence(function)))
        return function

    return mark


def parts_of(owner: type[Any]) -> list[Fact | Harm | Quality]:
    """The declared parts of a class, base classes first, in the order they were written."""
    found: dict[str, Fact | Harm | Quality] = {}
    for cls in reversed(owner.__mro__):
        for name, value in vars(cls).items():
            part = getattr(value, _MARK, None)
            if part is not None:
                found[name] = part
    return list(found.values())
