"""Hands: the interface that an agent gets to one episode; no score, seed or snapshot can be reached from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from diorama.doors.tools import Observation
from diorama.kernel import Reply
from diorama.scenarios.anatomy import Hands as AgentInterface


class Hands(AgentInterface, Protocol):
    """The agent interface: brief, tools and requests; it gives no access to a score, a seed or a snapshot.

    An agent may use every seat that its scenario allows: the scenario's list is the limit. A tool call always uses the
    agent's own seat; `http` uses it unless another one is named.
    """

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Observation: ...


class PassedHands:
    """Base of hands around other hands: they show what those show; a subclass says what `call` and `http` do."""

    def __init__(self, hands: AgentInterface) -> None:
        self._hands = hands

    @property
    def brief(self) -> str:
        """The task text for the agent."""
        return self._hands.brief

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as JSON schemas."""
        return self._hands.tools

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats that `http` may use."""
        return self._hands.seats

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self._hands.ended


def only_hands(source: Any, seats: tuple[str, ...]) -> Hands:
    """Return an object that has the agent interface of `source` and no attribute that leads to it.

    This is not a sandbox: code that inspects the frames of its own process finds everything.
    """

    task, schemas, allowed = str(source.brief), list(source.tools), seats

    class OnlyHands:
        """The agent interface: brief, tools, seats, ended, call and http."""

        __slots__ = ()

        @property
        def brief(self) -> str:
            """The task text for the agent."""
            return task

        @property
        def tools(self) -> list[dict[str, Any]]:
            """The tools as JSON schemas."""
            return schemas

        @property
        def seats(self) -> tuple[str, ...]:
            """The names of the seats that `http` may use."""
            return allowed

        @property
        def ended(self) -> bool:
            """Whether the episode has ended."""
            return bool(source.ended)

        def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Observation:
            """Call a tool."""
            seen: Observation = source.call(tool, arguments)
            return seen

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
            """Send a request to the vendor's API; see Episode.http for `seat` and `credential`."""
            reply: Reply = source.http(app, method, path, body, headers, seat=seat, credential=credential)
            return reply

    return OnlyHands()
