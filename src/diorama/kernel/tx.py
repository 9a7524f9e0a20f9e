"""Tx: one transaction in one world, and the only way in which app code reaches the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from diorama.kernel.budget import NOTICES, SEARCH_SHIFT, Budget, OverBudget
from diorama.kernel.dice import Dice, Part, dice_for
from diorama.kernel.errors import Missing, Refusal
from diorama.kernel.hot import ADD_METER, KEEP_METER, METER, NO_COUNTS, NO_METERS, Hot, Window, has_room
from diorama.kernel.ids import IdMaker, counter
from diorama.kernel.records import TABLES, Notice, Record, from_us, to_us
from diorama.kernel.wire import Actor, Request

if TYPE_CHECKING:
    from diorama.kernel.app import Subscription, Wake
    from diorama.kernel.changes import Journal
    from diorama.kernel.company import Company

R = TypeVar("R", bound=Record)

_args_encode = msgspec.json.Encoder(order="deterministic").encode
NUMBERS = counter()
WAKING_DOORS = ("agenda", "world", "input")
"""What happens through these doors can wake an agent that waits; an agent's own request does not."""
REFUSED = " refused: "
"""Stands in an event's notices between the name of a reaction that was undone and the reason."""
CALL = "@call"
"""The agenda's name for a request from one app of a world to another."""


class Store(Protocol):
    """Where a transaction's SQL runs: a lane, or the plain connection of a builder."""

    journal: Journal

    def query(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]: ...
    def control(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]: ...


