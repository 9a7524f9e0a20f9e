"""A mismatch is a difference that a client would notice; all other differences are ignored."""

from typing import Any

import pytest

from diorama.contract.drift import Mismatch, drift
from diorama.contract.match import match
from diorama.contract.spec import read
from tests.contract.specs import answers, needs_specs, real, spec


def differences(theirs: dict[str, Any], ours: dict[str, Any], **components: Any) -> list[tuple[str, str]]:
    laid = match(spec({"/a/{x}": {"post": theirs}}, **components), spec({"/a/{y}": {"post": ours}}, **components))
    (pair,) = laid.served
    return [(each.kind, each.where) for each in drift(pair)]


def query(name: str, kind: str, required: bool = False) -> dict[str, Any]:
    return {
        "parameters": [{"name": name, "in": "query", "required": required, "schema": {"type": kind}}],
        **answers({}),
    }


def path(name: str, kind: str) -> dict[str, Any]:
    return {"parameters": [{"name": name, "in": "path", "required": True, "schema": {"type": kind}}], **answers({})}


def body(tree: Any, required: bool = True) -> dict[str, Any]:
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": tree}}}, **answers({})}


def test_missing_and_extra_operations_are_found() -> None:
    theirs = spec({"/a": {"get": {}, "post": {}}, "/b/{id}": {"get": {}}})
    ours = spec({"/a": {"get": {}, "put": {}}, "/b/{thing}.json": {"get": {}}})
    laid = match(theirs, ours)
    assert [pair.theirs.title for pair in laid.served] == ["GET /a", "GET /b/{id}"]
    assert [operation.title for operation in laid.missing] == ["POST /a"]
    assert [operation.title for operation in laid.extra] == ["PUT /a"]
    assert laid.total == 3
    assert laid.areas() == {"a": (1, 2), "b": (1, 1)}


@pytest.mark.parametrize(
    ("theirs", "ours", "found"),
    [
        ("string", "integer", [("path_parameter_type", "x")]),
        ("integer", "string", []),  # text takes every number
        ("number", "integer", []),
        ("integer", "boolean", [("path_parameter_type", "x")]),
    ],
)
def test_a_path_parameter_may_be_wider_but_not_of_another_type(theirs: str, ours: str, found: list[Any]) -> None:
    assert differences(path("x", theirs), path("y", ours)) == found


def test_only_required_query_parameters_must_exist() -> None:
    assert differences(query("q", "string", required=True), answers({})) == [("query_parameter_unknown", "q")]
    assert differences(query("q", "string"), answers({})) == []
    assert differences(query("token", "string", required=True), answers({})) == []
    assert differences(query("q", "string"), query("q", "integer")) == [("query_parameter_type", "q")]
    assert differences(answers({}), query("q", "string", required=True)) == [("query_parameter_required", "q")]


def test_a_success_status_must_be_documented() -> None:
    assert differences(answers({}, "201"), answers({}, "200")) == [("status_undocumented", "200")]
    assert differences(answers({}, "2XX"), answers({}, "202")) == []
    assert differences(answers({}, "default"), answers({}, "202")) == []


def test_reply_properties_must_match_and_be_complete() -> None:
    theirs = {
        "type": "object",
        "required": ["id", "name", "secret"],
        "properties": {
            "id": {"type": "integer"},
            "name": {"type": "string"},
            "secret": {"type": "string", "writeOnly": True},
            "tags": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string"},
        },
    }
    ours = {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "integer"}},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "more": {"type": "string"},
        },
    }
    assert differences(answers(theirs), answers(ours)) == [
        ("reply_property_missing", "/name"),
        ("reply_type", "/id"),
        ("reply_type", "/tags/*"),
    ]


def test_compositions_and_references_are_resolved() -> None:
    base = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    components = {"schemas": {"Base": base, "Tree": {"properties": {"up": {"$ref": "#/components/schemas/Tree"}}}}}
    theirs = {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"required": ["name"], "properties": {"name": {"type": "string"}}},
        ]
    }
    found = differences(answers(theirs), answers({"properties": {"id": {"type": "boolean"}}}), components=components)
    assert found == [("reply_property_missing", "/name"), ("reply_type", "/id")]
    tree = {"$ref": "#/components/schemas/Tree"}
    assert differences(answers(tree), answers(tree), components=components) == []
    either = {
        "oneOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {"id": {"type": "string"}}}]
    }
    assert (
        differences(answers(either), answers({"properties": {"id": {"type": "string"}}}), components=components) == []
    )


def test_a_reply_that_is_an_open_object_is_left_to_the_samples() -> None:
    theirs = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    assert differences(answers(theirs), answers({"type": "object"})) == []
    assert differences(answers(theirs), {"responses": {"200": {"description": ""}}}) == [("reply_absent", "")]


def test_request_and_reply_bodies_are_compared_by_direction() -> None:
    theirs = {
        "type": "object",
        "required": ["id", "title"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "title": {"type": "string"},
            "size": {"type": "string"},
        },
    }
    ours = {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer"}}}
    assert differences(body(theirs), body(ours)) == [
        ("body_property_unknown", "/title"),
        ("body_property_required", "/size"),
        ("body_type", "/size"),
    ]
    lax = {"type": "object", "properties": {"size": {"type": "integer"}}}
    assert differences(body(lax), body(ours)) == []  # a spec without any `required` leaves it open
    assert differences(body(theirs), answers({})) == [("body_unknown", "")]
    assert differences(body(theirs, required=False), answers({})) == []


@needs_specs
@pytest.mark.parametrize(
    "name", ["zendesk_support_openapi_split", "slack_web_openapi_v2", "sentry_openapi_derefed", "jira_cloud_v3_2025-12"]
)
def test_a_spec_matches_itself(name: str) -> None:
    found = read([real(f"{name}.json.xz")])
    laid = match(found, found)
    mismatches: list[Mismatch] = [each for pair in laid.served for each in drift(pair)]
    assert not laid.missing
    assert not laid.extra
    assert mismatches == []
