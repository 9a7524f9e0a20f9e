"""Lookup fields, queried from the record that they refer to."""

from tests.apps.zendesk.desk import ANA, MARA, OLEG, Desk
from tests.apps.zendesk.test_ticket_fields import fill, make


def test_tickets_that_look_up_a_user_are_found(desk: Desk) -> None:
    field = make(desk, "lookup", "Advisor", relationship_target_type="zen:user")["id"]
    number, oleg = desk.asks(), desk.user(OLEG).id
    path = f"zen:user/{oleg}/relationship_fields/{field}/zen:ticket.json"
    assert desk.get(path)["tickets"] == []
    fill(desk, number, field, oleg)
    assert [one["id"] for one in desk.get(path)["tickets"]] == [number]
    other = make(desk, "text", "Plain")["id"]
    assert desk.call("GET", f"zen:user/{oleg}/relationship_fields/{other}/zen:ticket.json").status == 404
    assert desk.call("GET", path, by=MARA).status == 403


def test_users_that_look_up_an_organization_are_found(desk: Desk) -> None:
    body = {
        "user_field": {
            "key": "dealer",
            "type": "lookup",
            "title": "Dealer",
            "relationship_target_type": "zen:organization",
        }
    }
    field = desk.post("user_fields.json", body)["user_field"]["id"]
    company, mara = desk.user(OLEG).organization_id, desk.user(MARA).id
    desk.put(f"users/{mara}.json", {"user": {"user_fields": {"dealer": company}}})
    found = desk.get(f"zen:organization/{company}/relationship_fields/{field}/zen:user.json")["users"]
    assert [one["id"] for one in found] == [mara]


def test_a_lookup_can_be_filtered_by_custom_fields(desk: Desk) -> None:
    before = desk.get("relationships/definitions/zen:user.json", ANA)["definitions"]["conditions_all"]
    desk.post("user_fields.json", {"user_field": {"key": "level", "type": "text", "title": "Level"}})
    after = desk.get("relationships/definitions/zen:user.json", ANA)["definitions"]["conditions_all"]
    assert [one["title"] for one in after] == [*(one["title"] for one in before), "Level"]
    assert desk.call("GET", "relationships/definitions/zen:nothing.json").status == 404
