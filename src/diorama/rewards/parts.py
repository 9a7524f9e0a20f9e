"""The parts of a scenario's reward, declared as decorated methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from typing import Any, Literal, TypeVar

import msgspec

from diorama.kernel import Chain, Event, Tx, from_us
from diorama.kit.deeds import Deed, Owed
from diorama.kit.documents import FILES_AT_MOST, Files
from diorama.kit.words import Sent
from diorama.rewards.attention import Rereading
from diorama.rewards.deeds import Matched, deeds_of, match
from diorama.rewards.finding import Finding
from diorama.rewards.history import History, kinds_of, outlets_of, recognisers_of
from diorama.rewards.recalling import RecallingTx
from diorama.rewards.remarks import remarks_in

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")
T = TypeVar("T")
Booked = Literal["turn", "commitment"]
FactKind = Literal["state", "deed", "field", "words"]
PHASES = ("opened", "classified", "responded", "resolved")
_MARK = "__reward_part__"


def _files_unread(files: Files) -> dict[str, Finding]:
    """Return why success is lost, if there were more files than are read."""
    if not files.too_many:
        return {}
    expected = f"at most {FILES_AT_MOST} different files in replies and notes"
    return {"files_unread": Finding(False, expected, "more files than anyone reads; the further ones were not read")}


class View:
    """What a grader may look at: the state (read-only), the history, and when the episode began."""

    __slots__ = ("_history", "_known", "brief", "events", "staged_seq", "staged_us", "tx")

    def __init__(
        self,
        tx: Tx,
        events: Chain,
        staged_us: int,
        staged_seq: int,
        history: History | None = None,
        brief: str = "",
    ) -> None:
        """Look at a state; what was computed once for a view of the same state holds for this one, too."""
        self.brief = brief
        self._history = history
        self.tx: Tx = tx
        self.events = events
        self.staged_us = staged_us
        self.staged_seq = staged_seq
        self._known: dict[str, Any] = history.known_at(events, tx.now_us) if history is not None else {}

    def once(self, name: str, find: Callable[[], R]) -> R:
        """Compute a value that several parts need, once per view."""
        if name not in self._known:
            self._known[name] = find()
        found: R = self._known[name]
        return found

    def kept(self, name: Any, tables: tuple[str, ...], find: Callable[[], R]) -> R:
        """Compute a value that follows from tables with these prefixes; again only when one of them has changed."""
        history = self.history
        stamp = history.last_change(tables)
        known = history.kept.get(name)
        if known is None or known[0] != stamp:
            known = history.kept[name] = stamp, find()
        found: R = known[1]
        return found

    def same(self, name: Any, parts: Any, find: Callable[[], R]) -> R:
        """Compute a value that follows from its parts alone; again only when one of them has changed."""
        kept = self.history.kept
        known = kept.get(name)
        if known is None or known[0] != parts:
            known = kept[name] = parts, find()
        found: R = known[1]
        return found

    @property
    def staged_at(self) -> datetime:
        """When the episode began."""
        return from_us(self.staged_us)

    @property
    def history(self) -> History:
        """What the agent's acts did to rows since the episode began."""
        known = self._history
        if known is not None and known.is_at(self.events):
            return known
        if known is None or not known.fits(self.events):
            company = self.tx.company
            known = History(kinds_of(company), self.staged_seq, recognisers_of(company), outlets_of(company))
        known.read(self.events)
        self._history = known
        return known

    def recall(self) -> None:
        """From now on answer from memory what was read before and has not changed since."""
        if not isinstance(self.tx, RecallingTx):
            self.tx = RecallingTx.of(self.tx, self.history.memory)

    def deeds(self, agent: bool = True) -> list[Deed]:
        """Return the deeds of the episode so far: the agent's own, or everyone's."""
        find = recognisers_of(self.tx.company)
        return self.once(f"deeds {agent}", lambda: deeds_of(self.tx, self.history, find, agent=agent))

    def matched(self, owed: Sequence[Owed]) -> Matched:
        """Match what is owed with the agent's deeds so far."""
        deeds = self.deeds()
        return self.same("matched", (owed, deeds), lambda: match(owed, deeds))

    def sent(self) -> list[Sent]:
        """Return the words that left because of the agent, in order, each as it was when it left."""
        return self.once("sent", lambda: self.history.sent(self.tx))

    def unread(self) -> dict[str, Finding]:
        """Return why success is lost: the agent wrote more than anyone reads, or something that a reader fails at."""
        self.sent()
        history = self.history
        unread = history.attention.findings() | remarks_in(self.tx, history).unread | history.failures.findings()
        return unread | _files_unread(history.files)

    def rereading(self) -> Rereading:
        """Return what is left for reading words again that were read once."""
        return Rereading(remarks_in(self.tx, self.history).steps)

    def own(self) -> list[Event]:
        """Return the events of the episode, without those of staging."""
        return self.once("own events", lambda: self.events[self.staged_seq :])