class Tx:
    """The reads and writes of one request, command or staging step."""

    __slots__ = (
        "_agenda_touched", "_delivered", "_minted", "_queue", "_store", "_writer", "actor", "called", "company",
        "counts", "dice_key", "door", "emitted", "faults", "headers", "ids", "meters", "now_us", "operation", "root",
        "seconds", "seq", "wakes", "wrong_credential",
    )  # fmt: skip

    def __init__(
        self,
        store: Store,
        company: Company,
        called: str,
        actor: Actor,
        now_us: int,
        seq: int,
        root: int,
        dice_key: bytes,
        door: str = "",
    ) -> None:
        self._store = store
        self.company = company
        self.called = called
        self.actor = actor
        self.now_us = now_us
        self.seq = seq
        self.root = root
        self.door = door
        self.operation = ""
        self.seconds = 0.0
        self.faults = 0
        self.meters = NO_METERS
        self.ids = NO_COUNTS
        """Id counters that are known without reading their rows; and those of the image, if no other row changed."""
        self.counts: Mapping[str, int] | None = None
        self.headers: dict[str, str] = {}
        self.emitted: list[str] = []
        self.wakes: list[Wake] = []
        self.wrong_credential = ""
        """How an anonymous client inside the world showed a credential that no one holds; "" if it showed none."""
        self.dice_key = dice_key
        self._minted: dict[str, int] = {}
        self._queue: list[tuple[Notice, str]] = []
        self._delivered = 0
        self._agenda_touched = False
        self._writer = store.journal.writer = called

    def adopt(self, hot: Hot, counts: Mapping[str, int]) -> None:
        """Start from a world's hot struct; `counts` are the id counters of its image."""
        self.faults, self.meters, self.ids = hot.faults, hot.meters, hot.ids
        self.counts = counts if hot.origin == 0 else None

    # --- who writes

    @property
    def writer(self) -> str:
        """Who writes the rows from here on: the called app, or `app.handler` of a reaction."""
        return self._writer

    @writer.setter
    def writer(self, name: str) -> None:
        self._writer = self._store.journal.writer = name

    # --- time and randomness

    @property
    def now(self) -> datetime:
        """The world's current time."""
        return from_us(self.now_us)

    def dice(self, purpose: str, *entity: Part) -> Dice:
        """Return dice keyed by the world, a purpose and what makes this draw unique (never a sequence number)."""
        return dice_for(self.dice_key, purpose, *entity)

    def rekey(self, purpose: str, number: int | str) -> None:
        """Give the world new dice."""
        self.dice_key = self.dice(purpose, number).key

    # --- reading

    def find(self, record: type[R], id: int | str) -> R | None:
        """Return the record with this id, or None."""
        table = TABLES[record]
        run = self._store.control if table.control else self._store.query
        rows = run(table.select_one, (id,))
        return table.load(rows[0]) if rows else None

    def get(self, record: type[R], id: int | str) -> R:
        """Return the record with this id; raise Missing if there is none."""
        found = self.find(record, id)
        if found is None:
            raise Missing(record, id)
        return found

    def all(
        self, record: type[R], where: str = "", *args: Any, order: str = "id", limit: int | None = None, offset: int = 0
    ) -> list[R]:
        """Return the records that match an SQL condition, in order."""
        table = TABLES[record]
        sql = table.selection(where, order, limit is not None)
        if limit is not None:
            args = (*args, limit, offset)
        run = self._store.control if table.control else self._store.query
        rows = run(sql, _cells(args))
        if weight := table.weight(rows):
            self.spend(weight)
        return [table.load(row) for row in rows]

    def first(self, record: type[R], where: str = "", *args: Any, order: str = "id") -> R | None:
        """Return the first record that matches a condition, or None."""
        found = self.all(record, where, *args, order=order, limit=1)
        return found[0] if found else None

    def count(self, record: type[Record], where: str = "", *args: Any) -> int:
        """Count the records that match a condition."""
        table = TABLES[record]
        sql = f"SELECT count(*) FROM {table.name}" + (f" WHERE {where}" if where else "")
        run = self._store.control if table.control else self._store.query
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
        """Return the records whose searched fields match a full-text query (FTS5 syntax), best first."""
        self.spend_searches(query.count('"') if order == "rank" else (query.count('"') + 1) // 2)
        table = TABLES[record]
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
        """Return the rows of a SELECT over app tables."""
        return self._store.query(sql, _cells(args) if args else args)

    # --- writing

    def add(self, record: R) -> R:
        """Insert a record; if it has no id, mint one in the vendor's format."""
        table = TABLES[type(record)]
        if not record.id:
            record = msgspec.structs.replace(record, id=self.mint(table.name, table.ids))
        run = self._store.control if table.control else self._store.query
        run(table.insert, table.dump(record))
        return record

    def change(self, record: R, **fields: Any) -> R:
        """Write the fields that differ."""
        table = TABLES[type(record)]
        new = {name: value for name, value in fields.items() if getattr(record, name) != value}
        if not new:
            return record
        run = self._store.control if table.control else self._store.query
        run(table.update(tuple(new)), (*table.cells(new), record.id))
        return msgspec.structs.replace(record, **new)

    def remove(self, record: Record) -> None:
        """Delete a record."""
        table = TABLES[type(record)]
        run = self._store.control if table.control else self._store.query
        run(table.delete, (record.id,))

    def mint(self, name: str, maker: IdMaker) -> int | str:
        """Return the next id of a named series."""
        before = self._minted.get(name)
        if before is None:
            before = self.ids.get(name)
        if before is None:
            before = self._count(name) if self.counts is None else self.counts.get(name, 0)
        number = self._minted[name] = before + 1
        return maker(before, lambda: self.dice("id", name, number), self.now_us)

    def _count(self, name: str) -> int:
        rows = self._store.control("SELECT count FROM _ids WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    def keep_ids(self) -> dict[str, int]:
        """Write the counters of the series that this transaction used; return those that are known after it."""
        if self._minted:
            rows = ", ".join(["(?, ?)"] * len(self._minted))
            self._store.control(
                f"INSERT INTO _ids VALUES {rows} ON CONFLICT (name) DO UPDATE SET count = excluded.count",
                tuple(chain.from_iterable(self._minted.items())),
            )
            return {**self.ids, **self._minted}
        return self.ids

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Run a part that is undone as a whole, notices included, if it raises; the rest of the transaction stays."""
        store = self._store
        mark, queued = len(store.journal.raw), len(self._queue)
        minted, writer = dict(self._minted), self._writer
        faults, meters = self.faults, self.meters
        store.control("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            store.control("ROLLBACK TO attempt")
            store.control("RELEASE attempt")
            store.journal.undo(mark)
            del self._queue[queued:]
            self._minted = minted
            self.writer = writer
            self.faults, self.meters = faults, meters
            raise
        store.control("RELEASE attempt")

    # --- notices and agenda

    def emit(self, notice: Notice) -> None:
        """Announce something to the apps, links and people that subscribe to it."""
        self._queue.append((notice, self._writer))

    def deliver_notices(self) -> None:
        """Hand every announced notice to its subscribers, in order, until none is left."""
        if not self._queue:
            return
        before = self._writer
        while self._queue:
            notice, writer = self._queue.pop(0)
            self._delivered += 1
            if self._delivered > NOTICES:
                raise OverBudget("notices")
            kind = type(notice)
            self.emitted.append(kind.__name__)
            for subscription in self.company.listeners(kind):
                self.writer = self._reaction(writer, subscription.app, subscription.command)
                if subscription.after is None:
                    self._react(subscription, notice)
                else:
                    due = self.now_us + _us(subscription.after)
                    self._schedule(due, subscription.app, subscription.command, msgspec.to_builtins(notice))
            for waker in self.company.wakers.get(kind, ()) if self.door in WAKING_DOORS else ():
                self.wakes.extend(waker(self, notice))
        self.writer = before

    def _react(self, subscription: Subscription, notice: Notice) -> None:
        """Run one handler of a notice; a refusal in another app, link or person undoes only that reaction."""
        if subscription.app == self.called:
            subscription.handler(self, notice)
            return
        try:
            with self.attempt():
                subscription.handler(self, notice)
        except (Refusal, Missing) as refused:
            self.emitted.append(f"{subscription.app}.{subscription.command}{REFUSED}{refused}")

    def run_watchers(self, journal: Journal) -> None:
        """Hand the changes of watched tables to their watchers; what the watchers write is not handed out again."""
        before, net = self._writer, journal.net(self.called)
        for watcher in self.company.watchers:
            seen = [row for row in net if row[0] in watcher.tables]
            if seen:
                writers = [row[4] for row in seen]
                self.writer = self.called if self.called in writers else writers[0]
                watcher.handler(self, journal.describe(seen))
        self.writer = before
        self.deliver_notices()

    def _reaction(self, writer: str, app: str, handler: str) -> str:
        """Return who writes when `app` handles what `writer` announced: the called app keeps its own work."""
        return writer if writer != self.called or app == self.called else f"{app}.{handler}"

    def later(self, delay: timedelta, command: Callable[..., Any], /, **args: Any) -> int:
        """Put a command on the agenda after a delay; a negative delay counts as none."""
        return self._plan(self.now_us + max(0, _us(delay)), command, args)

    def at(self, moment: datetime, command: Callable[..., Any], /, **args: Any) -> int:
        """Put a command on the agenda for a moment; a moment that has passed means now."""
        return self._plan(max(self.now_us, to_us(moment)), command, args)

    def cancel(self, agenda_id: int) -> None:
        """Remove a command from the agenda; one that has already run is not undone."""
        self._agenda_touched = True
        self._store.control("DELETE FROM _agenda WHERE id = ?", (agenda_id,))

    def call(self, app: str, request: Request, then: Callable[..., Any], /, **args: Any) -> int:
        """Send a request to another app of this world after this transaction has committed.

        It runs as a transaction and event of its own. Then the command `then` gets `args` and the answer's status,
        headers and body.
        """
        to = self.company.command_of(then)
        note = {"request": _wire(request), "then": [*to, args], "by": self._writer}
        return self._schedule(self.now_us, self.company.app(app).name, CALL, note)

    def _plan(self, at_us: int, command: Callable[..., Any], args: dict[str, Any]) -> int:
        app, name = self.company.command_of(command)
        return self._schedule(at_us, app, name, args)

    def _schedule(self, at_us: int, app: str, command: str, args: Any) -> int:
        self._agenda_touched = True
        number = int(self.mint("_agenda", NUMBERS))
        self._store.control(
            "INSERT INTO _agenda VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, at_us, app, command, _args_encode(args).decode(), self._writer, self.root),
        )
        return number

    # --- budget

    def spend(self, rows: int) -> None:
        """Count work that runs no statement, such as rendering a template, as this many rows read."""
        spend = getattr(self._store, "spend", None)
        if spend is not None:
            spend(rows)

    def spend_searches(self, passes: int) -> None:
        """Count passes over a full-text index: each may read everything by which the world has grown."""
        self.spend(passes * (getattr(self._store, "grown", 0) >> SEARCH_SHIFT))

    @property
    def spent(self) -> int:
        """The rows that this transaction has read so far, as the budget counts them."""
        return int(getattr(self._store, "spent", 0))

    def allow(self, budget: Budget) -> None:
        """Let this transaction read and write up to another budget; what it did so far counts."""
        if hasattr(self._store, "budget"):
            self._store.budget = budget

    # --- faults

    def fault(
        self, app: str, kind: str, delay: timedelta, duration: timedelta, operation: str = "*", **args: Any
    ) -> int:
        """Schedule a fault (down, slow, rate_limited, failing) of one operation, or of all (`*`)."""
        number = int(self.mint("_faults", NUMBERS))
        since = self.now_us + _us(delay)
        self._store.control(
            "INSERT INTO _faults VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, app, operation, kind, since, since + _us(duration), _args_encode(args).decode()),
        )
        self.faults += 1
        return number

    def active_faults(self, app: str, operation: str) -> list[tuple[int, str, dict[str, Any]]]:
        """Return the faults that affect an operation now: (id, kind, arguments)."""
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

    # --- rate limits

    def count_in_window(self, name: str, length_us: int) -> Window:
        """Count one request in a window of virtual time; return when the window began, and its count."""
        meters, now = self.meters, self.now_us
        window = meters.get(name)
        if window is None and not has_room(meters, name):
            return self._count_in_row(name, length_us)
        window = (now, 1) if window is None or now - window[0] >= length_us else (window[0], window[1] + 1)
        self.meters = {**meters, name: window}
        return window

    def _count_in_row(self, name: str, length_us: int) -> Window:
        """Count in a window for which the clock row has no room.

        It is written at once, because when the pages grow must not depend on when they leave.
        """
        rows = self._store.control(METER, (name,))
        since, count = rows[0] if rows else (self.now_us, 0)
        window = (self.now_us, 1) if self.now_us - since >= length_us else (since, count + 1)
        self._store.control(*(KEEP_METER, (*window, name)) if rows else (ADD_METER, (name, *window)))
        return window

    def control(self, sql: str, *args: Any) -> list[Any]:
        """Run SQL over control tables, for the kit and the control plane; never with text from outside."""
        return self._store.control(sql, args)


def _wire(request: Request) -> dict[str, Any]:
    """Return a request as the agenda keeps it: its body as text."""
    return {**msgspec.structs.asdict(request), "body": request.body.decode()}


def _us(delay: timedelta) -> int:
    return delay // timedelta(microseconds=1)


def _cells(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return condition arguments as SQLite stores such values."""
    if args and datetime in map(type, args):
        return tuple(to_us(arg) if isinstance(arg, datetime) else arg for arg in args)
    return args
