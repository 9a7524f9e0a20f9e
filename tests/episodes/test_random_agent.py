"""The random agent: always within the schemas, always the same for the same dice, led by what it has seen."""

from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from diorama.episodes.agents.random_agent import Seen, value_for, wander
from diorama.kernel import Dice

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ticket_id": {"type": "integer"},
        "status": {"enum": ["open", "solved"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "public": {"type": "boolean"},
        "who": {"$ref": "#/$defs/Who"},
    },
    "required": ["ticket_id", "who"],
    "$defs": {"Who": {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"]}},
}


class Desk:
    """A stub agent interface: records calls, always returns the same reply, ends at `finish`."""

    brief = "Do it."
    tools: tuple[dict[str, Any], ...] = (
        {"name": "desk_change", "parameters": SCHEMA},
        {"name": "wait", "parameters": {"type": "object", "properties": {"seconds": {"type": "number"}}}},
        {"name": "finish", "parameters": {"type": "object", "properties": {"report": {"type": "string"}}}},
    )

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []

    def call(self, tool: str, arguments: Any) -> SimpleNamespace:
        self.calls.append((tool, arguments))
        data = {"tickets": [{"id": 90210, "requester": {"id": 7, "email": "mara@larkspur.shop"}}]}
        return SimpleNamespace(text="...", data=data, is_error=False, ended=tool == "finish")


@pytest.mark.parametrize("seed", range(20))
def test_every_call_fits_its_schema(seed: int) -> None:
    desk = Desk()
    wander(desk, Dice(seed))
    schemas = {tool["name"]: tool["parameters"] for tool in desk.tools}
    for tool, arguments in desk.calls:
        jsonschema.validate(arguments, schemas[tool])


def test_the_same_dice_make_the_same_calls() -> None:
    one, two, other = Desk(), Desk(), Desk()
    wander(one, Dice(1))
    wander(two, Dice(1))
    wander(other, Dice(2))
    assert one.calls == two.calls != other.calls


def test_ids_come_from_what_was_seen() -> None:
    seen = Seen()
    seen.learn({"tickets": [{"id": 90210}], "user": {"id": 7, "email": "mara@larkspur.shop"}})
    drawn = {value_for("", SCHEMA, SCHEMA["$defs"], seen, Dice(seed))["ticket_id"] for seed in range(40)}
    assert 90210 in drawn
    assert 7 not in drawn
