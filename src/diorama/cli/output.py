"""Standard output that cannot be written: checked once, and told in one line, for every command."""

import os
import sys
from errno import EPIPE
from typing import Any

UNSAID_AT_MOST = 10_000
"""Characters that are kept of messages that could not be written."""


class OutputLost(BaseException):
    """Standard output cannot be written. Not an Exception, so that no command takes it for a fault of its own work."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.is_closed_pipe = error.errno == EPIPE


class CheckedStream:
    """A stream that raises OutputLost where writing to it fails; everything else is that of the stream itself."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.used = False

    @property
    def buffer(self) -> "CheckedStream":
        """The binary stream below a text stream."""
        return CheckedStream(self._stream.buffer)

    def write(self, data: Any) -> Any:
        """Write to the stream."""
        self.used = True
        return self._checked(self._stream.write, data)

    def writelines(self, lines: Any) -> None:
        """Write lines to the stream."""
        self._checked(self._stream.writelines, lines)

    def flush(self) -> None:
        """Flush the stream."""
        self._checked(self._stream.flush)

    def _checked(self, write: Any, *data: Any) -> Any:
        try:
            return write(*data)
        except OSError as error:
            raise OutputLost(error) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)


class Messages:
    """Standard error: if it cannot be written, the command goes on, and what it was to say is kept."""

    def __init__(self, stream: Any) -> None:
        self.lost = ""
        """Why it cannot be written."""
        self.kept = ""
        self._stream = stream

    @property
    def buffer(self) -> "Messages":
        """The binary stream below a text stream."""
        below = Messages(self._stream.buffer)
        below._keep = self._keep  # type: ignore[method-assign] # what is lost there is told here
        return below

    def write(self, data: Any) -> Any:
        """Write to the stream, or keep the beginning of what cannot be written."""
        try:
            return self._stream.write(data)
        except OSError as error:
            self._keep(error, data if isinstance(data, str) else bytes(data).decode(errors="replace"))
            return len(data)

    def writelines(self, lines: Any) -> None:
        """Write lines to the stream."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self._stream.flush()
        except OSError as error:
            self._keep(error, "")

    def _keep(self, error: OSError, text: str) -> None:
        self.lost = self.lost or error.strerror or str(error)
        self.kept = (self.kept + text)[:UNSAID_AT_MOST]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def unsaid(json: bool) -> str:
    """Return what could not be written to standard error, for standard output; never behind a JSON document."""
    told: Any = sys.stderr
    if not isinstance(told, Messages) or not told.lost or (json and getattr(sys.stdout, "used", False)):
        return ""
    _point_at_null(2)
    return f"diorama: cannot write to standard error: {told.lost}. It was to say:\n{told.kept}".rstrip()


def check_streams() -> bool:
    """Prepare the standard streams of a command; return False if standard output is closed.

    A closed one is replaced by /dev/null, so that no file of a run gets its number.
    """
    is_open = sys.stdout is not None
    while True:
        fd = os.open(os.devnull, os.O_RDWR)
        if fd > 2:
            os.close(fd)
            break
        os.set_inheritable(fd, True)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 - for as long as the process runs
    sys.stderr = Messages(sys.stderr)
    if is_open:
        sys.stdout = CheckedStream(sys.stdout)
    return is_open


def drop_output() -> None:
    """Let everything that is still to be written go nowhere, so that the end of the process does not try again."""
    _point_at_null(1)


def _point_at_null(fd: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, fd)
    os.close(null)
