"""A reply is validated by the spec's own dialect, and each error says where and what."""

from typing import Any

import pytest

from diorama.contract.spec import read
from diorama.contract.validator import Validator
from tests.contract.specs import needs_specs, real, schema

NODE: dict[str, Any] = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "integer"},
        "parent": {"$ref": "#/components/schemas/Node"},
        "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    },
}


@pytest.mark.parametrize(
    ("tree", "good", "bad"),
    [
        ({"type": "string", "nullable": True}, [None, "a"], [1]),
        ({"type": "string"}, ["a"], [None]),
        ({"type": "string", "nullable": True, "enum": ["a"]}, [None, "a"], ["b"]),
        ({"type": "string", "x-nullable": True}, [None], [1]),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, [2], [1]),
        ({"type": "number", "exclusiveMaximum": 5}, [4], [5]),
        (
            {"type": "string", "format": "date-time"},
            ["2026-03-02T09:14:07Z", "2026-03-02T09:14:07.123+0000"],
            ["today", "2026-03-02"],
        ),
        ({"type": "string", "format": "date"}, ["2026-03-02"], ["2026-13-02"]),
        ({"type": "string", "format": "uri"}, ["not a uri"], [1]),
        ({"type": "file"}, [1, "x"], []),
        ({"type": "string", "pattern": "(?broken"}, ["x"], [1]),
        ({"type": "string", "pattern": "^C[A-Z0-9]+$"}, ["C1"], ["D1"]),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, [1, 1.5], ["1"]),
        ({"items": [{"type": "string"}, {"type": "null"}]}, ["a", None], [1]),
        ({"type": "array", "items": [{"type": "string"}, {"type": "null"}]}, [["a", None]], [[1]]),
        ({"$ref": "#/components/schemas/Node", "nullable": True}, [None, {"id": 1}], [{}]),
        ({"$ref": "#/components/schemas/Lost"}, [None, 1, {}], []),
        ({"type": "object", "additionalProperties": False}, [{}], [{"a": 1}]),
        ({"type": "object", "required": True}, [{}], [1]),
    ],
)
def test_openapi_keywords_are_applied(tree: Any, good: list[Any], bad: list[Any]) -> None:
    validator = Validator(schema(tree, {"Node": NODE}))
    assert [value for value in good if not validator.accepts(value)] == []
    assert [value for value in bad if validator.accepts(value)] == []


def test_write_only_properties_are_not_required_in_replies() -> None:
    fields = {"name": {"type": "string"}, "password": {"type": "string", "writeOnly": True}}
    validator = Validator(schema({"type": "object", "required": ["name", "password"], "properties": fields}))
    assert validator.accepts({"name": "a"})
    assert not validator.accepts({"password": "a"})


def test_parts_of_an_all_of_do_not_forbid_each_others_properties() -> None:
    closed = {"type": "object", "additionalProperties": False, "properties": {"a": {"type": "integer"}}}
    validator = Validator(
        schema(
            {"allOf": [{"$ref": "#/components/schemas/A"}, {"properties": {"b": {"type": "string"}}}]}, {"A": closed}
        )
    )
    assert validator.accepts({"a": 1, "b": "x"})
    assert not validator.accepts({"a": "x", "b": "x"})


def test_a_recursive_schema_is_validated_fully() -> None:
    validator = Validator(schema({"$ref": "#/components/schemas/Node"}, {"Node": NODE}))
    assert validator.accepts({"id": 1, "children": [{"id": 2, "parent": {"id": 1}}]})
    (problem,) = validator.problems({"id": 1, "children": [{"id": 2, "children": [{"id": "3"}]}]})
    assert problem.pointer == "/children/0/children/0/id"
    assert problem.message == '"3" is not of type "integer"'


def test_the_closest_alternative_explains_the_error() -> None:
    tree = {
        "properties": {"via": {"anyOf": [{"type": "string"}, {"type": "null"}, {"$ref": "#/components/schemas/Node"}]}}
    }
    (problem,) = Validator(schema(tree, {"Node": NODE})).problems({"via": {"id": 1, "parent": {"id": "x"}}})
    assert problem.pointer == "/via/parent/id"


def test_a_pointer_escapes_what_json_pointers_escape() -> None:
    (problem,) = Validator(schema({"additionalProperties": {"type": "string"}})).problems({"a/b~c": 1})
    assert problem.pointer == "/a~1b~0c"


def test_a_long_value_is_shortened_in_the_message() -> None:
    (problem,) = Validator(schema({"type": "array"})).problems("x" * 5000)
    assert len(problem.message) < 200
    assert problem.message.endswith('is not of type "array"')


@needs_specs
def test_sentrys_examples_match_sentrys_schemas() -> None:
    found = read([real("sentry_openapi_derefed.json.xz")])
    broken = [
        (operation.title, status, problem)
        for operation in found.operations.values()
        for status in operation.successes()
        if (reply := operation.replies[status]).schema is not None
        for example in reply.examples
        for problem in Validator(reply.schema).problems(example)
    ]
    assert broken == []
