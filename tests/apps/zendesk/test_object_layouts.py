"""Layout cards show the chosen fields, and deletion schedules delete closed tickets."""

from tests.apps.zendesk.desk import ANA, Desk

OLD = {"all": [{"field": "current_tags", "operator": "includes", "value": "disposable"}]}


def test_an_essentials_card_is_customized_and_reset(desk: Desk) -> None:
    usual = desk.get("object_layouts/zen:user/essentials_card.json", ANA)["object_layout"]
    assert usual["default"] is True
    body = {"object_layout": {"fields": [{"id": "phone"}, {"id": "notes"}]}}
    desk.put("object_layouts/zen:user/essentials_card.json", body)
    shown = desk.get("object_layouts/zen:user/essentials_card.json", ANA)["object_layout"]
    assert [one["id"] for one in shown["fields"]] == ["phone", "notes"]
    listed = desk.get("object_layouts/essentials_cards.json", ANA)["object_layouts"]
    assert [one["key"] for one in listed] == ["zen:user", "zen:organization"]
    wrong = {"object_layout": {"fields": [{"id": "shoe_size"}]}}
    assert desk.call("PUT", "object_layouts/zen:user/essentials_card.json", wrong).status == 422
    desk.delete("object_layouts/zen:user/essentials_card.json")
    assert desk.get("object_layouts/zen:user/essentials_card.json", ANA)["object_layout"] == usual
    assert desk.call("GET", "object_layouts/zen:nothing/essentials_card.json").status == 404


def test_a_schedule_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.post("deletion_schedules.json", {"deletion_schedule": {"title": "Tidy", "conditions": OLD}})
    path = f"deletion_schedules/{made['deletion_schedule']['id']}.json"
    desk.put(path, {"deletion_schedule": {"description": "Every night"}})
    shown = desk.get(path)["deletion_schedule"]
    assert (shown["description"], shown["active"]) == ("Every night", False)
    assert desk.get("deletion_schedules.json")["deletion_schedules"] == [shown]
    assert desk.call("POST", "deletion_schedules.json", {"deletion_schedule": {"title": "All"}}).status == 422
    assert desk.call("GET", "deletion_schedules.json", by=ANA).status == 403
    desk.delete(path)
    assert desk.call("GET", path).status == 404


def test_an_active_schedule_deletes_closed_tickets_once_a_day(desk: Desk) -> None:
    gone, kept = desk.asks(), desk.asks()
    desk.replies(gone, "Done.", status="closed", tags=["disposable"])
    desk.replies(kept, "Waiting.", status="open", tags=["disposable"])
    body = {"deletion_schedule": {"title": "Tidy", "conditions": OLD, "active": True}}
    made = desk.post("deletion_schedules.json", body)["deletion_schedule"]["id"]
    desk.waits(days=1, minutes=1)
    assert desk.call("GET", f"tickets/{gone}.json", by=ANA).status == 404
    assert desk.get(f"tickets/{kept}.json", ANA)["ticket"]["status"] == "open"
    desk.put(f"deletion_schedules/{made}.json", {"deletion_schedule": {"active": False}})
    desk.replies(kept, "Done.", status="closed")
    desk.waits(days=2)
    assert desk.get(f"tickets/{kept}.json", ANA)["ticket"]["status"] == "closed"
