"""An agent's interface during a run: the agent plane, with a transcript and a wall-clock limit."""

import re
import signal
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from diorama.doors.tools import Observation, json_body, recordable, sendable
from diorama.episodes.agents.clock import wall_time
from diorama.episodes.endings import AgentFailed, Overtime
from diorama.episodes.hands import PassedHands
from diorama.kernel import Reply, World
from diorama.scenarios import Hands

_SECRET = re.compile(r"authorization|cookie|(?:^|-)(?:auth|token|secret|password|signature|api-?key)$", re.IGNORECASE)
"""Names of headers that hold credentials."""


NAME_AT_MOST, PATH_AT_MOST = 1_000, 100_000
"""How much is read of a name and of a path that an agent gives; longer ones exist nowhere, and are refused."""

RECORD_AT_MOST = 32 << 20
"""Bytes of events and turns after which an agent has given up: a run can store and read back what it recorded."""

INVALID_TOKEN = "invalid"
"""What a turn says of its token if the app refused the request for it: such a request leaves no event."""

IDLE_AT_MOST = 10_000
"""How often in a row an agent may ask for something that is not a turn, such as an app that does not exist."""


class AgentHands(PassedHands):
    """The agent interface of a run: the same as the episode's own; it records every turn and limits the record.

    It raises AgentFailed, before anything is done, once the record is too large or too much was asked without a turn.
    """

    def __init__(self, hands: Hands, world: World | None = None) -> None:
        """`world` is the episode's: its turns and its history are what is limited. Without it nothing is."""
        self.transcript: list[dict[str, Any]] = []
        self.marks: list[int] = []
        """How many events the world had after each turn; empty without a world."""
        super().__init__(hands)
        self._world = world
        self._in_world = False
        self._late = False
        """Whether the time ran out while the world was working."""
        self._events = 0
        self._bytes = 0
        self._idle = 0

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        self._ask()
        return self._hands.ended

    def call(self, tool: str, arguments: Any = None) -> Observation:
        """Call a tool."""
        name = sendable(tool)[:NAME_AT_MOST]
        recorded = recordable(arguments)
        given = {} if recorded is None else recorded
        with self._acting():
            seen = self._hands.call(name, given)
            self.remember({"tool": name, "arguments": given, "text": seen.text, "is_error": seen.is_error})
        return seen  # type: ignore[return-value] # an episode answers Observations

    def http(
        self,
        app: str,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        seat: str = "",
        credential: str = "",
    ) -> Reply:
        """Send a request to the vendor's API."""
        app, method, seat, credential = (sendable(one)[:NAME_AT_MOST] for one in (app, method, seat, credential))
        path = sendable(path)[:PATH_AT_MOST]
        before, events = self._hands.ended, self._recorded()
        with self._acting():
            reply = self._hands.http(app, method, path, body, headers, seat=seat, credential=credential)
            used = {name: value for name, value in (("seat", seat), ("credential", credential)) if value}
            said: dict[str, Any] = {"text": reply.text, "is_error": bool(reply.refused)}
            if not before and events is not None and self._recorded() == events:  # it left no event
                broke = self._hands.ended  # then it is kept whole, so that a replay can break the episode again
                said |= {"request": _request(body, headers)} if broke else {"token": INVALID_TOKEN}
            self.remember({**request_line(method, path), "app": app, **used, **said})
        return reply

    def remember(self, turn: dict[str, Any]) -> None:
        """Add a turn to the transcript."""
        self._bytes += len(msgspec.json.encode(turn))
        if self._world is not None:
            self.marks.append(len(self._world.chain))
        self.transcript.append({**turn, "wall": wall_time()})

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Interrupt an agent after this total time; not while the world is working, but before it works again."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def ring(*_: Any) -> None:
            self._late = True
            if not self._in_world:
                raise Overtime

        self._late = False
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
        try:
            yield
        finally:
            try:
                signal.setitimer(signal.ITIMER_REAL, 0)
            finally:  # also if it rang just before that
                self._late = False
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _acting(self) -> Iterator[None]:
        before = self._turns_taken()
        self._ask()
        self._in_world = True
        try:
            yield
        finally:
            self._in_world = False
            if self._turns_taken() > before:  # turns have a limit of their own
                self._idle = 0

    def _recorded(self) -> int | None:
        return len(self._world.chain) if self._world is not None else None

    def _turns_taken(self) -> int:
        return self._world.turn if self._world is not None else 0

    def _ask(self) -> None:
        """Count a request of the agent, and what was recorded since the last one; raise AgentFailed at a limit.

        Raise Overtime if the time is over.
        """
        if self._late:
            raise Overtime
        if self._world is None:
            return
        if self._idle >= IDLE_AT_MOST:
            raise AgentFailed(f"the agent asked {IDLE_AT_MOST} times in a row for something that is not a turn")
        self._idle += 1
        chain = self._world.chain
        self._bytes += sum(len(entry.core) for entry in chain.entries(self._events))
        self._events = len(chain)
        if self._bytes > RECORD_AT_MOST:
            raise AgentFailed(f"the record of the episode is larger than {RECORD_AT_MOST} bytes")


def _request(body: Any, headers: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the rest of a request as JSON data, without headers that hold credentials."""
    data = body if isinstance(body, bytes) else b"" if body is None else json_body(body)
    named = {sendable(name): sendable(value) for name, value in (headers or {}).items()}
    heads = {name: value for name, value in named.items() if not _SECRET.search(name)}
    return {"headers": heads, "body": b64encode(data).decode()}


def request_line(method: str, path: str) -> dict[str, str]:
    """Return how a turn records a request: `METHOD PATH`, and the method again if it has spaces itself."""
    line = {"http": f"{method} {path}"}
    return {**line, "method": method} if " " in method else line


def method_and_path(turn: Mapping[str, Any]) -> tuple[str, str]:
    """Return the request that request_line recorded."""
    line = str(turn["http"])
    method = str(turn["method"]) if "method" in turn else line.partition(" ")[0]
    if not line.startswith(f"{method} "):
        raise ValueError(f"a turn records the method {method[:100]!r}, but its request is {line[:100]!r}")
    return method, line[len(method) + 1 :]


def body_of(request: Mapping[str, Any]) -> bytes | None:
    """Return the body of a request that a turn keeps whole."""
    return b64decode(request["body"]) if request.get("body") else None
