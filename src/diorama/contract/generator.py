"""Request bodies generated from a schema: minimal, minimal plus one property at a time, and full."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from diorama.contract.document import Schema
from diorama.contract.pool import ID, Pool
from diorama.contract.shape import Shape, shape, type_of
from diorama.kernel import Dice

DEEP = 5
AT_MOST = 24
FEW = 6  # up to this number of distinct values is a fixed vocabulary, more is free text


class ValueGenerator:
    """Generates values that fit schemas and are meaningful in one world."""

    def __init__(self, pool: Pool, dice: Dice, now: datetime) -> None:
        self.pool = pool
        self.dice = dice
        self.now = now
        self.row: dict[str, Any] = {}

    def variant(self, attempt: int) -> "ValueGenerator":
        """Return the same with other random draws: objects are not always in the state an operation needs."""
        return ValueGenerator(self.pool, self.dice.child("attempt", attempt), self.now)

    def bodies(self, schema: Schema, about: str) -> list[Any]:
        """Return the bodies to send: minimal, minimal plus each optional property, full."""
        dice = self.dice.child("row", about)
        self.row = self.pool.coherent(_names(schema), _needed(schema), dice) if dice.chance(0.7) else {}
        found = [self.value(schema, about), *self._one_more(schema, about), self.value(schema, about, full=True)]
        distinct = list({repr(body): body for body in found}.values())
        return distinct if len(distinct) <= AT_MOST else [*distinct[: AT_MOST - 1], distinct[-1]]

    def value(self, schema: Schema, about: str, name: str = "", full: bool = False, depth: int = 0) -> Any:
        """Return one value for a schema; `name` is the property it is for, `about` the resource around it."""
        tree = schema.document.follow(schema.tree)
        outline = shape(schema)
        if "object" in (outline.types or ()) and outline.properties:
            return self._object(outline, noun_of(name) or about, full, depth)
        known = self._known(tree, outline, name, about)
        if known is not None:
            return known
        for kind in ("array", "string", "integer", "number", "boolean", "object", "null"):
            if kind in (outline.types or {"string"}):
                return self._plain(kind, tree, outline, name, about, full, depth)
        return None

    def filled(self, example: Any, name: str = "", about: str = "") -> Any:
        """Return a vendor's example with the vendor's ids replaced by ids of this world."""
        if isinstance(example, Mapping):
            return {key: self.filled(value, key, noun_of(name) or about) for key, value in example.items()}
        if isinstance(example, list):
            return [self.filled(item, name, about) for item in example]
        if (
            isinstance(example, str | int)
            and not isinstance(example, bool)
            and name.lower().endswith(("id", "ids", "email"))
        ):
            return self._pick(name, about, type(example)) or example
        return example

    def _one_more(self, schema: Schema, about: str) -> Iterator[Any]:
        outline = shape(schema)
        inner = [name for name in outline.properties if shape(outline.properties[name]).properties]
        if len(outline.properties) == 1 and inner:  # {"ticket": {...}}: vary one level down
            name = inner[0]
            for body in self._one_more(outline.properties[name], name):
                yield {name: body}
            return
        least = self.value(schema, about)
        if isinstance(least, dict):
            for name, optional in outline.properties.items():
                if name not in least:
                    yield least | {name: self.value(optional, about, name)}

    def _object(self, outline: Shape, about: str, full: bool, depth: int) -> dict[str, Any]:
        wanted = [name for name in outline.properties if name in outline.required or (full and depth < DEEP)]
        if not wanted and depth == 0 and len(outline.properties) == 1:
            wanted = list(outline.properties)
        read_only = {name for name, inner in outline.properties.items() if _is_read_only(inner)}
        return {
            name: self.value(outline.properties[name], about, name, full, depth + 1)
            for name in wanted
            if name not in read_only
        }

    def _known(self, tree: Any, outline: Shape, name: str, about: str) -> Any:
        """Return a value that must not be invented: a constant, an enum value, or the name of an object."""
        spec = tree if isinstance(tree, Mapping) else {}
        if "const" in spec:
            return spec["const"]
        if choices := _choices(spec, outline):
            return self.dice.child("choice", name, about).pick(choices)
        kinds = outline.types or frozenset({"string", "integer"})
        own = self.row.get(name)
        if own is not None and type_of(own) in kinds and (ID.search(name) or self.dice.child("own", name).chance(0.9)):
            return own
        wanted = int if "integer" in kinds and "string" not in kinds else str if "string" in kinds else None
        if wanted and (found := self._pick(name, about, wanted)) is not None and name != "id":
            return found
        shown = [
            spec.get("default"),
            spec.get("example"),
            *(spec["examples"] if isinstance(spec.get("examples"), list) else ()),
        ]
        return next((value for value in shown if value is not None and type_of(value) in kinds), None)

    def _pick(self, name: str, about: str, kind: type) -> Any:
        found = self.pool.named(name, about) or self.pool.last_part(name)
        is_free = kind is str and not ID.search(name) and len(found) > FEW
        if is_free and self.dice.child("invent", name, about).chance(0.5):
            return None  # an existing value may be taken
        fitting = [value for value in found if isinstance(value, kind)]
        return self.dice.child("value", name, about).pick(fitting) if fitting else None

    def _plain(self, kind: str, tree: Any, outline: Shape, name: str, about: str, full: bool, depth: int) -> Any:
        spec = tree if isinstance(tree, Mapping) else {}
        if kind == "array":
            wanted = (full and depth < DEEP) or depth <= 1 or spec.get("minItems", 0)
            return [self.value(outline.items, about, name, full, depth + 1)] if wanted and outline.items else []
        if kind == "string":
            return self._text(spec, name)
        if kind in {"integer", "number"}:
            low = spec.get("minimum", spec.get("exclusiveMinimum", 0))
            return (
                max(1, int(low) + 1 if "exclusiveMinimum" in spec else int(low)) if isinstance(low, int | float) else 1
            )
        return {"boolean": True, "object": {}, "null": None}[kind]

    def _text(self, spec: Mapping[str, Any], name: str) -> str:
        form = str(spec.get("format", ""))
        if form == "date-time" or name.endswith("_at"):
            return f"{self.now + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
        if form == "date" or name.endswith(("_on", "date")):
            return f"{self.now + timedelta(days=1):%Y-%m-%d}"
        if form == "email" or "email" in name:
            return "contract.sample@example.com"
        if form in {"uri", "url"} or name.endswith("url"):
            return "https://example.com/sample"
        text = f"Sample {name.replace('_', ' ') or 'text'}".strip()
        return (text + " " + "." * int(spec.get("minLength", 0)))[: int(spec.get("maxLength", 200))].strip()


def _names(schema: Schema, depth: int = 0) -> list[str]:
    """Return all property names in a schema, to a limited depth."""
    outline = shape(schema)
    inner = [*outline.properties.values(), *([outline.items] if outline.items else [])]
    return [*outline.properties, *(name for part in inner if depth < DEEP - 2 for name in _names(part, depth + 1))]


def _needed(schema: Schema) -> list[str]:
    """Return the names of the required properties."""
    outline = shape(schema)
    must = [name for name in outline.properties if name in outline.required]
    return [*must, *(name for outer in must for name in _needed(outline.properties[outer]))]


def noun_of(name: str) -> str:
    """Return the resource that a property's name stands for, or "" if the property is only a wrapper."""
    return "" if name in {"data", "item", "items", "fields", "update", "attributes"} else name


def _choices(spec: Mapping[str, Any], outline: Shape) -> list[Any]:
    listed = spec.get("enum")
    if not isinstance(listed, list):
        alternatives = [
            part for word in ("anyOf", "oneOf") for part in spec.get(word) or () if isinstance(part, Mapping)
        ]
        listed = next((part["enum"] for part in alternatives if isinstance(part.get("enum"), list)), [])
    return [value for value in listed if value is not None]


def _is_read_only(schema: Schema) -> bool:
    tree = schema.document.follow(schema.tree)
    return isinstance(tree, Mapping) and tree.get("readOnly") is True
