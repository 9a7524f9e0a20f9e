"""Trials: the measured rewards of a scenario's oracle, no-op, cheats, and oracles that stop early."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from multiprocessing import get_context
from statistics import fmean, median
from typing import Any

import msgspec

from diorama.doors.tools import Observation
from diorama.episodes.episode import start
from diorama.episodes.hands import Hands
from diorama.kernel import Reply
from diorama.scenarios import Scenario, find
from diorama.scenarios.covering import Variant, covering

RUNGS = (0.25, 0.5, 0.75)
"""How far the oracles of the ladder go, as a share of all turns."""
EVEN = 1e-9


class TurnsUsed(Exception):
    """Raised when an oracle has used its share of turns."""


class CountingHands:
    """An agent interface that counts calls, and stops after a given number."""

    def __init__(self, hands: Hands, most: int | None = None) -> None:
        self.brief, self.tools = hands.brief, hands.tools
        self.done = 0
        self._hands = hands
        self._most = most

    @property
    def ended(self) -> bool:
        """Whether the episode has ended."""
        return self._hands.ended

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Observation:
        """Call a tool."""
        self._count()
        return self._hands.call(tool, arguments)

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
        self._count()
        return self._hands.http(app, method, path, body, headers, seat=seat, credential=credential)

    def _count(self) -> None:
        if self._most is not None and self.done >= self._most:
            raise TurnsUsed
        self.done += 1


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all agents on one variant of a scenario."""

    scenario: str
    seed: int
    split: str = "train"
    plan: str
    success: bool
    reward: float
    """For the oracle."""
    turns: int
    """For the oracle."""
    noop: float
    cheats: dict[str, float]
    ladder: tuple[float, ...]
    """Rewards of oracles that stop after a quarter, half and three quarters of their turns."""


def _ended(scenario: Scenario[Any], variant: Variant, act: Callable[[Any, Any], None], most: int | None = None) -> Any:
    """Run an agent in a variant; return the result and the number of calls."""
    episode = start(scenario, variant.seed, split=variant.split)
    hands = CountingHands(episode.hands, most)
    with suppress(TurnsUsed):
        act(hands, episode.truth)
    result = episode.finish()
    if result.reward is None:
        raise RuntimeError(f"{scenario.name} seed {variant.seed} ({variant.split}) is void: {result.fault}")
    return result, hands.done


def trial(asked: tuple[str, Variant]) -> Trial:
    """Run all agents on one variant."""
    name, variant = asked
    scenario = find(name)
    best, turns = _ended(scenario, variant, scenario.oracle)
    return Trial(
        scenario=name,
        seed=variant.seed,
        split=variant.split,
        plan=best.plan,
        success=bool(best.success),
        reward=best.reward,
        turns=turns,
        noop=_ended(scenario, variant, lambda hands, truth: None)[0].reward,
        cheats={cheat: _ended(scenario, variant, act)[0].reward for cheat, act in scenario.cheats.items()},
        ladder=tuple(_ended(scenario, variant, scenario.oracle, int(turns * share))[0].reward for share in RUNGS),
    )


def variants_of(name: str, seeds: int, every_plan: bool = False) -> list[Variant]:
    """Return the variants that are tried: the first ones of train and, if asked for, one of each other plan."""
    first = [Variant("train", seed) for seed in range(seeds)]
    if not every_plan:
        return first
    return [one for one in covering(find(name), {"train": range(seeds)}) if one.split != "eval"]


def trials(
    names: Iterable[str],
    seeds: int,
    parallel: int = 0,
    seen: Callable[[Trial], None] = lambda one: None,
    every_plan: bool = False,
) -> dict[str, list[Trial]]:
    """Run every scenario on `seeds` variants, over several processes (0: one per core, at most four).

    `every_plan` adds one variant of each plan that these do not draw, also of the plans of `eval-new`.
    """
    asked = [(name, one) for name in names for one in variants_of(name, seeds, every_plan)]
    workers = min(parallel or min(os.cpu_count() or 1, 4), len(asked) or 1)
    found: dict[str, list[Trial]] = defaultdict(list)
    if workers <= 1:
        for one in map(trial, asked):
            seen(one)
            found[one.scenario].append(one)
        return dict(found)
    with get_context("spawn").Pool(workers) as pool:
        for one in pool.imap(trial, asked, chunksize=2):
            seen(one)
            found[one.scenario].append(one)
    return dict(found)


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one scenario's trials."""

    scenario: str
    variants: int
    plans: dict[str, int]
    oracle_success: float
    oracle_reward_min: float
    oracle_turns: float
    """The median."""
    noop: float
    """The maximum reward for doing nothing."""
    cheats: dict[str, float]
    """The maximum reward of each cheat."""
    cheats_below: bool
    """Whether every cheat earned less than every oracle."""
    ladder: tuple[float, ...]
    """Mean rewards of doing nothing, of oracles that stop early, and of complete ones."""
    rising: bool
    """Whether each rung of the ladder pays at least as much as the one before, and the last the most."""


def summarise(found: Sequence[Trial]) -> Summary:
    """Summarise the trials of one scenario."""
    cheats = {name: max(one.cheats[name] for one in found) for name in found[0].cheats}
    worst = min(one.reward for one in found)
    rungs = [fmean(one.ladder[place] for one in found) for place in range(len(RUNGS))]
    ladder = (fmean(one.noop for one in found), *rungs, fmean(one.reward for one in found))
    return Summary(
        scenario=found[0].scenario,
        variants=len(found),
        plans=dict(Counter(one.plan for one in found).most_common()),
        oracle_success=fmean(one.success for one in found),
        oracle_reward_min=worst,
        oracle_turns=median(one.turns for one in found),
        noop=max(one.noop for one in found),
        cheats=cheats,
        cheats_below=max(cheats.values(), default=-1.0) < worst,
        ladder=ladder,
        rising=all(a <= b + EVEN for a, b in pairwise(ladder)) and ladder[-1] > ladder[-2],
    )
