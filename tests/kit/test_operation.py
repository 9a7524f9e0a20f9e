"""Operations: one declaration defines the parameters, bodies and errors of the API."""

import inspect
import math
import re
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Request, Tx
from diorama.kit import Header, Operation, Query
from diorama.kit.bounds import Invalid, Malformed
from diorama.kit.router import Router
from tests.kit.library import APP, library, send


def operation(name: str) -> Operation:
    """Return the library's operation with this name."""
    return next(one for one in APP.product.operations if one.name == name)


def test_the_signature_decides_the_places_of_parameters() -> None:
    places = {p.argument: (p.name, p.place, p.required) for p in operation("list_books").parameters}
    assert places == {
        "page": ("page", "parsed", True),
        "kind": ("kind", "query", False),
        "at_least": ("pages[min]", "query", False),
        "order": ("order", "query", False),
        "ids": ("ids", "query", False),
    }
    assert [(p.name, p.place) for p in operation("add_book").parameters] == [("body", "body"), ("X-Branch", "header")]
    assert [(p.name, p.place) for p in operation("show_book").parameters] == [("book_id", "path")]


def test_the_summary_is_the_first_paragraph_of_the_docstring() -> None:
    assert operation("show_book").summary == "Show one book."


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", [1, 2, 3, 4]),
        ("kind=manual", [3]),
        ("pages%5Bmin%5D=30", [3, 4]),
        ("pages[min]=20&pages[min]=40", [4]),
        ("ids=2&ids=4", [2, 4]),
        ("order=title&unknown=1", [1, 2, 3, 4]),
        ("kind=", [1, 2, 3, 4]),
    ],
)
def test_query_parameters_are_typed(query: str, ids: list[int]) -> None:
    reply = send(library(4), "GET", f"/books?{query}")
    assert [book["id"] for book in reply.json()["books"]] == ids


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("pages[min]=many", "pages[min]"),
        ("pages[min]=", "pages[min]"),
        ("pages[min]=99999999999999999999", "pages[min]"),
        ("order=pages", "order"),
        ("ids=1&ids=x", "ids"),
    ],
)
def test_a_query_of_the_wrong_type_names_the_parameter(query: str, name: str) -> None:
    reply = send(library(), "GET", f"/books?{query}")
    assert (reply.status, reply.json()["where"], reply.json()["name"]) == (422, "query", name)


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        (b'{"title": "x"', 400, None),
        (b"not json", 400, None),
        (b"\xff\xfe", 400, None),
        (b'{"title": "\\ud800"}', 400, None),
        (b"[" * 100_000, 413, None),
        (b"[" * 9_000, 400, None),
        (b"", 422, ""),
        (b"null", 422, ""),
        (b"[]", 422, ""),
        (b'{"title": 7}', 422, "title"),
        (b'{"title": "x", "pages": "many"}', 422, "pages"),
        (b'{"title": "x", "pages": 1e400}', 422, "pages"),
        (b'{"title": "x", "kind": "play"}', 422, "kind"),
        (b'{"title": "x", "tags": ["a", 7]}', 422, "tags[1]"),
        (b'{"title": "' + b"x" * 51 + b'"}', 422, "title"),
        (b'{"title": "x", "pages": 123456789012345678901234567890}', 422, "pages"),
        (b'{"title": "x", "pages": ' + b"9" * 5000 + b"}", 422, "pages"),
        (b'{"title": "a\\u0000b", "unknown": {"deep": [1]}}', 201, None),
    ],
)
def test_an_invalid_body_gets_the_vendors_error(body: bytes, status: int, name: str | None) -> None:
    world = library()
    before = world.state
    reply = send(world, "POST", "/books", body)
    assert reply.status == status, reply.text
    if name is not None:
        assert (reply.json()["where"], reply.json()["name"]) == ("body", name)
    assert (world.state == before) == (status != 201)


def test_a_deeply_nested_body_is_not_a_defect() -> None:
    world = library(1)
    for depth in (10, 100, 101, 200, 700, 900, 950, 990, 1000, 1400):
        body = b'{"a":' * depth + b"1" + b"}" * depth
        assert send(world, "PATCH", "/books/1", body).status == (200 if depth <= 100 else 400)
        assert send(world, "GET", "/books/1").status == 200


def test_nesting_depth_ignores_width_and_brackets_in_text() -> None:
    wide = b'{"a": [%s], "b": "%s"}' % (b",".join([b"{}"] * 500), b'\\"[' * 500)
    assert send(library(1), "PATCH", "/books/1", wide).status == 200
    for unended in (b'{"a": "' + b'\\"[' * 500, b'{"a": "' + b"[" * 500 + b"\\"):
        assert send(library(1), "PATCH", "/books/1", unended).status == 400


