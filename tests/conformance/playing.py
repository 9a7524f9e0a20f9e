"""How the conformance suite plays: hands that keep what was done, and attempts made once for many proofs."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Reply, Snapshot, World
from diorama.scenarios import Hands, Seen, load_all

SCENARIOS = load_all()
Play = Callable[[Hands, Any], None]


class KeptHands:
    """Hands that keep every action; whoever wants to do something before each of them may."""

    def __init__(self, episode: Episode, before: Callable[[str], None] | None = None) -> None:
        self._hands = episode.hands
        self._before = before
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
        self._keep(("call", tool, arguments))
        return self._hands.call(tool, dict(arguments or {}))

    def http(
        self, app: str, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Speak an API, and remember it."""
        self._keep(("http", app, method, path, body, headers))
        return self._hands.http(app, method, path, body, headers)

    def _keep(self, action: tuple[Any, ...]) -> None:
        if self._before is not None:
            self._before(str(action[1]))
        self.actions.append(action)


class Attempt(msgspec.Struct, frozen=True):
    """How the oracle did on one variant: from where, by which actions, through which moments, to what end."""

    staged: Snapshot
    truth: Any
    actions: tuple[tuple[Any, ...], ...]
    moments: tuple[Snapshot, ...]
    done: Episode
    result: Result


def played(name: str, seed: int, play: Play) -> tuple[Result, Episode]:
    """One attempt at a variant, from its staging to its grading."""
    episode = again(name, oracle(name, seed))
    play(episode.hands, episode.truth)
    return episode.finish(), episode


def oracle(name: str, seed: int, split: str = "train") -> Attempt:
    """The oracle's attempt at a variant, made once per process: the proofs of a scenario stand together."""
    return _oracle(name, seed, split)


@lru_cache(maxsize=60)
def _oracle(name: str, seed: int, split: str) -> Attempt:
    scenario = SCENARIOS[name]
    episode = start(scenario, seed, split=split)
    staged = episode.snapshot()
    moments: list[Snapshot] = []
    hands = KeptHands(episode, before=lambda _: moments.append(episode.snapshot()))
    scenario.oracle(hands, episode.truth)
    result = episode.finish()
    return Attempt(staged, episode.truth, tuple(hands.actions), tuple(moments), episode, result)


def again(name: str, attempt: Attempt, step: int = 0) -> Episode:
    """A fresh episode at the moment where an attempt began, or so many steps later."""
    return Episode(SCENARIOS[name], World.at(attempt.moments[step] if step else attempt.staged))


def replay(episode: Episode, actions: tuple[tuple[Any, ...], ...]) -> Result:
    """The same actions, blindly."""
    for kind, *rest in actions:
        (episode.call if kind == "call" else episode.http)(*rest)
    return episode.finish()
