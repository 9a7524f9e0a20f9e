"""Memory of a live world: a thousand large ones after ten steps each, with and without their logs."""

from __future__ import annotations

import gc
import multiprocessing
import os
from typing import Any

from diorama.bench.steps import MIX, mix_of
from diorama.kernel import World
from diorama.worlds import open_world

WORLDS = 1000
STEPS = 10


def resident_mb() -> float:
    """Return the resident memory of this process in MB, without the mapped image."""
    with open("/proc/self/statm") as file:
        _, resident, shared, *_ = (int(pages) for pages in file.read().split())
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure_worlds(keep_logs: bool) -> float:
    """Return the megabytes per live world in this process."""
    parent = open_world("larkspur", "large")
    requests = mix_of(parent)
    names = [name for name, count in MIX.items() for _ in range(count)][:STEPS]
    warm = parent.fork()
    for name in names:
        requests[name](warm)
    gc.collect()
    before = resident_mb()
    live: list[World] = []
    for _ in range(WORLDS):
        world = parent.fork()
        for name in names:
            requests[name](world)
        if not keep_logs:
            world.chain = world.chain.bare()
        live.append(world)
    gc.collect()
    return (resident_mb() - before) / len(live)


def measure() -> dict[str, Any]:
    """Measure each figure in its own process."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1, maxtasksperchild=1) as pool:
        bare, logged = pool.map(measure_worlds, [False, True], chunksize=1)
    return {"live_world_mb": bare, "live_world_with_log_mb": logged}
