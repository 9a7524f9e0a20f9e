"""One HTTP/1.1 connection: requests one after the other, with limits on sizes, times and what is kept of them."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from typing import Any, Protocol, cast

import msgspec

from diorama.doors.chunks import Chunks
from diorama.doors.heads import HEAD_BYTES, Head, Heads, Malformed, has_bare_line_feed

DRAIN_BYTES = 64 << 20
"""Read and drop this much of a refused body, so that the client reads the reply."""
BLANK_LINES = 4
"""How many empty lines may stand before a request."""
STATUS_LINES = {one.value: f"HTTP/1.1 {one.value} {one.phrase}\r\n".encode() for one in HTTPStatus}
BODILESS = (204, 304)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
NEVER = float("inf")


class Limits(msgspec.Struct, frozen=True):
    """What one listener allows its clients. A stranger is a client without a valid credential so far."""

    head_seconds: float = 10.0
    """For a whole head, and for a stranger's body."""
    idle_seconds: float = 75.0
    body_seconds: float = 30.0
    """For a body, besides one second for every `body_rate` bytes."""
    body_rate: int = 20_000
    write_seconds: float = 30.0
    """For a client that has stopped reading its replies."""
    linger_seconds: float = 2.0
    connections: int = 4000
    strangers: int = 500
    """Connections of strangers; the oldest is closed for a new one."""
    per_episode: int = 32
    """Connections of one episode; a request on one more is refused."""
    crowd_seconds: float = 1.0
    """How long that refusal takes."""
    held_bytes: int = 32 << 20
    """Bodies and unread replies of one episode, and the bodies of all strangers together."""


class Admission:
    """What a server decides after a head: who asks, and how large a body may be."""

    __slots__ = ("episode", "limit", "session")

    def __init__(self, session: Any, episode: str | None, limit: int) -> None:
        """`episode` names the episode; None for a stranger. A larger body than `limit` is not kept."""
        self.session = session
        self.episode = episode
        self.limit = limit


class Answer(msgspec.Struct):
    """A reply as it goes over the wire; `content` is left out where HTTP has none."""

    status: int
    head: bytes
    """The header lines, without `content-length` and `connection`; each ends with CR LF."""
    content: bytes = b""
    tail: bytes | None = None
    """The header lines behind `Content-Length` and `Connection`; None if these two are written last, in lower case."""


