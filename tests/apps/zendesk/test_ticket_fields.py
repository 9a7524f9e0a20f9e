"""Ticket fields: create, update and reorder; a ticket accepts only values that its fields allow."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ANA, MARA, Desk


def make(desk: Desk, type: str, title: str = "Mine", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = desk.post("ticket_fields.json", {"ticket_field": {"type": type, "title": title, **more}})
    found: dict[str, Any] = made["ticket_field"]
    return found


def fill(desk: Desk, ticket: int, field: int, value: Any) -> Any:
    done = desk.updates(ticket, custom_fields=[{"id": field, "value": value}])["ticket"]
    return next(one["value"] for one in done["custom_fields"] if one["id"] == field)


OPTIONS = [{"name": "Small", "value": "small"}, {"name": "Big", "value": "big"}]


def test_a_field_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = make(desk, "text", "Serial number", description="On the back", required_in_portal=False)
    assert desk.get(f"ticket_fields/{made['id']}.json")["ticket_field"] == made
    assert made["id"] in [one["id"] for one in desk.get("ticket_fields.json")["ticket_fields"]]
    count = desk.get("ticket_fields/count.json")["count"]["value"]
    changed = desk.put(f"ticket_fields/{made['id']}.json", {"ticket_field": {"title": "Serial", "active": False}})
    assert changed["ticket_field"]["title"] == "Serial"
    assert desk.get(f"ticket_fields/{made['id']}.json")["ticket_field"]["active"] is False
    desk.delete(f"ticket_fields/{made['id']}.json")
    assert desk.call("GET", f"ticket_fields/{made['id']}.json").status == 404
    assert desk.get("ticket_fields/count.json")["count"]["value"] == count - 1


def test_a_new_field_is_on_the_default_form_and_on_every_ticket(desk: Desk) -> None:
    number = desk.asks()
    made = make(desk, "text")
    assert made["id"] in desk.get("ticket_forms.json")["ticket_forms"][0]["ticket_field_ids"]
    assert {"id": made["id"], "value": None} in desk.get(f"tickets/{number}.json")["ticket"]["custom_fields"]
    assert fill(desk, number, made["id"], "XJ-9") == "XJ-9"
    assert desk.get(f"tickets/{number}.json")["ticket"]["custom_fields"] == [{"id": made["id"], "value": "XJ-9"}]


@pytest.mark.parametrize(
    ("type", "more", "good", "kept", "bad"),
    [
        ("integer", {}, "42", "42", "forty"),
        ("decimal", {}, 4.5, "4.5", "a lot"),
        ("date", {}, "2026-03-02", "2026-03-02", "tomorrow"),
        ("checkbox", {"tag": "urgent_call"}, "true", True, "maybe"),
        ("regexp", {"regexp_for_validation": r"^LK-\d{4}$"}, "LK-1234", "LK-1234", "1234"),
        ("tagger", {"custom_field_options": OPTIONS}, "small", "small", "huge"),
        ("multiselect", {"custom_field_options": OPTIONS}, ["small", "big"], ["small", "big"], ["small", "huge"]),
        ("partialcreditcard", {}, "4111111111111111", "XXXXXXXXXXXX1111", "12"),
    ],
)
def test_values_are_validated_by_field_type(
    desk: Desk, type: str, more: dict[str, Any], good: Any, kept: Any, bad: Any
) -> None:
    number, field = desk.asks(), make(desk, type, **more)["id"]
    assert fill(desk, number, field, good) == kept
    body = {"ticket": {"custom_fields": [{"id": field, "value": bad}]}}
    refused = desk.call("PUT", f"tickets/{number}.json", body, ANA)
    assert refused.status == 422
    assert refused.json()["details"]["base"][0]["ticket_field_id"] == field
    assert desk.ticket(number).custom_fields == {str(field): kept}


def test_a_lookup_value_must_exist(desk: Desk) -> None:
    number = desk.asks()
    field = make(desk, "lookup", relationship_target_type="zen:user")["id"]
    assert fill(desk, number, field, desk.user(MARA).id) == desk.user(MARA).id
    body = {"ticket": {"custom_fields": [{"id": field, "value": 5}]}}
    assert desk.call("PUT", f"tickets/{number}.json", body, ANA).status == 422


def test_a_chosen_option_adds_and_removes_its_tag(desk: Desk) -> None:
    number = desk.asks()
    field = make(desk, "tagger", custom_field_options=OPTIONS)["id"]
    fill(desk, number, field, "small")
    assert desk.ticket(number).tags == ("small",)
    fill(desk, number, field, "big")
    assert desk.ticket(number).tags == ("big",)
    desk.updates(number, tags=["other"])
    assert desk.ticket(number).tags == ("other",)
    assert desk.ticket(number).custom_fields == {}


def test_options_are_added_changed_listed_and_removed(desk: Desk) -> None:
    field = make(desk, "tagger", custom_field_options=OPTIONS)["id"]
    added = desk.call(
        "POST", f"ticket_fields/{field}/options.json", {"custom_field_option": {"name": "Tiny", "value": "tiny"}}
    )
    assert added.status == 201
    option = added.json()["custom_field_option"]
    renamed = desk.call(
        "POST",
        f"ticket_fields/{field}/options.json",
        {"custom_field_option": {"id": option["id"], "name": "Very small"}},
    )
    assert (renamed.status, renamed.json()["custom_field_option"]["value"]) == (200, "tiny")
    shown = desk.get(f"ticket_fields/{field}/options/{option['id']}.json")["custom_field_option"]
    assert shown["name"] == "Very small"
    listed = desk.get(f"ticket_fields/{field}/options.json")
    assert [one["value"] for one in listed["custom_field_options"]] == ["small", "big", "tiny"]
    assert listed["count"] == 3
    desk.delete(f"ticket_fields/{field}/options/{option['id']}.json")
    values = [one["value"] for one in desk.get(f"ticket_fields/{field}.json")["ticket_field"]["custom_field_options"]]
    assert values == ["small", "big"]


def test_an_option_tag_belongs_to_one_field(desk: Desk) -> None:
    make(desk, "tagger", custom_field_options=OPTIONS)
    body = {"ticket_field": {"type": "tagger", "title": "Other", "custom_field_options": OPTIONS}}
    assert desk.call("POST", "ticket_fields.json", body).status == 422


def test_fields_can_be_reordered(desk: Desk) -> None:
    first, second = make(desk, "text", "First")["id"], make(desk, "text", "Second")["id"]
    desk.put("ticket_fields/reorder.json", {"ticket_field_ids": [second, first]})
    listed = [one["id"] for one in desk.get("ticket_fields.json")["ticket_fields"]]
    assert listed[:2] == [second, first]


def test_an_invalid_field_is_refused(desk: Desk) -> None:
    for wrong in ({"type": "mystery", "title": "No"}, {"type": "text", "title": ""}, {"type": "regexp", "title": "No"}):
        assert desk.call("POST", "ticket_fields.json", {"ticket_field": wrong}).status == 422
    subject = next(one for one in desk.get("ticket_fields.json")["ticket_fields"] if one["type"] == "subject")
    assert desk.call("DELETE", f"ticket_fields/{subject['id']}.json").status == 403
    assert desk.call("POST", "ticket_fields.json", {"ticket_field": {"type": "text", "title": "x"}}, ANA).status == 403


def test_customers_see_only_the_fields_of_the_portal(desk: Desk) -> None:
    make(desk, "text", "Inside")
    shown = make(desk, "text", "Outside", visible_in_portal=True)
    titles = [one["title"] for one in desk.get("ticket_fields.json", MARA)["ticket_fields"]]
    assert shown["title"] in titles
    assert "Inside" not in titles


@pytest.mark.parametrize("pattern", ["[", "a{2000}", r"(a)\1", "(?=a)b", "(" * 5_000 + ")" * 5_000, "a" * 256])
def test_a_pattern_that_cannot_be_compiled_is_refused(desk: Desk, pattern: str) -> None:
    body = {"ticket_field": {"type": "regexp", "title": "Serial", "regexp_for_validation": pattern}}
    assert desk.call("POST", "ticket_fields.json", body).status == 422
    field = make(desk, "regexp", regexp_for_validation="a" * 255)["id"]
    changed = {"ticket_field": {"regexp_for_validation": pattern}}
    assert desk.call("PUT", f"ticket_fields/{field}.json", changed).status == 422
