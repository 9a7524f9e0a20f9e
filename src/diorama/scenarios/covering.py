"""Which variants cover a scenario: for each plan of each split the first seed that draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from diorama.scenarios.anatomy import Scenario, dice_of, drawn_plan, plans_of

SEARCHED = 5_000
"""The seeds of a split among which each plan is looked for."""


class Variant(NamedTuple):
    """One variant of a scenario."""

    split: str
    seed: int


def first_variants(scenario: Scenario[Any]) -> dict[tuple[str, str], Variant]:
    """Return the first variant of each plan, by split and the plan's name; nothing is staged.

    Empty for a scenario without `plans`: its plans are known only once its variants are staged.
    """
    plans = _plans(scenario)
    found: dict[tuple[str, str], Variant] = {}
    for split in scenario.splits if plans else ():
        left = {plan.name for plan in plans_of(plans, split)}
        for seed in range(SEARCHED):
            if not left:
                break
            name = _plan(scenario, plans, Variant(split, seed))
            if name in left:
                left.remove(name)
                found[split, name] = Variant(split, seed)
    return found


def covering(scenario: Scenario[Any], seeds: Mapping[str, range]) -> list[Variant]:
    """Return the variants of these seeds by split, and the first variant of every plan that they do not draw."""
    plans = _plans(scenario)
    listed = [Variant(split, seed) for split in scenario.splits for seed in seeds.get(split, ())]
    drawn = {(one.split, _plan(scenario, plans, one)) for one in listed if plans}
    return [*listed, *(one for key, one in first_variants(scenario).items() if key not in drawn)]


def one_of_each_plan(scenario: Scenario[Any], without_plans: range) -> list[Variant]:
    """Return one variant of each plan: of its split, train for those that train and eval share.

    A scenario without `plans` has the given seeds of train.
    """
    found = [one for one in first_variants(scenario).values() if one.split != "eval"]
    return found or [Variant("train", seed) for seed in without_plans]


def variants_of_plan(scenario: Scenario[Any], plan: str, split: str, count: int) -> list[Variant]:
    """Return the first variants of one plan in a split."""
    plans = _plans(scenario)
    every = (Variant(split, seed) for seed in range(SEARCHED))
    return list(islice((one for one in every if _plan(scenario, plans, one) == plan), count))


def plan_drawn(scenario: Scenario[Any], seed: int, split: str) -> str:
    """Return the name of the plan that a seed of a split draws, without staging it; "" without plans."""
    plans = _plans(scenario)
    return _plan(scenario, plans, Variant(split, seed)) if plans else ""


def _plans(scenario: Scenario[Any]) -> Sequence[Any]:
    """Return the plans that a scenario draws with `Stage.plan_of`."""
    plans = getattr(scenario, "plans", ())
    return plans if all(hasattr(one, "split") and hasattr(one, "name") for one in plans) else ()


def _plan(scenario: Scenario[Any], plans: Sequence[Any], one: Variant) -> str:
    return str(drawn_plan(dice_of(scenario.name, one.seed, one.split), plans, one.split).name)


__all__ = ["Variant", "covering", "first_variants", "one_of_each_plan", "plan_drawn", "variants_of_plan"]
