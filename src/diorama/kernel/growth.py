"""Growth: what a transaction wrote and answered, and how large its world has become, against the budget."""

from __future__ import annotations

from typing import Any

from diorama.kernel.budget import EPISODE_BYTES, REST_BYTES, UNLIMITED, OverBudget
from diorama.kernel.events import BODY_AT_MOST, Chain, Entry
from diorama.kernel.lane import Lane
from diorama.kernel.pages import PAGE, PageMap
from diorama.kernel.work import Work


def check_size(lane: Lane, work: Work, result: Any, pages: int, chain: Chain) -> None:
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
    if (written or sent or len(result.body) > BODY_AT_MOST) and is_full(lane, pages, chain):
        raise OverBudget("bytes of the episode" if written or sent else "bytes of replies of the episode")


def is_full(lane: Lane, pages: int, chain: Chain) -> bool:
    """Return whether an episode of this many pages takes nothing large any more, and no change."""
    return _grown(lane, pages) + chain.memory > EPISODE_BYTES


def is_over(pages: PageMap, chain: Chain) -> bool:
    """Return whether an episode has used all of its memory, so that nothing more happens in it."""
    return (pages.pages - pages.image.pages) * PAGE + chain.memory > EPISODE_BYTES + REST_BYTES


def _grown(lane: Lane, pages: int) -> int:
    return (pages - lane.image.pages) * PAGE


def is_too_large(lane: Lane, work: Work, event: Entry, pages: int, chain: Chain) -> str:
    """Return why an event cannot be recorded, or "": it is too large, or its episode has no room for it."""
    if len(event.core) > lane.budget.bytes_written:
        return "bytes written"
    if lane.budget is UNLIMITED or not lane.journal.raw:
        return ""  # an event that changes nothing holds at most two bodies of 64 KB
    limit = EPISODE_BYTES if work.request is not None else EPISODE_BYTES + REST_BYTES
    return "bytes of the episode" if _grown(lane, pages) + chain.memory + event.memory > limit else ""


def start_over(lane: Lane) -> None:
    """Undo what a transaction did so far; it keeps its price."""
    lane.roll_back()
    lane.journal.undo()
    lane.undone += lane.spent
    lane.start(UNLIMITED)
    lane.begin()
