"""Budget: how much one transaction may read and write. What exceeds it is rolled back and refused.

All counts but one are deterministic: the same request in the same world always gets the same answer. The exception is
`ticks`, a backstop against statements that never end. When it stops a transaction, the event records it, and a replay
follows the record.
"""

from __future__ import annotations

import apsw
import msgspec

STATEMENT = 16
"""The number of rows that a statement counts for, besides those it returns."""
TICK = 100_000
"""The number of SQLite's virtual machine steps in one tick."""
MB = 1 << 20
WORLD_BYTES = 8 * MB
"""How much a world may grow. A search reads everything that was written, so this bounds what any request can cost."""
SEARCH_SHIFT = 9
"""A pass over a full-text index counts as one row for 512 bytes by which the world has grown."""


class Budget(msgspec.Struct, frozen=True):
    """The most that one transaction may do.

    `rows_read`: rows returned by statements; each statement counts for another 16. `bytes_read`: bytes of results of
    more than a few rows, and of the reply. `rows_written` and `bytes_written`: rows inserted, changed or deleted, and
    the size of the event that records them. `ticks`: 100,000 steps of SQLite's virtual machine each. `world_bytes`: new
    pages of the world, after which it writes no more.
    """

    rows_read: int = 30_000
    bytes_read: int = 8 * MB
    rows_written: int = 20_000
    bytes_written: int = 8 * MB
    ticks: int = 2_000
    world_bytes: int = WORLD_BYTES


REQUEST = Budget()
"""What a request may do, unless its operation declares more.

The costliest operation that declares no more reads 7,000 rows on the large image and takes 1.2 million steps there.
A row, with what is done with it, takes about 3 microseconds: a request takes less than 0.1 s.
"""
BACKGROUND = Budget(rows_read=60_000, bytes_read=16 * MB, world_bytes=2 * WORLD_BYTES)
"""What one entry of the agenda may do: it may run inside a request. Work on many things is split: a job is one entry
for each of its items. The costliest entry of an honest episode reads 2,000 rows on the large image."""
UNLIMITED = Budget(*[1 << 62] * 6)
"""For the control plane: staging and grading."""

EPISODE_BYTES = 3 * WORLD_BYTES
"""After how much memory an episode takes no change and nothing large any more: new pages and all events count.

Replay sends every request again, so its body is kept even if the request was refused. A full episode refuses a large
body by its size alone, whatever the size is, so a part of the body is enough. What fills a world is held three times:
in its pages, in its events, and in the bodies of the requests.
"""
REST_BYTES = WORLD_BYTES // 2
"""How much memory a full episode may still take: what is due, and small requests. After that it ends."""
NOTICES = 10_000
"""The most notices of one transaction."""

# The price of a transaction, in rows read: about a microsecond each. It is counted, never measured, and it includes
# what was undone: a refused entry of the agenda costs what it did before it was refused.
ENTRY_PRICE = 150
"""The least that a transaction counts for."""
WRITTEN_PRICE = 4
"""What a row written counts for, besides its statement."""
BYTES_SHIFT = 6
"""64 bytes of an event, or of rows whose changes were undone, count as one row read."""
BODY_SHIFT = 9
"""512 bytes of a body that an event keeps by its digest count as one row read."""

TURN_PRICE = 20_000
"""What due entries of the agenda may cost together in one turn. The rest of them run in later turns: the world's time
does not pass an entry that is due."""
PACED_PRICE = 2 * TURN_PRICE
"""What they may cost in the wait that a paced clock makes before a request."""
WAIT_PRICE = 150_000
"""What they may cost in one wait. The wait then ends early. Tickets of customers, whose reactions are computed, too,
take 1.2 microseconds for each row of their price, and 3 on a busy machine: a wait takes less than half a second."""
SETTLEMENT_PRICE = 200_000
"""What they may cost after the end of an episode."""


class OverBudget(Exception):
    """A transaction exceeded its budget; the app words the vendor's refusal."""

    def __init__(self, what: str, stopped: bool = False) -> None:
        super().__init__(f"over budget: {what}")
        self.what = what
        self.stopped = stopped
        """Whether the backstop fired, which cannot be repeated exactly."""


OUT_OF_RANGE = "a number is out of range"
_LIMITS = (
    "too many terms", "too many sql variables", "expression tree is too large", "parser stack overflow", "too complex",
    "string or blob too big", "integer overflow", "too many arguments", "too many columns", "fts5: ", "out of range",
)  # fmt: skip


def limit_reached(error: BaseException) -> str:
    """Return which limit of SQLite an error reports, or "" if it reports something else."""
    if isinstance(error, apsw.TooBigError):
        return "string or blob too big"
    if isinstance(error, OverflowError):
        return OUT_OF_RANGE
    if isinstance(error, apsw.SQLError):
        text = str(error).lower()
        return next((limit.strip(": ") for limit in _LIMITS if limit in text), "")
    return ""
