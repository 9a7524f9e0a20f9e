"""App: what one product remembers, what can happen in it later, and what it listens to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from diorama.kernel.errors import Boundary, Defect, Missing, Refusal
from diorama.kernel.ids import IdMaker
from diorama.kernel.records import TABLES, Notice, Record, Table

if TYPE_CHECKING:
    from diorama.kernel.changes import Change
    from diorama.kernel.tx import Tx
    from diorama.kernel.wire import Reply, Request

R = TypeVar("R", bound=Record)
P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", bound=Notice)


class Subscription(msgspec.Struct, frozen=True):
    """One handler of one notice: at once, or after a while from the agenda."""

    notice: type[Notice]
    app: str
    handler: Callable[..., None]
    after: timedelta | None
    command: str


class Watcher(msgspec.Struct, frozen=True):
    """Who looks over the changed rows of some tables when a transaction is about to end."""

    app: str
    tables: frozenset[str]
    handler: Callable[[Tx, list[Change]], None]


class App:
    """One product. `control` apps are ours (people, links): their tables are hidden from app SQL."""

    boundary: Boundary = "app"

    def __init__(self, name: str, *, title: str = "", host: str = "", control: bool = False) -> None:
        self.name = name
        self.title = title or name
        self.host = host
        self.control = control
        self.tables: list[Table] = []
        self.commands: dict[str, Callable[..., Any]] = {}
        self.subscriptions: list[Subscription] = []
        self.watchers: list[Watcher] = []

    def __repr__(self) -> str:
        return f"<app {self.name}>"

    def record(
        self,
        table: str,
        *,
        ids: IdMaker | None = None,
        index: Iterable[Sequence[str]] = (),
        unique: Iterable[Sequence[str]] = (),
        search: Sequence[str] = (),
        append_only: bool = False,
        steady: bool = False,
    ) -> Callable[[type[R]], type[R]]:
        """Declare the table that keeps a record class; `steady` ones are configuration: read often, changed seldom."""

        def declare(record: type[R]) -> type[R]:
            name = f"{'_' if self.control else ''}{self.name}_{table}"
            made = Table(
                record, name, ids=ids, index=index, unique=unique, search=search, append_only=append_only, steady=steady
            )  # fmt: skip
            TABLES[record] = made
            self.tables.append(made)
            return record

        return declare

    def command(self, function: Callable[P, T]) -> Callable[P, T]:
        """Declare a function that the agenda may call later, by name and JSON arguments."""
        name = function.__name__
        if name in self.commands:
            raise ValueError(f"{self.name} has two commands named {name}")
        self.commands[name] = function
        return function

    def on(
        self, notice: type[N], after: timedelta | None = None
    ) -> Callable[[Callable[[Tx, N], None]], Callable[[Tx, N], None]]:
        """Listen to a notice: inside the same transaction, or after a delay as an event of its own."""

        def listen(handler: Callable[[Tx, N], None]) -> Callable[[Tx, N], None]:
            command = f"{handler.__name__}"
            if after is not None:

                def later(tx: Tx, **fields: Any) -> None:
                    handler(tx, msgspec.convert(fields, notice))

                if command in self.commands:
                    raise ValueError(f"{self.name} has two commands named {command}")
                self.commands[command] = later
            self.subscriptions.append(Subscription(notice, self.name, handler, after, command))
            return handler

        return listen

    def watch(
        self, *records: type[Record]
    ) -> Callable[[Callable[[Tx, list[Change]], None]], Callable[[Tx, list[Change]], None]]:
        """Look over what a transaction did to these tables, whoever did it, before it ends."""

        def look(handler: Callable[[Tx, list[Change]], None]) -> Callable[[Tx, list[Change]], None]:
            self.watchers.append(Watcher(self.name, frozenset(TABLES[record].name for record in records), handler))
            return handler

        return look

    def command_name(self, function: Callable[..., Any]) -> str | None:
        """The name under which a function was declared as a command."""
        name = getattr(function, "__name__", "")
        return name if self.commands.get(name) is function else None

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Answer one request of the wire; apps without a wire have none."""
        raise Refusal(404, "NoSuchPath", f"{self.title} has no API", kind="unknown_path")

    def meter(self, tx: Tx, request: Request) -> None:
        """Count a request that was refused, in the transaction that records the refusal."""

    def heard(self, headers: dict[str, str]) -> dict[str, str]:
        """The headers that this app reads, and so the only ones that are recorded."""
        return {}

    def refuse(self, refusal: Refusal | Missing, tx: Tx) -> Reply:
        """The vendor's words for a refusal."""
        raise Defect(f"{self.name} has no wire to refuse on: {refusal}", boundary="app")
