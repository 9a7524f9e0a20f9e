"""Hot: the values that every transaction changes, kept in memory and written into the pages before they leave."""

from __future__ import annotations

import re
from copy import copy

import msgspec

Window = tuple[int, int]
"""When a rate limit's window began, in microseconds, and the number of requests since."""
NO_METERS: dict[str, Window] = {}
NO_SUMS: dict[str, int] = {}

WORLD_ROW = "SELECT now, seq, turn, due, faults, dice, state FROM _world WHERE id = 1"
KEEP_ROW = "UPDATE _world SET now = ?, seq = ?, turn = ?, due = ?, faults = ?, dice = ?, state = ? WHERE id = 1"
METER = "SELECT since, count FROM _meters WHERE name = ?"
ADD_METER = "INSERT INTO _meters VALUES (?, ?, ?)"
KEEP_METER = "UPDATE _meters SET since = ?, count = ? WHERE name = ?"
OWN_SQL = frozenset({WORLD_ROW, KEEP_ROW, METER, ADD_METER, KEEP_METER})
"""The only statements that reach the rows of this struct without a flush."""
NAMES_HOT = re.compile(r"\b(_world|_meters)\b")
CHANGES_HOT = re.compile(r"(?i)(UPDATE|DELETE\s+FROM|REPLACE\s+INTO|INSERT\s+OR\s+\w+\s+INTO)\s+_(world|meters)\b")


class Hot(msgspec.Struct, gc=False):
    """The row of `_world`, the rate limit windows in use, and which content the cached tables have.

    A transaction works on a copy. A committed one is never changed: forks and snapshots share it.
    """

    now: int
    seq: int
    turn: int
    due: int
    faults: int
    dice: bytes
    state: bytes
    meters: dict[str, Window] = msgspec.field(default_factory=lambda: NO_METERS)
    origin: int = 0
    """The pages to which `sums` are relative: 0 for the image, else a number that this process gives only once."""
    sums: dict[str, int] = msgspec.field(default_factory=lambda: NO_SUMS)
    """By how much the sum of row hashes of a cached table differs from that of the origin."""

    def copy(self) -> Hot:
        """Return a copy for a transaction to work on."""
        return copy(self)

    def row(self) -> tuple[int, int, int, int, int, bytes, bytes]:
        """Return the cells of the row of `_world`."""
        return self.now, self.seq, self.turn, self.due, self.faults, self.dice, self.state


def count_cell(count: int) -> bytes:
    """Return a count as `_meters` stores it: all have one size, so pages do not depend on when a window is written."""
    return count.to_bytes(8, "big")
