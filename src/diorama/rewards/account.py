"""The account: one potential over the facts, one reward at the end, and three scales as views of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from diorama.kernel import Defect
from diorama.rewards.collateral import Collateral
from diorama.rewards.parts import Fact, Harm, Quality, View

HARM_LEFT = 0.5  # factor on the potential for each irreversible wrong act
DAMAGE_SCALE = 20.0  # with this number of collateral rows, the damage is 63 % of its maximum
DAMAGE_MOST = 0.5


class Account(msgspec.Struct, frozen=True):
    """The state of the episode: which facts hold, what harm was done, and the resulting potential."""

    held: tuple[str, ...]
    harms: dict[str, int]
    potential: float

    @classmethod
    def of(cls, facts: Sequence[Fact], held: set[str], harms: dict[str, int]) -> Account:
        """Compute the potential: the weight of the facts that hold, permanently lowered by every harm."""
        good = {f.name: f.weight for f in facts if f.name in held}
        total = math.fsum([f.weight for f in facts])
        share = math.fsum(good.values()) / total if total else 0.0
        return cls(tuple(good), harms, share * HARM_LEFT ** sum(harms.values()))

    def success(self, facts: Sequence[Fact]) -> bool:
        """Check whether all facts hold and no harm was done."""
        return bool(facts) and len(self.held) == len(facts) and not any(self.harms.values())


class ScorePart(msgspec.Struct, frozen=True):
    """One line of a score: what was judged, on which scale, why, and the events that show it."""

    name: str
    scale: str
    value: float
    because: str
    evidence: tuple[int, ...] = ()


class Score(msgspec.Struct, frozen=True):
    """Three views of one account: the reward of the turns, the progress of the workflow, and the final outcome."""

    step: float
    phase: float
    episode: float
    parts: list[ScorePart]


def evaluate(
    owner: Any, facts: Sequence[Fact], harms: Sequence[Harm], view: View, truth: Any, deeds: AbstractSet[str]
) -> Account:
    """Judge the current state: facts and harms now; deeds were judged when they were done."""
    held = {f.name for f in facts if (f.name in deeds if f.deed else bool(f.check(owner, view, truth)))}
    done = {h.name: int(h.count(owner, view, truth)) for h in harms}
    return Account.of(facts, held, {name: count for name, count in done.items() if count})


def reward_of(
    account: Account,
    facts: Sequence[Fact],
    harms: Sequence[Harm],
    qualities: dict[str, float],
    weights: dict[str, float],
    rows: int,
) -> tuple[float, bool]:
    """Return reward and success: 0.5 + 0.5 x quality on success, 0.4 x potential - damage on failure."""
    stray = 1.0 - math.exp(-rows / DAMAGE_SCALE)
    if account.success(facts):
        total = math.fsum(weights.values())
        level = math.fsum(weights[name] * value for name, value in qualities.items()) / total if total else 1.0
        return 0.5 + 0.5 * level * (1.0 - stray), True
    costs = {h.name: h.cost for h in harms}
    cost = math.fsum(costs[name] * count for name, count in account.harms.items()) + DAMAGE_MOST * stray
    damage = 1.0 - math.exp(-cost)  # saturates: a reward is never below -1
    return 0.4 * account.potential - damage, False


def measure_qualities(owner: Any, qualities: Sequence[Quality], view: View, truth: Any) -> dict[str, float]:
    """Measure every quality; a value outside [0, 1] is a Defect of the grader."""
    out = {}
    for part in qualities:
        value = float(part.measure(owner, view, truth))
        if not 0.0 <= value <= 1.0:
            raise Defect(f"quality {part.name} is {value}, outside 0 to 1", boundary="grader")
        out[part.name] = value
    return out


def score_of(
    steps: Sequence[ScorePart],
    account: Account,
    facts: Sequence[Fact],
    phases: Sequence[str],
    qualities: dict[str, float],
    rows: Sequence[Collateral],
    judged: Sequence[Harm | Quality],
    reward: float,
) -> Score:
    """Return the score of a finished episode, with a reason for every part."""
    parts = list(steps)
    reached = 0.0
    for phase in phases:
        own = [f for f in facts if f.phase == phase]
        weight = math.fsum(f.weight for f in own)
        got = math.fsum(f.weight for f in own if f.name in account.held) / weight if weight else 0.0
        missing = ", ".join(f.name for f in own if f.name not in account.held)
        parts.append(ScorePart(phase, "phase", got, f"missing: {missing}" if missing else "complete"))
        reached += got / len(phases)
    for f in facts:
        parts.append(ScorePart(f.name, "episode", float(f.name in account.held), f.because))
    because = {part.name: part.because for part in judged}
    for name, count in account.harms.items():
        parts.append(ScorePart(name, "episode", -float(count), because[name]))
    for name, value in qualities.items():
        parts.append(ScorePart(name, "episode", value, because[name]))
    if rows:
        first = rows[0]
        why = f"{len(rows)} rows outside the task, the first {first.table} {first.key} ({first.op})"
        parts.append(
            ScorePart("collateral", "episode", -float(len(rows)), why, tuple(sorted({row.seq for row in rows})))
        )
    return Score(math.fsum(part.value for part in steps), reached, reward, parts)