def head_of(pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the header lines of a reply."""
    return b"".join([b"%b: %b\r\n" % pair for pair in pairs])


Done = Callable[[Answer], None]


class Served(Protocol):
    """What a listener serves: it admits requests by their heads and answers them, at once or later."""

    def admit(self, head: Head) -> Admission:
        """Say who asks; called before the body is read."""
        ...

    def answer(self, head: Head, admission: Admission, body: bytes | None, done: Done) -> None:
        """Answer a complete request by calling `done` once; the body is None if it was larger than admitted."""
        ...

    def crowded(self, admission: Admission) -> Answer:
        """Return the refusal for an episode that sends more at once than the listener allows."""
        ...

    def unreadable(self, status: int, reason: str, episode: str | None) -> Answer:
        """Return the refusal of a request that is not HTTP; `episode` is that of earlier requests, if any."""
        ...


class Crowd(Protocol):
    """The connections of one listener together."""

    limits: Limits
    served: Served
    heads: Heads
    stopping: bool

    def joined(self, connection: "Connection") -> bool:
        """Count a new connection; return False if there is no room."""
        ...

    def left(self, connection: "Connection") -> None:
        """Forget a connection."""
        ...

    def recognised(self, connection: "Connection", episode: str) -> bool:
        """Note which episode a connection belongs to; return False if this episode has too many."""
        ...

    def hold(self, connection: "Connection", size: int) -> bool:
        """Set how many bytes a connection keeps in memory; return False if that is too much."""
        ...

    def in_turn(self, work: Callable[[], None]) -> None:
        """Do work for a stranger when it is the strangers' turn."""
        ...


class Connection(asyncio.Protocol):
    """The server's side of one connection."""

    __slots__ = (
        "_admission", "_advancing", "_blank", "_body", "_buffer", "_busy", "_chunks", "_crowd", "_ended", "_head",
        "_left", "_linger", "_loop", "_paused", "_pending", "_read", "_scanned", "_secure", "_size", "_transport",
        "_writable", "deadline", "episode", "held",
    )  # fmt: skip

    def __init__(self, crowd: Crowd) -> None:
        self.deadline = NEVER
        self.episode: str | None = None
        self.held = 0
        self._crowd = crowd
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._scanned = self._blank = 0
        self._head: Head | None = None
        self._admission: Admission | None = None
        self._body: bytearray | None = None
        self._chunks: Chunks | None = None
        self._left = self._size = self._linger = 0
        self._busy = self._ended = self._paused = self._pending = self._secure = self._advancing = self._read = False
        self._writable = True

    # --- what the transport says

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; a connection for which there is no room is closed."""
        self._transport = cast(asyncio.Transport, transport)
        self._secure = transport.get_extra_info("sslcontext") is not None
        self.deadline = self._loop.time() + self._crowd.limits.head_seconds
        if not self._crowd.joined(self):
            self._ended = True
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the client; a complete request of it is still served."""
        self._ended = True
        self._transport = None
        self._buffer = bytearray()
        self._body = None
        self._crowd.left(self)

    def data_received(self, data: bytes) -> None:
        """Take bytes of the client."""
        if self._ended:
            return
        if self._linger:
            self._linger -= len(data)
            if self._linger <= 0:
                self.abort()
            elif self.episode is None:
                self._later()
            return
        self._buffer += data
        if self._busy or self._pending or not self._writable:
            self._hold_back()
        elif self.episode is None and (self._head is not None or self._scanned or self._blank):
            self._later()  # only the first bytes of a request may show who asks
        else:
            self.advance()

    def eof_received(self) -> bool:
        """Keep the connection open for the replies: the client only stopped sending."""
        self._read = True
        if self._linger:
            return False
        self._later()
        return not self._secure

    def pause_writing(self) -> None:
        """Serve no more requests until the client has read its replies."""
        self._writable = False
        self.deadline = self._loop.time() + self._crowd.limits.write_seconds
        if self._transport is not None and not self._crowd.hold(self, self._transport.get_write_buffer_size()):
            self.abort()

    def resume_writing(self) -> None:
        """Go on."""
        self._writable = True
        self._crowd.hold(self, 0)
        if not self._busy and not self._ended:
            self._rest()
            self._later()

    # --- time

    def expire(self) -> None:
        """End a connection whose time is over, with a word if a request was begun."""
        if self._linger or not self._writable or self._transport is None:
            self.abort()
        elif self._head is not None or self._buffer:
            self._refuse(408, "The request did not arrive in time.")
        else:
            self._end()

    def abort(self) -> None:
        """Close at once."""
        self._ended = True
        if self._transport is not None:
            self._transport.abort()

    def retire(self) -> None:
        """Close now if no request is in progress, else after its reply."""
        if not self._busy and self._writable:
            self._end()

    # --- reading

    def advance(self) -> None:
        """Handle the bytes that have arrived, until an answer is being made or more bytes are needed."""
        if self._advancing:
            return
        self._advancing = True
        try:
            while self._buffer and self._writable and not (self._busy or self._pending or self._ended or self._linger):
                if not (self._read_head() if self._head is None else self._read_body()):
                    break
        except Malformed as error:
            self._refuse(error.status, error.reason)
        finally:
            self._advancing = False
        if self._read and self._writable and not (self._busy or self._pending or self._ended or self._linger):
            self._end()  # the client sends nothing more, and what it sent is answered

    def _read_head(self) -> bool:
        """Read one head if it is complete; return whether to go on."""
        buffer = self._buffer
        while buffer.startswith(b"\r\n") and not self._scanned:
            if self._blank >= BLANK_LINES:
                raise Malformed(400, "There are too many empty lines before the request line.")
            self._blank += 1
            del buffer[:2]  # some clients end a body with a line
        end = buffer.find(b"\r\n\r\n", max(0, self._scanned - 3))
        if end < 0 or end > HEAD_BYTES:
            if len(buffer) > HEAD_BYTES:
                raise Malformed(431, f"The request line and headers are larger than {HEAD_BYTES} bytes.")
            if has_bare_line_feed(buffer, max(0, self._scanned - 1)):
                raise Malformed(400, "A line ends with a bare line feed.")
            if not self._scanned and buffer:
                self.deadline = self._loop.time() + self._crowd.limits.head_seconds
            self._scanned = len(buffer)
            return False
        head = self._head = self._crowd.heads.parse(bytes(buffer[:end]))
        del buffer[: end + 4]
        self._scanned = self._blank = 0
        head.secure = self._secure
        head.episode = self.episode
        admission = self._admission = self._crowd.served.admit(head)
        episode = admission.episode
        if episode is not None and episode != self.episode and not self._crowd.recognised(self, episode):
            self._busy, self.deadline = True, NEVER  # late, so that connecting again and again is slow
            refusal = self._crowd.served.crowded(admission)
            self._loop.call_later(self._crowd.limits.crowd_seconds, self._answered, refusal, True)
            return False
        if not head.has_body:
            self._complete(b"")
            return True
        return self._begin_body(head, admission)

    def _begin_body(self, head: Head, admission: Admission) -> bool:
        length = head.fields.length
        if length > DRAIN_BYTES:
            self._complete(None, close=True)
            return False
        if head.fields.chunked:
            self._chunks = Chunks()
        elif len(self._buffer) >= length and length <= admission.limit:
            body = bytes(self._buffer[:length])
            del self._buffer[:length]
            self._complete(body)
            return True
        limits = self._crowd.limits
        self._left, self._size, self._body = length, 0, bytearray()
        size = min(length or admission.limit, admission.limit)
        seconds = limits.head_seconds if admission.episode is None else limits.body_seconds + size / limits.body_rate
        self.deadline = self._loop.time() + seconds
        if head.fields.continues and not self._buffer and self._transport is not None:
            if length > admission.limit or (admission.episode is None and not admission.limit):
                self._complete(None, close=True)  # refused before it is sent
                return False
            self._transport.write(CONTINUE)
        return True

    def _read_body(self) -> bool:
        """Read what has arrived of a body; return whether to go on at once."""
        admission, chunks = self._admission, self._chunks
        assert admission is not None
        if chunks is not None:
            part = chunks.feed(self._buffer)
        else:
            part = bytes(self._buffer[: self._left])
            del self._buffer[: len(part)]
            self._left -= len(part)
        self._size += len(part)
        if self._size > admission.limit:
            self._body = None
            self._crowd.hold(self, 0)
        elif self._body is not None:
            self._body += part
            if not self._crowd.hold(self, len(self._body)):
                self._crowd.hold(self, 0)
                self._answered(self._crowd.served.crowded(admission), close=True)
                return False
        if self._size > DRAIN_BYTES:
            raise Malformed(413, f"The body is larger than {DRAIN_BYTES} bytes.")
        if chunks.done if chunks is not None else not self._left:
            body = None if self._body is None else bytes(self._body)
            self._chunks, self._body = None, None
            self._complete(body)
            return True
        if chunks is not None and chunks.stopped:
            self._later()
        return False

    def _complete(self, body: bytes | None, close: bool = False) -> None:
        """Pass a whole request on: at once, or in the turn of strangers."""
        head, admission = self._head, self._admission
        assert head is not None
        assert admission is not None
        self._busy, self.deadline = True, NEVER
        done = partial(self._answered, close=True) if close else self._answered
        if admission.episode is not None:
            self._crowd.served.answer(head, admission, body, done)
            return

        def answer() -> None:
            if body or self._transport is not None:  # a body may show a credential, and its request is served
                self._crowd.served.answer(head, admission, body, done)

        self._crowd.in_turn(answer)

    def _hold_back(self) -> None:
        """Stop reading: from a stranger until its turn, from others while more bytes wait than one head may have."""
        if self._paused or self._read or self._transport is None:
            return
        if self.episode is None or len(self._buffer) > HEAD_BYTES:
            self._paused = True
            self._transport.pause_reading()

    def _later(self) -> None:
        """Go on after the other connections had their turn."""
        self._hold_back()
        if not self._pending:
            self._pending = True
            if self.episode is None:
                self._crowd.in_turn(self._go_on)
            else:
                self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        self._pending = False
        if self._paused and self._transport is not None and not self._ended:
            self._paused = False
            self._transport.resume_reading()
        if not self._ended:
            self.advance()

    # --- writing

    def _answered(self, answer: Answer, close: bool = False) -> None:
        """Write a reply, then go on with the next request."""
        head, self._head, self._admission = self._head, None, None
        self._busy = False
        transport = self._transport
        if transport is None or self._ended or head is None:
            return
        close = close or not head.keeps or self._crowd.stopping
        transport.write(_wire(answer, head.method, close))
        if self.held and self._writable:
            self._crowd.hold(self, 0)
        if close:
            unread = head.has_body and (self._left or self._chunks is not None or head.fields.length > DRAIN_BYTES)
            self._linger_on() if unread else self._end()
            return
        self._rest()
        if self._buffer or self._paused or self._read:
            self._later()

    def _rest(self) -> None:
        """Wait for the next request: long for a client that is known, briefly for a stranger."""
        limits = self._crowd.limits
        if self._writable:
            self.deadline = self._loop.time() + (limits.head_seconds if self.episode is None else limits.idle_seconds)

    def _refuse(self, status: int, reason: str) -> None:
        """Answer a request that cannot be read, and close."""
        self._head = None
        self._crowd.hold(self, 0)
        if self._transport is None:
            return
        self._transport.write(_wire(self._crowd.served.unreadable(status, reason, self.episode), "", True))
        self._linger_on()

    def _linger_on(self) -> None:
        """Drop what the client still sends for a moment, so that it reads the reply before the connection ends."""
        self._buffer = bytearray()
        self._body = None
        if self._transport is None or self._read:
            self._end()
            return
        self._linger = DRAIN_BYTES
        self.deadline = self._loop.time() + self._crowd.limits.linger_seconds
        if self._paused:
            self._paused = False
            self._transport.resume_reading()
        if self._transport.can_write_eof():
            self._transport.write_eof()
        else:
            self._end()

    def _end(self) -> None:
        """Close once everything is written; a client that does not read is cut off after a while."""
        self._ended = True
        self.deadline = self._loop.time() + self._crowd.limits.write_seconds
        self._writable = False
        if self._transport is not None:
            self._transport.close()


def _wire(answer: Answer, method: str, close: bool) -> bytes:
    """Return the bytes of a reply."""
    status, content, tail = answer.status, answer.content, answer.tail
    if tail is not None:
        return _wire_in_order(answer, tail, method, close)
    parts = [STATUS_LINES.get(status) or f"HTTP/1.1 {status} \r\n".encode(), answer.head]
    if content or (status not in BODILESS and method != "HEAD"):
        parts.append(b"content-length: %d\r\n" % len(content))
    parts.append(b"connection: close\r\n\r\n" if close else b"\r\n")
    if content and method != "HEAD" and status not in BODILESS:
        parts.append(content)
    return b"".join(parts)


def plain_refusal(status: int, reason: str) -> Answer:
    """Return a refusal in plain text, of a server that belongs to no product."""
    return Answer(status, b"content-type: text/plain; charset=utf-8\r\n", reason.encode() + b"\n")


def _wire_in_order(answer: Answer, tail: bytes, method: str, close: bool) -> bytes:
    """Return the bytes of a reply whose other headers stand before and behind its length."""
    status, content = answer.status, answer.content
    kept = b"Connection: close\r\n" if close else b"Connection: keep-alive\r\n"
    line = STATUS_LINES.get(status) or f"HTTP/1.1 {status} \r\n".encode()
    if status in BODILESS or (method == "HEAD" and not content):
        return b"".join((line, answer.head, kept, tail, b"\r\n"))
    length = b"Content-Length: %d\r\n" % len(content)
    return b"".join((line, answer.head, length, kept, tail, b"\r\n", b"" if method == "HEAD" else content))
