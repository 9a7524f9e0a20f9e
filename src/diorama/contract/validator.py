"""Checks a real reply against a schema: translates OpenAPI dialects to JSON Schema and shortens errors."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import jsonschema_rs
from msgspec import Struct

from diorama.contract.document import Schema
from diorama.contract.shape import JSON_TYPES

# Copied unchanged; `format` only for times: the vendors' own replies break the others (uri, email).
SIZES = ("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties")
PLAIN = ("const", "enum", "minimum", "maximum", "multipleOf", *SIZES)
MAPS = ("properties", "patternProperties", "dependentSchemas")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)")


class Problem(Struct, frozen=True):
    """One way in which a value breaks a schema."""

    pointer: str
    message: str
    rule: str


class Validator:
    """A schema prepared for checking many values."""

    def __init__(self, schema: Schema) -> None:
        translation = _Translation(schema)
        formats = {"moment": _is_moment, "day": _is_day}
        self._validator = jsonschema_rs.Draft202012Validator(
            translation.result, formats=formats, validate_formats=True, ignore_unknown_formats=True
        )

    def accepts(self, value: Any) -> bool:
        """Check whether the value matches the schema."""
        return self._validator.is_valid(value)

    def problems(self, value: Any) -> list[Problem]:
        """Return every violation of the schema; for alternatives, those of the nearest one."""
        return [found for error in self._validator.iter_errors(value) for found in _message(error)]


def pointer(path: list[Any]) -> str:
    """Build a JSON pointer from its parts."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _message(error: Any) -> Iterator[Problem]:
    context = getattr(error.kind, "context", None)
    if error.kind.name in {"anyOf", "oneOf"} and context:
        for inner in _nearest(error, context):
            yield from _message(inner)
        return
    message = str(error.message)
    if len(message) > 200:  # the value comes first in the message, and may be long
        message = message[:90] + " ... " + message[-100:]
    yield Problem(pointer(error.instance_path), message, str(error.kind.name))


def _nearest(error: Any, context: list[list[Any]]) -> list[Any]:
    """Return the errors of the likeliest alternative: of the right type, then with the fewest errors."""

    def distance(errors: list[Any]) -> tuple[bool, int]:
        outside = any(e.kind.name == "type" and e.instance_path == error.instance_path for e in errors)
        return outside, len(errors)

    return min(context, key=distance)


