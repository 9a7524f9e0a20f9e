"""Object triggers: create and read them, and their effects on created and updated records."""

from typing import Any

import pytest

from diorama.apps.zendesk.schema.webhooks import Invocation
from tests.apps.zendesk.desk import ANA, MARA, Desk

PATH = "custom_objects/machine/triggers"
SIZE, BARS, SERVICE = "custom_object_fields.size", "custom_object_fields.bars", "custom_object_fields.service"


@pytest.fixture
def machines(desk: Desk) -> Desk:
    """Return a desk with a custom object for machines: their size, and the service they need."""
    kind = {"key": "machine", "title": "Machine", "title_pluralized": "Machines"}
    desk.post("custom_objects.json", {"custom_object": kind})
    sizes = [{"name": "Small", "value": "small"}, {"name": "Big", "value": "big"}]
    for key, type, more in (
        ("size", "dropdown", {"custom_field_options": sizes}),
        ("bars", "integer", {}),
        ("service", "text", {}),
    ):
        field = {"key": key, "type": type, "title": key.capitalize(), **more}
        desk.post("custom_objects/machine/fields.json", {"custom_object_field": field})
    return desk


def rule(desk: Desk, title: str, tests: list[Any], then: list[Any], **more: Any) -> dict[str, Any]:
    body = {"title": title, "conditions": {"all": tests, "any": []}, "actions": then, **more}
    made: dict[str, Any] = desk.post(f"{PATH}.json", {"trigger": body})["trigger"]
    return made


def when(field: str, operator: str, value: Any = None) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


def deed(field: str, value: Any) -> dict[str, Any]:
    return {"field": field, "value": value}


def add(desk: Desk, name: str, **fields: Any) -> dict[str, Any]:
    body = {"custom_object_record": {"name": name, "custom_object_fields": fields}}
    made: dict[str, Any] = desk.post("custom_objects/machine/records.json", body, ANA)["custom_object_record"]
    return made


def change(desk: Desk, record: dict[str, Any], **fields: Any) -> dict[str, Any]:
    path = f"custom_objects/machine/records/{record['id']}.json"
    reply = desk.call("PATCH", path, {"custom_object_record": {"custom_object_fields": fields}}, ANA)
    found: dict[str, Any] = reply.json()["custom_object_record"]["custom_object_fields"]
    assert found == desk.get(path, ANA)["custom_object_record"]["custom_object_fields"]
    return found


def test_a_trigger_is_created_read_changed_and_deleted(machines: Desk) -> None:
    desk = machines
    made = rule(desk, "Big ones", [when(SIZE, "is", "big")], [deed(SERVICE, "yearly")], description="Why")
    path = f"{PATH}/{made['id']}.json"
    assert desk.get(path, ANA)["trigger"] == made
    assert made["url"].endswith(f"/{path}")
    second = rule(desk, "All", [when("update_type", "is", "Create")], [deed(SERVICE, "never")], active=False)
    assert [made["position"], second["position"]] == [1, 2]
    shown = desk.get(f"{PATH}.json", ANA)["triggers"]
    assert [one["title"] for one in shown] == ["Big ones", "All"]
    assert [one["title"] for one in desk.get(f"{PATH}/active.json")["triggers"]] == ["Big ones"]
    assert [one["title"] for one in desk.get(f"{PATH}.json", active=False)["triggers"]] == ["All"]
    assert [one["title"] for one in desk.get(f"{PATH}/search.json", ANA, query="big")["triggers"]] == ["Big ones"]
    found = desk.get(f"{PATH}/search.json", ANA, filter='{"json": {"description": "why"}}')["triggers"]
    assert [one["title"] for one in found] == ["Big ones"]
    changed = desk.put(path, {"trigger": {"title": "Large ones", "actions": [deed(SERVICE, "monthly")]}})["trigger"]
    assert (changed["title"], changed["actions"]) == ("Large ones", [deed(SERVICE, "monthly")])
    moved = [{"id": made["id"], "position": 5, "active": False}, {"id": second["id"], "position": 1, "active": True}]
    desk.put(f"{PATH}/update_many.json", {"triggers": moved})
    assert [one["title"] for one in desk.get(f"{PATH}.json")["triggers"]] == ["All", "Large ones"]
    desk.delete(path)
    assert desk.call("GET", path).status == 404
    third = rule(desk, "Third", [when("name", "present")], [deed(BARS, 1)])
    desk.delete(f"{PATH}/destroy_many.json", ids=f"{second['id']},{third['id']}")
    assert desk.get(f"{PATH}.json")["triggers"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"conditions": {"all": []}},
        {"conditions": {"all": [when("colour", "is", "red")]}},
        {"conditions": {"all": [when(SIZE, "smells", "red")]}},
        {"actions": []},
        {"actions": [deed("priority", "high")]},
    ],
)
def test_an_invalid_object_trigger_is_refused(machines: Desk, wrong: dict[str, Any]) -> None:
    sound = {"title": "T", "conditions": {"all": [when(SIZE, "is", "big")]}, "actions": [deed(SERVICE, "x")]}
    assert machines.call("POST", f"{PATH}.json", {"trigger": {**sound, **wrong}}).status == 422
    assert machines.call("POST", f"{PATH}.json", {"trigger": sound}, ANA).status == 403
    assert machines.call("GET", f"{PATH}.json", by=MARA).status == 403
    assert machines.call("POST", "custom_objects/moon/triggers.json", {"trigger": sound}).status == 404


