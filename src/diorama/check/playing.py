"""Play scenarios for checks: record what an agent does, and keep the oracle's attempts for all checks."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from diorama.episodes.episode import Episode, start
from diorama.episodes.hands import PassedHands
from diorama.episodes.result import Result
from diorama.kernel import Defect, Reply, Snapshot, World
from diorama.kernel.location import described
from diorama.scenarios import Hands, Scenario, Seen

Play = Callable[[Hands, Any], None]
Action = tuple[Any, ...]


class KeptHands(PassedHands):
    """Hands that keep every action; `before` is called before each of them."""

    def __init__(self, episode: Episode, before: Callable[[str], None] | None = None) -> None:
        super().__init__(episode.hands)
        self._before = before
        self.actions: list[Action] = []

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Seen:
        """Use a tool, and keep the call."""
        self._keep(("call", tool, arguments))
        return self._hands.call(tool, dict(arguments or {}))

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
        """Send a request to an API, and keep it."""
        self._keep(("http", app, method, path, body, headers, seat, credential))
        return self._hands.http(app, method, path, body, headers, seat=seat, credential=credential)

    def _keep(self, action: Action) -> None:
        if self._before is not None:
            self._before(str(action[1]))
        self.actions.append(action)


def act(episode: Episode, play: Play, hands: Hands | None = None) -> None:
    """Let an oracle or a cheat play; if it fails because the world broke, raise that Defect instead of its own error.

    `hands` are its own unless others are given.
    """
    try:
        play(hands if hands is not None else episode.hands, episode.truth)
    except Exception as error:
        broken = episode.world.defect
        if broken is not None:
            raise broken from broken.__cause__ or error
        raise


class Attempt(msgspec.Struct, frozen=True):
    """What the oracle did on one variant: its start, its actions, the moment before each, and its end."""

    staged: Snapshot
    truth: Any
    actions: tuple[Action, ...]
    moments: tuple[Snapshot, ...]
    done: Episode
    result: Result


class OracleFailed(Exception):
    """The oracle raised an error; the message names the variant and its plan."""


@lru_cache(maxsize=144)  # more than one of each plan of each split
def oracle(scenario: Scenario[Any], seed: int, split: str = "train") -> Attempt:
    """Return the oracle's attempt at a variant, made once per process: the checks of a scenario follow each other."""
    episode = start(scenario, seed, split=split)
    staged = episode.snapshot()
    moments: list[Snapshot] = []
    hands = KeptHands(episode, before=lambda _: moments.append(episode.snapshot()))
    try:
        act(episode, scenario.oracle, hands)
    except Defect:
        raise
    except Exception as error:
        plan = str(getattr(episode.truth, "plan", "?"))
        raise OracleFailed(f"{split} {seed} (plan {plan}): {described(error)}") from error
    result = episode.finish()
    return Attempt(staged, episode.truth, tuple(hands.actions), tuple(moments), episode, result)


def again(scenario: Scenario[Any], attempt: Attempt, step: int = 0) -> Episode:
    """Return a new episode at the moment where an attempt began, or before a later step."""
    return Episode(scenario, World.at(attempt.moments[step] if step else attempt.staged))


def played(scenario: Scenario[Any], seed: int, play: Play, split: str = "train") -> tuple[Result, Episode]:
    """Play a variant from its staging to its grading."""
    episode = again(scenario, oracle(scenario, seed, split))
    act(episode, play)
    return episode.finish(), episode


def repeat(hands: Any, actions: tuple[Action, ...]) -> None:
    """Do the same actions, whatever comes back."""
    for kind, *rest in actions:
        if kind == "call":
            hands.call(*rest)
        else:
            *asked, seat, credential = rest
            hands.http(*asked, seat=seat, credential=credential)


def replay(episode: Episode, actions: tuple[Action, ...]) -> Result:
    """Do the same actions in another episode, and finish it."""
    repeat(episode, actions)
    return episode.finish()
