"""Scenario cards and the results table, as Markdown."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from diorama.runs.trials import RUNGS, Summary, Trial, summarise
from diorama.scenarios import Scenario

HEADS = (
    "scenario",
    "variants",
    "plans",
    "oracle succeeds",
    "its least reward",
    "its turns",
    "doing nothing",
    "best cheat",
    "ladder",
)


def table(summaries: Sequence[Summary]) -> str:
    """Return one row per scenario: oracle, no-op, the best cheat, the ladder."""
    lines = [f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|"]
    for one in summaries:
        cheat = max(one.cheats, key=lambda name: one.cheats[name], default="")
        best = f"{_number(one.cheats[cheat])} `{cheat}`" if cheat else "none"
        below = "" if one.cheats_below else " **not below**"
        lines.append(
            f"| `{one.scenario}` | {one.variants} | {len(one.plans)} | {100 * one.oracle_success:.0f} % "
            f"| {_number(one.oracle_reward_min)} | {one.oracle_turns:g} | {_number(one.noop)} "
            f"| {best}{below} | {_ladder(one)} |"
        )
    return "\n".join(lines) + "\n"


def cheat_table(summaries: Sequence[Summary]) -> str:
    """Return the maximum reward of every cheat of every scenario."""
    lines = ["| scenario | cheat | at most |", "|---|---|---|"]
    for one in summaries:
        lines += [f"| `{one.scenario}` | `{name}` | {_number(most)} |" for name, most in one.cheats.items()]
    return "\n".join(lines) + "\n"


def page(summaries: Sequence[Summary], command: str) -> str:
    """Return the whole results page; `command` is what printed it."""
    shares = ", ".join(f"{100 * share:.0f} %" for share in RUNGS)
    return (
        "# Results of the scenarios\n"
        f"Printed by `{command}`: every scenario on its first {summaries[0].variants} variants. Rewards "
        "of at least 0.5 are successes. The ladder shows mean rewards of doing nothing, of oracles that stop "
        f"after {shares} of their way, and of those that finish.\n\n"
        f"{table(summaries)}\n"
        "## What cheats earn\n"
        "The most that each way of cheating got on any of these variants.\n\n"
        f"{cheat_table(summaries)}"
    )


def card(scenario: Scenario[Any], found: Sequence[Trial]) -> str:
    """Return everything about one scenario: its story, its plans, what it rewards, and what it does not."""
    one = summarise(found)
    lines = [f"# {scenario.name}", scenario.story, ""]
    limits = f"at most {scenario.turns} turns and {scenario.hours:g} hours. The agent is {scenario.person}."
    measured = (
        f"Measured on {one.variants} variants: the oracle succeeds on {100 * one.oracle_success:.0f} % of them, earns "
        f"at least {_number(one.oracle_reward_min)} and takes {one.oracle_turns:g} turns (median). Doing nothing earns "
        f"at most {_number(one.noop)}. Ladder: {_ladder(one)}."
    )
    lines += [f"World `{scenario.world}` ({scenario.size}), apps {_names(scenario.apps)}; {limits}", "", measured, ""]
    lines += ["## Plans", "| plan | split | variants | oracle succeeds | oracle's turns |", "|---|---|---|---|---|"]
    for plan, count in one.plans.items():
        mine = [trial for trial in found if trial.plan == plan]
        split = "eval-new" if mine[0].split == "eval-new" else "train, eval"
        won, turns = sum(trial.success for trial in mine), median(trial.turns for trial in mine)
        lines.append(f"| {plan or 'the only one'} | {split} | {count} | {won} | {turns:g} |")
    lines += ["", "## What it pays for", "| part | phase | weight | |", "|---|---|---|---|"]
    for fact in scenario.facts:
        kind = "deed" if fact.deed else "fact"
        lines.append(f"| `{fact.name}` ({kind}) | {fact.phase} | {fact.weight:g} | {_cell(fact.because)} |")
    for look in scenario.looks:
        lines.append(f"| `{look.name}` (look) | look | {look.weight:g} | {_cell(look.because)} |")
    for quality in scenario.qualities:
        lines.append(f"| `{quality.name}` (quality) | episode | {quality.weight:g} | {_cell(quality.because)} |")
    for harm in scenario.harms:
        lines.append(f"| `{harm.name}` (harm) | episode | -{harm.cost:g} | {_cell(harm.because)} |")
    lines += ["", "## Known cheats", "| cheat | earns at most | |", "|---|---|---|"]
    for name, most in one.cheats.items():
        said = (inspect.getdoc(scenario.cheats[name]) or "").partition("\n")[0]
        lines.append(f"| `{name}` | {_number(most)} | {_cell(said)} |")
    return "\n".join(lines) + "\n"


def _ladder(one: Summary) -> str:
    steps = " → ".join(_number(step) for step in one.ladder)
    return steps if one.rising else f"{steps} **not rising**"


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _number(value: float) -> str:
    """Format a number with two decimals, without a negative zero."""
    return f"{value + 0.0:.2f}".replace("-0.00", "0.00")