def test_a_form_is_a_body_too() -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    made = send(library(), "POST", "/books", b"title=A+caf%C3%A9&pages=12", headers=headers)
    assert made.json() == {"id": 1, "title": "A café", "pages": 12, "lent_at": None}
    assert send(library(), "POST", "/books", b"title=x&pages=many", headers=headers).status == 422
    assert send(library(), "POST", "/books", b"\xff", headers=headers).status in (400, 422)


def test_a_body_may_be_optional() -> None:
    class Body(msgspec.Struct):
        """Something small."""

        x: int = 1

    def optional(tx: Tx, body: Body | None = None) -> None:
        """Accept an optional body."""

    def needed(tx: Tx, body: Body) -> None:
        """Accept a required body."""

    assert Operation(optional, "POST", "/x").bind(Request("POST"), {}) == {"body": None}
    assert Operation(needed, "POST", "/x").bind(Request("POST"), {}) == {"body": Body(1)}
    with pytest.raises(Malformed):
        Operation(needed, "POST", "/x").bind(Request("POST", body=b"{"), {})


def test_a_missing_required_parameter_is_named() -> None:
    def needs(tx: Tx, q: str, tenant: Annotated[str, Header("X-Tenant")]) -> None:
        """Require a query parameter and a header."""

    made = Operation(needs, "GET", "/x")
    with pytest.raises(Invalid, match="q is required"):
        made.bind(Request("GET"), {})
    with pytest.raises(Invalid, match="X-Tenant is required") as caught:
        made.bind(Request("GET", query="q=1"), {})
    assert (caught.value.detail.where, caught.value.detail.name) == ("header", "X-Tenant")
    assert made.bind(Request("GET", query="q=1", headers={"x-tenant": "t"}), {}) == {"q": "1", "tenant": "t"}


odd = st.sampled_from(["nan", "inf", "-Infinity", "1e999", "true", "0", "-1", "9" * 19, "1.5", "a", ""])


@settings(max_examples=200)
@given(
    st.dictionaries(
        st.sampled_from(["flag", "count", "share", "word", "many", "any"]), odd | st.text(max_size=12), max_size=6
    )
)
def test_any_query_is_parsed_or_refused(said: dict[str, str]) -> None:
    def takes(
        tx: Tx,
        flag: bool = False,
        count: int | None = None,
        share: float = 0.0,
        word: Literal["a", "b"] = "a",
        many: list[int] | None = None,
        any: Annotated[str, Query("any")] = "",
    ) -> None:
        """Accept every parameter type."""

    request, refused = Request("GET", query=urlencode(said)), ""
    try:
        bound = Operation(takes, "GET", "/x").bind(request, {})
    except Invalid as error:
        refused, bound = error.detail.name, {"flag": True, "count": 1, "share": 1.0}
    assert not refused or refused in said
    assert isinstance(bound["flag"], bool)
    assert bound["count"] is None or isinstance(bound["count"], int)
    assert math.isfinite(bound["share"])


words = st.sampled_from(["a", "b", "{}", "c"])
paths = st.lists(words, min_size=1, max_size=4).map(
    lambda parts: "/" + "/".join(part.format(f"{{x{place}}}") for place, part in enumerate(parts))
)


@given(st.lists(paths, min_size=1, max_size=8), st.lists(st.sampled_from("abc"), min_size=1, max_size=4))
def test_a_router_prefers_literal_segments(declared: list[str], asked: list[str]) -> None:
    router, shapes = Router(), dict[tuple[str, ...], str]()
    for path in declared:
        shape = tuple("*" if part.startswith("{") else part for part in path.strip("/").split("/"))
        if shape not in shapes:
            shapes[shape] = path
            router.add(Operation(_handler(path), "GET", path, name=path))
    fits = [
        shape
        for shape in shapes
        if len(shape) == len(asked) and all(a in ("*", b) for a, b in zip(shape, asked, strict=True))
    ]
    found = router.find("/" + "/".join(asked))
    if not fits:
        assert found is None
        return
    best = min(fits, key=lambda shape: [part == "*" for part in shape])
    assert found is not None
    methods, values = found
    assert methods["GET"][0].name == shapes[best]
    assert values == tuple(b for a, b in zip(best, asked, strict=True) if a == "*")


def _handler(path: str) -> Any:
    """Return a handler that takes what a path names."""
    taken = dict.fromkeys(re.findall(r"\{(\w+)\}", path), str)
    handler: Any = lambda tx, **values: None  # noqa: E731 - its signature is made below
    handler.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("tx", *taken)]
    )
    handler.__annotations__ = {"tx": Tx, **taken}
    return handler
