"""Workspaces, targets and sharing agreements: written, read, changed and deleted."""

from tests.apps.zendesk.desk import ANA, Desk


def test_a_workspace_is_created_read_changed_ordered_and_deleted(desk: Desk) -> None:
    macro = desk.get("macros.json")["macros"][0]
    when = {"all": [{"field": "ticket_form_id", "operator": "is", "value": "1"}]}
    body = {"title": "Repairs", "conditions": when, "macros": [macro["id"]]}
    made = desk.post("workspaces.json", {"workspace": body})["workspace"]
    assert made["selected_macros"][0]["title"] == macro["title"]
    assert desk.get(f"workspaces/{made['id']}.json")["workspace"] == made
    desk.put(f"workspaces/{made['id']}.json", {"workspace": {"activated": True}})
    other = desk.post("workspaces.json", {"workspace": {"title": "Sales"}})["workspace"]
    desk.put("workspaces/reorder.json", {"ids": [other["id"], made["id"]]})
    listed = desk.get("workspaces.json")["workspaces"]
    assert [(one["title"], one["activated"]) for one in listed] == [("Sales", False), ("Repairs", True)]
    desk.delete(f"workspaces/{made['id']}.json")
    desk.delete("workspaces/destroy_many.json", ids=other["id"])
    assert desk.get("workspaces.json")["workspaces"] == []
    assert desk.call("POST", "workspaces.json", {"workspace": {"title": ""}}).status == 422
    assert desk.call("POST", "workspaces.json", {"workspace": {"title": "x"}}, ANA).status == 403


def test_a_target_is_created_read_changed_and_deleted(desk: Desk) -> None:
    body = {"type": "http_target", "title": "Warehouse", "target_url": "https://hooks.example/in", "method": "post",
            "content_type": "application/json", "password": "secret"}  # fmt: skip
    made = desk.post("targets.json", {"target": body})["target"]
    assert made["password"] is None
    desk.put(f"targets/{made['id']}.json", {"target": {"active": False, "method": "put"}})
    shown = desk.get(f"targets/{made['id']}.json")["target"]
    assert (shown["active"], shown["method"]) == (False, "put")
    assert desk.get("targets.json")["targets"] == [shown]
    assert desk.call("POST", "targets.json", {"target": {"type": "email_target", "title": "No address"}}).status == 422
    desk.delete(f"targets/{made['id']}.json")
    assert desk.call("GET", f"targets/{made['id']}.json").status == 404


def test_a_sharing_agreement_is_offered_accepted_and_ended(desk: Desk) -> None:
    body = {"sharing_agreement": {"remote_subdomain": "roasters", "partner_name": "Roasters"}}
    made = desk.post("sharing_agreements.json", body)["sharing_agreement"]
    assert made["status"] == "pending"
    path = f"sharing_agreements/{made['id']}.json"
    desk.put(path, {"sharing_agreement": {"status": "accepted"}})
    assert desk.get(path)["sharing_agreement"]["status"] == "accepted"
    assert len(desk.get("sharing_agreements.json")["sharing_agreements"]) == 1
    assert desk.call("PUT", path, {"sharing_agreement": {"status": "perhaps"}}).status == 422
    desk.delete(path)
    assert desk.call("GET", path).status == 404
