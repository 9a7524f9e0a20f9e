"""Work for strangers, who have shown no valid credential: a little of it in every pass of the event loop."""

import asyncio
import socket
import time
from collections import deque
from collections.abc import Callable

STRANGERS_SECONDS = 0.0002
"""How long strangers are served before known clients have their turn again."""
ACCEPT_SECONDS = 0.0005
SORTED_AT_ONCE = 64
"""Connections that are accepted in one pass of the event loop."""
CONNECTED_AT_ONCE = 4
"""Of these, known clients and those that have sent nothing yet, which begin at once."""
WAITING_AT_MOST = 500
"""Accepted connections of strangers that have not begun; the oldest is closed for a new one."""
PEEKED_BYTES = 16 << 10


class StrangersQueue:
    """A queue of work for strangers, first come, first served, which takes a bounded share of the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Callable[[], None], bool]] = deque()
        self._scheduled = False

    def put(self, work: Callable[[], None], last: bool = False) -> None:
        """Queue work of a stranger; `last` if it causes more in the next pass, so that it ends its own one."""
        self._waiting.append((work, last))
        self._schedule()

    def _schedule(self) -> None:
        if self._waiting and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._serve)

    def _serve(self) -> None:
        until = time.perf_counter() + STRANGERS_SECONDS
        try:
            while self._waiting:
                work, last = self._waiting.popleft()
                work()
                if last or time.perf_counter() > until:
                    break
        finally:
            self._scheduled = False
            self._schedule()


class Sorter:
    """Tells known clients from strangers by the first bytes that they have sent, before anything is spent on them."""

    def __init__(
        self, known: Callable[[bytes], bool], line: StrangersQueue, begin: Callable[[socket.socket], None]
    ) -> None:
        """`known` says whether a head shows a valid credential; `begin` starts a connection."""
        self._known = known
        self._line = line
        self._begin = begin
        self._waiting: deque[socket.socket] = deque()

    def close(self) -> None:
        """Close the connections that have not begun."""
        while self._waiting:
            self._waiting.popleft().close()

    def take(self, sock: socket.socket) -> bool:
        """Begin an accepted connection at once, or later if a stranger asks on it; return whether it was at once."""
        try:
            data = sock.recv(PEEKED_BYTES, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):  # nothing was sent yet
            self._begin(sock)
            return True
        except OSError:
            data = b""
        if not data:  # the client has left
            sock.close()
            return False
        end = data.find(b"\r\n\r\n")
        if end >= 0 and self._known(data[:end]):
            self._begin(sock)
            return True
        if len(self._waiting) >= WAITING_AT_MOST:
            self._waiting.popleft().close()
        else:
            self._line.put(self._begin_next, last=True)
        self._waiting.append(sock)
        return False

    def _begin_next(self) -> None:
        if self._waiting:
            self._begin(self._waiting.popleft())
