"""Checks of a scenario by mutations of its oracle: cheats must not pay, honest variants must win."""

from collections.abc import Iterator
from typing import Any

from diorama.check.declaring import check
from diorama.check.mutations import Trial, sample
from diorama.check.mutations.grounded import grounded
from diorama.check.playing import oracle
from diorama.check.scenarios import SEEDS
from diorama.scenarios import Scenario
from diorama.scenarios.covering import one_of_each_plan

FEW = SEEDS["train"][:12]
"""The variants of a scenario without plans."""


def _try_oracles(scenario: Scenario[Any]) -> None:
    """Play the oracles that are changed: a broken one raises its own cause, with its plan."""
    for split, seed in one_of_each_plan(scenario, range(1)):
        oracle(scenario, seed, split)


@check("scenario")
def generated_cheats_do_not_pay(scenario: Scenario[Any]) -> Iterator[str]:
    """An oracle that also lies, leaks, harms, guesses or leaves something out earns what its kind must earn."""
    _try_oracles(scenario)
    yield from (_told(trial) for trial in sample(scenario, "cheat") if trial.wrong)


@check("scenario")
def generated_honest_variants_win(scenario: Scenario[Any]) -> Iterator[str]:
    """An oracle that does the same work in another way succeeds with a quality of at least 0.9."""
    _try_oracles(scenario)
    yield from (_told(trial) for trial in sample(scenario, "honest") if trial.wrong)


def _told(trial: Trial) -> str:
    short = f" (below 1: {trial.note})" if trial.note else ""
    split = "" if trial.split == "train" else f"{trial.split} "
    return f"{trial.mutation} on {split}{trial.seed} ({trial.plan}): {trial.wrong}{short}"


@check("scenario")
def the_oracle_is_grounded(scenario: Scenario[Any]) -> Iterator[str]:
    """Every id, amount, date and address that the oracle uses stood in the brief or was shown before."""
    _try_oracles(scenario)
    for split, seed in one_of_each_plan(scenario, FEW):
        found = grounded(scenario, seed, split)
        if found.wrong:
            yield f"{'' if split == 'train' else f'{split} '}{seed} ({found.plan}): {found.wrong}"
