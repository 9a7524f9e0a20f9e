"""Timing that is robust on a noisy machine: medians of batches, in CPU time of this thread."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any


def median_us(act: Callable[[], Any], *, rounds: int = 30, batch: int = 50) -> float:
    """Return the median over rounds of the mean time of one call, in microseconds."""
    for _ in range(min(batch, 10)):
        act()
    gc.collect()
    gc.disable()
    try:
        samples = []
        for _ in range(rounds):
            started = time.thread_time()
            for _ in range(batch):
                act()
            samples.append((time.thread_time() - started) / batch)
    finally:
        gc.enable()
    return statistics.median(samples) * 1e6


def compared_us(
    first: Callable[[], Any], second: Callable[[], Any], *, rounds: int = 30, batch: int = 20
) -> tuple[float, float]:
    """Measure two medians alternately, so that both see the same machine load."""
    one, other = [], []
    for _ in range(rounds):
        one.append(median_us(first, rounds=1, batch=batch))
        other.append(median_us(second, rounds=1, batch=batch))
    return statistics.median(one), statistics.median(other)


def sized(small: float, large: float) -> dict[str, float]:
    """Return a figure for the small and the large world, and their ratio."""
    return {"small": small, "large": large, "ratio": large / small}
