"""Ticket forms: required fields must be filled; and custom statuses stay in their category."""

from datetime import timedelta
from typing import Any

from tests.apps.zendesk.desk import ANA, MARA, Desk
from tests.apps.zendesk.test_ticket_fields import OPTIONS, make


def form(desk: Desk, name: str = "Returns", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = desk.post("ticket_forms.json", {"ticket_form": {"name": name, **more}})["ticket_form"]
    return made


def test_a_form_is_created_read_changed_cloned_and_deleted(desk: Desk) -> None:
    made = form(desk, end_user_visible=True)
    assert desk.get(f"ticket_forms/{made['id']}.json")["ticket_form"] == made
    desk.put(f"ticket_forms/{made['id']}.json", {"ticket_form": {"display_name": "Send it back"}})
    copy = desk.post(f"ticket_forms/{made['id']}/clone.json", {})["ticket_form"]
    assert (copy["display_name"], copy["active"]) == ("Send it back", False)
    shown = desk.get("ticket_forms/show_many.json", ids=f"{made['id']},{copy['id']}")["ticket_forms"]
    assert [one["id"] for one in shown] == [made["id"], copy["id"]]
    desk.put("ticket_forms/reorder.json", {"ticket_form_ids": [copy["id"], made["id"]]})
    assert [one["id"] for one in desk.get("ticket_forms.json")["ticket_forms"]][:2] == [copy["id"], made["id"]]
    desk.delete(f"ticket_forms/{copy['id']}.json")
    assert desk.call("GET", f"ticket_forms/{copy['id']}.json").status == 404


def test_customers_see_the_forms_that_are_for_them(desk: Desk) -> None:
    seen, unseen = form(desk, "Seen", end_user_visible=True)["id"], form(desk, "Unseen")["id"]
    listed = [one["id"] for one in desk.get("ticket_forms.json", MARA)["ticket_forms"]]
    assert seen in listed
    assert unseen not in listed
    assert desk.call("GET", f"ticket_forms/{unseen}.json", by=MARA).status == 404


def test_a_change_of_the_form_is_audited(desk: Desk) -> None:
    number, other = desk.asks(), form(desk)["id"]
    done = desk.updates(number, ticket_form_id=other)
    assert done["ticket"]["ticket_form_id"] == other
    assert ("ticket_form_id", str(other)) in [(one["field_name"], one["value"]) for one in done["audit"]["events"]]
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"ticket_form_id": 5}}, ANA).status == 422


def test_a_required_field_must_be_set_to_solve(desk: Desk) -> None:
    number, field = desk.asks(), make(desk, "text", "Cause", required=True)["id"]
    refused = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"status": "solved"}}, ANA)
    assert refused.status == 422
    assert refused.json()["details"]["base"][0]["description"] == "Cause: is required when solving a ticket"
    desk.updates(number, status="solved", custom_fields=[{"id": field, "value": "A worn seal"}])
    assert desk.ticket(number).status == "solved"


def test_the_refusal_names_every_empty_field(desk: Desk) -> None:
    number = desk.asks()
    text, size = (
        make(desk, "text", "Cause", required=True)["id"],
        make(desk, "tagger", "Size", required=True, custom_field_options=OPTIONS)["id"],
    )
    refused = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"status": "solved", "priority": "low"}}, ANA)
    assert refused.json() == {
        "error": "RecordInvalid",
        "description": "Record validation errors",
        "details": {
            "base": [
                {
                    "description": f"{title}: is required when solving a ticket",
                    "error": None,
                    "ticket_field_id": field,
                    "ticket_field_type": kind,
                }
                for title, field, kind in (("Cause", text, "FieldText"), ("Size", size, "FieldTagger"))
            ]
        },
    }
    assert desk.ticket(number).priority is None  # nothing of the update is kept


def test_a_solved_ticket_keeps_its_required_fields(desk: Desk) -> None:
    number, field = desk.asks(), make(desk, "tagger", "Size", required=True, custom_field_options=OPTIONS)["id"]
    desk.updates(number, status="solved", custom_fields=[{"id": field, "value": "big"}])
    for change in ({"custom_fields": [{"id": field, "value": None}]}, {"remove_tags": ["big"]}):
        assert desk.call("PUT", f"tickets/{number}.json", {"ticket": change}, ANA).status == 422
    desk.updates(number, custom_fields=[{"id": field, "value": "small"}], additional_tags=["later"])
    assert set(desk.ticket(number).tags) == {"later", "small"}
    desk.updates(number, status="open", custom_fields=[{"id": field, "value": None}])


