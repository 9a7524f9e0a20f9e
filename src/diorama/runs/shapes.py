"""The turns that each kind of agent makes: doors, keys, messages and endings. A record of other turns is refused."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from diorama.episodes.agent_process import CALLS_AFTER_END
from diorama.episodes.agents.recorded import INVALID_TOKEN
from diorama.episodes.result import Ended


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What the turns of one kind of agent look like."""

    doors: frozenset[str] = frozenset({"tool", "http"})
    """Through which doors it acts: tool calls, requests, or both."""
    speaks: bool = False
    """Whether a model speaks before it acts: every group of calls follows one message."""
    finishes: bool = False
    """Whether it goes on until the episode has ended, or ends in one of `endings`."""
    after_end: int | None = None
    """How many turns it can take after the end of the episode; None if it is run again instead."""
    endings: frozenset[Ended] = frozenset({"done", "gave_up", "time_limit", "token_limit"})
    """How it can end an episode that no limit of the world has ended."""
    notes: bool = True


TOOLS = frozenset({"tool"})
SHAPES = {
    "oracle": Shape(),
    "cheat": Shape(),
    "noop": Shape(doors=frozenset()),
    "random": Shape(doors=TOOLS),
    "person": Shape(doors=TOOLS, finishes=True, after_end=0, endings=frozenset({"gave_up"}), notes=False),
    "python": Shape(after_end=CALLS_AFTER_END + 1),
    "openai": Shape(
        doors=TOOLS,
        speaks=True,
        finishes=True,
        after_end=0,
        endings=frozenset({"gave_up", "time_limit", "token_limit"}),
    ),
}
"""By the kind of an agent: the part of its name before the first colon."""

CUT_AFTER_MESSAGE = ("time_limit", "gave_up")
"""Endings in which the last message of a model can have no call after it."""


class _Tool(msgspec.Struct, forbid_unknown_fields=True):
    tool: str
    arguments: Any
    text: str
    is_error: bool
    wall: float


class _Request(msgspec.Struct, forbid_unknown_fields=True):
    headers: dict[str, str]
    body: str


class _Http(msgspec.Struct, forbid_unknown_fields=True):
    http: str
    app: str
    text: str
    is_error: bool
    wall: float
    seat: str | msgspec.UnsetType = msgspec.UNSET
    credential: str | msgspec.UnsetType = msgspec.UNSET
    request: _Request | msgspec.UnsetType = msgspec.UNSET
    token: str | msgspec.UnsetType = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET
    """Only where the method itself has spaces."""


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    said: Any
    usage: dict[str, Any] | str
    wall: float


_FORMS: dict[str, Any] = {"tool": _Tool, "http": _Http, "said": _Said}


class Misfit(msgspec.Struct, frozen=True):
    """A turn that no agent of its kind makes; `other_agent` if another kind of agent could have made it."""

    message: str
    other_agent: bool


def misfit(agent: str, turns: Sequence[Any], ended: str) -> Misfit | None:
    """Return the first turn that an agent of this name cannot have made, or None."""
    return next(_misfits(agent, turns, ended), None)


def _misfits(agent: str, turns: Sequence[Any], ended: str) -> Iterator[Misfit]:
    kind = agent.partition(":")[0]
    shape, before = SHAPES[kind], ""
    for number, turn in enumerate(turns, 1):
        form = next((form for form in _FORMS if isinstance(turn, Mapping) and form in turn), "")
        wrong = _wrong_keys(form, turn)
        if wrong:
            yield Misfit(f"turn {number} is not one that a run writes: {wrong}", False)
            return
        if form == "said":
            if not shape.speaks:
                yield Misfit(f"turn {number} is a message of a model, and {kind} agents have none", False)
            elif before == "said":
                yield Misfit(f"turn {number} is a second message without a call between them", True)
        elif form not in shape.doors:
            what = {"tool": "a tool call", "http": "a request to an API"}[form]
            yield Misfit(f"turn {number} is {what}, which {kind} agents cannot make", True)
        elif shape.speaks and not before:
            yield Misfit(f"turn {number} has no message of its model before it, as all turns of {kind}: agents", True)
        before = form
    if before == "said" and ended not in CUT_AFTER_MESSAGE:
        yield Misfit("its last message is not followed by a call", True)


def _wrong_keys(form: str, turn: Any) -> str:
    """Return what is wrong with the keys of a turn or their values, or ""."""
    if not form:
        return "it is neither a call nor a message"
    try:
        made = msgspec.convert(turn, _FORMS[form], strict=True)
    except msgspec.ValidationError as error:
        return str(error)
    if type(turn["wall"]) is not float:
        return "its wall time is not a time that a clock gave"
    if form == "http":
        if "" in (made.seat, made.credential):
            return "it names an empty seat or credential"
        if made.token not in (msgspec.UNSET, INVALID_TOKEN):
            return f"its token is {made.token!r}"
        if made.method is not msgspec.UNSET and (" " not in made.method or not made.http.startswith(f"{made.method} ")):
            return f"its method is {made.method[:100]!r}"
    return ""
