"""Tools: arguments by JSON schema become the vendor's own request; invalid ones give a typed error."""

from typing import Any
from urllib.parse import parse_qsl

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Refusal
from diorama.kit import Call, Product, SizeLimits, Tool, WrongArguments
from diorama.kit.arguments import nested, parse_form
from diorama.kit.product import REFUSAL_KINDS
from tests.kit.library import ANA, APP, library

TOOLS = {tool.name: tool for tool in APP.product.tools}


def test_a_tool_is_named_after_its_app_and_described_by_its_docstring() -> None:
    assert list(TOOLS) == ["library_find_books", "library_buy_book", "library_lend"]
    assert TOOLS["library_lend"].describe() == {
        "name": "library_lend",
        "description": "Lend a book to a reader.",
        "parameters": {
            "type": "object", "properties": {"book_id": {"type": "integer", "minimum": 1}}, "required": ["book_id"],
            "additionalProperties": False,
        },
    }  # fmt: skip


def test_descriptions_and_defaults_are_in_the_schema() -> None:
    schema = TOOLS["library_buy_book"].schema
    assert schema["properties"]["title"]["description"] == "what it says on the cover"
    assert schema["properties"]["kind"] == {"enum": ["manual", "novel"], "default": "novel"}
    assert schema["required"] == ["title"]
    for tool in TOOLS.values():
        jsonschema.Draft202012Validator.check_schema(tool.schema)


def test_a_call_becomes_the_vendors_own_request() -> None:
    made = APP.request_of(TOOLS["library_buy_book"].call({"title": "Café"}))
    assert (made.method, made.path, made.query) == ("POST", "/books", "")
    assert made.headers == {"content-type": "application/json", "x-branch": "north"}
    assert made.body.decode() == '{"title":"Café","kind":"novel"}'
    found = APP.request_of(TOOLS["library_find_books"].call({"pages": 30}))
    assert (found.path, found.query, found.body, found.headers) == ("/books.json", "pages%5Bmin%5D=30", b"", {})


def test_query_values_are_encoded_for_the_vendor() -> None:
    call = Call("GET", "/x", query={"a": True, "b": False, "c": None, "d": [1, 2], "e": "x y&z"})
    assert APP.request_of(call).query == "a=true&b=false&d=1%2C2&e=x+y%26z"


class Block(msgspec.Struct):
    """A structured value in a form."""

    type: str
    open: bool = False


FORM: dict[str, Any] = {
    "yes": True,
    "none": None,
    "n": 1.5,
    "ids": [1, "b"],
    "blocks": [Block("text")],
    "at": {"x": None},
}


def test_structured_form_values_are_json_text() -> None:
    sent = APP.request_of(Call("POST", "/x", form=FORM))
    assert sent.headers["content-type"] == "application/x-www-form-urlencoded"
    assert dict(parse_qsl(sent.body.decode())) == {
        "yes": "true", "n": "1.5", "ids": '[1,"b"]', "blocks": '[{"type":"text","open":false}]', "at": '{"x":null}',
    }  # fmt: skip
    query = APP.request_of(Call("GET", "/x", query={"ids": [1, True], "at": {"x": [1]}})).query
    assert parse_qsl(query) == [("ids", "1,true"), ("at", '{"x":[1]}')]


def test_a_product_may_declare_names_with_brackets_for_its_forms() -> None:
    words = {kind: Refusal(400, kind) for kind in REFUSAL_KINDS}
    pay = Product("pay", title="Pay", refusals=words, envelope=lambda refusal: {}, form_style="brackets")
    sent = pay.install("pay.example").request_of(Call("POST", "/x", form=FORM))
    assert parse_qsl(sent.body.decode()) == [
        ("yes", "true"), ("n", "1.5"), ("ids[]", "1"), ("ids[]", "b"),
        ("blocks[0][type]", "text"), ("blocks[0][open]", "false"),
    ]  # fmt: skip
    read = nested(parse_form(sent.body, "utf-8", SizeLimits()), SizeLimits())
    assert read == {"yes": "true", "n": "1.5", "ids": ["1", "b"], "blocks": [{"type": "text", "open": "false"}]}


def test_a_value_that_has_no_form_is_not_written_as_python_text() -> None:
    with pytest.raises(TypeError):
        APP.request_of(Call("POST", "/x", form={"a": object()}))


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("library_lend", {}, "missing required field `book_id`"),
        ("library_lend", {"book_id": "1"}, "Expected `int`, got `str`"),
        ("library_lend", {"book_id": 0}, ">= 1"),
        ("library_lend", {"book_id": 1, "extra": 2}, "unknown field `extra`"),
        ("library_find_books", {"kind": "play"}, "Invalid enum value 'play'"),
        ("library_find_books", [1], "got `array`"),
    ],
)
def test_invalid_arguments_are_explained(tool: str, arguments: Any, says: str) -> None:
    with pytest.raises(WrongArguments, match=f"{tool}: .*{says}"):
        TOOLS[tool].call(arguments)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(list(TOOLS.values())), st.dictionaries(st.sampled_from(["book_id", "kind", "title"]), json_values)
)
def test_arguments_are_validated_strictly(tool: Tool, arguments: dict[str, Any]) -> None:
    fits = jsonschema.Draft202012Validator(tool.schema).is_valid(arguments)
    try:
        tool.call(arguments)
        taken = True
    except WrongArguments:
        taken = False
    if any(isinstance(value, float) and value == value // 1 for value in arguments.values()):
        return  # JSON schema counts 1.0 as an integer
    assert taken == fits


def test_a_tool_call_passes_the_gateway() -> None:
    world = library(1)
    reply = world.send("library", APP.request_of(TOOLS["library_lend"].call({"book_id": 1})), ANA, "tools")
    assert reply.status == 200
    assert world.events[-1].door == "tools"
