"""Work: what one transaction must do, the agenda entry that caused it, and its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from diorama.kernel.app import App, Wake
from diorama.kernel.budget import BACKGROUND, Budget, OverBudget
from diorama.kernel.errors import Boundary, Missing, Refusal
from diorama.kernel.tx import Tx
from diorama.kernel.wire import Actor, Request

NEXT = "SELECT id, at, app, command, args, writer, root FROM _agenda ORDER BY at, id LIMIT 1"
NEXT_OF_STORY = NEXT.replace(" ORDER", " WHERE root > 0 ORDER")
"""The next entry that follows from what was done in this world; what the image had planned has no root."""


class Due(msgspec.Struct, frozen=True):
    """One entry of the agenda whose time has come."""

    id: int
    at_us: int
    app: str
    command: str
    args: str
    writer: str
    root: int

    @property
    def by(self) -> str:
        """Who writes when it runs: an app keeps its own timers, everything else is a reaction."""
        return self.writer if self.writer == self.app else f"{self.app}.{self.command}"


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What one transaction is to do, and how it is recorded."""

    app: App
    actor: Actor
    door: str
    recorded: dict[str, Any]
    body: Callable[[Tx], Any]
    operation: str = ""
    request: Request | None = None
    by: str = ""
    """Who writes; "" means the app itself."""
    turn: bool = False
    extra_seconds: float = 0.0
    due: Due | None = None
    rooted: bool = True
    root: int = 0
    """The event that caused it; 0 means that it is its own cause."""
    boundary: Boundary | None = None
    budget: Budget = BACKGROUND
    over: OverBudget | None = None
    """Why it is refused whatever it does."""

    @property
    def title(self) -> str:
        """What a defect in it is called."""
        what = self.operation or (f"{self.request.method} {self.request.path}" if self.request else "transaction")
        return f"{self.app.name} {what}"


class Outcome(msgspec.Struct):
    """What one transaction led to."""

    result: Any
    refusal: Refusal | Missing | None
    wakes: list[Wake]
    now_us: int
    due_us: int
    root: int
    price: int
    """What it counts for among the entries of the agenda that run in one turn or wait."""

    def value(self) -> Any:
        """Return the result, or raise the refusal."""
        if self.refusal is not None:
            raise self.refusal
        return self.result


def outcome_note(refusal: Refusal | Missing | None) -> dict[str, Any]:
    """Return the reply that is recorded for work without one."""
    if isinstance(refusal, Refusal):
        return {"status": refusal.status, "refused": str(refusal)}
    return {"status": 404, "refused": str(refusal)} if refusal is not None else {"status": 200}


def loggable(value: Any) -> Any:
    """Return arguments of a staging function as they can be recorded: the same text in every process."""
    return msgspec.to_builtins(value, enc_hook=title, str_keys=True, order="deterministic")


def title(value: Any) -> str:
    """Return a name for a value without a JSON form; never its address in memory."""
    return getattr(value, "__qualname__", None) or f"<{type(value).__qualname__}>"
