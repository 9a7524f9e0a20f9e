"""How the conformance suite plays: hands that keep what was done, hands that stop early, and attempts kept once."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec

from diorama.kernel import Reply, Snapshot, World
from diorama.rollout.episode import Episode, start
from diorama.rollout.result import Result
from diorama.scenarios import Hands, Scenario, Seen, load_all

SCENARIOS = load_all()
Play = Callable[[Hands, Any], None]


class Enough(Exception):
    """The hands may do no more."""


class KeptHands:
    """Hands that keep every action, and may be allowed only so many of them."""

    def __init__(
        self, episode: Episode, at_most: int = 10_000, before_finish: Callable[[], None] | None = None
    ) -> None:
        self._hands = episode.hands
        self._left = at_most
        self._before_finish = before_finish
        self.actions: list[tuple[Any, ...]] = []

    @property
    def brief(self) -> str:
        """What the agent is told."""
        return self._hands.brief

    @property
    def tools(self) -> list[dict[str, Any]]:
        """What the agent may use."""
        return self._hands.tools

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self._hands.ended

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Seen:
        """Use a tool, and remember it."""
        if tool == "finish" and self._before_finish is not None:
            self._before_finish()
        self._keep(("call", tool, arguments))
        return self._hands.call(tool, dict(arguments or {}))

    def http(
        self, app: str, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Speak an API, and remember it."""
        self._keep(("http", app, method, path, body, headers))
        return self._hands.http(app, method, path, body, headers)

    def _keep(self, action: tuple[Any, ...]) -> None:
        if self._left <= 0:
            raise Enough
        self._left -= 1
        self.actions.append(action)


class Attempt(msgspec.Struct, frozen=True):
    """How the oracle did on one variant: from where, by which actions, to what end."""

    staged: Snapshot
    truth: Any
    actions: tuple[tuple[Any, ...], ...]
    result: Result


def played(scenario: Scenario[Any], seed: int, play: Play, split: str = "train") -> tuple[Result, Episode]:
    """One attempt from staging to grading."""
    episode = start(scenario, seed, split=split)
    play(episode.hands, episode.truth)
    return episode.finish(), episode


@cache
def oracle(name: str, seed: int, split: str = "train") -> Attempt:
    """The oracle's attempt at a variant, made once per process."""
    scenario = SCENARIOS[name]
    episode = start(scenario, seed, split=split)
    staged = episode.snapshot()
    hands = KeptHands(episode)
    scenario.oracle(hands, episode.truth)
    return Attempt(staged, episode.truth, tuple(hands.actions), episode.finish())


def again(name: str, attempt: Attempt) -> Episode:
    """A fresh episode at the moment where an attempt began."""
    return Episode(SCENARIOS[name], World.at(attempt.staged))


def replay(episode: Episode, actions: tuple[tuple[Any, ...], ...]) -> Result:
    """The same actions, blindly."""
    for kind, *rest in actions:
        (episode.call if kind == "call" else episode.http)(*rest)
    return episode.finish()