def per_read(function: Callable[[Tx, T], R]) -> Callable[[Tx, T], R]:
    """Compute a function of a read-only transaction and a truth once for both, as long as they are asked for."""
    last: tuple[Tx, T, R] | None = None

    @wraps(function)
    def known(tx: Tx, truth: T) -> R:
        nonlocal last
        found = last
        if found is None or found[0] is not tx or found[1] is not truth:
            found = last = tx, truth, function(tx, truth)
        return found[2]

    return known


class Fact(msgspec.Struct, frozen=True):
    """Something that is false at staging and must be true at the end; a deed is judged from the agent's events."""

    name: str
    phase: str
    weight: float
    check: Callable[..., Any]
    """(scenario, view, truth) -> Finding or bool; of a deed: (scenario, event, truth) -> bool."""
    because: str
    deed: bool = False
    booked: Booked = "turn"
    """When it counts: in the turn that makes it true, or at the first commitment and at the end."""
    kind: FactKind = "state"
    """Short of success, fields and words pay only if all facts of the kind `deed` hold."""
    decided_by: tuple[str, ...] = ()
    """Numbers of the records that decide a field: short of success it pays only if a reply has shown one of them."""


class Look(msgspec.Struct, frozen=True):
    """Something that a good agent looks at, judged by what stood in a reply; never a condition of success."""

    name: str
    weight: float
    check: Callable[..., Any]
    """(scenario, event, truth) -> bool, for one event of the agent."""
    because: str


class Harm(msgspec.Struct, frozen=True):
    """An irreversible wrong act: its count and its cost each time; any harm rules out success."""

    name: str
    cost: float
    count: Callable[..., int]
    because: str


class Quality(msgspec.Struct, frozen=True):
    """How good the outcome is, from 0 to 1; counts only on success."""

    name: str
    weight: float
    measure: Callable[..., Any]
    """(scenario, view, truth) -> Measure or float."""
    because: str


Part = Fact | Look | Harm | Quality


def _sentence(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or function.__name__.replace("_", " ")).split("\n")[0]


def fact(
    phase: str, weight: float = 1.0, booked: Booked = "turn", kind: FactKind = "state", decided_by: tuple[str, ...] = ()
) -> Callable[[F], F]:
    """Declare a method (view, truth) -> Finding (or bool) over the state as a fact.

    Use `booked="commitment"` for what can be taken back, such as fields, tags, words and reversible deeds.
    """

    def mark(function: F) -> F:
        made = Fact(function.__name__, phase, weight, function, _sentence(function), False, booked, kind, decided_by)
        setattr(function, _MARK, made)
        return function

    return mark


def look(weight: float = 1.0) -> Callable[[F], F]:
    """Declare a method (event, truth) -> bool over one agent event as a look: it stays true once it was true."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Look(function.__name__, weight, function, _sentence(function)))
        return function

    return mark


def deed(phase: str, weight: float = 1.0) -> Callable[[F], F]:
    """Declare a method (event, truth) -> bool over one agent event as a fact that stays true once it was true."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Fact(function.__name__, phase, weight, function, _sentence(function), deed=True))
        return function

    return mark


def harm(cost: float) -> Callable[[F], F]:
    """Declare a method (view, truth) -> int that counts irreversible wrong acts."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Harm(function.__name__, cost, function, _sentence(function)))
        return function

    return mark


def quality(weight: float = 1.0) -> Callable[[F], F]:
    """Declare a method (view, truth) -> float in [0, 1] as a quality."""

    def mark(function: F) -> F:
        setattr(function, _MARK, Quality(function.__name__, weight, function, _sentence(function)))
        return function

    return mark


def parts_of(owner: type[Any]) -> list[Part]:
    """Return the declared parts of a class, base classes first, in the order of declaration."""
    found: dict[str, Part] = {}
    for cls in reversed(owner.__mro__):
        for name, value in vars(cls).items():
            part = getattr(value, _MARK, None)
            if part is not None:
                found[name] = part
    return list(found.values())
