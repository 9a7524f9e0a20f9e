"""Sockets and servers: several of them, each on its own port, in one event loop."""

import asyncio
import contextlib
import errno
import logging
import resource
import socket
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from diorama.doors.connection import Connection, Limits, Served
from diorama.doors.heads import Heads, Malformed
from diorama.doors.strangers import ACCEPT_SECONDS, CONNECTED_AT_ONCE, SORTED_AT_ONCE, Sorter, StrangersQueue

log = logging.getLogger("diorama.listener")

BACKLOG = 2048
GRACE_SECONDS = 5
SWEEP_SECONDS = 0.25


class PortTaken(Exception):
    """A port that the server needs is in use, or cannot be bound."""


def bind(host: str, port: int, purpose: str) -> socket.socket:
    """Return a listening socket; raise PortTaken with the reason if that is not possible."""
    if not 0 <= port <= 65535:
        raise PortTaken(f"port {port} (for {purpose}) does not exist: ports end at 65535. Choose a lower --port.")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        why = f"cannot listen on {host!r}: {error.strerror or error}. Give --host an address of this machine."
        raise PortTaken(why) from error
    sock = socket.socket(family, kind, proto)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"port {port} (for {purpose}) is taken on {host}. Stop what listens there, "
                f"or choose another range with --port."
            ) from error
        raise PortTaken(f"cannot listen on {host}:{port} (for {purpose}): {error.strerror or error}.") from error
    return sock


def port_of(sock: socket.socket) -> int:
    """Return the port that a socket listens on."""
    return int(sock.getsockname()[1])


class Accepting:
    """Accepts connections on a socket, a few at a time, so that a burst of them does not hold up the others."""

    def __init__(
        self,
        sock: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        known: Callable[[bytes], bool] | None = None,
        line: StrangersQueue | None = None,
    ) -> None:
        """`known` says whether a head shows a valid credential: such clients go first, others wait in the line."""
        self._sock = sock
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._sorter = Sorter(known, line, self._begin) if known is not None and line is not None else None
        self._loop.add_reader(sock.fileno(), self._accept)

    def close(self) -> None:
        """Accept no more, and close the socket."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._sock.fileno())
        self._sock.close()
        if self._sorter is not None:
            self._sorter.close()

    def _accept(self) -> None:
        begun, until = 0, time.perf_counter() + ACCEPT_SECONDS
        for _ in range(SORTED_AT_ONCE):
            try:
                sock, _ = self._sock.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:  # no file descriptor is left
                log.error("cannot accept a connection: %s", error)
                self._loop.remove_reader(self._sock.fileno())
                self._pause = self._loop.call_later(1.0, self._resume)
                return
            sock.setblocking(False)
            if self._sorter is None:
                self._begin(sock)
                begun += 1
            else:
                begun += self._sorter.take(sock)
            if begun >= CONNECTED_AT_ONCE or time.perf_counter() > until:
                return

    def _begin(self, sock: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the client may have left
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        task = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, sock))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a connection could not be set up: %s", task.exception())

    def _resume(self) -> None:
        self._pause = None
        self._loop.add_reader(self._sock.fileno(), self._accept)


class Listener:
    """One server on one socket: it accepts connections, counts them, and ends those that take too long."""

    def __init__(self, served: Served, sock: socket.socket, limits: Limits | None = None) -> None:
        self.limits = limits or Limits(connections=connections_at_most())
        self.served = served
        self.heads = Heads()
        self.stopping = False
        self._sock = sock
        self._stopped = asyncio.Event()
        self._empty = asyncio.Event()
        self._all: set[Connection] = set()
        self._strangers: dict[Connection, None] = {}  # in the order of their arrival
        self._line = StrangersQueue()
        self._of_episode: Counter[str] = Counter()
        self._held: Counter[str | None] = Counter()

    def connection(self) -> asyncio.Protocol:
        """Return the protocol of a new connection; also for one that the caller has accepted."""
        return Connection(self)

    async def run_until_stopped(self) -> None:
        """Serve until `stop` is called, then finish requests in flight and close connections."""
        accepting = Accepting(self._sock, self.connection, self._is_known, self._line)
        sweeper = asyncio.get_running_loop().create_task(self._sweep())
        try:
            await self._stopped.wait()
        finally:
            accepting.close()
            self.stopping = True
            for connection in list(self._all):
                connection.retire()
            if self._all:
                self._empty.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._empty.wait(), GRACE_SECONDS)
            for connection in list(self._all):
                connection.abort()
            sweeper.cancel()

    def stop(self) -> None:
        """Accept no new connections and finish requests in flight."""
        self._stopped.set()

    def _is_known(self, raw: bytes) -> bool:
        """Check whether a head shows a valid credential."""
        try:
            return self.served.admit(self.heads.parse(raw)).episode is not None
        except Malformed:
            return False

    # --- what connections say

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do work for a stranger when it is the strangers' turn."""
        self._line.put(work)

    def joined(self, connection: Connection) -> bool:
        """Count a new connection; the oldest stranger leaves if there are too many."""
        crowded = len(self._all) >= self.limits.connections
        if self._strangers and (crowded or len(self._strangers) >= self.limits.strangers):
            oldest = next(iter(self._strangers))
            self.left(oldest)
            oldest.abort()
        elif crowded:
            return False
        self._all.add(connection)
        self._strangers[connection] = None
        return True

    def left(self, connection: Connection) -> None:
        """Forget a connection."""
        if connection in self._all:
            self.hold(connection, 0)
            self._all.discard(connection)
            self._strangers.pop(connection, None)
            if connection.episode is not None:
                self._release(connection.episode)
            if not self._all:
                self._empty.set()

    def recognised(self, connection: Connection, episode: str) -> bool:
        """Note which episode a connection belongs to; return False if this episode has too many."""
        if self._of_episode[episode] >= self.limits.per_episode:
            return False
        self.hold(connection, 0)
        if connection.episode is not None:
            self._release(connection.episode)
        self._strangers.pop(connection, None)
        connection.episode = episode
        self._of_episode[episode] += 1
        return True

    def hold(self, connection: Connection, size: int) -> bool:
        """Set how many bytes a connection keeps in memory; return False if its episode keeps too many."""
        more = size - connection.held
        if not more:
            return True
        total = self._held[connection.episode] + more
        connection.held = size
        if total:
            self._held[connection.episode] = total
        else:
            del self._held[connection.episode]
        return more < 0 or total <= self.limits.held_bytes or total == size  # a single one is always allowed

    def _release(self, episode: str) -> None:
        self._of_episode[episode] -= 1
        if not self._of_episode[episode]:
            del self._of_episode[episode]

    async def _sweep(self) -> None:
        """End the connections whose time is over."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = loop.time()
            for connection in [one for one in self._all if one.deadline < now]:
                connection.expire()


def connections_at_most() -> int:
    """Return how many connections one listener may have: this process must have files left for others."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 1 << 16, hard))
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return Limits().connections if soft == resource.RLIM_INFINITY else max(64, min(Limits().connections, soft // 5))


async def serve_until(listeners: Sequence[Listener], stopping: asyncio.Event) -> None:
    """Run all listeners until the event is set or one of them fails, then stop them together."""
    tasks = [asyncio.create_task(listener.run_until_stopped()) for listener in listeners]
    waiter = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait([*tasks, waiter], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiter.cancel()
        for listener in listeners:
            listener.stop()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


def run(main: Any) -> Any:
    """Run a coroutine with uvloop if it is installed, otherwise with asyncio."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)
