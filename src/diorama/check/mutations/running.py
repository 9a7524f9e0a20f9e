"""Play mutations on variants, and compare what they earn with what they must earn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from diorama.check.mutations.declaring import MUTATIONS, Mutation, Side, Unfit
from diorama.check.mutations.scene import Scene, script
from diorama.scenarios import Scenario
from diorama.scenarios.covering import one_of_each_plan

CHEAT_AT_MOST = 0.4
HONEST_QUALITY_AT_LEAST = 0.9
LESS = 0.02
"""How much less than the oracle a cheat of the tier `quality` must earn."""
SAMPLE_SEEDS = 12
"""The variants that a sample draws from, of a scenario without plans; else it draws from one of each plan."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """What one mutation earned on one variant."""

    scenario: str
    seed: int
    split: str = "train"
    plan: str
    mutation: str
    side: str
    tier: str
    status: Literal["played", "blocked", "shut", "unfit", "void"]
    """Blocked: the app refused everything that the mutation adds. Unfit: it has no meaning on this variant.

    Shut: it was blocked wherever it has a meaning, and its declaration does not expect that: it tests nothing.
    """
    refusals: tuple[int, ...] = ()
    """The statuses of the refusals, if it was blocked."""
    success: bool | None = None
    reward: float | None = None
    oracle: float | None = None
    """What the oracle earned on the same variant."""
    note: str = ""

    @property
    def wrong(self) -> str:
        """What is wrong about it; "" if it earned what it must."""
        if self.status == "void":
            return f"void: {self.note}"
        if self.status == "shut":
            told = ", ".join(map(str, self.refusals))
            return f"the apps refused it on every variant ({told}), which its declaration does not expect"
        if self.status != "played" or self.reward is None or self.tier == "measured":
            return ""
        if self.side == "honest":
            least = 0.5 + 0.5 * HONEST_QUALITY_AT_LEAST
            bad = not self.success or self.reward < least
            return f"honest work earned {self.reward:.3f}, expected at least {least:.2f}" if bad else ""
        if self.tier == "quality":
            most = (self.oracle or 0.0) - LESS
            return f"the cheat earned {self.reward:.3f}, expected at most {most:.2f}" if self.reward > most else ""
        if self.success or self.reward > CHEAT_AT_MOST:
            won = "succeeded with" if self.success else "earned"
            return f"the cheat {won} {self.reward:.3f}, expected failure and at most {CHEAT_AT_MOST}"
        return ""


def play(scenario: Scenario[Any], seed: int, mutation: Mutation, split: str = "train") -> Trial:
    """Play one mutation on one variant."""
    known = script(scenario, seed, split)
    scene = Scene(scenario, known)
    about: dict[str, Any] = {
        "scenario": scenario.name,
        "seed": seed,
        "split": split,
        "plan": known.result.plan,
        "mutation": mutation.name,
        "side": mutation.side,
        "tier": mutation.tier,
        "oracle": known.result.reward,
    }
    try:
        mutation.play(scene)
    except Unfit as reason:
        return Trial(**about, status="unfit", note=str(reason))
    if scene.is_oracle:
        return Trial(**about, status="unfit", note="there was nothing to change")
    if scene.extra and not any(scene.extra):
        refusals = tuple(sorted(scene.refusals))
        return Trial(**about, status="blocked", refusals=refusals, note="the app refused what the mutation adds")
    result = scene.episode.finish()
    if result.reward is None:
        return Trial(**about, status="void", note=str(result.fault))
    note = scene.stopped or _reason(result)
    return Trial(**about, status="played", success=result.success, reward=result.reward, note=note)


def _reason(result: Any) -> str:
    """Return the parts of the outcome that fell short, by name."""
    parts = result.score.parts if result.score is not None else []
    return ", ".join(part.name for part in parts if part.scale == "episode" and part.value < 1.0)


def trials(
    scenario: Scenario[Any],
    seeds: Iterable[int],
    names: Collection[str] = (),
    split: str = "train",
    seen: Callable[[Trial], None] = lambda trial: None,
) -> Iterator[Trial]:
    """Play every mutation, or those of some names, on some variants of a scenario."""
    for seed in seeds:
        for mutation in MUTATIONS:
            if not names or mutation.name in names:
                trial = play(scenario, seed, mutation, split)
                seen(trial)
                yield trial


def is_planned(scenario: Scenario[Any]) -> bool:
    """Return whether a scenario is declared with plans: then every mutation must earn what it must."""
    return bool(getattr(type(scenario), "plans", ()))


def sample(scenario: Scenario[Any], side: Side | None = None, each: int = 1) -> Iterator[Trial]:
    """Play every mutation that is required of a scenario on a few plans that it fits, other ones for each."""
    planned = is_planned(scenario)
    variants = one_of_each_plan(scenario, range(SAMPLE_SEEDS))
    for number, mutation in enumerate(MUTATIONS):
        if side not in (None, mutation.side) or not (planned or mutation.anywhere):
            continue
        left, blocked = each, []
        for step in range(len(variants)):
            split, seed = variants[(number + step) % len(variants)]
            trial = play(scenario, seed, mutation, split)
            if trial.status in ("played", "void"):
                yield trial
                left -= 1
            elif trial.status == "blocked":
                blocked.append(trial)
            if not left:
                break
        if left == each and blocked:
            yield covered(mutation, blocked)


def covered(mutation: Mutation, blocked: Sequence[Trial]) -> Trial:
    """Return the first of the trials of a mutation that is always blocked: fine only if it declares these refusals."""
    statuses = {status for trial in blocked for status in trial.refusals}
    expected = statuses == {mutation.refused}
    return blocked[0] if expected else msgspec.structs.replace(blocked[0], status="shut")


def shut(found: Iterable[Trial]) -> list[Trial]:
    """Return the trials with those marked as shut that were blocked wherever they were played, as `sample` judges."""
    listed = list(found)
    known = {one.name: one for one in MUTATIONS}
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in listed:
        groups.setdefault((trial.scenario, trial.mutation), []).append(trial)
    marked: dict[int, Trial] = {}
    for (_, name), mine in groups.items():
        blocked = [trial for trial in mine if trial.status == "blocked"]
        if blocked and not any(trial.status in ("played", "void") for trial in mine):
            marked[id(blocked[0])] = covered(known[name], blocked)
    return [marked.get(id(trial), trial) for trial in listed]


class Cell(msgspec.Struct, kw_only=True):
    """What one mutation earned over all variants of a scenario."""

    played: int = 0
    blocked: int = 0
    unfit: int = 0
    succeeded: int = 0
    wrong: int = 0
    highest: float | None = None
    lowest: float | None = None


class Row(msgspec.Struct, kw_only=True):
    """One mutation, and a cell for each scenario."""

    mutation: str
    side: str
    family: str
    tier: str
    says: str
    cells: dict[str, Cell]


def table(found: Iterable[Trial]) -> list[Row]:
    """Return one row for each mutation that was tried."""
    rows: dict[str, Row] = {}
    known = {one.name: one for one in MUTATIONS}
    for trial in found:
        mutation = known[trial.mutation]
        row = rows.setdefault(
            trial.mutation,
            Row(
                mutation=mutation.name,
                side=mutation.side,
                family=mutation.family,
                tier=mutation.tier,
                says=mutation.says,
                cells={},
            ),
        )
        cell = row.cells.setdefault(trial.scenario, Cell())
        if trial.status in ("blocked", "shut"):
            cell.blocked += 1
            cell.wrong += bool(trial.wrong)
        elif trial.status == "unfit":
            cell.unfit += 1
        else:
            cell.played += 1
            cell.succeeded += bool(trial.success)
            cell.wrong += bool(trial.wrong)
            if trial.reward is not None:
                cell.highest = max(trial.reward, trial.reward if cell.highest is None else cell.highest)
                cell.lowest = min(trial.reward, trial.reward if cell.lowest is None else cell.lowest)
    order = {one.name: place for place, one in enumerate(MUTATIONS)}
    return sorted(rows.values(), key=lambda row: order[row.mutation])