def test_triggers_run_in_order_on_new_records(machines: Desk) -> None:
    desk = machines
    rule(desk, "Strong ones are big", [when(BARS, "greater_than", 10)], [deed(SIZE, "big")])
    rule(desk, "Big ones", [when(SIZE, "is", "big"), when("update_type", "is", "Create")], [deed(SERVICE, "yearly")])
    assert add(desk, "Aria", bars=12)["custom_object_fields"] == {"size": "big", "bars": 12, "service": "yearly"}
    small = add(desk, "Tern", bars=9)
    assert small["custom_object_fields"] == {"size": None, "bars": 9, "service": None}
    assert change(desk, small, bars=15) == {"size": "big", "bars": 15, "service": None}


def test_triggers_can_test_changes_and_terminate(machines: Desk) -> None:
    desk = machines
    rule(desk, "To big", [when(SIZE, "value", "big")], [deed(SERVICE, "grew")])
    rule(desk, "From big", [when(SIZE, "value_previous", "big")], [deed(SERVICE, "shrank")])
    rule(desk, "There", [when(SERVICE, "is", "there")], [deed(SERVICE, "back")])
    rule(desk, "And back", [when(SERVICE, "is", "back")], [deed(SERVICE, "there")])
    machine = add(desk, "Aria", size="small")
    assert change(desk, machine, size="big")["service"] == "grew"
    assert change(desk, machine, size="small")["service"] == "shrank"
    assert change(desk, machine, service="there")["service"] in ("there", "back"), "each fires once"
    before = desk.world.state
    change(desk, machine, size="small")
    assert desk.world.state == before, "nothing changed, nobody is asked"


def test_an_invalid_action_is_skipped(machines: Desk) -> None:
    rule(machines, "Huge", [when("update_type", "is", "Create")], [deed(SIZE, "huge"), deed(SERVICE, "x")])
    assert add(machines, "Aria")["custom_object_fields"] == {"size": None, "bars": None, "service": "x"}


def test_triggers_run_on_bulk_changes_too(machines: Desk) -> None:
    rule(machines, "New", [when("update_type", "is", "Create")], [deed(SERVICE, "new")])
    body = {"job": {"action": "create", "items": [{"name": "One"}, {"name": "Two"}]}}
    assert machines.call("POST", "custom_objects/machine/jobs.json", body, ANA).status == 201
    machines.waits(minutes=1)
    shown = machines.get("custom_objects/machine/records.json")["custom_object_records"]
    assert [one["custom_object_fields"]["service"] for one in shown] == ["new", "new"]


def test_a_trigger_calls_a_webhook(machines: Desk) -> None:
    desk = machines
    hook = {"name": "Stock", "endpoint": "https://stock.example", "http_method": "POST", "request_format": "json"}
    number = desk.post("webhooks", {"webhook": {**hook, "status": "active"}})["webhook"]["id"]
    words = '{"name": "{{custom_object_record.name}}", "bars": "{{custom_object_record.custom_object_fields.bars}}"}'
    rule(desk, "Tell", [when("update_type", "is", "Create")], [deed("notification_webhook", [number, words])])
    add(desk, 'The "Aria"', bars=9)
    [call] = desk.read(lambda tx: tx.all(Invocation))
    assert call.payload == '{"name": "The \\"Aria\\"", "bars": "9"}'
    offered = desk.get(f"{PATH}/definitions.json", ANA)["definitions"]
    assert [one["subject"] for one in offered["actions"]] == [SIZE, BARS, SERVICE, "notification_webhook"]
    assert offered["actions"][-1]["values"] == [{"value": number, "title": "Stock"}]
    [size] = [one for one in offered["conditions_all"] if one["subject"] == SIZE]
    assert [one["value"] for one in size["values"]] == ["small", "big"]


def test_triggers_are_deleted_with_their_object(machines: Desk) -> None:
    made = rule(machines, "New", [when("update_type", "is", "Create")], [deed(SERVICE, "new")])
    machines.delete("custom_objects/machine.json")
    assert machines.call("GET", f"{PATH}/{made['id']}.json").status == 404
