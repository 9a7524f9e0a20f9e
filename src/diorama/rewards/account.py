"""The account: one potential over facts and looks, one reward at the end, and three scales as views of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from diorama.kernel import Defect
from diorama.rewards.finding import Finding, Measure, finding_of, measure_of
from diorama.rewards.parts import Fact, Harm, Look, Quality, View
from diorama.rewards.readers import EXPECTED

HARM_LEFT = 0.5  # factor on the potential for each irreversible wrong act
LOOKS_AT_MOST = 0.2  # of the potential
DAMAGE_LOSES = 0.1  # from this sum of weights on, damage costs success
COMMITTED_AT_MOST = 2  # values that may be committed to one field
UNREADABLE = Measure(0.0, EXPECTED, "this text could not be read")


class Account(msgspec.Struct, frozen=True):
    """The state of the episode: which facts hold as booked, what was looked at, what was done wrong."""

    held: tuple[str, ...]
    harms: dict[str, int]
    potential: float
    looked: tuple[str, ...] = ()
    damage: float = 0.0
    """The sum of the weights of damage."""
    lost: tuple[str, ...] = ()
    """Other reasons that rule out success, by name."""

    @classmethod
    def of(
        cls,
        facts: Sequence[Fact],
        held: Collection[str],
        harms: dict[str, int],
        *,
        looks: Sequence[Look] = (),
        looked: Collection[str] = (),
        shown: Collection[str] = (),
        damage: float = 0.0,
        lost: Iterable[str] = (),
    ) -> Account:
        """Compute the potential: 1 at success; else the weight of looks and facts, lowered by harm and damage.

        `shown` are the fields whose deciding record has stood in a reply.
        """
        good = tuple(f.name for f in facts if f.name in held)
        seen = tuple(one.name for one in looks if one.name in looked)
        made = cls(good, harms, 0.0, seen, damage, tuple(lost))
        if made.success(facts):
            return msgspec.structs.replace(made, potential=1.0)
        deeds_hold = all(f.name in held for f in facts if f.kind == "deed")
        paid = [f for f in facts if f.name in held and _pays(f, deeds_hold, shown)]
        share = _share(math.fsum(f.weight for f in paid), math.fsum(f.weight for f in facts))
        if looks:
            part = _share(
                math.fsum(one.weight for one in looks if one.name in looked), math.fsum(one.weight for one in looks)
            )
            share = LOOKS_AT_MOST * part + (1.0 - LOOKS_AT_MOST) * share
        left = HARM_LEFT ** (sum(harms.values()) + len(made.lost)) * math.exp(-damage)
        return msgspec.structs.replace(made, potential=share * left)

    def success(self, facts: Sequence[Fact]) -> bool:
        """Check whether all facts hold, no harm was done, and damage is below what costs success."""
        whole = bool(facts) and len(self.held) == len(facts)
        return whole and not any(self.harms.values()) and not self.lost and self.damage < DAMAGE_LOSES


def _pays(one: Fact, deeds_hold: bool, shown: Collection[str]) -> bool:
    """Check whether a fact that holds earns short of success: words and fields need the deeds, fields a look."""
    if one.kind not in ("field", "words"):
        return True
    return deeds_hold and (one.kind == "words" or not one.decided_by or one.name in shown)


def _share(got: float, total: float) -> float:
    return got / total if total else 0.0


class ScorePart(msgspec.Struct, frozen=True):
    """One line of a score: what was judged, on which scale, what was expected and found, and events that show it."""

    name: str
    scale: str
    value: float
    because: str
    evidence: tuple[int, ...] = ()
    expected: str = ""
    found: str = ""
    weight: float | None = None
    """What it weighs among its kind: of a fact, a look, a quality or damage; the cost of one harm. Else None."""


class Score(msgspec.Struct, frozen=True):
    """Three views of one account: the reward of the turns, the progress of the workflow, and the final outcome."""

    step: float
    phase: float
    episode: float
    parts: list[ScorePart]


def check_facts(
    owner: Any, facts: Iterable[Fact], view: View, truth: Any, deeds: Collection[str]
) -> dict[str, Finding]:
    """Judge facts by the current state; deeds were judged when they were done."""
    return {f.name: finding_of(f.because, f.name in deeds if f.deed else _check(f, owner, view, truth)) for f in facts}


def _check(part: Fact, owner: Any, view: View, truth: Any) -> Any:
    """Judge a fact; it does not hold if a reader fails."""
    failures, place = view.history.failures, ("fact", part.name)
    made = failures.reading(place, lambda: part.check(owner, view, truth), False)
    said = failures.at(place)
    return Finding(False, EXPECTED, said) if said else made


def count_harms(owner: Any, harms: Sequence[Harm], view: View, truth: Any) -> dict[str, int]:
    """Count the harms that were done."""
    reading = view.history.failures.reading
    done = {h.name: int(reading(("harm", h.name), partial(h.count, owner, view, truth), 0)) for h in harms}
    return {name: count for name, count in done.items() if count}


def changed_minds(history: Mapping[str, Sequence[Any]]) -> dict[str, Finding]:
    """Return the fields that got more committed values than a field may have."""
    out = {}
    for field, values in history.items():
        given = [value for place, value in enumerate(values) if place == 0 or value != values[place - 1]]
        if len(given) > COMMITTED_AT_MOST:
            said = ", ".join(map(str, given))
            out[f"committed_{field}"] = Finding(
                False, f"{field} committed at most {COMMITTED_AT_MOST} times", f"{len(given)} committed values: {said}"
            )
    return out


def reward_of(
    account: Account,
    facts: Sequence[Fact],
    harms: Sequence[Harm],
    qualities: Mapping[str, float],
    weights: Mapping[str, float],
) -> tuple[float, bool]:
    """Return reward and success: 0.5 + 0.5 x quality on success, 0.4 x potential - damage on failure."""
    if account.success(facts):
        total = math.fsum(weights.values())
        level = math.fsum(weights[name] * value for name, value in qualities.items()) / total if total else 1.0
        return 0.5 + 0.5 * level * math.exp(-account.damage), True
    costs = {h.name: h.cost for h in harms}
    cost = math.fsum(costs[name] * count for name, count in account.harms.items()) + account.damage
    damage = 1.0 - math.exp(-cost)  # saturates: a reward is never below -1
    return 0.4 * account.potential - damage, False


def measure_qualities(owner: Any, qualities: Sequence[Quality], view: View, truth: Any) -> dict[str, Measure]:
    """Measure every quality; a value outside [0, 1] is a Defect of the grader."""
    out, reading = {}, view.history.failures.reading
    for part in qualities:
        level = reading(("quality", part.name), partial(part.measure, owner, view, truth), UNREADABLE)
        made = measure_of(part.because, level)
        if not 0.0 <= made.value <= 1.0:
            raise Defect(f"quality {part.name} is {made.value}, outside 0 to 1", boundary="grader")
        out[part.name] = made
    return out
