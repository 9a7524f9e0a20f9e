"""Scenarios: one module is one situation, found by existing."""

from diorama.scenarios.anatomy import (
    AGENT_SEAT,
    SCENARIOS,
    SPLITS,
    AllowedSeat,
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
    "AGENT_SEAT",
    "SCENARIOS",
    "SPLITS",
    "AllowedSeat",
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
