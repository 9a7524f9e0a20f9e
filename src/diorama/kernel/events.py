"""Events: the permanent record of what was asked and what happened, chained by digest, beside the image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, overload

import msgspec

from diorama.kernel.changes import Change

GENESIS = bytes(32)


class Signal(msgspec.Struct, frozen=True):
    """What a grader saw at one event, on one scale."""

    name: str
    scale: str
    value: float
    because: str = ""


class Core(msgspec.Struct, frozen=True, array_like=True):
    """The hashed part of an event."""

    seq: int
    turn: int
    root: int
    at: int
    actor: str
    app: str
    operation: str
    request: Any
    reply: Any
    changes: list[Change]
    notices: list[str]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One request, or one thing that happened by itself."""

    seq: int
    turn: int
    root: int
    at: int
    actor: str
    door: str
    app: str
    operation: str
    request: dict[str, Any]
    reply: dict[str, Any]
    changes: list[Change]
    notices: list[str]
    signals: list[Signal]
    state: str
    trace: str
    wall: float = 0.0


class Entry:
    """An event as the chain keeps it: encoded once, decoded when somebody looks."""

    __slots__ = ("core", "door", "signals", "state", "trace", "wall")

    def __init__(self, core: bytes, door: str, state: bytes, trace: bytes, wall: float) -> None:
        self.core = core
        self.door = door
        self.state = state
        self.trace = trace
        self.signals: tuple[Signal, ...] = ()
        self.wall = wall

    def open(self) -> Event:
        """The event in full."""
        core = _unpack(self.core)
        return Event(
            seq=core.seq,
            turn=core.turn,
            root=core.root,
            at=core.at,
            actor=core.actor,
            door=self.door,
            app=core.app,
            operation=core.operation,
            request=core.request,
            reply=core.reply,
            changes=core.changes,
            notices=core.notices,
            signals=list(self.signals),
            state=self.state.hex(),
            trace=self.trace.hex(),
            wall=self.wall,
        )

    def row(self) -> tuple[Any, ...]:
        """What travels or is stored."""
        return (
            self.core,
            self.door,
            self.state,
            self.trace,
            [msgspec.structs.astuple(s) for s in self.signals],
            self.wall,
        )

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Entry:
        """The inverse of row()."""
        entry = cls(row[0], row[1], row[2], row[3], row[5])
        entry.signals = tuple(Signal(*signal) for signal in row[4])
        return entry


_pack_core = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(Core).decode


def chained(previous: bytes, core: Core) -> tuple[bytes, bytes]:
    """The encoded core and the trace digest that it leads to."""
    payload = _pack_core(core)
    return payload, sha256(previous + payload).digest()


class Chain(Sequence[Event]):
    """A world's history; a fork's chain points into its parent's and never copies it."""

    __slots__ = ("_length", "_own", "_parent", "head")

    def __init__(self, parent: Chain | None = None, length: int = 0, head: bytes = GENESIS) -> None:
        self._parent = parent
        self._length = length
        self._own: list[Entry] = []
        self.head = head

    def append(self, entry: Entry) -> None:
        """Add the newest event."""
        self._own.append(entry)
        self.head = entry.trace

    def branch(self) -> Chain:
        """A chain that goes on from here by itself."""
        if not self._own and self._parent is not None:
            return Chain(self._parent, self._length, self.head)
        return Chain(self, len(self), self.head)

    def bare(self) -> Chain:
        """The head alone, its history forgotten: for those who keep logs elsewhere."""
        return Chain(None, 0, self.head)

    def entry(self, index: int) -> Entry:
        """The stored form of one event."""
        chain: Chain = self
        while index < chain._length and chain._parent is not None:
            chain = chain._parent
        return chain._own[index - chain._length]

    def entries(self, start: int = 0) -> Iterator[Entry]:
        """Stored events from a position on."""
        for index in range(start, len(self)):
            yield self.entry(index)

    def __len__(self) -> int:
        return self._length + len(self._own)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self.entry(i).open() for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.entry(index % len(self)).open()
