"""Reset, fork, snapshot, restore, and the first write after a fork: of worlds of two sizes, and of an episode."""

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


def episode_figures() -> dict[str, float]:
    """Measure an episode in which the agent has earned something since the snapshot."""
    episode = start("zendesk/late-refund", 0)
    begin = episode.snapshot()
    episode.http("zendesk", "GET", f"/api/v2/tickets/{episode.truth.ticket_id}.json")
    later = episode.snapshot()

    def there_and_back() -> None:
        episode.restore(begin)
        episode.restore(later)

    return {"episode_restore_us": median_us(there_and_back) / 2, "episode_fork_us": median_us(episode.fork)}


def measure() -> dict[str, Any]:
    """Measure each figure for both sizes, in milliseconds; those of an episode in microseconds."""
    small, large = acts(with_history("small")), acts(with_history("large"))
    figures = {name: sized(median_us(small[name]) / 1e3, median_us(large[name]) / 1e3) for name in small}
    return {**figures, **episode_figures()}
