"""Result: how one episode ended; either void or scored, never both."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from diorama.kernel import Defect
from diorama.rewards import Score

Ended = Literal["done", "gave_up", "step_limit", "time_limit", "token_limit", "void"]


class Versions(msgspec.Struct, frozen=True):
    """The versions a result depends on; a replay with another version is refused."""

    image: str
    package: str
    reward: str


UNKNOWN_VERSIONS = Versions("", "", "")


class Fault(msgspec.Struct, frozen=True):
    """A failure: at which boundary, how, and at which event."""

    boundary: str
    kind: str
    message: str
    at: int | None = None

    @classmethod
    def of(cls, defect: Defect) -> Fault:
        """Return the fault of a defect."""
        return cls(defect.boundary, defect.kind, defect.message, defect.at)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one attempt at one scenario with one seed; `reward` is None if and only if it is void."""

    episode: str
    scenario: str
    seed: int
    split: str
    versions: Versions
    ended: Ended
    success: bool | None
    reward: float | None
    score: Score | None
    fault: Fault | None
    turns: int
    virtual_seconds: float
    state: str
    trace: str
    plan: str = ""
    agent: str = ""
    wall_seconds: float = 0.0
    unreadable: list[str] = []
    """The errors of our own readers at what the agent wrote, such as `KeyError in kit/encodings.py`; costs success."""

    @classmethod
    def scored(cls, *, ended: Ended, success: bool, reward: float, score: Score, **rest: Any) -> Result:
        """Return the result of an episode that was graded."""
        return cls(ended=ended, success=success, reward=reward, score=score, fault=None, **rest)

    @classmethod
    def void(
        cls,
        defect: Defect,
        *,
        episode: str,
        scenario: str,
        seed: int,
        split: str,
        versions: Versions = UNKNOWN_VERSIONS,
        turns: int = 0,
        virtual_seconds: float = 0.0,
        state: str = "",
        trace: str = "",
        plan: str = "",
        agent: str = "",
        wall_seconds: float = 0.0,
    ) -> Result:
        """Return the result of an episode that the harness broke: nothing about it may be trained on.

        What is not known, because the worker took it along, stays empty.
        """
        return cls(
            episode=episode,
            scenario=scenario,
            seed=seed,
            split=split,
            versions=versions,
            ended="void",
            success=None,
            reward=None,
            score=None,
            fault=Fault.of(defect),
            turns=turns,
            virtual_seconds=virtual_seconds,
            state=state,
            trace=trace,
            plan=plan,
            agent=agent,
            wall_seconds=wall_seconds,
        )
