"""Lanes: the few database connections of a process, used by one world after another."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections import deque
from typing import Any
from weakref import ref

import apsw

from diorama.kernel import functions
from diorama.kernel.budget import (
    ENTRY_PRICE,
    STATEMENT,
    TICK,
    UNLIMITED,
    WRITTEN_PRICE,
    Budget,
    OverBudget,
    limit_reached,
)
from diorama.kernel.changes import Journal, weight
from diorama.kernel.errors import Defect
from diorama.kernel.hot import CHANGES_HOT, KEEP_ROW, NAMES_HOT, OWN_SQL, WORLD_ROW, Hot
from diorama.kernel.pages import PAGE, VFS, Image, PageFile, PageMap
from diorama.kernel.records import TABLES

FORBIDDEN_FUNCTIONS = frozenset(
    {"random", "randomblob", "last_insert_rowid", "changes", "total_changes", "load_extension", "fts5_api"}
    | {"sqlite_source_id", "sqlite_version", "sqlite_compileoption_get", "sqlite_compileoption_used", "fts3_tokenizer"}
)
ALLOWED_ACTIONS = frozenset(
    {apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE}
    | {apsw.SQLITE_RECURSIVE, apsw.SQLITE_FUNCTION}
)
TIME_FUNCTIONS = frozenset(
    {"date", "time", "datetime", "julianday", "strftime", "unixepoch", "timediff"}
    | {"current_date", "current_time", "current_timestamp"}
)
TABLE_ACTIONS = frozenset({apsw.SQLITE_READ, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
PRAGMAS = {
    "journal_mode": "memory",
    "locking_mode": "normal",
    "temp_store": 2,
    "synchronous": 0,
    "cache_size": -8000,
    "foreign_keys": 0,
    "recursive_triggers": 1,  # else REPLACE deletes rows without full-text search and append-only tables noticing
    "trusted_schema": 1,
}

FILE = "file:world?nolock=1"
"""Only one connection opens each file, so SQLite need not ask it for locks."""
OPENED = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
STATEMENTS = 512
"""The number of prepared statements a lane caches; the maximum that apsw allows.

Every run of a cached statement moves it to the next place of a ring and evicts what was there: what did not run during
the last 512 runs is prepared again.
"""
TRANSACTIONS = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
"""How statements begin that are not cached: they run often, preparing them is cheap, and they would evict others."""

LONGEST = 16 << 20
"""The most bytes of a value or a row."""
SLICE = 1024
"""The rows read after which a lane compares what it has counted with the budget."""
FEW = 256
"""Results of more rows than this are weighed."""

SOURCES = 4096
"""A lane knows the tables of this many statements."""
PLAIN = frozenset({int, str, bytes, type(None)})
"""Types of bindings: equal values of these types are the same to SQLite."""
ZEROS = itertools.repeat(0)
UNKEPT = ""
"""What makes a statement unfit for being kept: it writes, or depends on the time."""
ORIGINS = itertools.count(1)
"""Numbers for pages that did not start at the image; none enters a world."""

RECENT = 64
"""A lane leaves the pages of this many worlds whole; those of a world that was bound before them are packed."""

PARKING = threading.Lock()
"""Prevents a thread from packing the pages of a world while another one binds it."""
OPENING = threading.Lock()
"""Prevents two threads that open lanes at the same time from getting each other's file."""


def refuse_unknown_names(connection: apsw.Connection) -> None:
    """Let SQLite refuse an unknown column in double quotes; by default it is taken for a text with that name."""
    for option in (apsw.SQLITE_DBCONFIG_DQS_DML, apsw.SQLITE_DBCONFIG_DQS_DDL):
        connection.config(option, 0)


