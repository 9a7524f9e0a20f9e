"""The score of a finished episode: every part says what was expected, what was found, and where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from diorama.rewards.account import Account, Score, ScorePart
from diorama.rewards.damage import Damage, parts_of_damage
from diorama.rewards.finding import Finding, Measure
from diorama.rewards.parts import Fact, Harm, Look, Quality


def score_of(
    steps: Sequence[ScorePart],
    account: Account,
    facts: Sequence[Fact],
    findings: Mapping[str, Finding],
    phases: Sequence[str],
    qualities: Mapping[str, Measure],
    damage: Sequence[Damage],
    judged: Sequence[Harm | Quality],
    reward: float,
    looks: Sequence[Look] = (),
) -> Score:
    """Return the score of a finished episode, with a reason for every part.

    On failure, what cost success comes before what holds. `findings` also has what else ruled out success.
    """
    parts = list(steps)
    reached = 0.0
    for phase in phases:
        own = [f for f in facts if f.phase == phase]
        weight = math.fsum(f.weight for f in own)
        got = math.fsum(f.weight for f in own if f.name in account.held) / weight if weight else 0.0
        missing = ", ".join(f.name for f in own if f.name not in account.held)
        said = f"missing: {missing}" if missing else "complete"
        parts.append(ScorePart(phase, "phase", got, said, (), ", ".join(f.name for f in own) or "nothing", said))
        reached += got / len(phases)
    parts += _outcome(account, facts, findings, damage, judged)
    for one in looks:
        seen = one.name in account.looked
        found = "it stood in a reply" if seen else "it never stood in a reply"
        parts.append(ScorePart(one.name, "look", float(seen), one.because, (), one.because, found, one.weight))
    known = {part.name: part for part in judged if isinstance(part, Quality)}
    for name, made in qualities.items():
        told = (made.evidence, made.expected, made.found)
        parts.append(ScorePart(name, "episode", made.value, known[name].because, *told, known[name].weight))
    return Score(math.fsum(part.value for part in steps), reached, reward, parts)


def _outcome(
    account: Account,
    facts: Sequence[Fact],
    findings: Mapping[str, Finding],
    damage: Sequence[Damage],
    judged: Sequence[Harm | Quality],
) -> list[ScorePart]:
    """Return the parts that decide success: facts, other reasons, harms and damage."""
    parts = []
    for f in facts:
        made = findings[f.name]
        value = float(f.name in account.held)
        parts.append(ScorePart(f.name, "episode", value, f.because, made.evidence, made.expected, made.found, f.weight))
    for name in account.lost:
        made = findings[name]
        parts.append(ScorePart(name, "episode", -1.0, made.expected, made.evidence, made.expected, made.found))
    harms = {part.name: part for part in judged if isinstance(part, Harm)}
    for name, count in account.harms.items():
        one = harms[name]
        told = (f"this never happens: {one.because}", f"{count} times")
        parts.append(ScorePart(name, "episode", -float(count), one.because, (), *told, one.cost))
    parts += parts_of_damage(damage)
    return parts
