"""Turns: the work of many episodes in one process, shared fairly by the CPU time that each has used.

Each episode has one queue, so its requests keep their order. The episode that has used the least goes first, so an
expensive one waits for itself. Work that is expensive, by its size or by what its episode did lately, runs in a
second thread and does not delay the others.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
import mmap
import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from diorama.doors.watchdog import LIMIT_SECONDS, Overdue, Stand, Watchdog

T = TypeVar("T")

WAITING_AT_MOST = 64
"""Requests of one episode that wait; more are refused."""
SLICE_SECONDS = 0.001
"""Look at the network again after this much work."""
EXPENSIVE_SECONDS = 0.004
EXPENSIVE_FOR_SECONDS = 10.0
EXPENSIVE_FOR_EACH = 250.0
"""How long an episode counts as expensive after an expensive request: this many times what it used, up to 10 s."""
SWITCH_SECONDS = 0.0001
"""How soon the first thread gets its turn while the second one computes."""
COLLECT_AFTER = (700, 10, 100)
"""In a run: the oldest objects are looked at ten times less often than Python does by itself."""
YOUNG_ONLY = (700, 10, 1_000_000)
FULL_COLLECTION_SECONDS = 300.0
"""In a server: a full collection takes up to 100 ms, in which no request is served; it happens by the clock."""
EPISODES_REMEMBERED = 4096


class Task:
    """One piece of work: `run` in its turn, then `done` with the result or the error, in the event loop's thread."""

    __slots__ = ("costly", "done", "heavy", "limit", "run")

    def __init__(self, run: Callable[[], Any], done: Callable[[Any, Exception | None], None]) -> None:
        self.run = run
        self.done = done
        self.heavy = False
        self.costly: Callable[[], bool] | None = None
        """Whether it is expensive because of what its episode did before; asked when its turn comes."""
        self.limit = LIMIT_SECONDS

    @property
    def is_heavy(self) -> bool:
        """Whether it is expensive, by its size or by what its episode did before."""
        return self.heavy or (self.costly is not None and self.costly())


class ThreadQueue:
    """The episodes whose next work waits for one thread."""

    __slots__ = ("heap", "level")

    def __init__(self) -> None:
        self.heap: list[tuple[float, int, EpisodeQueue]] = []
        self.level = 0.0  # what the episode served last had spent before; who joins starts there

    def take(self) -> EpisodeQueue:
        """Take the episode that has spent the least."""
        spent, _, episode = heapq.heappop(self.heap)
        self.level = max(self.level, spent)
        return episode


class EpisodeQueue:
    """The queue of one episode."""

    __slots__ = ("control_tasks", "expensive_until", "gone", "name", "spent", "tasks", "thread_queue", "waits")

    def __init__(self, name: str) -> None:
        self.name = name
        self.tasks: deque[Task] = deque()
        self.control_tasks: deque[Task] = deque()  # of the control plane, which does not wait for an agent's requests
        self.thread_queue: ThreadQueue | None = None
        self.spent = 0.0
        self.expensive_until = 0.0
        self.waits = False  # in a heap, or running
        self.gone = False  # its episode was deleted

    def first(self) -> Task:
        """Return the next task."""
        return self.control_tasks[0] if self.control_tasks else self.tasks[0]

    def take(self) -> Task:
        """Take the next task."""
        return self.control_tasks.popleft() if self.control_tasks else self.tasks.popleft()


