"""Rules on custom fields: options set their tags, tags set options, and rules set schedules."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk
from tests.apps.zendesk.test_sla_policies import events

SIZES = [{"name": "Small", "value": "size_small"}, {"name": "Big", "value": "size_big"}]
PARTS = [{"name": "Pump", "value": "part_pump"}, {"name": "Seal", "value": "part_seal"}]


def field(desk: Desk, type: str, **more: Any) -> int:
    """Create a custom field."""
    made = desk.post("ticket_fields.json", {"ticket_field": {"type": type, "title": type, **more}})["ticket_field"]
    number: int = made["id"]
    return number


def on_word(desk: Desk, word: str, *then: tuple[str, Any]) -> None:
    """Create a trigger that fires when a comment contains a word."""
    every = [{"field": "comment_includes_word", "operator": "includes", "value": word}]
    actions = [{"field": name, "value": value} for name, value in then]
    desk.post("triggers.json", {"trigger": {"title": word, "conditions": {"all": every}, "actions": actions}})


def value(desk: Desk, ticket: int, number: int) -> Any:
    """Return the value of a ticket's field."""
    return desk.ticket(ticket).custom_fields.get(str(number))


def test_choosing_an_option_by_trigger_replaces_its_tag(desk: Desk) -> None:
    size = field(desk, "tagger", custom_field_options=SIZES)
    on_word(desk, "tiny", (f"custom_fields_{size}", "size_small"))
    on_word(desk, "huge", (f"custom_fields_{size}", "size_big"))
    number = desk.asks(body="A tiny machine")
    assert (value(desk, number, size), desk.ticket(number).tags) == ("size_small", ("size_small",))
    desk.writes(number, "No, a huge one")
    assert (value(desk, number, size), desk.ticket(number).tags) == ("size_big", ("size_big",))
    told = [(event.field_name, event.value) for event in desk.audits(number)[-1].events if event.type == "Change"]
    assert (str(size), "size_big") in told
    assert ("tags", ["size_big"]) in told


@pytest.mark.parametrize(
    ("type", "more", "good", "kept", "tags"),
    [
        ("checkbox", {"tag": "call_back"}, "true", True, ("call_back",)),
        ("multiselect", {"custom_field_options": PARTS}, ["part_pump", "part_seal"], ["part_pump", "part_seal"],
         ("part_pump", "part_seal")),
        ("tagger", {"custom_field_options": SIZES}, ["size_big"], "size_big", ("size_big",)),
        ("integer", {}, "12", "12", ()),
    ],
)  # fmt: skip
def test_rules_can_set_custom_fields_of_every_type(
    desk: Desk, type: str, more: dict[str, Any], good: Any, kept: Any, tags: tuple[str, ...]
) -> None:
    own = field(desk, type, **more)
    on_word(desk, "please", (f"custom_fields_{own}", good))
    number = desk.asks(body="please")
    assert (value(desk, number, own), desk.ticket(number).tags) == (kept, tags)
    actions = [{"field": f"custom_fields_{own}", "value": good}]
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": actions}})["macro"]
    other = desk.asks(body="nothing")
    shown = desk.get(f"tickets/{other}/macros/{macro['id']}/apply.json")["result"]["ticket"]
    assert {"id": own, "value": kept} in shown["custom_fields"]
    assert tuple(shown["tags"]) == tags


def test_a_value_that_does_not_fit_changes_nothing(desk: Desk) -> None:
    size = field(desk, "tagger", custom_field_options=SIZES)
    on_word(desk, "odd", (f"custom_fields_{size}", "size_medium"), ("priority", "high"))
    number = desk.asks(body="odd")
    assert (value(desk, number, size), desk.ticket(number).priority) == (None, "high")


def test_adding_an_options_tag_selects_that_option(desk: Desk) -> None:
    size, parts = (
        field(desk, "tagger", custom_field_options=SIZES),
        field(desk, "multiselect", custom_field_options=PARTS),
    )
    call = field(desk, "checkbox", tag="call_back")
    number = desk.asks()
    desk.updates(number, tags=["size_small", "part_pump", "call_back"])
    held = [value(desk, number, one) for one in (size, parts, call)]
    assert held == ["size_small", ["part_pump"], True]
    desk.put(f"tickets/{number}/tags.json", {"tags": ["size_big", "part_seal"]}, by=ANA)
    assert value(desk, number, size) == "size_big"
    assert value(desk, number, parts) == ["part_pump", "part_seal"]
    assert desk.ticket(number).tags == ("call_back", "part_pump", "part_seal", "size_big")
    on_word(desk, "bye", ("remove_tags", "call_back part_pump part_seal"))
    desk.writes(number, "bye")
    assert [value(desk, number, one) for one in (size, parts, call)] == ["size_big", None, False]
    made = desk.post("tickets.json", {"ticket": {"comment": {"body": "x"}, "tags": ["size_big"]}})["ticket"]
    assert value(desk, made["id"], size) == "size_big"


