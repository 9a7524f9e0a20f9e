"""Scenarios: one module is one situation, found by existing."""

from diorama.scenarios.anatomy import (
    SCENARIOS,
    Hands,
    Scenario,
    Seen,
    Stage,
    catalogue,
    cheat,
    find,
    load_all,
    scenario,
    split_of,
)

__all__ = [
    "SCENARIOS",
    "Hands",
    "Scenario",
    "Seen",
    "Stage",
    "catalogue",
    "cheat",
    "find",
    "load_all",
    "scenario",
    "split_of",
]