class Turns:
    """Runs the work of all episodes of one process. Use it only in the thread of its event loop."""

    def __init__(self, interrupted: Callable[[str, str, bool], None], records: mmap.mmap | None = None) -> None:
        """`interrupted` is told the episode whose work the watchdog has ended, why, and whether it was completed."""
        self.names: dict[str, str] = {}
        """How an episode is called in messages."""
        self.limit = LIMIT_SECONDS
        self._interrupted = interrupted
        self._records = records
        self._episodes: dict[str, EpisodeQueue] = {}
        self._quick, self._slow = ThreadQueue(), ThreadQueue()
        self._numbers = 0
        self._scheduled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stand: Stand | None = None
        self._watchdog: Watchdog | None = None
        self._inbox: queue.SimpleQueue[tuple[EpisodeQueue, Task] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._slow_busy = False
        self._collecting: asyncio.TimerHandle | None = None

    # --- life

    def open(self) -> None:
        """Start the second thread and the watchdog; call it in the thread of the event loop."""
        self._loop = asyncio.get_running_loop()
        self._stand = Stand(self._records, 0)
        self._watchdog = Watchdog()
        self._watchdog.watch(self._stand)
        self._thread = threading.Thread(target=self._work, name="expensive work", daemon=True)
        self._thread.start()
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.collect()
        gc.freeze()  # what is loaded stays loaded
        gc.set_threshold(*YOUNG_ONLY)
        self._collecting = self._loop.call_later(FULL_COLLECTION_SECONDS, self._collect)

    def _collect(self) -> None:
        """Free what refers to itself, and do so again later."""
        assert self._loop is not None
        gc.collect()
        self._collecting = self._loop.call_later(FULL_COLLECTION_SECONDS, self._collect)

    def close(self) -> None:
        """End both threads."""
        if self._collecting is not None:
            self._collecting.cancel()
        self._inbox.put(None)
        if self._thread is not None:
            self._thread.join(self.limit)
        if self._watchdog is not None:
            self._watchdog.stop()

    # --- work

    def put(self, name: str, task: Task) -> bool:
        """Queue work of an episode; return False if too much of it waits already."""
        episode = self._queue_of(name)
        if len(episode.tasks) >= WAITING_AT_MOST:
            return False
        episode.tasks.append(task)
        self._wake(episode)
        return True

    async def do(
        self,
        name: str,
        run: Callable[[], T],
        *,
        heavy: bool = False,
        limit: float | None = None,
        costly: Callable[[], bool] | None = None,
    ) -> T:
        """Run work of the control plane before the requests that wait in an episode's queue; return its result."""
        if self._loop is None:  # no doors are open, so no other work waits
            return run()
        future: asyncio.Future[T] = self._loop.create_future()

        def done(result: T, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)

        task = Task(run, done)
        task.heavy = heavy
        task.costly = costly
        task.limit = limit or self.limit
        episode = self._queue_of(name)
        episode.control_tasks.append(task)
        self._wake(episode)
        return await future

    # --- internals

    def _queue_of(self, name: str) -> EpisodeQueue:
        episode = self._episodes.get(name)
        if episode is None:
            if len(self._episodes) >= EPISODES_REMEMBERED:
                self._forget()
            episode = self._episodes[name] = EpisodeQueue(name)
        return episode

    def drop(self, name: str) -> None:
        """Forget an episode that is gone: at once, or after the work that still waits.

        What it holds is small, but it would lie between the freed pages of the episode, so that none returns.
        """
        self.names.pop(name, None)
        episode = self._episodes.get(name)
        if episode is None:
            return
        if episode.waits:
            episode.gone = True
        else:
            del self._episodes[name]

    def _forget(self) -> None:
        """Drop the episodes that have nothing to wait for and have spent no more than the others."""
        now = time.monotonic()
        idle = [one.name for one in self._episodes.values() if not one.waits and one.expensive_until < now]
        for name in idle:
            del self._episodes[name]

    def _wake(self, episode: EpisodeQueue) -> None:
        if not episode.waits:
            episode.waits = True
            self._enqueue(episode)

    def _enqueue(self, episode: EpisodeQueue) -> None:
        """Put an episode into the queue of its next task's thread."""
        heavy = episode.first().is_heavy or (episode.expensive_until and episode.expensive_until > time.monotonic())
        thread_queue = self._slow if heavy else self._quick
        stays = thread_queue is episode.thread_queue
        episode.spent = max(episode.spent, thread_queue.level) if stays else thread_queue.level
        episode.thread_queue = thread_queue
        self._numbers += 1
        heapq.heappush(thread_queue.heap, (episode.spent, self._numbers, episode))
        if heavy:
            self._feed_slow()
        elif not self._scheduled:
            self._scheduled = True
            assert self._loop is not None, "open() comes first"
            self._loop.call_soon(self._drain)

    def _drain(self) -> None:
        """Run quick work for a moment, the least expensive episodes first."""
        stand, thread_queue = self._stand, self._quick
        assert stand is not None
        until = time.perf_counter() + SLICE_SECONDS
        while thread_queue.heap:
            episode = thread_queue.take()
            task = episode.take()
            result, error, interrupted = _run(stand, self.names.get(episode.name, episode.name), task)
            self._after(episode, task, result, error, interrupted, time.thread_time() - stand.used)
            if time.perf_counter() > until:
                break
        self._scheduled = bool(thread_queue.heap)
        if thread_queue.heap:
            assert self._loop is not None
            self._loop.call_soon(self._drain)

    def _feed_slow(self) -> None:
        """Give the second thread its next work."""
        if self._slow_busy or not self._slow.heap:
            return
        episode = self._slow.take()
        self._slow_busy = True
        self._inbox.put((episode, episode.take()))

    def _work(self) -> None:
        """Run expensive work, in a thread of its own."""
        stand = Stand(self._records, 1)
        assert self._watchdog is not None
        assert self._loop is not None
        self._watchdog.watch(stand)
        while (given := self._inbox.get()) is not None:
            episode, task = given
            result, error, interrupted = _run(stand, self.names.get(episode.name, episode.name), task)
            used = time.thread_time() - stand.used
            if self._loop.is_closed():
                return
            self._loop.call_soon_threadsafe(self._slow_done, episode, task, result, error, interrupted, used)

    def _slow_done(
        self, episode: EpisodeQueue, task: Task, result: Any, error: Exception | None, interrupted: bool, used: float
    ) -> None:
        self._slow_busy = False
        self._after(episode, task, result, error, interrupted, used)
        self._feed_slow()

    def _after(
        self, episode: EpisodeQueue, task: Task, result: Any, error: Exception | None, interrupted: bool, used: float
    ) -> None:
        """Book what a task has used, answer it, and let its episode queue up again."""
        episode.spent += used
        if used > EXPENSIVE_SECONDS:
            episode.expensive_until = time.monotonic() + min(EXPENSIVE_FOR_SECONDS, EXPENSIVE_FOR_EACH * used)
        if interrupted:
            self._interrupted(episode.name, f"it ran for more than {task.limit:g} seconds", error is None)
        task.done(result, error)
        if episode.tasks or episode.control_tasks:
            self._enqueue(episode)
        else:
            episode.waits = False
            if episode.gone:
                self._episodes.pop(episode.name, None)


def _run(stand: Stand, name: str, task: Task) -> tuple[Any, Exception | None, bool]:
    """Run one task under the watchdog; return its result or its error, and whether it was interrupted."""
    result, failure = None, None
    stand.begin(name, task.limit)
    try:
        result = task.run()
    except Exception as error:  # noqa: BLE001 # passed on to who asked for the work
        failure = error
    while True:
        try:
            return result, failure, stand.end()
        except Overdue:  # came just after the end
            continue
