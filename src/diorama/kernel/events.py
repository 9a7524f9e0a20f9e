"""Events: the permanent record of requests and of scheduled work, chained by digest, stored beside the image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, overload
from weakref import WeakValueDictionary

import msgspec

from diorama.kernel.changes import Change

GENESIS = bytes(32)
BODY_AT_MOST = 64 << 10
"""A larger body is kept once, by digest, instead of inside the event."""


EVENT_SHARE = 1 << 10
"""The memory that any event takes besides its bytes."""
_NO_CHANGES = b"\x90\x90"
"""How the bytes of an event end that changed nothing and announced nothing: two empty lists."""


class Bodies(dict[str, bytes]):
    """The large bodies of one event, by digest."""


NO_BODIES = Bodies()


class Signal(msgspec.Struct, frozen=True, gc=False):
    """A grader's value for one event, on one scale."""

    name: str
    scale: str
    value: float
    because: str = ""
    expected: str = ""
    found: str = ""


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


class Outline(msgspec.Struct, frozen=True, array_like=True):
    """An event without its request and reply, which are not decoded."""

    seq: int
    turn: int
    root: int
    at: int
    actor: str
    app: str
    operation: str
    request: msgspec.Raw
    reply: msgspec.Raw
    changes: list[Change]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One request, or one thing that happened without a request."""

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


class Entry(msgspec.Struct, eq=False, gc=False):  # never in a cycle; a long history must not slow the collector
    """An event as the chain keeps it: encoded once, decoded when it is read.

    Bodies above BODY_AT_MOST stand in the core by digest; `bodies` holds their bytes.
    """

    core: bytes
    door: str
    state: bytes
    trace: bytes
    wall: float
    bodies: Bodies = msgspec.field(default_factory=lambda: NO_BODIES)
    signals: tuple[Signal, ...] = ()

    def open(self, whole: bool = True) -> Event:
        """Decode the event; not `whole`: large bodies stay digests."""
        core = _unpack(self.core)
        request, reply = core.request, core.reply
        if self.bodies and whole:
            request, reply = self._whole(request), self._whole(reply)
        return Event(
            seq=core.seq,
            turn=core.turn,
            root=core.root,
            at=core.at,
            actor=core.actor,
            door=self.door,
            app=core.app,
            operation=core.operation,
            request=request,
            reply=reply,
            changes=core.changes,
            notices=core.notices,
            signals=list(self.signals),
            state=self.state.hex(),
            trace=self.trace.hex(),
            wall=self.wall,
        )

    @property
    def has_changes(self) -> bool:
        """Whether it changed rows, or announced something."""
        return not self.core.endswith(_NO_CHANGES)

    @property
    def memory(self) -> int:
        """How much memory the event counts for: a share, its bytes, and the bytes of its large bodies.

        One that changed rows counts twice, because a grader keeps the changes as well.
        """
        kept = sum(map(len, self.bodies.values())) if self.bodies else 0
        return EVENT_SHARE + len(self.core) * (2 if self.has_changes else 1) + kept

    def outline(self) -> Outline:
        """Decode what the event changed, and who did it."""
        return _unpack_outline(self.core)

    def _whole(self, side: dict[str, Any]) -> dict[str, Any]:
        """Return a request or reply with its body in place of the digest."""
        body = side.get("body")
        return {**side, "body": readable(self.bodies[body["sha256"]])} if isinstance(body, dict) else side

    def row(self) -> tuple[Any, ...]:
        """Return what is stored or sent to another process."""
        return (
            self.core,
            self.door,
            self.state,
            self.trace,
            [msgspec.structs.astuple(s) for s in self.signals],
            self.wall,
            self.bodies,
        )

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> Entry:
        """Rebuild an entry from row()."""
        entry = cls(row[0], row[1], row[2], row[3], row[5], Bodies(row[6]) if row[6] else NO_BODIES)
        entry.signals = tuple(Signal(*signal) for signal in row[4])
        return entry


def readable(body: bytes) -> str | bytes:
    """Return a body as text if it is valid UTF-8, so that logs can be read."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


_pack_core = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(Core).decode
_unpack_outline = msgspec.msgpack.Decoder(Outline).decode


def chained(previous: bytes, core: Core) -> tuple[bytes, bytes]:
    """Return the encoded core and the trace digest after it."""
    payload = _pack_core(core)
    return payload, sha256(previous + payload).digest()


class Chain(Sequence[Event]):
    """A world's history. A fork's chain points into its parent's and never copies it."""

    __slots__ = ("_length", "_own", "_parent", "bodies", "head", "memory", "stopped")

    def __init__(self, parent: Chain | None = None, length: int = 0, head: bytes = GENESIS, memory: int = 0) -> None:
        self._parent = parent
        self.memory = memory
        """How much memory the events count for, those of the parent included."""
        self.bodies: WeakValueDictionary[str, Bodies] = WeakValueDictionary() if parent is None else parent.bodies
        """Events that hold a large body, in this world and its forks: as long as one exists, the others share it."""
        self.stopped: frozenset[int] | None = None if parent is None else parent.stopped
        """In a replay: the events whose record says that the backstop of the budget stopped them; else None."""
        self._length = length
        self._own: list[Entry] = []
        self.head = head

    def append(self, entry: Entry) -> None:
        """Add the newest event."""
        self._own.append(entry)
        self.head = entry.trace
        self.memory += entry.memory

    def recorded(self, body: bytes, kept: Bodies) -> str | bytes | dict[str, Any]:
        """Return a body as an event records it: a large one by digest, its bytes put into `kept`."""
        if len(body) <= BODY_AT_MOST:
            return readable(body)
        digest = sha256(body).hexdigest()
        self.keep(digest, body, kept)
        return {"sha256": digest, "bytes": len(body)}

    def keep(self, digest: str, body: bytes, kept: Bodies) -> None:
        """Put a large body into `kept`: the bytes of another event, if one holds the same body."""
        known = self.bodies.get(digest)
        kept[digest] = body if known is None else known[digest]
        if known is None:
            self.bodies[digest] = kept

    def branch(self) -> Chain:
        """Return a chain that continues from here on its own."""
        if not self._own and self._parent is not None:
            return Chain(self._parent, self._length, self.head, self.memory)
        return Chain(self, len(self), self.head, self.memory)

    def bare(self) -> Chain:
        """Return a chain with this head and no history, for callers that keep logs elsewhere."""
        return Chain(None, 0, self.head, self.memory)

    def entry(self, index: int) -> Entry:
        """Return the stored form of one event."""
        chain: Chain = self
        while index < chain._length and chain._parent is not None:
            chain = chain._parent
        return chain._own[index - chain._length]

    def entries(self, start: int = 0) -> Iterator[Entry]:
        """Yield stored events from a position on."""
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
        length = len(self)
        if not -length <= index < length:
            raise IndexError(index)
        return self.entry(index % length).open()
