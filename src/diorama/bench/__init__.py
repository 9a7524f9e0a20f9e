"""The measurements of `diorama bench`: medians and ratios, all taken in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diorama.bench import branching, ceiling, episodes, medium, memory, steps, wire

FAMILIES: dict[str, Callable[[], dict[str, Any]]] = {
    "branching": branching.measure,
    "steps": steps.measure,
    "memory": memory.measure,
    "episodes": episodes.measure,
    "medium": medium.measure,
    "wire": wire.measure,
    "ceiling": ceiling.measure,
}
TARGETS = {
    "reset_ms": 0.02,
    "fork_ms": 0.02,
    "fork_first_write_ms": 0.4,
    "episode_restore_us": 8.0,
    "episode_fork_us": 8.0,
    "live_world_mb": 0.25,
    "empty_operation_us": 30.0,
    "step_over_raw_sql": 3.0,
    "http_read_over_bare_asgi_cpu": 6.0,
    "http_write_over_bare_asgi_cpu": 25.0,
    "replay_over_acting": 1.0,
    "search_over_sql": 10.0,
    "view_over_sql": 10.0,
}
LEAST = {"medium_episodes_per_second": 50.0}
"""Targets that a figure must reach or exceed."""
RATIO_TARGET = 1.5
"""How much more expensive a large world may be than a small one."""


def measure(tell: Callable[[str], None] = lambda family: None, only: tuple[str, ...] = ()) -> dict[str, Any]:
    """Measure every figure by name: a number, or small, large and their ratio."""
    out: dict[str, Any] = {}
    for name, family in FAMILIES.items():
        if not only or name in only:
            tell(name)
            out.update(family())
    return out
