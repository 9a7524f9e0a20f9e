"""Calls between the front and its workers: numbered frames over a socket pair, several under way at once."""

import asyncio
import itertools
import logging
import socket
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from diorama.server.control import Problem

log = logging.getLogger("diorama.pipes")

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_length = struct.Struct(">I")

CALL, ANSWER, PROBLEM, NEWS = range(4)

Answering = Callable[[str, list[Any]], Awaitable[Any]]
Hearing = Callable[[Any], None]


class Lost(Exception):
    """The other end is gone."""


class Pipe:
    """One end: calls go out, calls of the other end are answered, news is heard."""

    def __init__(self, answer: Answering | None = None, hear: Hearing | None = None) -> None:
        self._answer = answer
        self._hear = hear
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count(1)
        self._busy: set[asyncio.Task[None]] = set()
        self._writer: asyncio.StreamWriter | None = None

    async def run(self, sock: socket.socket) -> None:
        """Read frames until the other end is gone; whoever still waits for an answer is told so."""
        reader, self._writer = await asyncio.open_unix_connection(sock=sock)
        try:
            while True:
                size = _length.unpack(await reader.readexactly(4))[0]
                self._take(*_decode(await reader.readexactly(size)))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Lost("the worker process is gone"))
        self._waiting.clear()

    async def call(self, verb: str, *args: Any) -> Any:
        """Ask the other end and wait for its answer; its Problem is raised here."""
        if self._writer is None:
            raise Lost("the worker process is gone")
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send(CALL, number, verb, args)
        try:
            return await future
        finally:
            self._waiting.pop(number, None)

    def tell(self, news: Any) -> None:
        """Say something that needs no answer."""
        self._send(NEWS, 0, "", news)

    def _send(self, kind: int, number: int, verb: str, value: Any) -> None:
        if self._writer is not None:
            frame = _encode((kind, number, verb, value))
            self._writer.write(_length.pack(len(frame)) + frame)

    def _take(self, kind: int, number: int, verb: str, value: Any) -> None:
        if kind == CALL:
            task = asyncio.get_running_loop().create_task(self._serve(number, verb, value))
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)
        elif kind == NEWS:
            if self._hear is not None:
                self._hear(value)
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
        except Exception as error:  # told to whoever asked, who says it to the client
            log.exception("%s failed", verb)
            detail = f"{type(error).__name__}: {error}"
            self._send(PROBLEM, number, verb, (500, "engine", detail))
        else:
            self._send(ANSWER, number, verb, value)
