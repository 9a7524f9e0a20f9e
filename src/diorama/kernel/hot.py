"""Hot: the values that every transaction changes, kept in memory and written into the pages before they leave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

Window = tuple[int, int]
"""When a rate limit's window began, in microseconds, and the number of requests since."""
Windows = dict[str, Window]
NO_METERS: Windows = {}
NO_COUNTS: dict[str, int] = {}

ROOM = 1800
"""The bytes that windows may take in the row of `_world`: it never outgrows its page, whenever it is written."""
NUMBERS = 24
"""The most bytes that one window takes there besides its name."""

WORLD_ROW = "SELECT now, seq, turn, due, faults, dice, state, windows FROM _world WHERE id = 1"
KEEP_ROW = (
    "UPDATE _world SET now = ?, seq = ?, turn = ?, due = ?, faults = ?, dice = ?, state = ?, windows = ? WHERE id = 1"
)
METER = "SELECT since, count FROM _meters WHERE name = ?"
ADD_METER = "INSERT INTO _meters VALUES (?, ?, ?)"
KEEP_METER = "UPDATE _meters SET since = ?, count = ? WHERE name = ?"
OWN_SQL = frozenset({WORLD_ROW, KEEP_ROW})
"""The only statements that reach the row of this struct without a flush."""
NAMES_HOT = re.compile(r"\b_world\b")
CHANGES_HOT = re.compile(r"(?i)(UPDATE|DELETE\s+FROM|REPLACE\s+INTO|INSERT\s+OR\s+\w+\s+INTO)\s+_(world|ids)\b")

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Windows).decode
NO_WINDOWS = _encode(NO_METERS)
"""The cell of a world without windows."""


class Hot(msgspec.Struct, gc=False):
    """The row of `_world`, with the rate limit windows in it, and which content the cached tables have.

    A transaction works on a copy. A committed one is never changed: forks and snapshots share it.
    """

    now: int
    seq: int
    turn: int
    due: int
    faults: int
    dice: bytes
    state: bytes
    meters: Windows = msgspec.field(default_factory=lambda: NO_METERS)
    """The windows that the row has room for; further ones are rows of `_meters`."""
    origin: int = 0
    """The pages to which `sums` are relative: 0 for the image, else a number that this process gives only once."""
    sums: dict[str, int] = msgspec.field(default_factory=lambda: NO_COUNTS)
    """By how much the sum of row hashes of a cached table differs from that of the origin."""
    ids: dict[str, int] = msgspec.field(default_factory=lambda: NO_COUNTS)
    """Counters of `_ids` as the pages hold them: those that were written or read since the origin."""

    def copy(self) -> Hot:
        """Return a copy for a transaction to work on."""
        return self.__copy__()  # type: ignore[attr-defined, no-any-return] # every msgspec.Struct has it

    def row(self) -> tuple[int, int, int, int, int, bytes, bytes, bytes]:
        """Return the cells of the row of `_world`."""
        windows = _encode(self.meters)
        return self.now, self.seq, self.turn, self.due, self.faults, self.dice, self.state, windows

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Hot:
        """Rebuild the struct from row()."""
        now, seq, turn, due, faults, dice, state, windows = row
        return cls(now, seq, turn, due, faults, dice, state, _decode(windows))


def has_room(meters: Windows, name: str) -> bool:
    """Return whether the row has room for a new window.

    Windows stay where they were first counted. So a name for which there is room now has no row in `_meters`.
    """
    return len("".join((*meters, name)).encode()) + NUMBERS * (len(meters) + 1) <= ROOM
