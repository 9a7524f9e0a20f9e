"""A workshop: a small product with every kind of table, notices and commands, for testing the kernel."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from diorama.kernel import (
    Actor,
    App,
    Company,
    Notice,
    Product,
    Record,
    Refusal,
    Reply,
    Request,
    Tx,
    Wake,
    World,
    counter,
    token,
    ulid,
)
from diorama.kernel.changes import MODULUS, row_hash
from diorama.kernel.errors import Missing
from diorama.kernel.testing import image_for

TESTER = Actor("system", "tester")
ANA = Actor("agent", "ana@workshop.example")


class Workshop(App):
    """A kernel app with a minimal API: the path names the action."""

    def recorded_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Return the one header that the app reads."""
        return {name: value for name, value in headers.items() if name == "x-shade"}

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Answer one request."""
        tx.operation, tx.seconds = request.path.strip("/"), 0.5
        if request.path == "/build":
            part = tx.add(Part(name=request.body.decode()))
            return Reply(201, {"x-part": str(part.id)}, request.body)
        if request.path == "/count":
            return Reply(200, {}, str(tx.count(Part)).encode())
        if request.path == "/break":
            tx.add(Part(name="half-made"))
            raise ZeroDivisionError("planted")
        tx.add(Part(name="refused"))
        raise Refusal(404, "NoSuchPath", request.path)

    def refuse(self, refusal: Refusal | Missing, tx: Tx) -> Reply:
        """Return an error as plain text."""
        status = refusal.status if isinstance(refusal, Refusal) else 404
        return Reply(status, {}, str(refusal).encode(), refusal.code if isinstance(refusal, Refusal) else "missing")


class WorkshopProduct(Product):
    """What is installed is a Workshop."""

    def install(self) -> Workshop:
        """Return the workshop at its host."""
        return Workshop(self, {"": "workshop.example"})


APP = WorkshopProduct("workshop", title="The workshop")


class Size(msgspec.Struct, frozen=True):
    """A part's size, kept as JSON."""

    width: int
    depth: float | None = None


@APP.record("parts", ids=counter(1), index=[("stock", "name")], unique=[("code",)], search=("name", "remark"))
class Part(Record):
    """A part: number key, a unique code, full-text search."""

    name: str = ""
    stock: int = 0
    price: float = 0.0
    code: str | None = None
    remark: str | None = None
    size: Size | None = None
    state: Literal["new", "used"] = "new"
    made_at: datetime | None = None
    tags: tuple[str, ...] = ()


@APP.record("labels", ids=token("lab_", length=8))
class Label(Record):
    """A label: text key, no row number."""

    id: str = ""
    text: str = ""
    weight: float | None = None


@APP.record("pages", ids=ulid(), search=("body",))
class Page(Record):
    """A page: text key and full-text search."""

    id: str = ""
    body: str = ""


@APP.record("entries", append_only=True)
class Entry(Record):
    """A ledger entry, which is never changed."""

    cents: int


class Rang(Notice):
    """A bell rang."""

    bell: str


class Echoed(Notice):
    """A bell rang."""

    bell: str


@APP.wakes(Rang)
def call_ana(tx: Tx, notice: Rang) -> Iterator[Wake]:
    """Wake the one who works here."""
    yield Wake(ANA.name, "Rang", f"{notice.bell} rang", {"bell": notice.bell})


@APP.command
def ring(tx: Tx, bell: str) -> None:
    """Store that a bell rang, and emit a notice."""
    tx.add(Part(name=bell, made_at=tx.now))
    tx.emit(Rang(bell=bell))


@APP.command
def ring_on(tx: Tx, bell: str, every_seconds: int, times: int) -> None:
    """Ring now and plan the next time."""
    ring(tx, bell)
    if times > 1:
        tx.later(timedelta(seconds=every_seconds), ring_on, bell=bell, every_seconds=every_seconds, times=times - 1)


@APP.command
def fail(tx: Tx) -> None:
    """Raise a planted error after a write."""
    tx.add(Part(name="half-made"))
    raise ZeroDivisionError("planted")


@APP.command
def refuse(tx: Tx) -> None:
    """Raise a Refusal after a write."""
    tx.add(Part(name="refused"))
    raise Refusal(409, "Busy")


@APP.on(Rang)
def echo(tx: Tx, notice: Rang) -> None:
    """Emit a notice at once, in the same transaction."""
    tx.emit(Echoed(bell=notice.bell))


@APP.on(Echoed, after=timedelta(minutes=10))
def fade(tx: Tx, notice: Echoed) -> None:
    """Add a ledger entry ten minutes later."""
    tx.add(Entry(cents=len(notice.bell)))


COMPANY = Company("workshop", [APP])
TABLES = {table.name: table.names for table in APP.tables}


def open_shop(seed: int = 0) -> World:
    """Return an empty workshop on a Monday morning."""
    return World.open(COMPANY, image_for(COMPANY), seed)


def stocked(rows: int = 20, seed: int = 0) -> World:
    """Return a workshop with some parts in stock."""

    def stock(tx: Tx) -> None:
        for number in range(rows):
            tx.add(Part(name=f"part {number}", stock=number % 5, price=number / 4, code=f"P{number}"))

    world = open_shop(seed)
    world.do(stock, TESTER)
    return world


def names(world: World) -> list[str]:
    """Return the names of the parts in the order of creation."""
    return world.read(lambda tx: [part.name for part in tx.all(Part)])


def bells(world: World) -> list[tuple[str, str]]:
    """Return which bells rang, and when."""
    return world.read(lambda tx: [(f"{part.made_at:%H:%M:%S}", part.name) for part in tx.all(Part) if part.made_at])


def weighed(world: World) -> str:
    """Compute the state digest from all rows."""

    def weigh(tx: Tx) -> int:
        total = 0
        for table, columns in COMPANY.tracked.items():
            listed = ", ".join(f'"{column}"' for column in columns)
            run = tx.control if table.startswith("_") else tx.rows
            total += sum(row_hash(table, row) for row in run(f"SELECT {listed} FROM {table}"))
        return total % MODULUS

    return world.read(weigh).to_bytes(16, "big").hex()
