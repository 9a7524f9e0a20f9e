"""What probing policies solved, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from diorama.check.mutations.probes import LIMITS, Probe


def policy_table(found: Mapping[str, Sequence[Probe]]) -> str:
    """Return one row per scenario, one column per policy; what is above its limit is marked."""
    policies = list(dict.fromkeys(one.policy for probes in found.values() for one in probes))
    limits = [f" (at most {100 * LIMITS[one]:g} %)" if one in LIMITS else "" for one in policies]
    heads = [f"`{one}`{limit}" for one, limit in zip(policies, limits, strict=True)]
    lines = [f"| scenario | {' | '.join(heads)} |", "|---" * (len(policies) + 1) + "|"]
    for name, probes in found.items():
        shares = {one.policy: _share(one) for one in probes}
        lines.append(f"| `{name}` | {' | '.join(shares.get(one, '') for one in policies)} |")
    return "\n".join(lines) + "\n"


def _share(one: Probe) -> str:
    shown = f"{100 * one.share:.0f} %"
    return f"**{shown}**" if one.wrong else shown


def policy_section(found: Mapping[str, Sequence[Probe]], fit: int, test: int) -> str:
    """Return the part of the results page about policies that do not understand the task."""
    return (
        "\n## What policies solve that do not understand the task\n"
        f"Each [probing policy](mutations.md#probing-policies) was fitted on {fit} variants and measured on {test} "
        "others. Shares above the limit are bold.\n\n"
        f"{policy_table(found)}"
    )


def policy_card(probes: Sequence[Probe]) -> str:
    """Return the part of a scenario's card about policies."""
    lines = ["", "## Policies that do not understand it", "| policy | solves | at most | |", "|---|---|---|---|"]
    for one in probes:
        most = "" if one.limit is None else f"{100 * one.limit:g} %"
        lines.append(f"| `{one.policy}` | {one.solved} of {one.n} | {most} | {one.says} |")
    return "\n".join(lines) + "\n"
