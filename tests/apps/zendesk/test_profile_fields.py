"""Fields of users and organizations: made, put in order, and filled in with values that they allow."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ANA, MARA, Desk

OPTIONS = [{"name": "Gold", "value": "gold"}, {"name": "Silver", "value": "silver"}]


def make(desk: Desk, kind: str, key: str, type: str = "text", **more: Any) -> dict[str, Any]:
    body = {kind: {"key": key, "type": type, "title": key.capitalize(), **more}}
    made: dict[str, Any] = desk.post(f"{kind}s.json", body)[kind]
    return made


@pytest.mark.parametrize("kind", ["user_field", "organization_field"])
def test_a_field_is_created_read_changed_ordered_and_deleted(desk: Desk, kind: str) -> None:
    first, second = make(desk, kind, "first"), make(desk, kind, "second")
    assert desk.get(f"{kind}s/{first['id']}.json")[kind] == first
    assert desk.get(f"{kind}s/second.json")[kind] == second
    desk.put(f"{kind}s/{first['id']}.json", {kind: {"description": "The first"}})
    assert desk.get(f"{kind}s/first.json")[kind]["description"] == "The first"
    desk.put(f"{kind}s/reorder.json", {f"{kind}_ids": [second["id"], first["id"]]})
    assert [one["key"] for one in desk.get(f"{kind}s.json")[f"{kind}s"]] == ["second", "first"]
    desk.delete(f"{kind}s/{first['id']}.json")
    assert desk.call("GET", f"{kind}s/first.json").status == 404


@pytest.mark.parametrize("kind", ["user_field", "organization_field"])
def test_an_invalid_field_is_refused(desk: Desk, kind: str) -> None:
    make(desk, kind, "taken")
    for wrong in ({"key": "taken"}, {"key": "no spaces"}, {"key": "a", "type": "mystery"}, {"key": "b", "title": ""}):
        body = {kind: {"type": "text", "title": "Mine", **wrong}}
        assert desk.call("POST", f"{kind}s.json", body).status == 422
    assert desk.call("POST", f"{kind}s.json", {kind: {"key": "c", "type": "text", "title": "C"}}, ANA).status == 403


def test_a_users_fields_are_validated(desk: Desk) -> None:
    make(desk, "user_field", "machines", "integer")
    make(desk, "user_field", "level", "dropdown", custom_field_options=OPTIONS)
    mara = desk.user(MARA).id
    values = {"machines": "3", "level": "gold", "unknown": 1}
    shown = desk.put(f"users/{mara}.json", {"user": {"user_fields": values}})["user"]
    assert shown["user_fields"] == {"machines": 3, "level": "gold"}
    assert shown["tags"] == ["gold"]
    desk.put(f"users/{mara}.json", {"user": {"user_fields": {"level": "silver"}}})
    found = desk.get(f"users/{mara}.json")["user"]
    assert (found["user_fields"]["level"], found["tags"]) == ("silver", ["silver"])
    for wrong in ({"machines": "many"}, {"level": "bronze"}):
        assert desk.call("PUT", f"users/{mara}.json", {"user": {"user_fields": wrong}}).status == 422


def test_an_organizations_fields_are_validated(desk: Desk) -> None:
    make(desk, "organization_field", "since", "date")
    body = {"organization": {"name": "Cafe Sol", "organization_fields": {"since": "2024-05-01"}}}
    made = desk.post("organizations.json", body)["organization"]
    shown = desk.get(f"organizations/{made['id']}.json")["organization"]
    assert shown["organization_fields"] == {"since": "2024-05-01T00:00:00+00:00"}
    wrong = {"organization": {"organization_fields": {"since": "soon"}}}
    assert desk.call("PUT", f"organizations/{made['id']}.json", wrong).status == 422


def test_options_are_added_changed_listed_and_removed(desk: Desk) -> None:
    field = make(desk, "user_field", "level", "dropdown", custom_field_options=OPTIONS)["id"]
    path = f"user_fields/{field}/options"
    added = desk.call("POST", f"{path}.json", {"custom_field_option": {"name": "Bronze", "value": "bronze"}})
    option = added.json()["custom_field_option"]
    assert added.status == 201
    again = {"custom_field_option": {"id": option["id"], "name": "Copper", "value": "copper"}}
    assert desk.call("POST", f"{path}.json", again).status == 200
    assert desk.get(f"{path}/{option['id']}.json")["custom_field_option"]["name"] == "Copper"
    desk.delete(f"{path}/{option['id']}.json")
    assert [one["value"] for one in desk.get(f"{path}.json")["custom_field_options"]] == ["gold", "silver"]
