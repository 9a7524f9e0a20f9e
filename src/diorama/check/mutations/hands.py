"""Hands that record and alter what an oracle does, by operation, at the level of tools and of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diorama.check.mutations.asks import Answer, Ask, ask_of_call, send
from diorama.doors.tools import tools_of
from diorama.episodes.episode import Episode
from diorama.episodes.hands import PassedHands
from diorama.kernel import Reply
from diorama.kit import Tool
from diorama.scenarios import Seen

Alter = Callable[[Ask], Answer]
"""Answers an ask of the oracle: by sending it, altered or not, and by sending more."""


def tools_in(episode: Episode) -> dict[str, Tool]:
    """Return the tools of an episode by name, `wait` and `finish` included."""
    return tools_of([episode.app(name) for name in episode.scenario.apps])


class AlteredHands(PassedHands):
    """The agent interface of an episode; every call and request passes `alter` first."""

    def __init__(self, episode: Episode, alter: Alter | None = None) -> None:
        self.steps: list[tuple[Ask, Answer]] = []
        """What the oracle asked, and what it was answered."""
        self.tools_by_name = tools_in(episode)
        super().__init__(episode.hands)
        self._episode = episode
        self._alter = alter or self.send

    def send(self, ask: Ask) -> Answer:
        """Send an ask without altering it."""
        return send(self._hands, ask, self.tools_by_name)

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Seen:
        """Call a tool, altered."""
        ask = ask_of_call(self._episode, self.tools_by_name, tool, arguments or {})
        answer = self._answered(ask)
        if isinstance(answer, Reply):
            raise TypeError(f"{tool}: a tool call was answered by a bare reply")
        return answer

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
        """Send a request, altered."""
        where, _, query = path.partition("?")
        ask = Ask(
            app=app,
            method=method,
            path=where,
            query=query,
            body=body,
            headers=dict(headers or {}),
            seat=seat,
            credential=credential,
        )
        answer = self._answered(ask)
        if not isinstance(answer, Reply):
            raise TypeError(f"{method} {path}: a request was answered by an observation")
        return answer

    def _answered(self, ask: Ask) -> Answer:
        answer = self._alter(ask)
        self.steps.append((ask, answer))
        return answer