class _Translation:
    """Translates an OpenAPI schema and everything it refers to into one JSON Schema (draft 2020-12)."""

    def __init__(self, schema: Schema) -> None:
        self.document = schema.document
        self.modern = schema.document.version.startswith("3.1")
        self.names: dict[tuple[str, bool], str] = {}
        self.waiting: list[tuple[str, bool]] = []
        definitions: dict[str, Any] = {}
        root = self.schema(schema.tree)
        while self.waiting:
            reference, is_open = self.waiting.pop()
            definitions[self.names[reference, is_open]] = self.schema(self.document.at(reference), is_open)
        self.result = {"$defs": definitions, "allOf": [root]}

    def schema(self, tree: Any, is_open: bool = False) -> Any:
        """Translate a schema to JSON Schema; `is_open` allows additional properties, as parts of an allOf must."""
        if tree is False:
            return False
        if not isinstance(tree, Mapping):
            return {}
        if isinstance(tree.get("$ref"), str):
            return self.reference(tree, is_open)
        out = {word: tree[word] for word in PLAIN if word in tree}
        self.types(tree, out)
        self.text(tree, out)
        self.limits(tree, out)
        self.structure(tree, out, is_open)
        self.composition(tree, out, is_open)
        return _or_null(out) if _nullable(tree) else out

    def reference(self, tree: Mapping[str, Any], is_open: bool) -> Any:
        key = (tree["$ref"], is_open)
        if self.document.at(tree["$ref"]) is None:
            return {}
        if key not in self.names:
            self.names[key] = f"d{len(self.names)}"
            self.waiting.append(key)
        out: dict[str, Any] = {"$ref": f"#/$defs/{self.names[key]}"}
        beside = {word: value for word, value in tree.items() if word not in {"$ref", "nullable", "x-nullable"}}
        if self.modern and beside:
            out = {**self.schema(beside, is_open), **out}
        return _or_null(out) if _nullable(tree) else out

    def types(self, tree: Mapping[str, Any], out: dict[str, Any]) -> None:
        declared = tree.get("type")
        named = [declared] if isinstance(declared, str) else declared if isinstance(declared, list) else []
        if named and all(name in JSON_TYPES for name in named):
            out["type"] = named

    def text(self, tree: Mapping[str, Any], out: dict[str, Any]) -> None:
        word = {"date-time": "moment", "date": "day"}.get(str(tree.get("format")))
        if word and "string" in out.get("type", ["string"]):
            out["format"] = word
        if isinstance(tree.get("pattern"), str) and _compiles(tree["pattern"]):
            out["pattern"] = tree["pattern"]

    def limits(self, tree: Mapping[str, Any], out: dict[str, Any]) -> None:
        for exclusive, inclusive in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            bound = tree.get(exclusive)
            if bound is True and inclusive in out:
                out[exclusive] = out.pop(inclusive)
            elif isinstance(bound, int | float) and not isinstance(bound, bool):
                out[exclusive] = bound

    def structure(self, tree: Mapping[str, Any], out: dict[str, Any], is_open: bool) -> None:
        for word in MAPS:
            if isinstance(tree.get(word), Mapping):
                out[word] = {name: self.schema(value) for name, value in tree[word].items()}
        properties = tree.get("properties")
        fields = properties if isinstance(properties, Mapping) else {}
        required = tree.get("required")
        if isinstance(required, list):  # write-only fields are never returned
            out["required"] = [name for name in required if not self.is_write_only(fields.get(name))]
        further = tree.get("additionalProperties")
        if isinstance(further, Mapping):
            out["additionalProperties"] = self.schema(further)
        elif further is False and not is_open and "allOf" not in tree:
            out["additionalProperties"] = False
        items = tree.get("items")
        if isinstance(items, Mapping):
            out["items"] = self.schema(items)
        elif isinstance(items, list):  # how Swagger 2 files write "one of": Swagger 2 has no keyword for it
            choices = [self.schema(item) for item in items]
            out |= {"items": {"anyOf": choices}} if "array" in out.get("type", ()) else {"anyOf": choices}
        if isinstance(tree.get("prefixItems"), list):
            out["prefixItems"] = [self.schema(item) for item in tree["prefixItems"]]

    def composition(self, tree: Mapping[str, Any], out: dict[str, Any], is_open: bool) -> None:
        parts = [{"anyOf": out.pop("anyOf")}] if "anyOf" in out else []
        if isinstance(tree.get("allOf"), list):
            parts += [self.schema(part, is_open=True) for part in tree["allOf"]]
        for word in ("oneOf", "anyOf"):  # vendors' alternatives overlap: check oneOf as anyOf
            if isinstance(tree.get(word), list) and tree[word]:
                closed = is_open or any(key in tree for key in ("properties", "allOf"))
                parts.append({"anyOf": [self.schema(choice, closed) for choice in tree[word]]})
        if isinstance(tree.get("not"), Mapping):
            out["not"] = self.schema(tree["not"])
        if parts:
            out["allOf"] = parts

    def is_write_only(self, tree: Any) -> bool:
        return bool(isinstance(found := self.document.follow(tree), Mapping) and found.get("writeOnly") is True)


def _nullable(tree: Mapping[str, Any]) -> bool:
    return tree.get("nullable") is True or tree.get("x-nullable") is True


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [{"type": "null"}, schema]}


@cache
def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except (ValueError, jsonschema_rs.ValidationError):
        return False
    return True


def _is_moment(text: str) -> bool:
    """Check for RFC 3339, also with an offset without a colon, which some vendors document under the same name."""
    if not MOMENT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text.upper())
    except ValueError:
        return False
    return True


def _is_day(text: str) -> bool:
    return bool(re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", text))
