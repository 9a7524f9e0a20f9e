"""Tx: one transaction in one world, which is all that app code ever sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from diorama.kernel.dice import Dice, Part, dice_for
from diorama.kernel.errors import Defect, Missing
from diorama.kernel.ids import IdMaker
from diorama.kernel.records import Notice, Record, from_us, table_of, to_us
from diorama.kernel.wire import Actor

if TYPE_CHECKING:
    from diorama.kernel.app import App
    from diorama.kernel.changes import Journal
    from diorama.kernel.company import Company

R = TypeVar("R", bound=Record)

_counts_decode = msgspec.msgpack.Decoder(dict[str, int]).decode
_counts_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_args_encode = msgspec.json.Encoder(order="deterministic").encode
NOTICES_AT_MOST = 10_000


class Store(Protocol):
    """Where a transaction's SQL runs: a lane, or a builder's plain connection."""

    def query(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]: ...
    def control(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]: ...


class Tx:
    """Reads and writes of one request, command or staging step."""

    __slots__ = (
        "_agenda_touched", "_dice_key", "_heard", "_ids", "_minted", "_queue", "_store", "app", "attention", "by",
        "company", "door", "emitted", "faults", "headers", "now_us", "operation", "root", "seconds", "seq",
    )  # fmt: skip

    def __init__(
        self,
        store: Store,
        company: Company,
        app: App,
        by: Actor,
        now_us: int,
        seq: int,
        root: int,
        dice_key: bytes,
        ids: bytes,
        door: str = "",
    ) -> None:
        self._store = store
        self.company = company
        self.app = app
        self.by = by
        self.now_us = now_us
        self.seq = seq
        self.root = root
        self.door = door
        self.operation = ""
        self.seconds = 0.0
        self.faults = 0
        self.headers: dict[str, str] = {}
        self.emitted: list[str] = []
        self.attention: list[Notice] = []
        self._dice_key = dice_key
        self._ids = ids
        self._minted: dict[str, int] | None = None
        self._queue: list[Notice] = []
        self._heard = 0
        self._agenda_touched = False

    # --- time and chance

    @property
    def now(self) -> datetime:
        """The world's time."""
        return from_us(self.now_us)

    def dice(self, purpose: str, *entity: Part) -> Dice:
        """Dice keyed by the world, a purpose and whatever makes this draw unique."""
        return dice_for(self._dice_key, purpose, *entity)

    # --- reading

    def find(self, record: type[R], id: int | str) -> R | None:
        """The record with this id, or None."""
        table = table_of(record)
        run = self._store.control if table.name[0] == "_" else self._store.query
        rows = run(table.select_one, (id,))
        return table.load(rows[0]) if rows else None

    def get(self, record: type[R], id: int | str) -> R:
        """The record with this id; Missing where there is none."""
        found = self.find(record, id)
        if found is None:
            raise Missing(record, id)
        return found

    def all(
        self, record: type[R], where: str = "", *args: Any, order: str = "id", limit: int | None = None, offset: int = 0
    ) -> list[R]:
        """The records that fulfil an SQL condition, in order."""
        table = table_of(record)
        sql = table.select
        if where:
            sql += f" WHERE {where}"
        sql += f" ORDER BY {order}"
        if limit is not None:
            sql += " LIMIT ? OFFSET ?"
            args = (*args, limit, offset)
        run = self._store.control if table.name[0] == "_" else self._store.query
        return [table.load(row) for row in run(sql, _cells(args))]

    def first(self, record: type[R], where: str = "", *args: Any, order: str = "id") -> R | None:
        """The first record that fulfils a condition, or None."""
        found = self.all(record, where, *args, order=order, limit=1)
        return found[0] if found else None

    def count(self, record: type[Record], where: str = "", *args: Any) -> int:
        """How many records fulfil a condition."""
        table = table_of(record)
        sql = f"SELECT count(*) FROM {table.name}" + (f" WHERE {where}" if where else "")
        run = self._store.control if table.name[0] == "_" else self._store.query
        return int(run(sql, _cells(args))[0][0])

    def match(
        self,
        record: type[R],
        query: str,
        where: str = "",
        *args: Any,
        order: str = "rank",
        limit: int = 100,
        offset: int = 0,
    ) -> list[R]:
        """Records whose searched fields match a full-text query (FTS5 syntax), best first."""
        table = table_of(record)
        key = "rowid" if table.text_key else "id"
        columns = ", ".join(f't."{name}"' for name in table.names)
        sql = (
            f"SELECT {columns} FROM {table.name}_search f CROSS JOIN {table.name} t ON t.{key} = f.rowid "
            f"WHERE f.{table.name}_search MATCH ?"
            + (f" AND ({where})" if where else "")
            + f" ORDER BY {order} LIMIT ? OFFSET ?"
        )
        return [table.load(row) for row in self._store.query(sql, _cells((query, *args, limit, offset)))]

    def rows(self, sql: str, *args: Any) -> list[Any]:
        """Rows of a SELECT over app tables."""
        return self._store.query(sql, _cells(args))

    # --- writing

    def add(self, record: R) -> R:
        """Insert a record; a missing id is minted in the vendor's format."""
        table = table_of(type(record))
        if not record.id:
            record = msgspec.structs.replace(record, id=self.mint(table.name, table.ids))
        run = self._store.control if table.name[0] == "_" else self._store.query
        run(table.insert, table.dump(record))
        return record

    def change(self, record: R, **fields: Any) -> R:
        """Write the fields that differ; what does not differ is not written."""
        table = table_of(type(record))
        names = tuple(name for name, value in fields.items() if getattr(record, name) != value)
        if not names:
            return record
        cells = tuple(table.cell(name, fields[name]) for name in names)
        run = self._store.control if table.name[0] == "_" else self._store.query
        run(table.update(names), (*cells, record.id))
        return msgspec.structs.replace(record, **{name: fields[name] for name in names})

    def remove(self, record: Record) -> None:
        """Delete a record."""
        table = table_of(type(record))
        run = self._store.control if table.name[0] == "_" else self._store.query
        run(table.delete, (record.id,))

    def mint(self, name: str, maker: IdMaker) -> int | str:
        """The next id of a named series."""
        counts = self._minted
        if counts is None:
            counts = self._minted = _counts_decode(self._ids)
        minted = counts[name] = counts.get(name, 0) + 1
        return maker(minted - 1, lambda: self.dice("id", name, minted), self.now_us)

    @property
    def ids(self) -> bytes:
        """How many ids of each series there are by now, as the world keeps it."""
        return self._ids if self._minted is None else _counts_encode(self._minted)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """A part that is undone as a whole, announcements included, when it raises; the rest stands."""
        store = self._store
        journal = getattr(store, "journal", None)
        mark, queued = (len(journal.raw) if journal else 0), len(self._queue)
        minted = None if self._minted is None else dict(self._minted)
        store.control("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            store.control("ROLLBACK TO attempt")
            store.control("RELEASE attempt")
            if journal:
                del journal.raw[mark:]
            del self._queue[queued:]
            self._minted = minted
            raise
        store.control("RELEASE attempt")

    # --- announcing and planning

    def emit(self, notice: Notice) -> None:
        """Announce something; who listens is the world's business."""
        self._queue.append(notice)

    def drain(self) -> None:
        """Hand every announced notice to its listeners, in order, until all is quiet."""
        app = self.app
        while self._queue:
            notice = self._queue.pop(0)
            self._heard += 1
            if self._heard > NOTICES_AT_MOST:
                raise Defect(f"notices of one transaction never end; the last was {notice!r}", boundary="app")
            self.emitted.append(type(notice).__name__)
            if notice.attention:
                self.attention.append(notice)
            for listener in self.company.listeners(type(notice)):
                if listener.after is not None:
                    self._schedule(
                        self.now_us + _us(listener.after), listener.app, listener.command, msgspec.to_builtins(notice)
                    )
                else:
                    self.app = self.company.app(listener.app)
                    listener.handler(self, notice)
        self.app = app

    def look_over(self, journal: Journal) -> None:
        """Show what was done to watched tables to whoever watches them; what they do in turn is not shown again."""
        app, net = self.app, journal.net()
        for watcher in self.company.watchers:
            seen = [row for row in net if row[0] in watcher.tables]
            if seen:
                self.app = self.company.app(watcher.app)
                watcher.handler(self, journal.describe(seen))
        self.app = app
        self.drain()

    def later(self, delay: timedelta, command: Callable[..., Any], /, **args: Any) -> int:
        """Put a command on the agenda, so much later (a delay below zero is none: time never runs back)."""
        return self._plan(self.now_us + max(0, _us(delay)), command, args)

    def at(self, moment: datetime, command: Callable[..., Any], /, **args: Any) -> int:
        """Put a command on the agenda for a moment (now, if that has passed)."""
        return self._plan(max(self.now_us, to_us(moment)), command, args)

    def cancel(self, agenda_id: int) -> None:
        """Take a command off the agenda; one that has fired already stays done."""
        self._agenda_touched = True
        self._store.control("DELETE FROM _agenda WHERE id = ?", (agenda_id,))

    def _plan(self, at_us: int, command: Callable[..., Any], args: dict[str, Any]) -> int:
        app, name = self.company.command_of(command)
        return self._schedule(at_us, app, name, args)

    def _schedule(self, at_us: int, app: str, command: str, args: Any) -> int:
        self._agenda_touched = True
        number = int(self.mint("_agenda", lambda n, draw, now: n + 1))
        self._store.control(
            "INSERT INTO _agenda VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, at_us, app, command, _args_encode(args).decode(), f"system:{app}", self.root),
        )
        return number

    # --- trouble

    def fault(
        self, app: str, kind: str, delay: timedelta, duration: timedelta, operation: str = "*", **args: Any
    ) -> int:
        """Schedule trouble (down, slow, rate_limited, failing) for an operation or `*`, from then on for so long."""
        number = int(self.mint("_faults", lambda n, draw, now: n + 1))
        since = self.now_us + _us(delay)
        self._store.control(
            "INSERT INTO _faults VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, app, operation, kind, since, since + _us(duration), _args_encode(args).decode()),
        )
        self._store.control("UPDATE _world SET faults = faults + 1 WHERE id = 1")
        self.faults += 1
        return number

    def trouble(self, app: str, operation: str) -> list[tuple[int, str, dict[str, Any]]]:
        """The faults that hold right now for an operation: (id, kind, arguments)."""
        if not self.faults:
            return []
        found = self._store.control(
            "SELECT id, operation, kind, args FROM _faults WHERE app = ? AND since <= ? AND until > ? ORDER BY id",
            (app, self.now_us, self.now_us),
        )
        return [
            (number, kind, msgspec.json.decode(args))
            for number, pattern, kind, args in found
            if pattern == "*" or operation in pattern.split(",")
        ]

    def control(self, sql: str, *args: Any) -> list[Any]:
        """SQL of the kit and the control plane over control tables; never called with text from outside."""
        return self._store.control(sql, args)


def _us(delay: timedelta) -> int:
    return delay // timedelta(microseconds=1)


def _cells(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Condition arguments as SQLite stores such values."""
    if any(isinstance(arg, datetime) for arg in args):
        return tuple(to_us(arg) if isinstance(arg, datetime) else arg for arg in args)
    return args
