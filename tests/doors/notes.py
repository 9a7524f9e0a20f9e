"""A small product of our own for testing doors: notes, with a handler that breaks on request."""

from typing import Annotated

import msgspec

from diorama.kernel import Actor, Record, Refusal, Reply, Request, Tx, World, counter
from diorama.kit import Basic, Header, Product
from diorama.kit.wire import json_encode

HOST = "acme.notes.example"


def _words(refusal: Refusal) -> tuple[str, bytes]:
    return "application/json", json_encode({"error": refusal.code, "detail": refusal.detail})


NOTES = Product(
    "notes",
    title="Notes",
    auth=Basic("/token"),
    envelope=_words,
    refusals={
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
    },
    reads=("x-shade",),
    max_body=10_000,
)


@NOTES.record("notes", ids=counter(1))
class Note(Record):
    """One note."""

    text: str


class Writing(msgspec.Struct):
    """A note to be written."""

    text: str


@NOTES.get("/notes/{note_id}")
def show_note(tx: Tx, note_id: int) -> dict[str, object]:
    """One note."""
    note = tx.get(Note, note_id)
    return {"id": note.id, "text": note.text, "url": f"https://{NOTES.here()}/notes/{note.id}"}


@NOTES.post("/notes", status=201)
def write_note(tx: Tx, body: Writing) -> dict[str, object]:
    """Write a note."""
    note = tx.add(Note(text=body.text))
    tx.headers["location"] = f"https://{NOTES.here()}/notes/{note.id}"
    return {"id": note.id, "text": note.text}


@NOTES.get("/echo")
def echo(tx: Tx, shade: Annotated[str, Header("X-Shade")] = "", text: str = "") -> Reply:
    """What was heard."""
    return Reply(200, {"content-type": "text/plain", "x-shade": shade}, text.encode())


@NOTES.delete("/notes/{note_id}")
def remove_note(tx: Tx, note_id: int) -> None:
    """Remove a note."""
    tx.remove(tx.get(Note, note_id))


@NOTES.get("/break")
def break_down(tx: Tx) -> None:
    """A handler of ours that is wrong."""
    raise ZeroDivisionError("planted")


APP = NOTES.install(HOST)


class WorldSeat:
    """A seat without an episode around the world."""

    def __init__(self, world: World, login: str = "ana@acme.example") -> None:
        self.world = world
        self.login = login
        self.live = True
        self.mark = ""

    def send(self, app: str, request: Request) -> Reply:
        """Ask through the gateway."""
        return self.world.send(app, request, Actor("agent", self.login), door="http")
