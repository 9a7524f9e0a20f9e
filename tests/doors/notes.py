"""A small app for testing doors: notes, with a handler that fails on request."""

from typing import Annotated, Any

import msgspec

from diorama.doors.hosts import links_of
from diorama.doors.links import Links
from diorama.kernel import Actor, Record, Refusal, Reply, Request, Tx, World, counter
from diorama.kit import App, Basic, CredentialKind, Header, Product
from diorama.kit.tokens import tokens_of
from diorama.kit.wire import json_encode

HOST = "acme.notes.example"
ANA = "ana@acme.example"


def words(refusal: Refusal) -> tuple[str, bytes]:
    """Word a refusal as JSON."""
    return "application/json", json_encode({"error": refusal.code, "detail": refusal.detail})


REFUSALS: dict[str, Any] = {
    "unknown_path": Refusal(404, "NoSuchPath"),
    "wrong_method": Refusal(405, "WrongMethod"),
    "malformed": Refusal(400, "Malformed"),
    "invalid": lambda detail: Refusal(422, "Invalid", str(detail)),
    "unauthorized": Refusal(401, "Who", "Couldn't authenticate you", headers={"www-authenticate": "Basic"}),
    "forbidden": Refusal(403, "No"),
    "missing": Refusal(404, "NotFound"),
    "too_large": Refusal(413, "TooLarge"),
    "rate_limited": lambda seconds: Refusal(429, "TooMany", headers={"retry-after": str(seconds)}),
    "down": Refusal(503, "Down"),
    "failing": Refusal(500, "Broken"),
    "timeout": Refusal(504, "Slow"),
    "conflict": Refusal(409, "Conflict"),
}

APP = Product(
    "notes",
    title="Notes",
    auth=Basic("/token"),
    envelope=words,
    refusals=REFUSALS,
    reads=("x-shade", "x-callback"),
    credential_kinds=(CredentialKind(credentials=lambda person, secret: {"email": person, "token": secret}),),
    max_body=10_000,
)


@APP.record("notes", ids=counter(1))
class Note(Record):
    """One note."""

    text: str


@APP.record("account", ids=counter(1))
class Account(Record):
    """What a company has set up."""

    name: str
    time_zone: str


@APP.record("mails", ids=counter(1))
class Mail(Record):
    """A mail that the product sent."""

    text: str


class Writing(msgspec.Struct):
    """A note to be written."""

    text: str


@APP.get("/account")
def show_account(tx: Tx) -> dict[str, object]:
    """Show what the company has set up."""
    account = tx.get(Account, 1)
    return {"name": account.name, "time_zone": account.time_zone, "url": f"https://{APP.here()}/account"}


@APP.get("/mails")
def list_mails(tx: Tx) -> list[str]:
    """List the mails that were sent."""
    return [mail.text for mail in tx.all(Mail)]


@APP.get("/notes/{note_id}")
def show_note(tx: Tx, note_id: int) -> dict[str, object]:
    """Show one note."""
    note = tx.get(Note, note_id)
    return {"id": note.id, "text": note.text, "url": f"https://{APP.here()}/notes/{note.id}"}


@APP.post("/notes", status=201)
def write_note(tx: Tx, body: Writing) -> dict[str, object]:
    """Write a note."""
    note = tx.add(Note(text=body.text))
    tx.headers["location"] = f"https://{APP.here()}/notes/{note.id}"
    return {"id": note.id, "text": note.text}


@APP.post("/notes/{note_id}/mail")
def mail_note(tx: Tx, note_id: int) -> None:
    """Mail the address of a note."""
    tx.add(Mail(text=f"Read this: https://{APP.of(tx).host}/notes/{note_id}"))


@APP.get("/echo")
def echo(
    tx: Tx,
    shade: Annotated[str, Header("X-Shade")] = "",
    callback: Annotated[str, Header("X-Callback")] = "",
    text: str = "",
) -> Reply:
    """Send back what was read."""
    return Reply(200, {"content-type": "text/plain", "x-shade": shade, "x-callback": callback}, text.encode())


@APP.delete("/notes/{note_id}")
def remove_note(tx: Tx, note_id: int) -> None:
    """Remove a note."""
    tx.remove(tx.get(Note, note_id))


@APP.get("/break")
def break_down(tx: Tx) -> None:
    """Fail, as a handler with a bug does."""
    raise ZeroDivisionError("planted")


@APP.get("/hang")
def hang(tx: Tx, way: str = "python") -> None:
    """Compute without end, in Python or in SQLite, as a handler with a bug does."""
    tx.add(Mail(text="half done"))
    if way == "sql":
        tx.rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
    while way == "python":
        pass


class WorldSession:
    """A session without an episode around the world."""

    def __init__(self, world: World, app: App, base_url: str = "", *, secret: str = "", mark: str = "") -> None:
        self.world = world
        self.app = app
        self.login = ANA
        self.secret = secret
        self.live = True
        self.mark = mark
        self.issued = ("tok-1", "key-1", *filter(None, [secret]))
        self.tokens = tokens_of(world.company)
        self._base_url = base_url

    @property
    def now_us(self) -> int:
        """The time of the world."""
        return self.world.hot.now

    def send(self, request: Request) -> Reply:
        """Send a request through the gateway."""
        return self.world.send(self.app.name, request, Actor("agent", self.login), door="http")

    def is_costly(self, size: int) -> bool:
        """Return False: what was done before does not matter here."""
        return False

    def links(self, at_origin: bool) -> Links:
        """Return the addresses of the world's apps."""
        return links_of(self.world.company, {self.app.name: self._base_url}, self.mark, at_origin)
