"""Resource collections: create, update and delete configuration in one job, each resource independently."""

from typing import Any

from tests.apps.zendesk.desk import ANA, Desk

PAYLOAD = {
    "ticket_fields": {"serial": {"type": "text", "title": "Serial number"}},
    "triggers": {
        "hot": {
            "title": "Hot",
            "conditions": {"all": [{"field": "priority", "operator": "is", "value": "urgent"}]},
            "actions": [{"field": "current_tags", "value": "hot"}],
        }
    },
    "targets": {
        "pager": {"type": "email_target", "title": "Pager", "email": "pager@larkspur.example", "subject": "Hot"}
    },
    "user_fields": {"tier": {"type": "text", "title": "Tier", "key": "tier"}},
}


def done(desk: Desk, reply: Any) -> list[Any]:
    """Wait for a job, and return its results."""
    number = reply["job_status"]["id"]
    assert reply["job_status"]["status"] == "queued"
    desk.waits(minutes=1)
    results: list[Any] = desk.get(f"job_statuses/{number}.json")["job_status"]["results"]
    return results


def collection(desk: Desk) -> dict[str, Any]:
    [found] = desk.get("resource_collections.json")["resource_collections"]
    assert desk.get(f"resource_collections/{found['id']}.json")["resource_collection"] == found
    shown: dict[str, Any] = found
    return shown


def test_a_collection_is_created_by_a_job(desk: Desk) -> None:
    results = done(desk, desk.post("resource_collections.json", {"payload": PAYLOAD}))
    assert [one["success"] for one in results] == [True] * 4
    made = {one["identifier"]: one for one in collection(desk)["resources"]}
    assert {name: one["type"] for name, one in made.items()} == {
        "serial": "ticket_fields",
        "hot": "triggers",
        "pager": "targets",
        "tier": "user_fields",
    }
    field = desk.get(f"ticket_fields/{made['serial']['resource_id']}.json")["ticket_field"]
    assert field["title"] == "Serial number"
    ticket = desk.asks()
    desk.updates(ticket, priority="urgent")
    assert "hot" in desk.ticket(ticket).tags


def test_a_collection_can_be_changed_and_extended(desk: Desk) -> None:
    done(desk, desk.post("resource_collections.json", {"payload": PAYLOAD}))
    before = collection(desk)
    more = {
        "ticket_fields": {"serial": {"title": "Serial no."}, "colour": {"type": "text", "title": "Colour"}},
    }
    results = done(desk, desk.put(f"resource_collections/{before['id']}.json", {"payload": more}))
    assert [one["action"] for one in results] == ["update", "create"]
    after = collection(desk)
    assert [one["identifier"] for one in after["resources"]] == ["serial", "hot", "pager", "tier", "colour"]
    assert after["updated_at"] > before["updated_at"]
    serial = after["resources"][0]["resource_id"]
    assert serial == before["resources"][0]["resource_id"]
    assert desk.get(f"ticket_fields/{serial}.json")["ticket_field"]["title"] == "Serial no."


def test_deleting_a_collection_deletes_its_resources(desk: Desk) -> None:
    done(desk, desk.post("resource_collections.json", {"payload": PAYLOAD}))
    found = collection(desk)
    hot = next(one for one in found["resources"] if one["identifier"] == "hot")
    desk.delete(f"triggers/{hot['resource_id']}.json")
    assert next(one for one in collection(desk)["resources"] if one["identifier"] == "hot")["deleted"] is True
    results = done(desk, desk.delete(f"resource_collections/{found['id']}.json").json())
    assert [one["success"] for one in results] == [True] * 5
    assert desk.get("resource_collections.json")["resource_collections"] == []
    for one in found["resources"]:
        assert desk.call("GET", f"{one['type']}/{one['resource_id']}.json").status == 404


def test_an_invalid_resource_does_not_stop_the_others(desk: Desk) -> None:
    payload = {"triggers": {"empty": {"title": "Empty"}}, "ticket_fields": PAYLOAD["ticket_fields"]}
    bad, good = done(desk, desk.post("resource_collections.json", {"payload": payload}))
    assert (bad["success"], bad["error"], good["success"]) == (False, "RecordInvalid", True)
    assert [one["identifier"] for one in collection(desk)["resources"]] == ["serial"]


def test_an_invalid_payload_is_refused(desk: Desk) -> None:
    assert desk.call("POST", "resource_collections.json", {}).status == 400
    sets: list[dict[str, Any]] = [{"moons": {}}, {"triggers": []}]
    for wrong in sets:
        assert desk.call("POST", "resource_collections.json", {"payload": wrong}).status == 422
    assert desk.call("POST", "resource_collections.json", {"payload": PAYLOAD}, ANA).status == 403
    assert desk.call("GET", "resource_collections/1.json").status == 404
