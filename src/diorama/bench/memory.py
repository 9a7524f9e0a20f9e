"""Memory of live worlds on the large image after ten steps each: of one with and without its log, of ten thousand."""

from __future__ import annotations

import gc
import multiprocessing
import os
from typing import Any

from diorama.bench.steps import MIX, mix_of
from diorama.kernel import World
from diorama.worlds import open_world

FEW = 1000
MANY = 10_000
STEPS = 10


def resident_mb() -> float:
    """Return the resident memory of this process in MB, without the mapped image."""
    with open("/proc/self/statm") as file:
        _, resident, shared, *_ = (int(pages) for pages in file.read().split())
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure_worlds(count: int, keep_logs: bool) -> tuple[float, float]:
    """Return the megabytes that this many live worlds take in this process, and those of the whole process."""
    parent = open_world("larkspur", "large")
    requests = mix_of(parent)
    names = [name for name, count in MIX.items() for _ in range(count)][:STEPS]
    warm = parent.fork()
    for name in names:
        requests[name](warm)
    gc.collect()
    before = resident_mb()
    live: list[World] = []
    for _ in range(count):
        world = parent.fork()
        for name in names:
            requests[name](world)
        if not keep_logs:
            world.chain = world.chain.bare()
        live.append(world)
    gc.collect()
    return resident_mb() - before, resident_mb()


def measure() -> dict[str, Any]:
    """Measure one live world, with and without its log, over a thousand of them."""
    bare, logged = apart(FEW, False), apart(FEW, True)
    return {"live_world_mb": bare[0] / FEW, "live_world_with_log_mb": logged[0] / FEW}


def measure_many() -> dict[str, Any]:
    """Measure a whole process that holds ten thousand live worlds."""
    return {"worlds_10000_gb": apart(MANY, False)[1] / 1e3}


def apart(count: int, keep_logs: bool) -> tuple[float, float]:
    """Measure in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(measure_worlds, (count, keep_logs))
