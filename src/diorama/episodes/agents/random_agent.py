"""A random agent: plausible tools with plausible arguments, drawn by dice from values it has seen."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from diorama.kernel import Dice

PATIENCE = 200
WORDS = ("refund", "order", "ticket", "thanks", "sorry", "delivery", "machine", "invoice", "open", "status", "damaged")
SHORT = 80


class Hands(Protocol):
    """The part of the agent plane that the random agent needs."""

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]: ...
    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any: ...


def wander(hands: Hands, dice: Dice) -> None:
    """Call random tools until the episode ends, or `PATIENCE` calls are made."""
    seen = Seen()
    weights = {
        tool["name"]: 0.05 if tool["name"] == "finish" else 0.3 if tool["name"] == "wait" else 1.0
        for tool in hands.tools
    }
    schemas = {tool["name"]: schema_of(tool) for tool in hands.tools}
    for _ in range(PATIENCE):
        name = dice.weighted(weights)
        schema = schemas[name]
        observation = hands.call(name, value_for("", schema, schema.get("$defs", {}), seen, dice))
        if observation.ended:
            return
        seen.learn(observation.data)


def schema_of(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the JSON schema of a tool's arguments, under any of its usual names."""
    for key in ("parameters", "input_schema", "inputSchema"):
        if key in tool:
            found: Mapping[str, Any] = tool[key]
            return found
    return {"type": "object", "properties": {}}


class Seen:
    """Values seen in observations, by field name."""

    def __init__(self) -> None:
        self.values: dict[str, list[Any]] = defaultdict(list)

    def learn(self, data: Any) -> None:
        """Remember every short value in a reply; the id of an object is also kept under the object's name."""
        for thing, key, value in _leaves("", "", data):
            for name in {key, f"{thing}_id"} if key == "id" else {key}:
                known = self.values[name]
                if value not in known and len(known) < 200:
                    known.append(value)

    def like(self, name: str, kind: type) -> list[Any]:
        """Return values of this type seen under a name; a name ending in `_id` falls back to `id`."""
        found = [value for value in self.values.get(name, ()) if type(value) is kind]
        if not found and name.endswith("_id"):
            found = [value for value in self.values.get("id", ()) if type(value) is kind]
        return found


def value_for(name: str, schema: Mapping[str, Any], defs: Mapping[str, Any], seen: Seen, dice: Dice) -> Any:
    """Draw a value that fits a schema, if possible one that was seen."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return dice.pick(schema["enum"])
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return value_for(name, dice.pick(choices), defs, seen, dice)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = dice.pick(kind)
    if kind == "object" or "properties" in schema:
        must = schema.get("required", ())
        return {
            key: value_for(key, inner, defs, seen, dice)
            for key, inner in schema.get("properties", {}).items()
            if key in must or dice.chance(0.3)
        }
    if kind == "array":
        inner = schema.get("items", {})
        return [value_for(name.removesuffix("s"), inner, defs, seen, dice) for _ in range(dice.integer(1, 2))]
    if kind == "boolean":
        return dice.chance(0.5)
    if kind in ("integer", "number"):
        known = seen.like(name, int)
        low = int(schema.get("minimum", 1))
        return (
            dice.pick(known)
            if known and dice.chance(0.9)
            else dice.integer(low, max(low, int(schema.get("maximum", low + 49))))
        )
    if kind == "null":
        return None
    known = seen.like(name, str)
    return dice.pick(known) if known and dice.chance(0.7) else " ".join(dice.sample(WORDS, dice.integer(1, 3)))


def _leaves(thing: str, key: str, data: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _leaves(key.removesuffix("s") or thing, str(name), value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _leaves(thing, key, value)
    elif type(data) is int or (isinstance(data, str) and 0 < len(data) <= SHORT):
        yield thing, key, data
