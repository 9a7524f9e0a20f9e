"""World: one company at one moment, and the one gateway through which everything in it happens."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, MutableMapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal, TypeVar

import apsw
import msgspec

from diorama.kernel.app import App
from diorama.kernel.changes import Change, shifted
from diorama.kernel.company import Company
from diorama.kernel.errors import Boundary, Defect, Missing, Refusal
from diorama.kernel.events import Chain, Core, Entry, Signal, chained
from diorama.kernel.lane import LANES, Lane
from diorama.kernel.pages import Image, PageMap
from diorama.kernel.records import Notice, from_us
from diorama.kernel.schema import NEVER
from diorama.kernel.tx import Tx
from diorama.kernel.wire import Actor, Reply, Request

T = TypeVar("T")
HOT = "SELECT now, seq, turn, due, faults, dice, state, ids FROM _world WHERE id = 1"
KEEP = "UPDATE _world SET now = ?, seq = ?, turn = ?, due = ?, state = ?, ids = ? WHERE id = 1"
NEXT = "SELECT id, at, app, command, args, actor, root FROM _agenda ORDER BY at, id LIMIT 1"
NEXT_OF_STORY = NEXT.replace(" ORDER", " WHERE root > 0 ORDER")
"""What is still to come of what was done in this world; what the image had planned has no root."""
CASCADE_AT_MOST = 200_000
FATE = Actor("system", "fate")
SNAPSHOT_FORMAT = 1

_unpack = msgspec.msgpack.decode
_pack = msgspec.msgpack.encode


class Outcome(msgspec.Struct):
    """What one transaction came to."""

    result: Any
    refusal: Refusal | Missing | None
    attention: list[Notice]
    now_us: int
    due_us: int


class Snapshot:
    """A frozen moment: the pages of a world and the head of its chain."""

    __slots__ = ("chain", "company", "frozen", "image", "pages")

    def __init__(
        self, company: Company, image: Image, frozen: tuple[dict[int, bytes], ...], pages: int, chain: Chain
    ) -> None:
        self.company = company
        self.image = image
        self.frozen = frozen
        self.pages = pages
        self.chain = chain

    def dump(self) -> bytes:
        """Bytes that another process with the same image can open."""
        written = PageMap(self.image, self.frozen, self.pages).written()
        entries = [entry.row() for entry in self.chain.entries()]
        about = (SNAPSHOT_FORMAT, self.company.name, self.image.digest, self.image.layout)
        return zlib.compress(_pack((about, self.pages, written, entries, self.chain.head)), 1)

    @classmethod
    def load(cls, data: bytes, company: Company, image: Image) -> Snapshot:
        """The snapshot that dump() wrote; the image must be the one it was made on."""
        about, pages, written, entries, head = _unpack(zlib.decompress(data))
        if tuple(about) != (SNAPSHOT_FORMAT, company.name, image.digest, image.layout):
            raise ValueError(f"this snapshot was made on {about[1:]}, not on {company.name} {image.digest}")
        chain = Chain()
        for row in entries:
            entry = Entry.from_row(row)
            if sha256(chain.head + entry.core).digest() != entry.trace:
                raise ValueError(f"event {len(chain) + 1} of this snapshot is not the one that happened")
            chain.append(entry)
        if chain.head != head:
            raise ValueError("this snapshot's events do not lead to its head")
        return cls(company, image, (written,), pages, chain)


class World:
    """One live world. Python holds its page map and the head of its chain; all state is in the pages."""

    __slots__ = ("chain", "company", "defect", "pages")

    def __init__(self, company: Company, pages: PageMap, chain: Chain, defect: Defect | None = None) -> None:
        self.company = company
        self.pages = pages
        self.chain = chain
        self.defect = defect

    @classmethod
    def open(cls, company: Company, image: Image, seed: int | str = 0) -> World:
        """A world at the image's moment, with dice of its own."""
        world = cls(company, PageMap(image), Chain())
        world._rekey("seed", seed)
        return world

    # --- looking

    @property
    def now(self) -> datetime:
        """The world's time."""
        return from_us(self._hot()[0])

    @property
    def state(self) -> str:
        """Digest of all rows: is this the same world?"""
        return bytes(self._hot()[6]).hex()

    @property
    def trace(self) -> str:
        """Digest of all that happened: is this the same history?"""
        return self.chain.head.hex()

    @property
    def turn(self) -> int:
        """How many turns the agent has taken."""
        return int(self._hot()[2])

    @property
    def progress(self) -> tuple[int, int]:
        """The time in microseconds and the turns taken, read at once."""
        hot = self._hot()
        return hot[0], hot[2]

    @property
    def events(self) -> Chain:
        """Everything that happened, oldest first."""
        return self.chain

    @property
    def truth(self) -> Truth:
        """The control plane's own facts, kept in the image."""
        return Truth(self)

    def read(self, function: Callable[..., T], *args: Any, boundary: Boundary = "grader") -> T:
        """Run fn(tx, ...) over the state without being able to change it; no event."""
        self._sound()
        lane = self._lane()
        lane.busy = True
        lane.control("BEGIN")
        try:
            now, seq, _, _, faults, dice, _, ids = lane.control(HOT)[0]
            LANES.now_us = now
            tx = Tx(lane, self.company, self.company.apps[0], FATE, now, seq, seq, dice, ids, "read")
            tx.faults = faults
            result = function(tx, *args)
            if lane.journal.raw:
                raise Defect(
                    f"{function!r} wrote {lane.journal.raw[0][0]} while it was only to read", boundary=boundary
                )
            return result
        finally:
            lane.journal.raw.clear()
            if lane.connection.txn_state("main") != apsw.SQLITE_TXN_NONE or lane.connection.in_transaction:
                lane.control("ROLLBACK")
            lane.busy = False

    # --- acting

    def send(
        self,
        app: str,
        request: Request,
        actor: Actor,
        door: str = "python",
        turn: bool = True,
        extra_seconds: float = 0.0,
    ) -> Reply:
        """The gateway: one request of one actor through one door is one transaction and one event."""
        target = self.company.app(app)
        request = Request(request.method, request.path, request.query, target.heard(request.headers), request.body)
        recorded = {
            "method": request.method, "path": request.path, "query": request.query, "headers": request.headers,
            "body": _readable(request.body),
        }  # fmt: skip
        outcome = self._transact(
            target,
            actor,
            door,
            "",
            recorded,
            lambda tx: target.serve(tx, request),
            turn=turn,
            request=request,
            extra=extra_seconds,
        )
        if turn and outcome.due_us <= outcome.now_us:
            self._run_to(outcome.now_us)
        return outcome.result  # type: ignore[no-any-return] # serve() answers a Reply

    def do(
        self,
        function: Callable[..., T],
        actor: Actor | str,
        *args: Any,
        boundary: Boundary = "app",
        rooted: bool = True,
        **named: Any,
    ) -> T:
        """Run fn(tx, ...) as one transaction and one event: staging, fate, tests. Unrooted, it belongs to the world."""
        who = Actor.named(actor) if isinstance(actor, str) else actor
        app = self._home(function)
        note = {
            "function": _title(function),
            "args": _loggable(args),
            "named": _loggable(named),
        }
        outcome = self._transact(
            app,
            who,
            "control",
            f"do:{note['function']}",
            note,
            lambda tx: function(tx, *args, **named),
            boundary=boundary,
            rooted=rooted,
        )
        if outcome.refusal is not None:
            raise outcome.refusal
        return outcome.result  # type: ignore[no-any-return] # whatever fn returned

    def apply(self, app: str, command: str, actor: Actor = FATE, **args: Any) -> Any:
        """Feed in something from outside as a recorded input: a declared command with JSON arguments."""
        target = self.company.app(app)
        function = target.commands[command]
        outcome = self._transact(target, actor, "input", command, {"args": args}, lambda tx: function(tx, **args))
        if outcome.refusal is not None:
            raise outcome.refusal
        return outcome.result

    def plan(self, delay: timedelta, command: Callable[..., Any], /, **args: Any) -> int:
        """Put a command on the agenda from the control plane."""
        return int(self.do(lambda tx: tx.later(delay, command, **args), FATE))

    def wait(
        self,
        delay: timedelta,
        until: Literal["notice", "rest"] | None = None,
        actor: Actor = FATE,
        door: str = "control",
        turn: bool = False,
    ) -> list[Notice]:
        """Let time pass: one event, then whatever the agenda holds, in order.

        A notice may end it early. Until `rest` only that happens which follows from what was done in this world, as
        long as there is any: its routine stands still.
        """
        seconds = delay.total_seconds()
        outcome = self._transact(
            self.company.apps[0], actor, door, "wait", {"seconds": seconds, "until": until}, lambda tx: None, turn=turn
        )
        return self._run_to(outcome.now_us + round(seconds * 1e6), stop=until)

    # --- branching

    def snapshot(self) -> Snapshot:
        """A moment that can be returned to."""
        self._sound()
        return Snapshot(self.company, self.pages.image, self.pages.freeze(), self.pages.pages, self.chain.branch())

    def fork(self, dice: int | None = None) -> World:
        """A second world that starts here; new dice only where asked for."""
        twin = World(self.company, self.pages.twin(), self.chain.branch(), self.defect)
        if dice is not None:
            twin._rekey("fork", dice)
        return twin

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot; what happened since is gone, a defect included."""
        self.pages = PageMap(snapshot.image, snapshot.frozen, snapshot.pages)
        self.chain = snapshot.chain.branch()
        self.defect = None

    @classmethod
    def at(cls, snapshot: Snapshot) -> World:
        """A new world at a snapshot."""
        return cls(snapshot.company, PageMap(snapshot.image, snapshot.frozen, snapshot.pages), snapshot.chain.branch())

    def remark(
        self, app: str, actor: Actor, door: str, operation: str, recorded: dict[str, Any], seconds: float = 0.0
    ) -> None:
        """A turn that reached no app (a wrong tool call, a finish): one event, no change."""
        target = self.company.app(app)
        outcome = self._transact(target, actor, door, operation, recorded, lambda tx: None, turn=True, extra=seconds)
        if outcome.due_us <= outcome.now_us:
            self._run_to(outcome.now_us)

    def note(self, index: int, signals: tuple[Signal, ...]) -> None:
        """Attach what a grader saw to an event; outside what is hashed."""
        entry = self.chain.entry(index)
        entry.signals = (*entry.signals, *signals)

    def poison(self, defect: Defect) -> None:
        """Refuse everything from here on, until an earlier snapshot is restored."""
        self.defect = defect

    # --- inside

    def _sound(self) -> None:
        if self.defect is not None:
            raise self.defect

    def _lane(self, alone: bool = False) -> Lane:
        lane = LANES.borrow(self.pages.image, self.company.tracked, self.pages if alone else None)
        lane.bind(self.pages)
        return lane

    def _hot(self) -> tuple[int, int, int, int, int, bytes, bytes, bytes]:
        return self._lane().control(HOT)[0]  # type: ignore[no-any-return] # the row of _world

    def _home(self, function: Callable[..., Any]) -> App:
        module = getattr(function, "__module__", "") or ""
        for app in self.company.apps:
            if f".{app.name}." in f"{module}.":
                return app
        return self.company.apps[0]

    def _rekey(self, purpose: str, number: int | str) -> None:
        def swap(tx: Tx) -> None:
            tx.control("UPDATE _world SET dice = ? WHERE id = 1", tx.dice(purpose, number).key)

        self._transact(self.company.apps[0], FATE, "control", purpose, {"number": number}, swap)

    def _transact(
        self,
        app: App,
        actor: Actor,
        door: str,
        operation: str,
        recorded: dict[str, Any],
        body: Callable[[Tx], Any],
        *,
        turn: bool = False,
        request: Request | None = None,
        extra: float = 0.0,
        agenda: tuple[int, int, int] | None = None,
        boundary: Boundary | None = None,
        rooted: bool = True,
    ) -> Outcome:
        """One transaction and one event; agenda = (row id, due time, root) when the agenda fires."""
        self._sound()
        started = time.time()
        lane = self._lane(alone=True)
        lane.busy = True
        seq = -1
        try:
            lane.control("BEGIN IMMEDIATE")
            now, seq, turns, due, faults, dice, state, ids = lane.control(HOT)[0]
            seq += 1
            turns += turn
            root = seq if rooted else 0
            if agenda is not None:
                lane.control("DELETE FROM _agenda WHERE id = ?", (agenda[0],))
                now, root = agenda[1], agenda[2]
            LANES.now_us = now
            tx = Tx(lane, self.company, app, actor, now, seq, root, dice, ids, door)
            tx.operation, tx.faults = operation, faults
            refusal: Refusal | Missing | None = None
            try:
                result = body(tx)
                tx.drain()
                if not self.company.watched.isdisjoint(row[0] for row in lane.journal.raw):
                    tx.look_over(lane.journal)
            except (Refusal, Missing) as error:
                if isinstance(error, Missing) and request is None and agenda is not None:
                    raise
                refusal = error
                lane.control("ROLLBACK")
                lane.journal.raw.clear()
                lane.control("BEGIN IMMEDIATE")
                operation, spent = tx.operation, tx.seconds
                tx = Tx(lane, self.company, app, actor, now, seq, root, dice, ids, door)
                tx.operation, tx.faults, tx.seconds = operation, faults, spent
                tx._agenda_touched = agenda is not None
                if agenda is not None:
                    lane.control("DELETE FROM _agenda WHERE id = ?", (agenda[0],))
                if request is not None:
                    app.meter(tx, request)
                    result = app.refuse(refusal, tx)
                else:
                    result = None
            net = lane.journal.net()
            changes: list[Change] = []
            if net:
                state = shifted(int.from_bytes(state, "big"), net).to_bytes(16, "big")
                changes = lane.journal.describe(net)
            if tx._agenda_touched or agenda is not None:
                soonest = lane.control("SELECT min(at) FROM _agenda")[0][0]
                due = NEVER if soonest is None else soonest
            target = now + round((tx.seconds + extra) * 1e6) if turn else now
            lane.control(KEEP, (target if due > target else now, seq, turns, due, state, tx.ids))
            reply = _recorded_reply(result, refusal) if request is not None else _outcome_note(refusal)
            core = Core(seq, turns, root, now, str(actor), app.name, tx.operation, recorded, reply, changes, tx.emitted)
            payload, trace = chained(self.chain.head, core)  # what cannot be recorded does not happen
            lane.control("COMMIT")
        except Exception as error:
            what = f"{app.name} {operation or (request.method + ' ' + request.path if request else 'transaction')}"
            self.defect = Defect.around(error, boundary or app.boundary, what, seq)
            raise self.defect from error
        finally:
            if lane.connection.in_transaction:  # also when somebody pressed Ctrl-C in the middle
                lane.control("ROLLBACK")
            lane.journal.raw.clear()
            lane.busy = False
        self.chain.append(Entry(payload, door, state, trace, started))
        return Outcome(result, refusal, tx.attention, target, due)

    def _run_to(self, target: int, stop: Literal["notice", "rest"] | None = None) -> list[Notice]:
        """Fire what the agenda holds up to a time, in order; then it is that time."""
        seen: list[Notice] = []
        following = NEXT_OF_STORY if stop == "rest" else NEXT
        for _ in range(CASCADE_AT_MOST):
            lane = self._lane()
            rows = lane.control(following)
            if not rows or rows[0][1] > target:
                break
            number, at, app, command, args, actor, root = rows[0]
            seen.extend(self._fire(number, at, app, command, args, actor, root))
            if stop == "notice" and seen:
                return seen
        else:
            self.defect = Defect(
                f"the agenda fired {CASCADE_AT_MOST} commands in one wait and never ends", boundary="app"
            )
            raise self.defect
        if stop != "rest":
            lane = self._lane()
            lane.control("UPDATE _world SET now = ? WHERE id = 1 AND now < ?", (target, target))
            lane.journal.raw.clear()
        return seen

    def _fire(self, number: int, at: int, app: str, command: str, args: str, actor: str, root: int) -> list[Notice]:
        target = self.company.app(app)
        function = target.commands[command]
        named = msgspec.json.decode(args)
        outcome = self._transact(
            target,
            Actor.named(actor),
            "agenda",
            command,
            {"args": named},
            lambda tx: function(tx, **named),
            agenda=(number, at, root),
        )
        return outcome.attention


class Truth(MutableMapping[str, Any]):
    """The control plane's facts as JSON by name: hidden from every app and every door."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getitem__(self, name: str) -> Any:
        rows = self._world._lane().control("SELECT value FROM _truth WHERE name = ?", (name,))
        if not rows:
            raise KeyError(name)
        return msgspec.json.decode(rows[0][0])

    def __setitem__(self, name: str, value: Any) -> None:
        text = msgspec.json.encode(value, order="deterministic").decode()
        self._world._lane(alone=True).control(
            "INSERT INTO _truth VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, text)
        )

    def __delitem__(self, name: str) -> None:
        self._world._lane(alone=True).control("DELETE FROM _truth WHERE name = ?", (name,))

    def __iter__(self) -> Iterator[str]:
        return iter([name for (name,) in self._world._lane().control("SELECT name FROM _truth ORDER BY name")])

    def __len__(self) -> int:
        return int(self._world._lane().control("SELECT count(*) FROM _truth")[0][0])


def _readable(body: bytes) -> str | bytes:
    """Text where it is text, so that logs can be read."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def _recorded_reply(reply: Reply, refusal: Refusal | Missing | None) -> dict[str, Any]:
    return {"status": reply.status, "headers": reply.headers, "body": _readable(reply.body)}


def _outcome_note(refusal: Refusal | Missing | None) -> dict[str, Any]:
    if isinstance(refusal, Refusal):
        return {"status": refusal.status, "refused": str(refusal)}
    return {"status": 404, "refused": str(refusal)} if refusal is not None else {"status": 200}


def _loggable(value: Any) -> Any:
    """Arguments of a staging function as they can be recorded: the same words in every process."""
    return msgspec.to_builtins(value, enc_hook=_title, str_keys=True, order="deterministic")


def _title(value: Any) -> str:
    """A name for something that has no JSON form; never its address in memory."""
    return getattr(value, "__qualname__", None) or f"<{type(value).__qualname__}>"
