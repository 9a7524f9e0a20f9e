"""Checks of a scenario by mutations of its oracle: cheats must not pay, honest variants must win."""

from collections.abc import Iterator
from typing import Any

from diorama.check.declaring import check
from diorama.check.mutations import Trial, sample
from diorama.check.mutations.grounded import grounded
from diorama.check.playing import oracle
from diorama.check.scenarios import SEEDS
from diorama.scenarios import Scenario

FEW = SEEDS["train"][:12]


@check("scenario")
def generated_cheats_do_not_pay(scenario: Scenario[Any]) -> Iterator[str]:
    """An oracle that also lies, leaks, harms, guesses or leaves something out earns what its kind must earn."""
    oracle(scenario, 0)  # a broken one raises its own cause
    yield from (_told(trial) for trial in sample(scenario, "cheat") if trial.wrong)


@check("scenario")
def generated_honest_variants_win(scenario: Scenario[Any]) -> Iterator[str]:
    """An oracle that does the same work in another way succeeds with a quality of at least 0.9."""
    oracle(scenario, 0)
    yield from (_told(trial) for trial in sample(scenario, "honest") if trial.wrong)


def _told(trial: Trial) -> str:
    short = f" (below 1: {trial.note})" if trial.note else ""
    return f"{trial.mutation} on {trial.seed} ({trial.plan}): {trial.wrong}{short}"


@check("scenario")
def the_oracle_is_grounded(scenario: Scenario[Any]) -> Iterator[str]:
    """Every id, amount, date and address that the oracle uses stood in the brief or was shown before."""
    oracle(scenario, 0)
    for seed in FEW:
        found = grounded(scenario, seed)
        if found.first is not None:
            value = found.first.value
            yield (
                f"{seed} ({found.plan}): step {found.first.step}, {found.first.operation}: the {value.kind} "
                f"{value.text!r} ({value.argument}) was never shown; {len(found.ungrounded)} of {found.values} values"
            )
