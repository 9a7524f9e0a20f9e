"""An agent's interface during a run: the agent plane, with a transcript and a wall-clock limit."""

import re
import signal
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from diorama.doors.tools import Observation, json_body, recordable, sendable
from diorama.episodes.endings import Overtime
from diorama.episodes.hands import PassedHands
from diorama.kernel import Reply
from diorama.scenarios import Hands

_SECRET = re.compile(r"authorization|cookie|(?:^|-)(?:auth|token|secret|password|signature|api-?key)$", re.IGNORECASE)
"""Names of headers that hold credentials."""


NAME_AT_MOST, PATH_AT_MOST = 1_000, 100_000
"""How much is read of a name and of a path that an agent gives; longer ones exist nowhere, and are refused."""


class AgentHands(PassedHands):
    """The agent interface of a run: the same as the episode's own, and records every turn."""

    def __init__(self, hands: Hands) -> None:
        self.transcript: list[dict[str, Any]] = []
        super().__init__(hands)
        self._in_world = False

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
        before = self.ended
        with self._acting():
            reply = self._hands.http(app, method, path, body, headers, seat=seat, credential=credential)
            used = {name: value for name, value in (("seat", seat), ("credential", credential)) if value}
            said: dict[str, Any] = {"text": reply.text, "is_error": bool(reply.refused)}
            if self.ended and not before:  # it may have no event, because it broke the episode: keep it whole
                said["request"] = _request(body, headers)
            self.remember({"http": f"{method} {path}", "app": app, **used, **said})
        return reply

    def remember(self, turn: dict[str, Any]) -> None:
        """Add a turn to the transcript."""
        self.transcript.append({**turn, "wall": time.time()})

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Interrupt an agent after this total time; never while the world is working."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def ring(*_: Any) -> None:
            if not self._in_world:
                raise Overtime

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _acting(self) -> Iterator[None]:
        self._in_world = True
        try:
            yield
        finally:
            self._in_world = False


def _request(body: Any, headers: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the rest of a request as JSON data, without headers that hold credentials."""
    data = body if isinstance(body, bytes) else b"" if body is None else json_body(body)
    named = {sendable(name): sendable(value) for name, value in (headers or {}).items()}
    heads = {name: value for name, value in named.items() if not _SECRET.search(name)}
    return {"headers": heads, "body": b64encode(data).decode()}


def body_of(request: Mapping[str, Any]) -> bytes | None:
    """Return the body of a request that a turn keeps whole."""
    return b64decode(request["body"]) if request.get("body") else None
