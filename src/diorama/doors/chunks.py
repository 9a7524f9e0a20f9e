"""Bodies in chunks: a strict decoder that drops extensions and trailers."""

import re

from diorama.doors.heads import Malformed, has_bare_line_feed, parse_fields

LINE_BYTES = 256
TRAILER_BYTES = 8 << 10
FREE_FRAMING_BYTES = 64 << 10
LINES_AT_ONCE = 256
FRAMING_PER_BYTE = 8
"""One byte per chunk takes five bytes of framing; more than this is an attack."""

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t -~\x80-\xff]*)?")


class Chunks:
    """Decodes one chunked body, as far as its bytes have arrived."""

    __slots__ = ("_closing", "_framing", "_left", "_size", "_trailers", "done", "stopped")

    def __init__(self) -> None:
        self.done = self.stopped = False
        self._left = 0
        self._closing = False  # the line end after a chunk's data is due
        self._size = self._framing = 0
        self._trailers: bytes | None = None

    def feed(self, buffer: bytearray) -> bytes:
        """Take what can be decoded off the buffer and return the data in it; raise Malformed.

        Of very small chunks it decodes a few hundred; `stopped` says that the buffer may hold more of them.
        """
        out = bytearray()
        lines = 0
        self.stopped = False
        while buffer and not self.done:
            if self._left:
                part = buffer[: self._left]
                del buffer[: len(part)]
                out += part
                self._left -= len(part)
                self._size += len(part)
                self._closing = self._left == 0
            elif self._closing:
                if len(buffer) < 2:
                    break
                if buffer[:2] != b"\r\n":
                    raise Malformed(400, "A chunk is longer than its size.")
                del buffer[:2]
                self._closing = False
            elif lines == LINES_AT_ONCE:
                self.stopped = True
                break
            elif self._line(buffer):
                lines += 1
            else:
                break
        return bytes(out)

    def _line(self, buffer: bytearray) -> bool:
        """Take one line off the buffer: the size of a chunk, or a trailer; return whether it was complete."""
        end = buffer.find(b"\r\n")
        limit = LINE_BYTES if self._trailers is None else TRAILER_BYTES
        if end > limit or (end < 0 and len(buffer) > limit + 1):
            raise Malformed(400, "A line between chunks is too long.")
        if has_bare_line_feed(buffer[: limit + 2] if end < 0 else buffer[:end]):
            raise Malformed(400, "A line between chunks ends with a bare line feed.")
        if end < 0:
            return False
        line = bytes(buffer[:end])
        del buffer[: end + 2]
        if self._trailers is not None:
            self._trailer(line)
            return True
        self._framing += end + 4
        match = _SIZE.fullmatch(line)
        if match is None or self._framing > FREE_FRAMING_BYTES + FRAMING_PER_BYTE * self._size:
            raise Malformed(400, "The size of a chunk is malformed.")
        self._left = int(match[1], 16)
        if self._left == 0:
            self._trailers = b""
        return True

    def _trailer(self, line: bytes) -> None:
        """Check one line after the last chunk and drop it: no trailer means anything here."""
        assert self._trailers is not None
        if not line:
            self.done = True
            return
        parse_fields(line)
        self._trailers += line
        if len(self._trailers) > TRAILER_BYTES:
            raise Malformed(431, "The trailers are too large.")