def test_a_bulk_update_refuses_only_tickets_with_empty_fields(desk: Desk) -> None:
    first, second = desk.asks("One"), desk.asks("Two")
    field = make(desk, "text", "Cause", required=True)["id"]
    desk.updates(second, custom_fields=[{"id": field, "value": "A worn seal"}])
    body = {"ticket": {"status": "solved"}}
    job = desk.call("PUT", "tickets/update_many.json", body, ANA, ids=f"{first},{second}").json()["job_status"]
    desk.world.wait(timedelta(minutes=1))
    done = desk.get(f"job_statuses/{job['id']}.json")["job_status"]
    assert [row.get("success", False) for row in done["results"]] == [False, True]
    assert (desk.ticket(first).status, desk.ticket(second).status) == ("new", "solved")


def test_only_agents_need_required_fields_to_solve(desk: Desk) -> None:
    make(desk, "text", "Cause", required=True)
    rule = {
        "title": "Solve praise",
        "conditions": {"all": [{"field": "current_tags", "operator": "includes", "value": "praise"}]},
        "actions": [{"field": "status", "value": "solved"}],
    }
    desk.post("triggers.json", {"trigger": rule})
    praised, mine, merged, kept = desk.asks("Praise"), desk.asks("Mine"), desk.asks("Twice"), desk.asks("Twice!")
    desk.updates(praised, tags=["praise"], assignee_id=desk.user(ANA).id)
    assert desk.ticket(praised).status == "solved"
    desk.updates(mine, assignee_id=desk.user(ANA).id)
    desk.call("PUT", f"requests/{mine}.json", {"request": {"solved": True}}, MARA)
    assert desk.ticket(mine).status == "solved"
    desk.post(f"tickets/{kept}/merge.json", {"ids": [merged]})
    desk.world.wait(timedelta(minutes=1))
    assert desk.ticket(merged).status == "closed"
    told = [{"author_id": desk.user(MARA).id, "value": "Old."}]
    old = desk.post("imports/tickets.json", {"ticket": {"subject": "Old", "status": "solved", "comments": told}})
    assert old["ticket"]["status"] == "solved"


def test_an_empty_choice_makes_no_other_field_required(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS)["id"]
    reason = make(desk, "text", "Reason")["id"]
    child = {"id": reason, "is_required": True, "required_on_statuses": {"type": "ALL_STATUSES"}}
    made = form(
        desk,
        ticket_field_ids=[size, reason],
        agent_conditions=[{"parent_field_id": size, "value": "big", "child_fields": [child]}],
    )
    number = desk.asks()
    desk.updates(number, ticket_form_id=made["id"], status="pending")
    body = {"ticket": {"custom_fields": [{"id": size, "value": "big"}]}}
    assert desk.call("PUT", f"tickets/{number}.json", body, ANA).status == 422


def test_a_condition_makes_a_field_required_for_agents(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS)["id"]
    reason = make(desk, "text", "Reason")["id"]
    rule = {"type": "SOME_STATUSES", "statuses": ["pending"]}
    child = {"id": reason, "is_required": True, "required_on_statuses": rule}
    made = form(
        desk,
        ticket_field_ids=[size, reason],
        agent_conditions=[{"parent_field_id": size, "value": "big", "child_fields": [child]}],
    )
    number = desk.asks()
    desk.updates(number, ticket_form_id=made["id"], custom_fields=[{"id": size, "value": "small"}])
    desk.updates(number, status="pending")
    desk.updates(number, status="open", custom_fields=[{"id": size, "value": "big"}])
    refused = desk.call("PUT", f"tickets/{number}.json", {"ticket": {"status": "pending"}}, ANA)
    assert refused.json()["details"]["base"][0]["ticket_field_id"] == reason
    desk.updates(number, status="pending", custom_fields=[{"id": reason, "value": "Too heavy"}])


def test_a_condition_makes_a_field_required_for_customers(desk: Desk) -> None:
    size = make(desk, "tagger", "Size", custom_field_options=OPTIONS, visible_in_portal=True)["id"]
    reason = make(desk, "text", "Reason", visible_in_portal=True)["id"]
    child = {"id": reason, "is_required": True}
    made = form(
        desk,
        end_user_visible=True,
        ticket_field_ids=[size, reason],
        end_user_conditions=[{"parent_field_id": size, "value": "big", "child_fields": [child]}],
    )["id"]
    asked = {"subject": "Back", "comment": {"body": "Take it back."}, "ticket_form_id": made}
    for value, more, status in (("small", [], 201), ("big", [], 422), ("big", [{"id": reason, "value": "Heavy"}], 201)):
        fields = [{"id": size, "value": value}, *more]
        assert (
            desk.call("POST", "requests.json", {"request": {**asked, "custom_fields": fields}}, MARA).status == status
        )


