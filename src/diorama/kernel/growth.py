"""Growth: what a transaction wrote and answered, and how large its world has become, against the budget."""

from __future__ import annotations

from typing import Any

from diorama.kernel.budget import EPISODE_BYTES, LARGE_EVENT, UNLIMITED, WORLD_BYTES, OverBudget
from diorama.kernel.events import BODY_AT_MOST, Bodies
from diorama.kernel.lane import Lane
from diorama.kernel.pages import PAGE
from diorama.kernel.work import Work

BODY_BYTES = "@bodies"
"""The counter of the bytes of large events, and of the large bodies that they keep."""
ADD_BODY_BYTES = "INSERT INTO _ids VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count"


def check_size(lane: Lane, work: Work, result: Any, pages: int) -> None:
    """Raise OverBudget if a transaction wrote or answered too much, or if its world has grown too large.

    `pages` is the number of pages before the transaction: during it SQLite may have written some early.
    """
    written = len(lane.journal.raw)
    if written > lane.budget.rows_written:
        raise OverBudget("rows written")
    if written and _grown(lane, pages) > lane.budget.world_bytes:
        raise OverBudget("bytes of the world")
    if work.request is None:
        return
    if len(result.body) > lane.budget.bytes_read:
        raise OverBudget("bytes read")
    sent = len(work.request.body) > BODY_AT_MOST
    kept = sent or len(result.body) > BODY_AT_MOST
    if (written or kept) and is_full(lane, kept, pages):
        raise OverBudget("bytes of the episode" if written or sent else "bytes of replies of the episode")


def is_full(lane: Lane, kept: bool, pages: int, limit: int = 0) -> bool:
    """Return whether an episode of this many pages is too large; `kept`: with its large events and their bodies."""
    found = lane.control("SELECT count FROM _ids WHERE name = ?", (BODY_BYTES,)) if kept else ()
    return _grown(lane, pages) + (found[0][0] if found else 0) > (limit or EPISODE_BYTES)


def _grown(lane: Lane, pages: int) -> int:
    return (pages - lane.image.pages) * PAGE


def count_memory(lane: Lane, event: bytes, bodies: Bodies) -> None:
    """Count an event if it is large, and the large bodies that it keeps."""
    kept = sum(map(len, bodies.values())) if bodies else 0
    if len(event) > LARGE_EVENT:
        kept += len(event)
    if kept:
        lane.control(ADD_BODY_BYTES, (BODY_BYTES, kept))


def is_too_large(lane: Lane, work: Work, event: bytes, pages: int) -> str:
    """Return why an event cannot be recorded, or "": it is too large, or its episode is full."""
    if len(event) > lane.budget.bytes_written:
        return "bytes written"
    if len(event) <= LARGE_EVENT or lane.budget is UNLIMITED or not lane.journal.raw:
        return ""  # an event that changes nothing holds at most two bodies of 64 KB
    limit = EPISODE_BYTES if work.request is not None else EPISODE_BYTES + WORLD_BYTES
    return "bytes of the episode" if is_full(lane, True, pages, limit) else ""


def start_over(lane: Lane) -> None:
    """Undo what a transaction did so far; it keeps its price."""
    lane.roll_back()
    lane.journal.undo()
    lane.undone += lane.spent
    lane.start(UNLIMITED)
    lane.begin()
