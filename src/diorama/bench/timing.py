"""Timing that is robust on a noisy machine: medians of batches, in CPU time of this thread."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

LOOP_TURNS = 2_000
LOOP_US = 170.0
"""CPU time of the loop on a quiet core of the machine for which the absolute targets were set (Xeon, 2.8 GHz)."""
LOOPS: list[float] = []
"""CPU time of the loop, measured beside every figure of this process."""


def loop() -> int:
    """Do a fixed amount of plain Python work."""
    total, seen = 0, {}
    for number in range(LOOP_TURNS):
        seen[number & 255] = total
        total = (total * 31 + number) & 0xFFFFFF
    return total


def clock_loop() -> None:
    """Measure the loop once."""
    started = time.thread_time()
    loop()
    LOOPS.append((time.thread_time() - started) * 1e6)


def machine_factor() -> float:
    """Return how much slower this machine was during the measurements than the one of the absolute targets."""
    if not LOOPS:
        clock_loop()
    return statistics.median(LOOPS) / LOOP_US


def median_us(act: Callable[[], Any], *, rounds: int = 30, batch: int = 50) -> float:
    """Return the median over rounds of the mean time of one call, in microseconds."""
    gc.collect()
    gc.disable()
    try:
        for _ in range(min(batch, 10)):  # after the collection, which has emptied the processor's caches
            act()
        samples = []
        for _ in range(rounds):
            clock_loop()
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
