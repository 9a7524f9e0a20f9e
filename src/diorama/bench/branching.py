"""Reset, fork, snapshot, restore, and the first write after a fork, of small and large worlds and of an episode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diorama.apps.zendesk.schema import Ticket
from diorama.bench.timing import median_us, sized
from diorama.episodes.episode import start
from diorama.kernel import FATE, Tx, World
from diorama.worlds import open_world


def write_once(tx: Tx) -> None:
    """Do one ordinary write."""
    ticket = tx.first(Ticket, order="id DESC")
    if ticket is not None:
        tx.change(ticket, subject=f"{ticket.subject}.")


def with_history(size: str) -> World:
    """Return a world with some history."""
    world = open_world("larkspur", size)
    for _ in range(10):
        world.do(write_once, FATE)
    return world


def acts(world: World) -> dict[str, Callable[[], Any]]:
    """Return the actions to time, by the name of the figure."""
    start = world.snapshot()

    def fork_and_write() -> None:
        world.fork().do(write_once, FATE)

    def snapshot_after_write() -> None:
        world.snapshot()

    return {
        "reset_ms": lambda: world.restore(start),
        "fork_ms": world.fork,
        "snapshot_ms": snapshot_after_write,
        "restore_ms": lambda: world.restore(start),
        "fork_first_write_ms": fork_and_write,
    }


def episode_acts() -> dict[str, Callable[[], Any]]:
    """Return the actions of an episode that has taken a few turns, by the name of the figure."""
    episode = start("zendesk/late-refund", 0)
    for _ in range(3):
        episode.http("zendesk", "GET", "/api/v2/users/me.json")
    snapshot = episode.snapshot()
    episode.http("zendesk", "GET", "/api/v2/users/me.json")
    return {"episode_restore_us": lambda: episode.restore(snapshot), "episode_fork_us": episode.fork}


def measure() -> dict[str, Any]:
    """Measure a world's figures for both sizes, in milliseconds, and an episode's in microseconds."""
    small, large = acts(with_history("small")), acts(with_history("large"))
    return {
        **{name: sized(median_us(small[name]) / 1e3, median_us(large[name]) / 1e3) for name in small},
        **{name: median_us(act) for name, act in episode_acts().items()},
    }
