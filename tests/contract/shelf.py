"""A small library app with correct operations and some that violate the vendor's contract on purpose."""

from typing import Annotated, Any, Literal

import msgspec

from diorama.kernel import Missing, Record, Refusal, Reply, Tx, World, sparse
from diorama.kernel.testing import fresh
from diorama.kit import App, Call, Product

ANA, BEN = "ana@shelf.example", "ben@shelf.example"


def _word(status: int) -> Refusal:
    return Refusal(status, "no")


REFUSALS: dict[str, Any] = {
    "unknown_path": _word(404),
    "wrong_method": _word(405),
    "malformed": _word(400),
    "invalid": lambda detail: Refusal(422, "bad", detail),
    "unauthorized": _word(401),
    "forbidden": _word(403),
    "missing": lambda missing: Refusal(404, "gone", str(missing)),
    "too_large": _word(413),
    "rate_limited": _word(429),
    "down": _word(503),
    "failing": _word(503),
    "timeout": _word(504),
    "conflict": _word(409),
}


def shelf() -> App:
    """Return a new app."""
    product = Product(
        "shelf",
        title="Shelf",
        refusals=REFUSALS,
        envelope=lambda refusal: (
            "application/json",
            msgspec.json.encode({"error": refusal.code, "why": refusal.detail}),
        ),
        suffixes=(".json",),
    )
    declare(product)
    return product.install("shelf.example")


class Reader(Record):
    email: str
    role: Literal["reader", "librarian"] = "reader"


class Book(Record):
    title: str
    pages: int
    author: str | None = None


class Loan(Record):
    book_id: int
    reader_id: int
    state: Literal["out", "back"] = "out"


class BookAnswer(msgspec.Struct):
    book: Book


class BooksAnswer(msgspec.Struct):
    books: list[Book]
    count: int


class LoansAnswer(msgspec.Struct):
    loans: list[Loan]


class LoanAnswer(msgspec.Struct):
    loan: Loan


class BookDraft(msgspec.Struct):
    title: str
    pages: int = 0
    author: str | None = None


class NewBook(msgspec.Struct):
    book: BookDraft


class NewLoan(msgspec.Struct):
    reader_id: int


def declare(product: Product) -> None:
    """Declare the tables and the API."""
    product.record("readers", ids=sparse(9_000, 90))(Reader)
    product.record("books", ids=sparse(700_000, 500), search=("title",))(Book)
    product.record("loans", ids=sparse(40, 4))(Loan)

    @product.get("/v1/books")
    def list_books(tx: Tx, limit: int = 50) -> BooksAnswer:
        return BooksAnswer(tx.all(Book, order="id", limit=limit), tx.count(Book))

    @product.get("/v1/books/{book_id}")
    def show_book(tx: Tx, book_id: int) -> BookAnswer:
        return BookAnswer(tx.get(Book, book_id))

    @product.post("/v1/books", status=201)
    def add_book(tx: Tx, body: NewBook) -> BookAnswer:
        if tx.first(Reader, "email = ? AND role = 'librarian'", tx.actor.name) is None:
            raise Refusal(403, "librarians_only")
        draft = body.book
        return BookAnswer(tx.add(Book(title=draft.title, pages=draft.pages, author=draft.author)))

    @product.delete("/v1/books/{book_id}")
    def drop_book(tx: Tx, book_id: int) -> None:
        tx.remove(tx.get(Book, book_id))

    @product.get("/v1/books/{book_id}/loans")
    def list_loans(tx: Tx, book_id: int) -> LoansAnswer:
        return LoansAnswer(tx.all(Loan, "book_id = ?", tx.get(Book, book_id).id, order="id"))

    @product.get("/v1/books/{book_id}/loans/{loan_id}")
    def show_loan(tx: Tx, book_id: int, loan_id: int) -> LoanAnswer:
        loan = tx.get(Loan, loan_id)
        if loan.book_id != book_id:
            raise Missing(Loan, loan_id)
        return LoanAnswer(loan)

    @product.post("/v1/books/{book_id}/loans", status=201)
    def lend(tx: Tx, book_id: int, body: NewLoan) -> LoanAnswer:
        reader = tx.get(Reader, body.reader_id)
        return LoanAnswer(tx.add(Loan(book_id=tx.get(Book, book_id).id, reader_id=reader.id)))

    @product.get("/v1/search")
    def search(tx: Tx, query: str) -> BooksAnswer:
        found = tx.match(Book, f'"{query}"')
        return BooksAnswer(found, len(found))

    @product.tool
    def lend_book(book_id: int, reader_id: Annotated[int, msgspec.Meta(description="who takes it")]) -> Call:
        """Lend a book."""
        return Call("POST", f"/v1/books/{book_id}/loans", {"reader_id": reader_id})


def break_it(app: App) -> None:
    """Add operations that do not match their declarations."""

    @app.product.get("/v1/lies")
    def lies(tx: Tx) -> BooksAnswer:
        return {"books": [{"id": "seven", "title": None, "pages": 3, "author": None}] * 2}  # type: ignore[return-value]  # the lie is the point

    @app.product.get("/v1/crash")
    def crash(tx: Tx) -> BooksAnswer:
        raise ZeroDivisionError("crash on purpose")

    @app.product.get("/v1/odd")
    def odd(tx: Tx) -> Reply:
        return Reply(202, {"content-type": "text/plain"}, b"not JSON at all")


def stocked(app: App) -> World:
    """Return a world with a few readers, books and loans; only one book was ever lent."""
    world = fresh([app])

    def stock(tx: Tx) -> None:
        ana = tx.add(Reader(email=ANA, role="librarian"))
        for name in ("ben", "cleo", "dora"):
            tx.add(Reader(email=f"{name}@shelf.example"))
        books = [
            tx.add(Book(title=f"Travels volume {n}", pages=100 + n, author=None if n % 2 else "Mara")) for n in range(8)
        ]
        tx.add(Loan(book_id=books[5].id, reader_id=ana.id))

    world.do(stock, "system:test")
    return world
