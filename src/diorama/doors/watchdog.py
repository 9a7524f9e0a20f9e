"""The watchdog: interrupt work that runs too long, so that only its own episode is void.

Budgets refuse expensive requests long before; what the watchdog interrupts is a bug of ours. It counts the CPU time of
the thread: on a loaded machine honest work takes long, and it must not be void for that. Work that waits and uses no
CPU time ends at a much later limit of wall time.
"""

from __future__ import annotations

import ctypes
import logging
import mmap
import struct
import threading
import time
from collections.abc import Callable

from diorama.kernel import Interrupted, Interrupts

log = logging.getLogger("diorama.watchdog")

LIMIT_SECONDS = 5.0
WALL_SECONDS = 60.0
"""How much longer than its limit work may take in wall time."""
PATIENCE_SECONDS = 5.0
"""How long an interrupted transaction may take to end before its process is killed."""
PYTHON_SECONDS = 1.0
"""SQLite is interrupted first; this much later the Python code around it."""
STANDS = 2
_RECORD = struct.Struct("<d48s")
RECORDS_BYTES = STANDS * _RECORD.size


class Overdue(Interrupted):
    """Raised inside work that has run too long."""


class Stand:
    """One thread that runs the work of episodes, as the watchdog sees it. Created in that thread."""

    def __init__(self, records: mmap.mmap | None = None, number: int = 0) -> None:
        self.name = ""
        self.since = 0.0
        self.limit = LIMIT_SECONDS
        self.lock = threading.Lock()
        self._interrupted = 0
        self._interrupted_at = 0.0
        self._thread = threading.get_ident()
        self._cpu_clock = _cpu_clock(self._thread)
        self.used = 0.0
        """The CPU time of the thread when its work began."""
        self._statements = Interrupts()
        self._records = records
        self._offset = number * _RECORD.size

    def begin(self, name: str, limit: float) -> None:
        """Start the clock for work of an episode."""
        since = time.monotonic()
        self.used = time.thread_time()
        self.name, self.limit, self.since = name, limit, since
        if self._records is not None:
            until = since + limit + WALL_SECONDS + PATIENCE_SECONDS
            _RECORD.pack_into(self._records, self._offset, until, name.encode())

    def end(self) -> bool:
        """Stop the clock; return whether the work was interrupted."""
        took = time.monotonic() - self.since
        interrupted = False
        if took < self.limit:
            self.since = 0.0
        else:
            interrupted = self._end_late()
        if self._records is not None:
            _RECORD.pack_into(self._records, self._offset, 0.0, b"")
        return interrupted

    def _end_late(self) -> bool:
        """Stop the clock against a watchdog that may be about to interrupt."""
        while True:
            try:
                with self.lock:
                    self.since = 0.0
                    interrupted, self._interrupted = self._interrupted > 0, 0
                if interrupted:
                    _take_pending(self._thread)
                break
            except Overdue:
                self._interrupted += 1
        self._statements.discard()
        return interrupted

    def check(self, now: float) -> None:
        """Interrupt work that is over its limit; called by the watchdog."""
        if not self._is_over(now):
            return
        with self.lock:
            if not self._is_over(now):
                return
            self._interrupted += 1
            if self._interrupted == 1:
                log.error("episode %s has run for %.1f s and is interrupted", self.name, now - self.since)
                self._interrupted_at = now
            late = now - self._interrupted_at
            self._statements.interrupt()
            if late >= PYTHON_SECONDS:
                _raise_in(self._thread, Overdue)

    def _is_over(self, now: float) -> bool:
        """Return whether work is over its limit of CPU time, or has taken far longer than that."""
        since, took = self.since, now - self.since
        if not since or took < self.limit:
            return False
        if self._cpu_clock is None or self._interrupted or took >= self.limit + WALL_SECONDS:
            return True
        return time.clock_gettime(self._cpu_clock) - self.used >= self.limit


class Watchdog:
    """A thread that looks at all stands several times a second."""

    def __init__(self) -> None:
        self._stands: list[Stand] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def watch(self, stand: Stand) -> None:
        """Watch one more thread."""
        self._stands.append(stand)

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stopped.wait(0.1):
            now = time.monotonic()
            for stand in self._stands:
                stand.check(now)


def overdue(records: mmap.mmap, now: float) -> str | None:
    """Return the episode whose work in another process could not be interrupted in time, or None."""
    for name, until in running(records):
        if now > until:
            return name
    return None


def running(records: mmap.mmap) -> list[tuple[str, float]]:
    """Return the episodes whose work another process runs, or ran when it died, and when each must have ended."""
    found = []
    for number in range(STANDS):
        until, name = _RECORD.unpack_from(records, number * _RECORD.size)
        if until:
            found.append((name.rstrip(b"\0").decode("utf-8", "replace"), until))
    return found


def _cpu_clock(thread: int) -> int | None:
    """Return the clock of a thread's CPU time; None on systems where another thread cannot read it."""
    find = getattr(time, "pthread_getcpuclockid", None)
    return None if find is None else int(find(thread))


_raise_async: Callable[..., int] = ctypes.pythonapi.PyThreadState_SetAsyncExc


def _raise_in(thread: int, error: type[Exception]) -> None:
    """Raise an exception in a thread at its next step in Python."""
    _raise_async(ctypes.c_ulong(thread), ctypes.py_object(error))


def _take_pending(thread: int) -> None:
    """Take an exception that may still be on its way to this thread.

    Taking it back with NULL would leave the interpreter's flag set: Python 3.11 then hangs under a profiler.
    """
    try:
        _raise_in(thread, Overdue)  # replaces the pending one
        while True:
            pass
    except Overdue:
        return
