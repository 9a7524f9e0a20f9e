"""Figures are judged against their targets; times are read relative to the speed of the machine."""

from typing import Any

import pytest

from diorama import bench
from diorama.bench import timing


@pytest.mark.parametrize(
    ("name", "value", "factor", "met"),
    [
        ("step_us_show_ticket", 84.0, 1.0, True),
        ("step_us_show_ticket", 86.0, 1.0, False),
        ("step_us_show_ticket", 160.0, 2.0, True),
        ("step_us_show_ticket", 86.0, 0.5, False),
        ("step_over_raw_sql", 3.2, 2.0, False),
        ("live_world_mb", 0.14, 2.0, False),
        ("medium_episodes_per_second", 30.0, 1.0, False),
        ("medium_episodes_per_second", 30.0, 2.0, True),
        ("fork_ms", {"small": 0.001, "large": 0.03, "ratio": 1.0}, 1.0, False),
        ("fork_ms", {"small": 0.001, "large": 0.002, "ratio": 2.0}, 1.0, False),
        ("snapshot_ms", {"small": 0.001, "large": 0.001, "ratio": 1.0}, 1.0, True),
        ("step_us_refund", 1e9, 1.0, None),
    ],
)
def test_a_figure_is_judged_by_its_target(name: str, value: Any, factor: float, met: bool | None) -> None:
    assert bench.judge(name, value, factor) is met


def test_the_machine_is_measured_beside_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "LOOPS", [])
    timing.median_us(lambda: None, rounds=3, batch=1)
    assert len(timing.LOOPS) == 3
    monkeypatch.setattr(timing, "LOOPS", [timing.LOOP_US * 2])
    assert timing.machine_factor() == 2.0


def test_a_long_family_is_measured_only_if_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "FAMILIES", {"steps": lambda: {"a": 1.0}, "worlds": lambda: {"b": 2.0}})
    assert bench.measure().keys() == {"a", "machine_factor"}
    assert bench.measure(only=("worlds",)).keys() == {"b", "machine_factor"}
