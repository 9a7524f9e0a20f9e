"""Resources: a plain noun declared as a table behaves like its five handlers written by hand."""

from typing import Any

import msgspec
import pytest

from diorama.kernel import Actor, Record, Refusal, Request, Tx, World, counter
from diorama.kernel.testing import fresh
from diorama.kit import Product
from diorama.kit.openapi import document
from diorama.kit.product import REFUSAL_KINDS
from diorama.kit.resource import Conventions, Resource

EVA, GUEST = Actor("agent", "eva"), Actor("persona", "guest")


class Page:
    """How many are asked for."""

    PARAMETERS = {"limit": {"type": "integer"}}

    def __init__(self, limit: int) -> None:
        self.limit = limit

    @classmethod
    def parse(cls, query: Any, request: Request) -> "Page":
        """Read the limit from the query."""
        return cls(int(query.get("limit", ["10"])[-1]))


class ColourInput(msgspec.Struct):
    """A colour as clients write it."""

    name: str = ""


class ColourRequest(msgspec.Struct):
    """A colour in its wrapper."""

    colour: ColourInput | None = None


class ColourObject(msgspec.Struct):
    """A colour as the product shows it."""

    id: int
    name: str


class ColourResponse(msgspec.Struct):
    """A shown colour in its wrapper."""

    colour: ColourObject


class ColoursResponse(msgspec.Struct, kw_only=True):
    """A page of colours."""

    colours: list[ColourObject]
    more: bool


def list_page(tx: Tx, page: Page, record: Any, where: str, order: str = "id") -> tuple[list[Any], dict[str, Any]]:
    """Return one page of records."""
    found = tx.all(record, where, order=order)
    return found[: page.limit], {"more": len(found) > page.limit}


def part(value: Any, name: str) -> Any:
    """Return what is inside the wrapper."""
    if value is None:
        raise Refusal(422, "Missing", name)
    return value


def made(**more: Any) -> World:
    """A product with one noun, and three colours in it."""
    product = Product(
        "paint",
        title="Paint",
        refusals={kind: Refusal(404 if kind == "missing" else 400, kind) for kind in REFUSAL_KINDS},
        envelope=lambda refusal: {"error": refusal.code},
    )

    @product.record("colours", ids=counter(1))
    class Colour(Record):
        """A colour."""

        name: str
        hidden: bool = False

    @product.role("painter")
    def painter(tx: Tx) -> Actor:
        """Return the painter who calls."""
        if tx.actor.kind != "agent":
            raise Refusal(403, "Forbidden")
        return tx.actor

    @product.role("anybody")
    def anybody(tx: Tx) -> Actor:
        """Return the caller."""
        return tx.actor

    def create(tx: Tx, me: Actor, asked: ColourInput) -> Colour:
        """Mix a colour."""
        if not asked.name:
            raise Refusal(422, "Blank")
        return tx.add(Colour(name=f"{asked.name} by {me.name}"))

    def change(tx: Tx, me: Actor, colour: Colour, asked: ColourInput) -> Colour:
        return tx.change(colour, name=asked.name)

    def remove(tx: Tx, me: Actor, colour: Colour) -> None:
        tx.remove(colour)

    def located(tx: Tx, path: str) -> None:
        tx.headers["location"] = path

    options: dict[str, Any] = {"create": create, "change": change, "remove": remove, "request": ColourRequest, **more}
    Resource(
        product,
        Conventions(
            page=Page,
            list_page=list_page,
            part=part,
            located=located,
            reads="anybody",
            writes="painter",
            update="PATCH",
        ),
        "/colours",
        Colour,
        singular="colour",
        shape=lambda tx, colour: ColourObject(colour.id, colour.name),
        response=ColourResponse,
        responses=ColoursResponse,
        where="hidden = 0",
        ordering={"order": "name"},
        **options,
    )
    world = fresh([product.install("paint.example")])
    world.do(lambda tx: [tx.add(Colour(name=name, hidden=name == "x")) for name in ("red", "blue", "x")] and None, EVA)
    return world


def ask(world: World, method: str, path: str, body: Any = None, by: Actor = EVA) -> tuple[int, Any]:
    """Send one request; return the status and what came back."""
    path, _, query = path.partition("?")
    data = b"" if body is None else msgspec.json.encode(body)
    reply = world.send("paint", Request(method, path, query, {}, data), by)
    return reply.status, reply.json() if reply.body else None


def test_records_are_listed_in_order_and_by_page() -> None:
    names = [one["name"] for one in ask(made(), "GET", "/colours")[1]["colours"]]
    assert names == ["blue", "red"]
    assert ask(made(), "GET", "/colours?limit=1")[1] == {"colours": [{"id": 2, "name": "blue"}], "more": True}


def test_a_record_is_created_shown_changed_and_deleted() -> None:
    world = made()
    assert ask(world, "POST", "/colours", {"colour": {"name": "teal"}}) == (
        201, {"colour": {"id": 4, "name": "teal by eva"}},
    )  # fmt: skip
    assert world.events[-1].reply["headers"]["location"] == "/colours/4"
    assert ask(world, "PATCH", "/colours/4", {"colour": {"name": "green"}})[1] == {"colour": {"id": 4, "name": "green"}}
    assert ask(world, "GET", "/colours/4", by=GUEST)[1] == {"colour": {"id": 4, "name": "green"}}
    assert ask(world, "DELETE", "/colours/4") == (204, None)
    assert ask(world, "GET", "/colours/4")[0] == 404


def test_role_record_wrapper_and_rules_are_checked_in_this_order() -> None:
    world = made()
    assert ask(world, "PATCH", "/colours/9", {}, GUEST) == (403, {"error": "Forbidden"})
    assert ask(world, "PATCH", "/colours/9", {}) == (404, {"error": "missing"})
    assert ask(world, "PATCH", "/colours/1", {}) == (422, {"error": "Missing"})
    assert ask(world, "POST", "/colours", {"colour": {}}) == (422, {"error": "Blank"})


def test_an_operation_without_its_function_does_not_exist() -> None:
    world = made(change=None, remove=None)
    assert ask(world, "DELETE", "/colours/1") == (400, {"error": "wrong_method"})
    assert ask(world, "PATCH", "/colours/1", {}) == (400, {"error": "wrong_method"})


def test_operations_are_named_and_described_in_the_document() -> None:
    app: Any = made(names={"show": "show_a_hue"}, summaries={"list": "All of them."}).company.apps[0]
    shown = {
        operation["operationId"]: (method, operation["summary"], operation["x-role"])
        for item in document(app)["paths"].values()
        for method, operation in item.items()
    }
    assert shown == {
        "list_colours": ("get", "All of them.", "anybody"),
        "show_a_hue": ("get", "Show a colour.", "anybody"),
        "create_colour": ("post", "Mix a colour.", "painter"),
        "update_colour": ("patch", "Update a colour.", "painter"),
        "delete_colour": ("delete", "Delete a colour.", "painter"),
    }


def test_a_writable_resource_needs_a_request_type() -> None:
    with pytest.raises(ValueError, match="/colours: give the type of the request"):
        made(request=None)
