"""Outlines of schemas: JSON types, properties and items, so that two schemas can be compared."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from msgspec import Struct

from diorama.contract.document import DEEP, Schema

JSON_TYPES = frozenset({"string", "integer", "number", "boolean", "object", "array", "null"})
Types = frozenset[str]


class Shape(Struct, frozen=True):
    """The outline of all values that a schema accepts; `types` None means any."""

    types: Types | None = None
    properties: dict[str, Schema] = {}
    required: frozenset[str] = frozenset()
    items: Schema | None = None

    @property
    def solid(self) -> Types | None:
        """The types without null: specs are careless about null, so only real replies are checked for it."""
        return None if self.types is None else (self.types - {"null"}) or None

    def __and__(self, other: "Shape") -> "Shape":
        return Shape(
            types=_both(self.types, other.types),
            properties=_merged("allOf", [self.properties, other.properties]),
            required=self.required | other.required,
            items=self.items or other.items,
        )


def shape(schema: Schema) -> Shape:
    """Return the outline of a schema, with references followed and compositions merged; cached."""
    kept = schema.document.outlines.get(id(schema.tree))
    if kept is None:
        kept = schema.document.outlines[id(schema.tree)] = (schema.tree, _shape(schema, 0))
    found: Shape = kept[1]
    return found


def _shape(schema: Schema, depth: int) -> Shape:
    tree = schema.document.follow(schema.tree)
    if not isinstance(tree, Mapping) or depth > DEEP:
        return Shape()
    own = Shape(
        types=_types(tree),
        properties={name: schema.inside(value) for name, value in _mapping(tree.get("properties")).items()},
        required=frozenset(name for name in _list(tree.get("required")) if isinstance(name, str)),
        items=schema.inside(tree["items"]) if isinstance(tree.get("items"), Mapping) else None,
    )
    parts = [_shape(schema.inside(part), depth + 1) for part in _list(tree.get("allOf"))]
    ways = [_list(tree.get("oneOf")), _list(tree.get("anyOf")), _list(tree.get("items")) if own.types is None else []]
    parts += [_either([_shape(schema.inside(choice), depth + 1) for choice in choices]) for choices in ways if choices]
    whole = reduce(Shape.__and__, parts, own)
    if whole.types is not None and (tree.get("nullable") is True or tree.get("x-nullable") is True):
        return Shape(whole.types | {"null"}, whole.properties, whole.required, whole.items)
    return whole


def contradicts(ours: Types | None, theirs: Types | None) -> bool:
    """Check whether no value of our types is a value of theirs."""
    return ours is not None and theirs is not None and _both(ours, theirs) == frozenset()


def spelled(types: Types | None) -> str:
    """Return the types as text for a report."""
    return "anything" if types is None else " or ".join(sorted(types))


def _types(tree: Mapping[str, Any]) -> Types | None:
    declared = tree.get("type")
    named = [declared] if isinstance(declared, str) else _list(declared)
    if known := frozenset(name for name in named if name in JSON_TYPES):
        return known
    if "properties" in tree:
        return frozenset({"object"})
    if isinstance(tree.get("items"), Mapping):
        return frozenset({"array"})
    values = _list(tree.get("enum")) or ([tree["const"]] if "const" in tree else [])
    return frozenset(map(type_of, values)) or None


def type_of(value: Any) -> str:
    """Return the JSON type of a value."""
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def _both(first: Types | None, second: Types | None) -> Types | None:
    if first is None or second is None:
        return first if second is None else second
    common = first & second
    return common | {"integer"} if _mixed(first, second) or _mixed(second, first) else common


def _mixed(first: Types, second: Types) -> bool:
    return "integer" in first and "number" in second


def _either(choices: list[Shape]) -> Shape:
    real = [choice for choice in choices if choice.types != frozenset({"null"})]
    types = [choice.types for choice in choices]
    objects = [choice for choice in real if choice.types is None or "object" in choice.types]
    items = [choice.items for choice in real if choice.items]
    return Shape(
        types=None if None in types else frozenset[str]().union(*(each or () for each in types)),
        properties=_merged("anyOf", [choice.properties for choice in real]),
        required=frozenset.intersection(*(choice.required for choice in objects)) if objects else frozenset(),
        items=items[0].inside({"anyOf": [item.tree for item in items]}) if items else None,
    )


def _merged(word: str, maps: Iterable[dict[str, Schema]]) -> dict[str, Schema]:
    found: dict[str, list[Schema]] = {}
    for properties in maps:
        for name, schema in properties.items():
            found.setdefault(name, []).append(schema)
    return {
        name: schemas[0] if len(schemas) == 1 else schemas[0].inside({word: [schema.tree for schema in schemas]})
        for name, schemas in found.items()
    }


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
