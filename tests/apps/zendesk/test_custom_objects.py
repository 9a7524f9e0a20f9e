"""Custom objects: object types, validated fields, and records that are searched and changed in bulk."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ANA, MARA, Desk

MACHINE = {"key": "machine", "title": "Machine", "title_pluralized": "Machines"}


@pytest.fixture
def machines(desk: Desk) -> Desk:
    """Return a desk with a custom object for machines, each with a serial number and a size."""
    desk.post("custom_objects.json", {"custom_object": MACHINE})
    sizes = [{"name": "Small", "value": "small"}, {"name": "Big", "value": "big"}]
    field(desk, "serial", "text", properties={"is_unique": True})
    field(desk, "bars", "integer")
    field(desk, "size", "dropdown", custom_field_options=sizes)
    return desk


def field(desk: Desk, key: str, type: str, **more: Any) -> dict[str, Any]:
    body = {"custom_object_field": {"key": key, "type": type, "title": key.capitalize(), **more}}
    made: dict[str, Any] = desk.post("custom_objects/machine/fields.json", body)["custom_object_field"]
    return made


def add(desk: Desk, name: str, external_id: str | None = None, **fields: Any) -> dict[str, Any]:
    record = {"name": name, "external_id": external_id, "custom_object_fields": fields}
    made = desk.post("custom_objects/machine/records.json", {"custom_object_record": record}, ANA)
    found: dict[str, Any] = made["custom_object_record"]
    return found


def test_an_object_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("custom_objects.json", {"custom_object": MACHINE})["custom_object"]
    assert desk.get("custom_objects/machine.json")["custom_object"] == made
    changed = desk.call("PATCH", "custom_objects/machine.json", {"custom_object": {"description": "What we sell"}})
    assert changed.status == 200
    assert desk.get("custom_objects.json")["custom_objects"][0]["description"] == "What we sell"
    assert desk.get("custom_objects/limits/object_limit.json") == {"count": 1, "limit": 50}
    assert desk.call("POST", "custom_objects.json", {"custom_object": MACHINE}).status == 422
    assert desk.call("POST", "custom_objects.json", {"custom_object": {**MACHINE, "key": "x y"}}).status == 422
    assert desk.call("POST", "custom_objects.json", {"custom_object": {**MACHINE, "key": "z"}}, ANA).status == 403
    desk.delete("custom_objects/machine.json")
    assert desk.call("GET", "custom_objects/machine.json").status == 404


def test_fields_are_written_read_changed_ordered_and_deleted(machines: Desk) -> None:
    desk, path = machines, "custom_objects/machine/fields"
    keys = [one["key"] for one in desk.get(f"{path}.json")["custom_object_fields"]]
    assert keys == ["serial", "bars", "size"]
    everything = desk.get(f"{path}.json", include_standard_fields=True)["custom_object_fields"]
    assert everything[0]["key"] == "standard::name"
    bars = desk.get(f"{path}/bars.json")["custom_object_field"]
    assert desk.get(f"{path}/{bars['id']}.json")["custom_object_field"] == bars
    assert desk.call("PATCH", f"{path}/bars.json", {"custom_object_field": {"title": "Pressure"}}).status == 200
    desk.put(f"{path}/reorder.json", {"custom_object_field_ids": [bars["id"]]})
    assert desk.get(f"{path}.json")["custom_object_fields"][0]["title"] == "Pressure"
    assert desk.get("custom_objects/machine/limits/field_limit.json")["count"] == 3
    add(desk, "Aria", bars=9)
    desk.delete(f"{path}/bars.json")
    shown = desk.get("custom_objects/machine/records.json")["custom_object_records"]
    assert "bars" not in shown[0]["custom_object_fields"]
    assert desk.call("DELETE", f"{path}/standard::name.json").status == 403


def test_a_record_is_created_read_changed_and_deleted(machines: Desk) -> None:
    desk = machines
    made = add(desk, "Aria 1", "a1", serial="S-1", bars="9", size="small")
    assert made["custom_object_fields"] == {"serial": "S-1", "bars": 9, "size": "small"}
    path = f"custom_objects/machine/records/{made['id']}.json"
    assert desk.get(path, ANA)["custom_object_record"] == made
    desk.waits(minutes=1)
    body = {"custom_object_record": {"custom_object_fields": {"bars": 12}}}
    changed = desk.call("PATCH", path, body, ANA).json()["custom_object_record"]
    assert (changed["custom_object_fields"]["bars"], changed["custom_object_fields"]["serial"]) == (12, "S-1")
    assert changed["updated_at"] > changed["created_at"]
    assert desk.get("custom_objects/machine/records/count.json")["count"]["value"] == 1
    assert desk.get("custom_objects/limits/record_limit.json")["count"] == 1
    desk.delete(path, ANA)
    assert desk.call("GET", path, by=ANA).status == 404
    assert desk.call("GET", "custom_objects/machine/records.json", by=MARA).status == 403


def test_records_must_match_their_fields(machines: Desk) -> None:
    add(machines, "Aria 1", "a1", serial="S-1")
    for wrong in ({"serial": "S-1"}, {"bars": "many"}, {"size": "huge"}, {"colour": "red"}):
        body = {"custom_object_record": {"name": "Other", "custom_object_fields": wrong}}
        assert machines.call("POST", "custom_objects/machine/records.json", body, ANA).status == 422
    again = {"custom_object_record": {"name": "Other", "external_id": "a1"}}
    assert machines.call("POST", "custom_objects/machine/records.json", again, ANA).status == 422


def test_record_names_can_be_auto_numbered(machines: Desk) -> None:
    numbering = {"autonumbering_enabled": True, "autonumbering_format": {"prefix": "M-", "padding": 4}}
    body = {"custom_object_field": {"properties": numbering}}
    assert machines.call("PATCH", "custom_objects/machine/fields/standard::name.json", body).status == 200
    assert [add(machines, "")["name"], add(machines, "")["name"]] == ["M-0001", "M-0002"]
    numbering["autonumbering_format"] = {"padding": 900_000_000}
    assert machines.call("PATCH", "custom_objects/machine/fields/standard::name.json", body).status == 422


def test_a_record_is_created_or_updated_by_external_id(machines: Desk) -> None:
    path = "custom_objects/machine/records.json"
    body = {"custom_object_record": {"name": "Aria", "custom_object_fields": {"bars": 9}}}
    made = machines.call("PATCH", path, body, ANA, external_id="a1").json()["custom_object_record"]
    again = {"custom_object_record": {"name": "Aria Plus"}}
    changed = machines.call("PATCH", path, again, ANA, external_id="a1").json()["custom_object_record"]
    assert (changed["id"], changed["name"], changed["custom_object_fields"]["bars"]) == (made["id"], "Aria Plus", 9)
    machines.delete(path, ANA, external_id="a1")
    assert machines.call("DELETE", path, by=ANA, external_id="a1").status == 404


def names(reply: Any) -> list[str]:
    return sorted(one["name"] for one in reply["custom_object_records"])


def test_records_can_be_searched(machines: Desk) -> None:
    desk, path = machines, "custom_objects/machine/records"
    add(desk, "Aria one", "a1", serial="S-1", bars=9, size="small")
    add(desk, "Aria two", "a2", serial="S-2", bars=12, size="big")
    add(desk, "Tern", "t1", serial="S-3", bars=15, size="big")
    assert names(desk.get(f"{path}/search.json", query="aria")) == ["Aria one", "Aria two"]
    assert names(desk.get(f"{path}/search.json", query="aria s-2")) == ["Aria two"]
    assert names(desk.get(f"{path}/autocomplete.json", name="two")) == ["Aria two"]
    assert names(desk.get(f"{path}.json", raw={"filter[external_ids]": "a1,t1"})) == ["Aria one", "Tern"]
    strong = {"custom_object_fields.bars": {"$gt": 10}, "custom_object_fields.size": {"$eq": "big"}}
    assert names(desk.post(f"{path}/search.json", {"filter": strong})) == ["Aria two", "Tern"]
    either = {"$or": [{"name": {"$contains": "ter"}}, {"custom_object_fields.bars": {"$lt": 10}}]}
    assert names(desk.post(f"{path}/search.json", {"filter": either})) == ["Aria one", "Tern"]
    assert desk.call("POST", f"{path}/search.json", {"filter": {"colour": "red"}}).status == 422
    first = desk.get(f"{path}.json", raw={"page[size]": 2})
    rest = desk.get(f"{path}.json", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    assert sorted([*names(first), *names(rest)]) == ["Aria one", "Aria two", "Tern"]


def job(desk: Desk, action: str, items: list[Any]) -> list[Any]:
    reply = desk.call("POST", "custom_objects/machine/jobs.json", {"job": {"action": action, "items": items}}, ANA)
    assert reply.status == 201
    desk.waits(minutes=1)
    results: list[Any] = desk.get(f"job_statuses/{reply.json()['job_status']['id']}.json", ANA)["job_status"]["results"]
    return results


def test_records_are_created_changed_and_deleted_in_bulk(machines: Desk) -> None:
    made = job(machines, "create", [{"name": "One", "external_id": "1"}, {"name": ""}])
    assert [one["success"] for one in made] == [True, False]
    job(machines, "update", [{"id": made[0]["id"], "custom_object_fields": {"bars": 7}}])
    job(
        machines,
        "create_or_update_by_external_id",
        [{"name": "Uno", "external_id": "1"}, {"name": "Due", "external_id": "2"}],
    )
    shown = machines.get("custom_objects/machine/records.json")["custom_object_records"]
    assert sorted((one["name"], one["custom_object_fields"]["bars"]) for one in shown) == [("Due", None), ("Uno", 7)]
    job(machines, "delete_by_external_id", ["2"])
    job(machines, "delete", [made[0]["id"]])
    assert machines.get("custom_objects/machine/records/count.json")["count"]["value"] == 0
