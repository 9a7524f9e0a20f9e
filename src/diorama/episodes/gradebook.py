"""The gradebook: the grader's record of an episode, a row in its image."""

from __future__ import annotations

from typing import Any

import msgspec

from diorama.episodes.result import Ended
from diorama.kernel import Snapshot, World

GRADEBOOK = "gradebook"
"""The row of the world's truth that holds the gradebook."""


class Gradebook(msgspec.Struct, frozen=True):
    """The grader's record of an episode, kept in the image: what was staged, what was earned, how it ended.

    Forks and snapshots share it; it is replaced, never changed.
    """

    scenario: str
    seed: int
    split: str
    truth: Any
    staged_us: int
    staged_seq: int
    open_facts: tuple[str, ...]
    deeds: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    harms: dict[str, int] = {}
    potential: float = 0.0
    looked: tuple[str, ...] = ()
    """The looks that were taken."""
    shown: tuple[str, ...] = ()
    """The fields whose deciding record has stood in a reply."""
    committed: bool = False
    """Whether the first commitment was made."""
    damage: float = 0.0
    """The sum of the weights of damage, as booked."""
    revocable: float = 0.0
    """The part of it that could be taken back when it was booked."""
    lost: tuple[str, ...] = ()
    """Other reasons that rule out success, as booked."""
    ended: Ended | None = None
    report: str = ""
    unsettled: bool = False
    """Whether the agent left more queued work at the end than a settlement runs: the episode then earns nothing."""
    paced: bool = False
    """Whether wall time was recorded in this episode; it replaces the declared thinking time."""


def gradebook_of(snapshot: Snapshot) -> Gradebook:
    """Return the gradebook at a snapshot; raise ValueError if it is not a snapshot of an episode."""
    known: Gradebook | None = snapshot.decoded.get(GRADEBOOK)
    if known is not None:
        return known
    try:
        return World.at(snapshot).truth.record(GRADEBOOK, Gradebook)  # the snapshot was loaded from bytes
    except KeyError:
        raise ValueError("this snapshot is of a world, not of an episode") from None