class Lane:
    """A connection of a process to an image; worlds are bound to it in turn."""

    def __init__(self, image: Image, tracked: dict[str, tuple[str, ...]]) -> None:
        self.image = image
        cached = frozenset(table.name for table in TABLES.values() if table.cached)
        self.journal = Journal(tracked, cached & tracked.keys())
        self.sources: dict[str, tuple[str, ...]] = {}
        """The tables of a statement whose results are kept; none for any other statement that was run before."""
        self.reading: set[str] = set()
        """Statements that only read, and depend on nothing but tables."""
        self.seen: set[str] = set()
        """What the authorizer was asked about since it was last cleared: tables read, or UNKEPT."""
        self.bound: PageMap | None = None
        self.bindings = 0
        self.recent: deque[tuple[ref[PageMap], int]] = deque()
        """The pages that were bound last, oldest first, each with the number of the binding."""
        self.busy = False
        self.waits = False
        """Whether a transaction has begun that SQLite does not know: it has run nothing yet, or a single read."""
        self.has_read = False
        self.trusted = False
        self.undone = 0
        """The rows that this transaction read before it was started over."""
        self.start(UNLIMITED)
        # An unguessable suffix separates the statements of the control plane in the statement cache:
        # app code that writes the same SQL is still checked by the authorizer. The suffix never enters a world.
        self.seal = f" --{secrets.token_hex(8)}"
        self.sealed: dict[str, str] = {}
        with OPENING:
            self.connection = apsw.Connection(FILE, flags=OPENED, vfs=VFS.NAME, statementcachesize=STATEMENTS)
            file = VFS.opened
        if file is None:
            raise Defect("the page file system did not open a file")
        self.file: PageFile = file
        self.file.map = PageMap(image)
        for name, wanted in PRAGMAS.items():
            self.connection.execute(f"PRAGMA {name} = {wanted}").fetchall()
            got = self.connection.execute(f"PRAGMA {name}").fetchall()[0][0]
            if got != wanted:
                raise Defect(f"a lane could not set {name}: wanted {wanted!r}, SQLite says {got!r}")
        for (table,) in self.connection.execute(
            "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
        ).fetchall():
            self.connection.execute(f"SELECT rowid FROM {table} LIMIT 1").fetchall()  # connects it before DDL is denied
        self.connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST)
        # Plans must not depend on bound values: else SQLite prepares such a statement again at each run
        self.connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        refuse_unknown_names(self.connection)
        counts: list[Any] = self.connection.execute("SELECT name, count FROM _ids").fetchall()
        self.counts: dict[str, int] = dict(counts)
        """The id counters of the image."""
        self.connection.authorizer = self._authorize
        functions.register(self.connection, self.spend)
        self.connection.preupdate_hook(self.journal.record)
        self.connection.set_progress_handler(self._tick, TICK)
        self.execute = self.connection.cursor().execute  # one cursor is enough: all rows are fetched at once

    def bind(self, pages: PageMap) -> None:
        """Point the connection at a world's pages, and drop what it has cached of another."""
        if self.bound is pages and pages.lane is self:
            return
        if self.connection.txn_state("main") != apsw.SQLITE_TXN_NONE:
            self.discard()
            raise Defect("connection is busy: a statement is still running")
        self.file.map = pages
        self.connection.file_control("main", apsw.SQLITE_FCNTL_RESET_CACHE, 0)
        self.bound = pages
        with PARKING:
            pages.lane = self
        self._park(pages)

    def _park(self, bound: PageMap) -> None:
        """Pack the pages of the world that was not bound for longest, now that another one is bound."""
        bound.bound_as = self.bindings = self.bindings + 1
        self.recent.append((ref(bound), self.bindings))
        if len(self.recent) > RECENT:
            pages, binding = self.recent.popleft()
            left = pages()
            if left is not None and left.bound_as == binding:  # else it was bound again since
                with PARKING:
                    if left.lane is self:
                        left.pack()

    def start(self, budget: Budget) -> None:
        """Begin to count what a transaction does."""
        self.budget = budget
        self.left = SLICE
        self.rows_read = self.bytes_read = self.bytes_written = self.ticks = 0
        self.journal.weighed = 0
        self.journal.touched.clear()
        self.stopped, self.ticking = False, True
        self.pages = self.bound.pages if self.bound is not None else self.image.pages

    def begin(self) -> None:
        """Begin a transaction; its first statement opens it, or the second one if the first only reads."""
        self.waits, self.has_read = True, False

    def commit(self) -> None:
        """Commit the transaction."""
        if self.waits:
            self.waits = False
        else:
            self.control("COMMIT")

    def roll_back(self) -> bool:
        """Undo the transaction; return whether there was one that was not yet committed."""
        if self.waits:
            self.waits = False
            return True
        if not self.connection.in_transaction:
            return False
        self.control("ROLLBACK")
        return True

    def hot(self) -> Hot:
        """Return the hot struct of the bound world; it is read from the pages if they are all there is."""
        pages = self.bound
        if pages is None:
            raise Defect("connection is not bound to a world")
        hot = pages.hot
        if hot is None:
            hot = pages.hot = pages.flushed = Hot.from_row(self.control(WORLD_ROW)[0])
            if pages.frozen or pages.top:
                hot.origin = next(ORIGINS)
        return hot

    def flush(self) -> None:
        """Write the hot struct of the bound world into its pages."""
        pages, hot = self.bound, self.hot()
        if pages is None or pages.flushed is hot:
            return
        self.control(KEEP_ROW, hot.row())
        if not self.connection.in_transaction:  # a transaction may roll this back
            pages.flushed = hot

    def discard(self) -> None:
        """Stop using this lane."""
        self.busy = True
        self.bound = None
        self.connection.close(True)

    def control(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Run a statement of the kernel, which may use control tables."""
        mark = len(self.journal.raw)
        sealed = self.sealed.get(sql)
        if sealed is None:
            sealed = self._sealed(sql)
        if self.waits:
            self._open()
        self.trusted = True
        try:
            return self.execute(sealed, bindings, can_cache=not sql.startswith(TRANSACTIONS)).fetchall()
        except BaseException as error:
            self.journal.undo(mark)  # the statement was rolled back as a whole
            if reached := limit_reached(error):
                raise OverBudget(reached) from error
            raise
        finally:
            self.trusted = False

    def _open(self) -> None:
        """Open the transaction that has begun."""
        self.waits = False
        self.control("BEGIN")

    def _sealed(self, sql: str) -> str:
        """Return a statement of the kernel as the cache knows it; one that names the hot rows flushes them first."""
        if sql not in OWN_SQL:
            if CHANGES_HOT.search(sql):
                raise Defect(f"the clock row and the id counters are changed through World and Tx, not by SQL: {sql}")
            if NAMES_HOT.search(sql):
                self.flush()
                return sql + self.seal  # not kept: the next run must flush again
        return self.sealed.setdefault(sql, sql + self.seal)

    def query(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Run a statement on behalf of an app, or return its rows if they are kept; both count alike."""
        source = self.sources.get(sql)
        if not source:
            return self._learn(sql, bindings) if source is None else self._query(sql, bindings)
        hot, touched = self.bound.hot if self.bound is not None else None, self.journal.touched
        if (
            hot is None
            or (touched and not touched.isdisjoint(source))
            or (bindings and not PLAIN.issuperset(map(type, bindings)))
        ):
            return self._query(sql, bindings)
        sums = hot.sums
        key = (sql, bindings, hot.origin, tuple(map(sums.get, source, ZEROS)) if sums else ())
        kept = self.image.rows.get(key)
        if kept is None:
            rows = self._query(sql, bindings)
            self.image.rows.keep(key, tuple(rows))
            return rows
        rows = list(kept)
        left = self.left = self.left - STATEMENT - len(rows)
        if left < 0:
            self.charge(rows)
        return rows

    def _learn(self, sql: str, bindings: tuple[Any, ...]) -> list[Any]:
        """Run a statement for the first time, and note from which tables it reads."""
        if self.waits:
            self._open()
        self.seen.clear()
        rows = self._query(sql, bindings, can_cache=False)
        if len(self.sources) > SOURCES:
            self.sources.clear()
            self.reading.clear()
        # Several statements in one text are authorized one by one, and one from the statement cache not at all
        kept = self.seen and self.seen <= self.journal.cached and ";" not in sql
        self.sources[sql] = tuple(sorted(self.seen)) if kept else ()
        if self.seen and UNKEPT not in self.seen and ";" not in sql:
            self.reading.add(sql)
        return rows

    def _query(self, sql: str, bindings: tuple[Any, ...], can_cache: bool = True) -> list[Any]:
        if self.waits:
            if self.has_read or sql not in self.reading:
                self._open()
            self.has_read = True  # a read that stays alone needs no BEGIN and COMMIT, which take as long as it does
        mark = len(self.journal.raw)
        try:
            rows = self.execute(sql, bindings, can_cache=can_cache).fetchall()
        except BaseException as error:
            self.journal.undo(mark)  # the statement was rolled back as a whole
            if self.stopped:
                raise OverBudget("steps", stopped=True) from error
            if reached := limit_reached(error):
                raise OverBudget(reached) from error
            raise
        left = self.left = self.left - STATEMENT - len(rows)
        if left < 0:
            self.charge(rows)
        return rows

    @property
    def grown(self) -> int:
        """The bytes by which the bound world had grown when the transaction began."""
        return (self.pages - self.image.pages) * PAGE

    @property
    def spent(self) -> int:
        """The rows that the transaction has read so far, as the budget counts them."""
        return self.rows_read + SLICE - self.left

    @property
    def price(self) -> int:
        """What the transaction has cost so far, undone work included."""
        journal = self.journal
        return ENTRY_PRICE + self.undone + self.spent + journal.undone + len(journal.raw) * WRITTEN_PRICE

    def spend(self, rows: int) -> None:
        """Count rows read."""
        self.left -= rows
        if self.left < 0:
            self.charge()

    def charge(self, rows: list[Any] | None = None) -> None:
        """Compare what was counted so far with the budget; raise OverBudget if it is exceeded."""
        budget, journal, raw = self.budget, self.journal, self.journal.raw
        self.rows_read += SLICE - self.left
        self.left = SLICE
        if rows is not None and len(rows) > FEW:
            self.bytes_read += sum(len(cell) for row in rows for cell in row if isinstance(cell, str | bytes))
        self.bytes_written += sum(weight(new) for _, _, new, _ in raw[journal.weighed :])
        journal.weighed = len(raw)
        if self.rows_read > budget.rows_read:
            raise OverBudget("rows read")
        if self.bytes_read > budget.bytes_read:
            raise OverBudget("bytes read")
        if len(raw) > budget.rows_written:
            raise OverBudget("rows written")
        if self.bytes_written > budget.bytes_written:
            raise OverBudget("bytes written")

    def _tick(self) -> bool:
        """Stop a statement that runs far longer than any legal one; this is SQLite's progress handler."""
        self.ticks += 1
        self.stopped = self.ticking and self.ticks > self.budget.ticks
        return self.stopped

    def is_far_from_stop(self, over: OverBudget) -> bool:
        """Tell whether a record says that the backstop stopped work that does not come near it; no replay obeys that.

        The steps of a statement cannot be repeated exactly, but what the backstop stopped takes more than half of them.
        """
        return over.stopped and 2 * self.ticks < self.budget.ticks

    def _authorize(
        self, action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
    ) -> int:
        if action == apsw.SQLITE_READ:
            self.seen.add(first or UNKEPT)
        elif action == apsw.SQLITE_FUNCTION:
            if second is None or second.lower() in TIME_FUNCTIONS or second in functions.COUNTING:
                self.seen.add(UNKEPT)
        elif action != apsw.SQLITE_SELECT:
            self.seen.add(UNKEPT)
        if self.trusted:
            return apsw.SQLITE_OK
        if action in ALLOWED_ACTIONS:
            if action in TABLE_ACTIONS and first is not None and first.startswith(("_", "sqlite_")):
                return apsw.SQLITE_DENY  # regardless of `trigger`, which can also name a WITH clause of the app
            if action == apsw.SQLITE_FUNCTION and second is not None and second.lower() in FORBIDDEN_FUNCTIONS:
                return apsw.SQLITE_DENY
            return apsw.SQLITE_OK
        if action == apsw.SQLITE_PRAGMA and first == "data_version":
            return apsw.SQLITE_OK
        return apsw.SQLITE_DENY


class Lanes(threading.local):
    """The lanes of one thread, by image; another one is opened only while all others are in a transaction."""

    def __init__(self) -> None:
        self.by_image: dict[Image, list[Lane]] = {}
        self.now_us = 0

    def borrow(self, image: Image, tracked: dict[str, tuple[str, ...]], alone: PageMap | None = None) -> Lane:
        """Return a lane that is not in a transaction; raise Defect if `alone` is open in another one."""
        lanes = self.by_image.get(image)
        if lanes is None:
            lanes = self.by_image[image] = []
        free = None
        for lane in lanes:
            if not lane.busy:
                free = free or lane
            elif alone is not None and lane.bound is alone:
                raise Defect("a world was asked to act inside its own transaction")
        if free is not None:
            return free
        lanes[:] = [lane for lane in lanes if lane.bound is not None]
        made = Lane(image, tracked)
        lanes.append(made)
        return made


class Interrupts:
    """Interrupts the SQL of the thread that made it; another thread calls `interrupt`."""

    def __init__(self) -> None:
        self._lanes = LANES.by_image

    def interrupt(self) -> None:
        """Interrupt the statements that the thread is running."""
        for lanes in list(self._lanes.values()):
            for lane in lanes:
                if lane.busy and lane.bound is not None:
                    lane.connection.interrupt()

    def discard(self) -> None:
        """Discard the connections that an interrupt has left in a transaction; called by the thread itself."""
        for lanes in list(self._lanes.values()):
            for lane in [one for one in lanes if one.bound is not None and one.connection.in_transaction]:
                lane.discard()


LANES = Lanes()
VFS.clock = lambda: LANES.now_us
