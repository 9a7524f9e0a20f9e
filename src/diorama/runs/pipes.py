"""Calls between a process and its workers: numbered frames over a socket pair, several in progress at once."""

import asyncio
import itertools
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

log = logging.getLogger("diorama.pipes")

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_length = struct.Struct(">I")

CALL, ANSWER, PROBLEM, MESSAGE = range(4)

Answering = Callable[[str, list[Any]], Awaitable[Any]]
Receiving = Callable[[Any], None]


class Problem(Exception):
    """A request that cannot be met: an HTTP status, a code for programs, a sentence for people."""

    def __init__(self, status: int, error: str, detail: str) -> None:
        super().__init__(f"{status} {error}: {detail}")
        self.status = status
        self.error = error
        self.detail = detail


class Lost(Exception):
    """The process at the other end has ended."""


class Pipe:
    """One end of the connection: it sends calls, answers the other end's calls and receives its messages."""

    def __init__(self, answer: Answering | None = None, receive: Receiving | None = None) -> None:
        self._answer = answer
        self._receive = receive
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count(1)
        self._busy: set[asyncio.Task[None]] = set()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self, sock: socket.socket) -> None:
        """Take one end of a socket pair; calls can be sent from here on."""
        self._reader, self._writer = await asyncio.open_unix_connection(sock=sock)

    async def run(self) -> None:
        """Read frames until the other end has ended; then raise Lost in every call that still waits."""
        reader = self._reader
        assert reader is not None, "open() comes first"
        try:
            while True:
                size = _length.unpack(await reader.readexactly(4))[0]
                self._take(*_decode(await reader.readexactly(size)))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Lost("the worker process has ended"))
        self._waiting.clear()

    async def call(self, verb: str, *args: Any) -> Any:
        """Call the other end and return its answer; raise its Problem here."""
        if self._writer is None:
            raise Lost("the worker process has ended")
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send(CALL, number, verb, args)
        try:
            return await future
        finally:
            self._waiting.pop(number, None)

    def send(self, verb: str, *args: Any) -> None:
        """Call the other end without waiting for its answer."""
        self._send(CALL, next(self._numbers), verb, args)

    def tell(self, message: Any) -> None:
        """Send a message that needs no answer."""
        self._send(MESSAGE, 0, "", message)

    def _send(self, kind: int, number: int, verb: str, value: Any) -> None:
        if self._writer is not None:
            frame = _encode((kind, number, verb, value))
            self._writer.write(_length.pack(len(frame)) + frame)

    def _take(self, kind: int, number: int, verb: str, value: Any) -> None:
        if kind == CALL:
            task = asyncio.get_running_loop().create_task(self._serve(number, verb, value))
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)
        elif kind == MESSAGE:
            if self._receive is not None:
                self._receive(value)
        elif (future := self._waiting.get(number)) is not None and not future.done():
            if kind == ANSWER:
                future.set_result(value)
            else:
                future.set_exception(Problem(*value))

    async def _serve(self, number: int, verb: str, args: list[Any]) -> None:
        assert self._answer is not None
        try:
            value = await self._answer(verb, args)
        except Problem as problem:
            self._send(PROBLEM, number, verb, (problem.status, problem.error, problem.detail))
        except Exception as error:  # sent to the caller, which reports it to its client
            log.exception("%s failed", verb)
            detail = f"{type(error).__name__}: {error}"
            self._send(PROBLEM, number, verb, (500, "engine", detail))
        else:
            self._send(ANSWER, number, verb, value)


def serve_blocking(sock: socket.socket, answer: Callable[[str, list[Any], Callable[[Any], None]], Any]) -> None:
    """Answer calls one after the other in this thread until the other end has ended.

    `answer(verb, args, tell)` returns the answer; `tell` sends a message at once.
    """

    def send(kind: int, number: int, verb: str, value: Any) -> None:
        frame = _encode((kind, number, verb, value))
        sock.sendall(_length.pack(len(frame)) + frame)

    reader = sock.makefile("rb")
    try:
        while head := reader.read(4):
            kind, number, verb, args = _decode(reader.read(_length.unpack(head)[0]))
            if kind == CALL:
                send(ANSWER, number, verb, answer(verb, args, lambda message: send(MESSAGE, 0, "", message)))
    except OSError:
        return