def status(desk: Desk, category: str, label: str) -> int:
    body = {"custom_status": {"status_category": category, "agent_label": label}}
    return int(desk.post("custom_statuses.json", body)["custom_status"]["id"])


def test_a_custom_status_is_created_read_and_changed(desk: Desk) -> None:
    made = status(desk, "hold", "Waiting for parts")
    desk.put(f"custom_statuses/{made}.json", {"custom_status": {"end_user_label": "Parts are coming"}})
    assert desk.get(f"custom_statuses/{made}.json")["custom_status"]["end_user_label"] == "Parts are coming"
    listed = desk.get("custom_statuses.json", status_categories="hold")["custom_statuses"]
    assert [one["agent_label"] for one in listed] == ["On-hold", "Waiting for parts"]
    assert desk.call("POST", "custom_statuses.json", {"custom_status": {"status_category": "lost"}}).status == 422


def test_status_and_custom_status_stay_consistent(desk: Desk) -> None:
    number, made = desk.asks(), status(desk, "hold", "Waiting for parts")
    usual = desk.get(f"tickets/{number}.json")["ticket"]["custom_status_id"]
    done = desk.updates(number, custom_status_id=made)["ticket"]
    assert (done["status"], done["custom_status_id"]) == ("hold", made)
    done = desk.updates(number, status="open")["ticket"]
    assert (done["status"], done["custom_status_id"] in (made, usual)) == ("open", False)
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"custom_status_id": 5}}, ANA).status == 422


def test_tickets_get_the_new_default_status(desk: Desk) -> None:
    made = status(desk, "pending", "Asked the customer")
    desk.put("custom_status/default.json", {"ids": str(made)})
    assert (
        desk.get("custom_statuses.json", status_categories="pending", default=True)["custom_statuses"][0]["id"] == made
    )
    number = desk.asks()
    assert desk.updates(number, status="pending")["ticket"]["custom_status_id"] == made


def test_triggers_can_set_and_test_a_custom_status(desk: Desk) -> None:
    made = status(desk, "open", "With the workshop")
    rule = {
        "title": "To the workshop",
        "conditions": {"all": [{"field": "current_tags", "operator": "includes", "value": "repair"}]},
        "actions": [{"field": "custom_status_id", "value": str(made)}],
    }
    desk.post("triggers.json", {"trigger": rule})
    number = desk.asks()
    assert desk.updates(number, tags=["repair"])["ticket"]["custom_status_id"] == made
    body = {"title": "Workshop", "all": [{"field": "custom_status_id", "operator": "includes", "value": [str(made)]}]}
    view = desk.post("views.json", {"view": body})["view"]["id"]
    assert [one["id"] for one in desk.get(f"views/{view}/tickets.json")["tickets"]] == [number]


def test_forms_list_their_statuses(desk: Desk) -> None:
    made, one, other = form(desk)["id"], status(desk, "open", "One"), status(desk, "open", "Other")
    path = f"ticket_forms/{made}/ticket_form_statuses"
    [offered] = desk.post(f"{path}.json", {"ticket_form_status": [{"custom_status_id": one}]})["ticket_form_statuses"]
    assert desk.get(f"{path}.json")["ticket_form_statuses"] == [offered]
    shown = desk.get("ticket_form_statuses/show_many.json", ids=offered["id"])["ticket_form_statuses"]
    assert shown == desk.get("ticket_form_statuses.json")["ticket_form_statuses"]
    number = desk.asks()
    assert desk.call("PUT", f"tickets/{number}.json", {"ticket": {"custom_status_id": one}}, ANA).status == 422
    desk.updates(number, ticket_form_id=made, custom_status_id=one)
    desk.put(f"{path}/{offered['id']}.json", {"ticket_form_status": {"custom_status_id": other}})
    assert [each["custom_status_id"] for each in desk.get(f"{path}.json")["ticket_form_statuses"]] == [other]
    desk.put(f"{path}.json", {"ticket_form_status": [{"custom_status_id": one}]})
    [left] = desk.get(f"{path}.json")["ticket_form_statuses"]
    desk.delete(f"{path}/{left['id']}.json")
    more = desk.post(
        f"custom_statuses/{one}/ticket_form_statuses.json", {"ticket_form_status": [{"ticket_form_id": made}]}
    )
    gone = desk.call("DELETE", f"{path}.json", {"id": [more["ticket_form_statuses"][0]["id"]]})
    assert gone.status == 204
    assert desk.get(f"{path}.json")["ticket_form_statuses"] == []
