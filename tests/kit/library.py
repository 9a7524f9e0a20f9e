"""A lending library: a small product with everything that the kit can do, for testing the kit."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from diorama.kernel import ANONYMOUS, Actor, Missing, Record, Refusal, Reply, Request, Tx, World, counter
from diorama.kernel.testing import fresh
from diorama.kit import Bearer, Call, Caller, Detail, Header, Idempotency, Product, Query, RateLimit, iso_z
from diorama.kit.arguments import Arguments

ANA, BEN = Actor("agent", "ana@library.example"), Actor("persona", "ben@library.example")
TESTER = Actor("system", "tester")


def _envelope(refusal: Refusal) -> tuple[str, bytes]:
    said = {"error": refusal.code, "detail": refusal.detail, **refusal.fields}
    return "application/problem+json", msgspec.json.encode(said)


def _invalid(detail: Detail) -> Refusal:
    return Refusal(422, "Invalid", str(detail), fields={"where": detail.where, "name": detail.name})


def _missing(missing: Missing) -> Refusal:
    return Refusal(404, "NotFound", f"{missing.record.__name__} {missing.id}")


LIBRARY = Product(
    "library",
    title="The library",
    api="3",
    auth=Bearer(),
    envelope=_envelope,
    refusals={
        "unknown_path": lambda path: Refusal(404, "NoSuchPath", path),
        "wrong_method": lambda allowed: Refusal(405, "WrongMethod", headers={"allow": allowed}),
        "malformed": lambda detail: Refusal(400, "Malformed", detail),
        "invalid": _invalid,
        "unauthorized": Refusal(401, "Unauthorized", "Show your card"),
        "forbidden": Refusal(403, "Forbidden"),
        "missing": _missing,
        "too_large": lambda size: Refusal(413, "TooLarge", f"{size} bytes"),
        "rate_limited": lambda seconds: Refusal(429, "SlowDown", headers={"retry-after": str(seconds)}),
        "down": Refusal(503, "Closed"),
        "failing": lambda detail: Refusal(500, "Broken", detail),
        "timeout": Refusal(504, "TooSlow"),
        "conflict": lambda key: Refusal(409, "KeyReused", key),
    },
    rate_limit=RateLimit(
        100, 60, lambda limit, left, reset: {"x-limit": str(limit), "x-left": str(left), "x-reset": str(reset)}
    ),
    idempotency=Idempotency(mark=lambda repeated: {"x-repeated": "yes"} if repeated else {}),
    headers=lambda tx: {"x-request-id": tx.dice("request", tx.actor.name, tx.operation, tx.now_us).hex(8)},
    suffixes=(".json",),
    etag=True,
    max_body=10_000,
    reads=("X-Branch",),
)


@LIBRARY.record("books", ids=counter(1), search=("title",))
class Book(Record):
    """Something to lend."""

    title: str
    pages: int = 0
    kind: Literal["novel", "manual"] = "novel"
    lent_at: datetime | None = None
    extra: Any = None


class BookBody(msgspec.Struct):
    """A book as a client writes it."""

    title: Annotated[str, Meta(max_length=50)]
    pages: int = 0
    kind: Literal["novel", "manual"] = "novel"
    tags: list[str] = []


class BookShown(msgspec.Struct):
    """A book as the library shows it."""

    id: int
    title: str
    pages: int
    lent_at: str | None


class Shelf(msgspec.Struct):
    """A page of books."""

    books: list[BookShown]
    page: int


class Page:
    """A page number, parsed from the query."""

    PARAMETERS = {"page[number]": {"type": "integer", "minimum": 1}}

    def __init__(self, number: int) -> None:
        self.number = number

    @classmethod
    def parse(cls, query: Arguments, request: Request) -> Page:
        """Parse `page[number]`; the default is 1."""
        return cls(int(query.get("page[number]", ["1"])[-1]))


def shown(book: Book) -> BookShown:
    """Convert a book to its API form."""
    return BookShown(book.id, book.title, book.pages, iso_z(book.lent_at))


@LIBRARY.get("/books", answers=Shelf, tags=("books",))
def list_books(
    tx: Tx,
    page: Page,
    kind: str | None = None,
    at_least: Annotated[int, Query("pages[min]")] = 0,
    order: Literal["id", "title"] = "id",
    ids: list[int] | None = None,
) -> Shelf:
    """List the books."""
    found = tx.all(Book, "pages >= ?", at_least, order=order)
    kept = [book for book in found if (not kind or book.kind == kind) and (ids is None or book.id in ids)]
    return Shelf([shown(book) for book in kept], page.number)


@LIBRARY.get("/books/{book_id}", answers=BookShown, tags=("books",))
def show_book(tx: Tx, book_id: int) -> BookShown:
    """Show one book.

    What comes after the first paragraph is not the summary.
    """
    return shown(tx.get(Book, book_id))


@LIBRARY.get("/books/newest", answers=BookShown, seconds=1.5)
def newest_book(tx: Tx) -> BookShown:
    """Show the newest book."""
    book = tx.first(Book, order="id DESC")
    if book is None:
        raise Refusal(404, "Empty", "There is no book")
    return shown(book)


@LIBRARY.post("/books", answers=BookShown, status=201, idempotent=True)
def add_book(tx: Tx, body: BookBody, branch: Annotated[str, Header("X-Branch")] = "main") -> BookShown:
    """Add a book."""
    tx.headers["x-branch"] = branch
    return shown(tx.add(Book(title=body.title, pages=body.pages, kind=body.kind)))


@LIBRARY.put("/books/{book_id}/loan", answers=BookShown)
def lend_book(tx: Tx, book_id: int) -> BookShown:
    """Lend a book."""
    book = tx.get(Book, book_id)
    if book.lent_at:
        raise Refusal(409, "Lent", "Somebody has it")
    return shown(tx.change(book, lent_at=tx.now))


@LIBRARY.patch("/books/{book_id}", answers=BookShown)
def change_book(tx: Tx, book_id: int, body: dict[str, Any]) -> BookShown:
    """Store any given fields."""
    return shown(tx.change(tx.get(Book, book_id), extra=body))


@LIBRARY.delete("/books/{book_id}")
def remove_book(tx: Tx, book_id: int) -> None:
    """Remove a book."""
    tx.remove(tx.get(Book, book_id))


@LIBRARY.post("/covers", status=202)
def upload_cover(tx: Tx, body: bytes) -> Reply:
    """Upload a picture."""
    return Reply(202, {"content-type": "image/png", "x-size": str(len(body))}, body[:4])


@LIBRARY.get("/hours", public=True)
def opening_hours(tx: Tx) -> dict[str, str]:
    """Return the opening hours, which are public."""
    return {"open": "9-17"}


def _is_staff(tx: Tx) -> None:
    if tx.actor.kind != "agent":
        raise Refusal(403, "StaffOnly", "Ask at the desk")


@LIBRARY.role("librarian", check=_is_staff)
def librarian(tx: Tx) -> Actor:
    """Return the librarian who calls."""
    _is_staff(tx)
    return tx.actor


@LIBRARY.get("/desk", role="librarian")
def show_desk(tx: Tx, me: Annotated[Actor, Caller]) -> dict[str, str]:
    """Show who sits at the desk."""
    return {"name": me.name}


@LIBRARY.delete("/desk", role="librarian", status=202)
def close_desk(tx: Tx) -> dict[str, bool]:
    """Close the desk."""
    return {"closed": True}


@LIBRARY.get("/broken")
def broken(tx: Tx) -> None:
    """Raise a planted error."""
    raise ZeroDivisionError("planted")


@LIBRARY.tool
def find_books(kind: Literal["novel", "manual"] | None = None, pages: int = 0) -> Call:
    """Find books of a kind."""
    return Call("GET", "/books.json", query={"kind": kind, "pages[min]": pages})


@LIBRARY.tool
def buy_book(
    title: Annotated[str, Meta(description="what it says on the cover")], kind: Literal["novel", "manual"] = "novel"
) -> Call:
    """Buy a book for the library."""
    return Call("POST", "/books", {"title": title, "kind": kind}, headers={"x-branch": "north"})


@LIBRARY.tool
def lend(book_id: Annotated[int, Meta(ge=1)]) -> Call:
    """Lend a book to a reader."""
    return Call("PUT", f"/books/{book_id}/loan")


APP = LIBRARY.install("library.example")


def library(books: int = 0) -> World:
    """Return a library with some books."""
    world = fresh([APP])

    def fill(tx: Tx) -> None:
        for number in range(1, books + 1):
            tx.add(Book(title=f"Book {number}", pages=number * 10, kind="manual" if number % 3 == 0 else "novel"))

    world.do(fill, TESTER)
    return world


def send(
    world: World,
    method: str,
    path: str,
    body: Any = None,
    by: Actor = ANA,
    headers: dict[str, str] | None = None,
    turn: bool = True,
) -> Reply:
    """Send one request as an actor."""
    path, _, query = path.partition("?")
    data = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
    return world.send("library", Request(method, path, query, headers or {}, data), by, turn=turn)


def trouble(world: World, kind: str, operation: str = "*", hours: float = 1.0, **args: Any) -> None:
    """Start a fault that lasts for some hours."""
    world.do(lambda tx: tx.fault("library", kind, timedelta(0), timedelta(hours=hours), operation, **args), TESTER)


__all__ = ["ANA", "ANONYMOUS", "APP", "BEN", "LIBRARY", "Book", "library", "send", "trouble"]
