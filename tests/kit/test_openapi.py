"""The OpenAPI document: built only from the declarations, valid, and matching the replies."""

from typing import Any

import jsonschema
import pytest

from diorama.kit.openapi import answer_type, document
from tests.kit.library import APP, library, send
from tests.kit.parlour import APP as PARLOUR

DOCUMENT = document(APP)


def schema_of(path: str, method: str, status: str) -> Any:
    """Return the declared schema of a reply, with the document's components."""
    content = DOCUMENT["paths"][path][method]["responses"][status]["content"]["application/json"]
    return {**content["schema"], "components": DOCUMENT["components"]}


def test_every_operation_is_in_the_document_once() -> None:
    listed = {(path, method.upper()) for path, item in DOCUMENT["paths"].items() for method in item}
    assert listed == {(operation.path, operation.method) for operation in APP.product.operations}
    ids = [one["operationId"] for item in DOCUMENT["paths"].values() for one in item.values()]
    assert len(ids) == len(set(ids)) == len(APP.product.operations)


def test_the_document_names_the_product_and_its_server() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert DOCUMENT["info"] == {"title": "The library", "version": "3"}
    assert DOCUMENT["servers"] == [{"url": "https://library.example"}]


def test_parameters_have_their_place_in_the_document() -> None:
    listing = DOCUMENT["paths"]["/books"]["get"]
    found = {(p["name"], p["in"], p["required"]) for p in listing["parameters"]}
    assert found == {
        ("page[number]", "query", False),
        ("kind", "query", False),
        ("pages[min]", "query", False),
        ("order", "query", False),
        ("ids", "query", False),
    }
    assert listing["tags"] == ["books"]
    [path] = DOCUMENT["paths"]["/books/{book_id}"]["get"]["parameters"]
    assert (path["in"], path["required"], path["schema"]) == (
        "path", True, {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    )  # fmt: skip

    made = DOCUMENT["paths"]["/books"]["post"]
    assert [(p["name"], p["in"]) for p in made["parameters"]] == [("X-Branch", "header"), ("idempotency-key", "header")]


def test_bodies_and_replies_have_their_types() -> None:
    made = DOCUMENT["paths"]["/books"]["post"]
    assert made["requestBody"] == {
        "required": True,
        "content": {
            media: {"schema": {"$ref": "#/components/schemas/BookBody"}}
            for media in ("application/json", "application/x-www-form-urlencoded")
        },
    }  # fmt: skip
    assert [status for status in made["responses"] if status < "400"] == ["201"]
    gone = DOCUMENT["paths"]["/books/{book_id}"]["delete"]["responses"]
    assert [status for status in gone if status < "400"] == ["204"]
    raw = DOCUMENT["paths"]["/covers"]["post"]["requestBody"]["content"]
    assert raw == {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def test_every_schema_in_the_document_is_valid() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert name


@pytest.mark.parametrize(
    ("method", "path", "declared", "body"),
    [
        ("get", "/books", "/books", None),
        ("get", "/books/1", "/books/{book_id}", None),
        ("get", "/books/newest", "/books/newest", None),
        ("post", "/books", "/books", {"title": "x"}),
        ("put", "/books/1/loan", "/books/{book_id}/loan", None),
        ("get", "/hours", "/hours", None),
    ],
)
def test_real_replies_match_their_schemas(method: str, path: str, declared: str, body: Any) -> None:
    reply = send(library(3), method.upper(), path, body)
    jsonschema.validate(reply.json(), schema_of(declared, method, str(reply.status)))


def test_a_reply_built_by_the_handler_has_no_schema() -> None:
    declared = {operation.name: answer_type(operation) for operation in APP.product.operations}
    assert declared["upload_cover"] is None
    assert declared["remove_book"] is None
    assert declared["opening_hours"] == dict[str, str]


def test_refusals_are_documented_in_the_vendors_envelope() -> None:
    made, listed = DOCUMENT["paths"]["/books"]["post"]["responses"], DOCUMENT["paths"]["/books"]["get"]["responses"]
    conflict = str(APP.product.refusal("conflict", "").status)
    assert str(APP.product.refusal("unauthorized", "").status) in made
    assert conflict in made
    assert conflict not in listed or APP.product.refusal("invalid", "").status == int(conflict)
    assert all(status < "500" for status in made)


def test_a_refusal_with_the_status_of_success_is_an_alternative() -> None:
    topic = document(PARLOUR)["paths"]["/api/topics/{topic_id}"]["put"]["responses"]["200"]
    answer, refusal = topic["content"]["application/json"]["schema"]["anyOf"]
    assert answer == {"$ref": "#/components/schemas/Topic"}
    assert refusal == {"type": "object", "required": ["detail", "error", "ok"]}