def test_an_option_chosen_by_a_customer_adds_its_tag(desk: Desk) -> None:
    more = {"visible_in_portal": True, "editable_in_portal": True}
    size = field(desk, "tagger", custom_field_options=SIZES, **more)
    asked = {"subject": "S", "comment": {"body": "b"}, "custom_fields": [{"id": size, "value": "size_small"}]}
    number = desk.post("requests.json", {"request": asked}, by=MARA)["request"]["id"]
    assert desk.ticket(number).tags == ("size_small",)
    changed = {"request": {"custom_fields": [{"id": size, "value": "size_big"}], "comment": {"body": "c"}}}
    desk.put(f"requests/{number}.json", changed, by=MARA)
    assert desk.ticket(number).tags == ("size_big",)


def night_desk(desk: Desk) -> tuple[int, int]:
    """Create a day and a night schedule, an SLA policy in business hours, and a trigger that sets the night one."""
    made = []
    for name, first, last in (("Days", 9 * 60, 17 * 60), ("Nights", 20 * 60, 23 * 60)):
        body = {"schedule": {"name": name, "time_zone": "UTC"}}
        number = desk.post("business_hours/schedules.json", body)["schedule"]["id"]
        week = [{"start_time": day * 1440 + first, "end_time": day * 1440 + last} for day in range(7)]
        desk.put(f"business_hours/schedules/{number}/workweek.json", {"workweek": {"intervals": week}})
        made.append(number)
    metrics = [{"priority": "normal", "metric": "first_reply_time", "target": 60, "business_hours": True}]
    every = {"all": [{"field": "type", "operator": "is_not", "value": "task"}], "any": []}
    desk.post("slas/policies.json", {"sla_policy": {"title": "P", "filter": every, "policy_metrics": metrics}})
    on_word(desk, "night", ("set_schedule", str(made[1])))
    return made[0], made[1]


def test_setting_a_schedule_by_rule_moves_sla_targets(desk: Desk) -> None:
    _, nights = night_desk(desk)
    usual, late = desk.asks(body="by day"), desk.asks(body="by night")
    for number in (usual, late):
        desk.updates(number, priority="normal")
    [told] = [one for one in desk.audits(late)[0].events if one.type == "ScheduleAssignment"]
    assert (told.previous_schedule_id, told.new_schedule_id) == (None, nights)
    shown = desk.get(f"tickets/{late}/audits.json")["audits"][0]["events"]
    assert nights in [one.get("new_schedule_id") for one in shown]
    desk.waits(hours=24)
    moments = {n: [one["time"][11:16] for one in events(desk, n, "breach", metric="reply_time")] for n in (usual, late)}
    assert moments == {usual: ["10:00"], late: ["21:00"]}


def test_an_sla_target_is_recomputed_when_the_hours_change(desk: Desk) -> None:
    night_desk(desk)
    number = desk.asks(body="by day")
    desk.updates(number, priority="normal")
    desk.replies(number, "This goes to the night desk.", public=False)
    desk.waits(hours=24)
    assert [one["time"][11:16] for one in events(desk, number, "breach", metric="reply_time")] == ["21:00"]


def test_views_count_business_hours_by_the_tickets_schedule(desk: Desk) -> None:
    night_desk(desk)
    usual, late = desk.asks(body="by day"), desk.asks(body="by night")
    desk.waits(hours=4)
    every = [{"field": "status", "operator": "is", "value": "new"},
             {"field": "NEW", "operator": "greater_than_business_hours", "value": "2"}]  # fmt: skip
    rows = desk.post("views/preview.json", {"view": {"all": every}}, by=ADA)["rows"]
    assert [row["ticket_id"] for row in rows] == [usual]
    desk.waits(hours=12)
    rows = desk.post("views/preview.json", {"view": {"all": every}}, by=ADA)["rows"]
    assert {row["ticket_id"] for row in rows} == {usual, late}


def test_set_schedule_is_among_the_actions(desk: Desk) -> None:
    night_desk(desk)
    listed = desk.get("triggers/definitions.json")["definitions"]["actions"]
    assert "set_schedule" in [one["subject"] for one in listed]
