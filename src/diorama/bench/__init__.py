"""The measurements of `diorama bench`: medians and ratios, all taken in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diorama.bench import branching, ceiling, episodes, grading, medium, memory, steps, timing, wire

FAMILIES: dict[str, Callable[[], dict[str, Any]]] = {
    "branching": branching.measure,
    "steps": steps.measure,
    "memory": memory.measure,
    "worlds": memory.measure_many,
    "episodes": episodes.measure,
    "grading": grading.measure,
    "medium": medium.measure,
    "wire": wire.measure,
    "ceiling": ceiling.measure,
}
LONG = frozenset({"worlds"})
"""Families that take minutes: measured only if they are named."""
TARGETS = {
    "reset_ms": 0.02,
    "fork_ms": 0.02,
    "fork_first_write_ms": 0.4,
    "episode_restore_us": 8.0,
    "episode_fork_us": 8.0,
    "live_world_mb": 0.13,
    "worlds_10000_gb": 1.5,
    "empty_operation_us": 12.0,
    "step_us_show_ticket": 85.0,
    "step_over_raw_sql": 3.1,
    "update_over_raw_sql": 4.0,
    "http_read_over_bare_asgi_cpu": 6.0,
    "http_write_over_bare_asgi_cpu": 25.0,
    "replay_over_acting": 1.0,
    "grading_over_episode": 0.1,
    "long_reply_ms": 50.0,
    "search_over_sql": 10.0,
    "view_over_sql": 10.0,
}
LEAST = {"medium_episodes_per_second": 50.0}
"""Targets that a figure must reach or exceed."""
RATIO_TARGET = 1.5
"""How much more expensive a large world may be than a small one."""


def measure(tell: Callable[[str], None] = lambda family: None, only: tuple[str, ...] = ()) -> dict[str, Any]:
    """Measure every figure by name: a number, or small, large and their ratio; and the machine itself."""
    out: dict[str, Any] = {}
    for name, family in FAMILIES.items():
        if name in only or (not only and name not in LONG):
            tell(name)
            out.update(family())
    out["machine_factor"] = timing.machine_factor()
    return out


def is_absolute(name: str) -> bool:
    """Return whether a figure is a time or a rate, which depends on the machine, and not a ratio or a size."""
    return "_over_" not in name and any(unit in name for unit in ("_us", "_ms", "_per_second"))


def judge(name: str, value: Any, factor: float) -> bool | None:
    """Return whether a figure meets its target; None if it has none.

    A time is first divided by the machine's factor, if this machine is slower than the one of the targets.
    """
    worst = max(value["small"], value["large"]) if isinstance(value, dict) else value
    if name in LEAST:
        return bool(worst * max(factor, 1.0) >= LEAST[name])
    if is_absolute(name):
        worst /= max(factor, 1.0)
    met = worst <= TARGETS[name] if name in TARGETS else None
    if isinstance(value, dict):
        met = met is not False and value["ratio"] <= RATIO_TARGET
    return met
