"""Product and App: what a product declares once, and the product as it is installed for one company."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import msgspec

from diorama.kernel.budget import OverBudget
from diorama.kernel.errors import Boundary, Defect, Missing, Refusal
from diorama.kernel.ids import IdMaker
from diorama.kernel.records import TABLES, Notice, Record, Table

if TYPE_CHECKING:
    from diorama.kernel.changes import Change
    from diorama.kernel.tx import Tx
    from diorama.kernel.wire import Actor, Reply, Request

R = TypeVar("R", bound=Record)
P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", bound=Notice)
NO_HOSTS: Mapping[str, str] = MappingProxyType({})


class Subscription(msgspec.Struct, frozen=True):
    """One handler of one notice, called at once or from the agenda after a delay."""

    notice: type[Notice]
    app: str
    handler: Callable[..., None]
    after: timedelta | None
    command: str


class Watcher(msgspec.Struct, frozen=True):
    """A handler that receives the changed rows of some tables before a transaction commits."""

    app: str
    tables: frozenset[str]
    handler: Callable[[Tx, list[Change]], None]


class Wake(msgspec.Struct, frozen=True):
    """A notice addressed to one person: who is woken, and the text and data that this person may read."""

    person: str
    notice: str
    text: str
    data: dict[str, Any] = {}


Waker = Callable[[Any, Any], Iterable[Wake]]
"""(transaction, notice) -> whom the notice wakes."""


def _declaring_module() -> str:
    """Return the module that makes a product: the first one on the stack outside of the Product classes."""
    frame = sys._getframe(1)
    while frame.f_back is not None and "self" in frame.f_locals and isinstance(frame.f_locals["self"], Product):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", ""))


def _package_of(module: str, name: str) -> str:
    """Return the part of a module's name up to the product's own name, or the whole name."""
    parts = module.split(".")
    return ".".join(parts[: parts.index(name) + 1]) if name in parts else module


class Product:
    """The declarations of one product. `control` products are ours: their tables are hidden from app SQL."""

    boundary: Boundary = "app"

    def __init__(self, name: str, *, title: str = "", control: bool = False) -> None:
        self.name = name
        self.title = title or name
        self.control = control
        self.package = _package_of(_declaring_module(), name)
        """The package whose functions belong to this product."""
        self.tables: list[Table] = []
        self.commands: dict[str, Callable[..., Any]] = {}
        self.subscriptions: list[Subscription] = []
        self.watchers: list[Watcher] = []
        self.wakers: dict[type[Notice], Waker] = {}
        self.needed: list[Product] = []
        self.preparations: list[Callable[[], object]] = []

    def __repr__(self) -> str:
        return f"<product {self.name}>"

    def install(self) -> App:
        """Return the product as one company has it."""
        return App(self)

    def of(self, tx: Tx) -> App:
        """Return this product as the transaction's company has it installed."""
        return tx.company.app(self.name)

    def needs(self, product: Product) -> None:
        """Declare a product without hosts that every company with this one has, too."""
        self.needed.append(product)

    def record(
        self,
        table: str,
        *,
        ids: IdMaker | None = None,
        index: Iterable[Sequence[str]] = (),
        unique: Iterable[Sequence[str]] = (),
        search: Sequence[str] = (),
        append_only: bool = False,
        cached: bool = False,
    ) -> Callable[[type[R]], type[R]]:
        """Declare the table of a record class; `cached` shares rows of tables that rarely change between worlds."""

        def declare(record: type[R]) -> type[R]:
            name = f"{'_' if self.control else ''}{self.name}_{table}"
            made = Table(
                record, name, ids=ids, index=index, unique=unique, search=search, append_only=append_only, cached=cached
            )  # fmt: skip
            TABLES[record] = made
            self.tables.append(made)
            return record

        return declare

    def before_serving(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Declare a function that a server runs once before its first request, such as a slow import."""
        self.preparations.append(function)
        return function

    def command(self, function: Callable[P, T]) -> Callable[P, T]:
        """Declare a function that the agenda may call later, by name and JSON arguments."""
        self._add_command(function.__name__, function)
        return function

    def on(
        self, notice: type[N], after: timedelta | None = None
    ) -> Callable[[Callable[[Tx, N], None]], Callable[[Tx, N], None]]:
        """Subscribe to a notice: inside the same transaction, or after a delay as an event of its own."""

        def listen(handler: Callable[[Tx, N], None]) -> Callable[[Tx, N], None]:
            command = handler.__name__
            if after is not None:

                def later(tx: Tx, **fields: Any) -> None:
                    handler(tx, msgspec.convert(fields, notice))

                self._add_command(command, later)
            self.subscriptions.append(Subscription(notice, self.name, handler, after, command))
            return handler

        return listen

    def include(self, other: Product) -> None:
        """React to the same notices as another product, in the same way, under its own name.

        A company has this product instead of the other.
        """
        if other.tables or other.watchers or other.wakers:
            raise ValueError(f"{self.name} can include only reactions to notices; {other.name} has more")
        delayed = {one.command for one in other.subscriptions if one.after is not None}
        for one in other.subscriptions:
            self.on(one.notice, one.after)(one.handler)
        for name, function in other.commands.items():
            if name not in delayed:
                self._add_command(name, function)
        self.needed.extend(other.needed)

    def wakes(
        self, notice: type[N]
    ) -> Callable[[Callable[[Tx, N], Iterable[Wake]]], Callable[[Tx, N], Iterable[Wake]]]:
        """Declare whom a notice wakes from a wait, and what each of them may read."""

        def declare(waker: Callable[[Tx, N], Iterable[Wake]]) -> Callable[[Tx, N], Iterable[Wake]]:
            if notice in self.wakers:
                raise ValueError(f"{self.name} says twice whom {notice.__name__} wakes")
            self.wakers[notice] = waker
            return waker

        return declare

    def watch(
        self, *records: type[Record]
    ) -> Callable[[Callable[[Tx, list[Change]], None]], Callable[[Tx, list[Change]], None]]:
        """Call a handler with every change of these tables, before the transaction commits."""

        def declare(handler: Callable[[Tx, list[Change]], None]) -> Callable[[Tx, list[Change]], None]:
            self.watchers.append(Watcher(self.name, frozenset(TABLES[record].name for record in records), handler))
            return handler

        return declare

    def command_name(self, function: Callable[..., Any]) -> str | None:
        """Return the name under which a function was declared as a command, or None."""
        name = getattr(function, "__name__", "")
        return name if self.commands.get(name) is function else None

    def _add_command(self, name: str, function: Callable[..., Any]) -> None:
        if name in self.commands:
            raise ValueError(f"{self.name} has two commands named {name}")
        self.commands[name] = function


def host_pattern(host: str) -> re.Pattern[str]:
    """Compile a host name; `{bucket}` in `{bucket}.s3.amazonaws.com` stands for one or more labels."""
    parts = re.split(r"\{(\w+)\}", host.lower())
    marked = (f"(?P<{part}>[a-z0-9._-]+)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
    return re.compile("".join(marked))


class App:
    """A product installed for one company. It shares the product's declarations and holds only its hosts."""

    def __init__(self, product: Product, hosts: Mapping[str, str] = NO_HOSTS) -> None:
        self.product = product
        self.name = product.name
        self.title = product.title
        self.hosts = dict(hosts)
        self._patterns = [host_pattern(host) for host in self.hosts.values()]
        self.has_several_hosts = len(self.hosts) > 1 or any("{" in host for host in self.hosts.values())
        """Whether a request must say which host it is for: the app has several hosts, or a pattern."""

    def __repr__(self) -> str:
        return f"<app {self.name}>"

    def answers_at(self, host: str) -> bool:
        """Return whether one of this app's host names or patterns matches."""
        return any(pattern.fullmatch(host.lower()) for pattern in self._patterns)

    def is_background(self, request: Request) -> bool:
        """Return whether a request is free of a turn: only operations that the product declares so are."""
        return False

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Answer one request of the wire; a product without a wire refuses every request."""
        raise Refusal(404, "NoSuchPath", f"{self.title} has no API", kind="unknown_path")

    def meter(self, tx: Tx, request: Request) -> None:
        """Count a refused request, in the transaction that records the refusal."""

    def recorded_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Return the headers that this app reads; only these are recorded."""
        return {}

    def without_credential(self, request: Request) -> Request:
        """Return a request as it is recorded: without a secret in its query or body."""
        return request

    def authenticate(self, tx: Tx, request: Request) -> tuple[Actor, Request] | None:
        """Return who sends a request from inside the world, found from this app's rows, or None."""
        return None

    def over_budget(self, over: OverBudget) -> Refusal:
        """Return the vendor's refusal of a request that exceeded its budget."""
        return Refusal(413, "OverBudget", over.what, kind="over_budget")

    def bounded(self, request: Request) -> Request:
        """Return a request with a body that is not much larger than this app reads; only this much is recorded."""
        return request

    def refuse(self, refusal: Refusal | Missing, tx: Tx) -> Reply:
        """Return the vendor's error reply for a refusal."""
        raise Defect(f"{self.name} has no API, so it cannot word a refusal: {refusal}", boundary="app")


SYSTEM = Product("world", title="The world itself", control=True)
"""The app of events that belong to no product: waits, finishes, wrong tool calls, staging."""
