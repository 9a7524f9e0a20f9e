"""Side-loads of users, tickets and rules, and columns of views."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk

# documentation/ticketing/using-the-zendesk-api/side_loading


def test_abilities_say_what_the_caller_may_do_with_a_user(desk: Desk) -> None:
    [own] = desk.get("users/me.json", include="abilities")["abilities"]
    assert own["user_id"] == desk.user(ADA).id
    assert own["url"].endswith(f"/api/v2/users/{own['user_id']}.json")
    assert own["can_edit"] is own["can_edit_password"] is own["can_manage_identities_of"] is True
    assert own["can_verify_identities"] is False
    [other] = desk.get(f"users/{desk.user(MARA).id}.json", ANA, include="abilities")["abilities"]
    assert other["can_edit_password"] is False
    assert len(desk.get("users.json", include="abilities")["abilities"]) == 5


def test_open_tickets_of_users_are_counted(desk: Desk) -> None:
    ana = desk.user(ANA)
    first, second = desk.asks(), desk.asks()
    desk.updates(first, assignee_id=ana.id)
    desk.updates(second, assignee_id=ana.id, status="pending")
    assert desk.get("users/me.json", ANA, include="open_ticket_count")["open_ticket_count"] == {str(ana.id): 1}
    counts = desk.get("users/show_many.json", ids=f"{ana.id},{desk.user(MARA).id}", include="open_ticket_count")
    assert counts["open_ticket_count"] == {str(ana.id): 1, str(desk.user(MARA).id): 0}


def test_identities_and_roles_of_users_are_beside_them(desk: Desk) -> None:
    role = desk.post("custom_roles.json", {"custom_role": {"name": "Trainee"}})["custom_role"]
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"custom_role_id": role["id"]}})
    page = desk.get("users.json", include="identities,roles,organizations,groups")
    assert {one["value"] for one in page["identities"]} >= {ANA, MARA, OLEG}
    assert [(one["id"], one["name"]) for one in page["roles"]] == [(role["id"], "Trainee")]
    assert [one["name"] for one in page["organizations"]] == ["Roasters United"]
    assert desk.get("users/search.json", query="mara", include="identities")["identities"][0]["value"] == MARA
    assert "identities" not in desk.get("users/me.json", MARA, include="identities"), "customers see less"


def test_last_audits_and_forms_of_tickets_are_beside_them(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Soon", status="pending")
    other = desk.asks("Other")
    page = desk.get("tickets.json", include="last_audits,ticket_forms,sharing_agreements")
    newest = {one["ticket_id"]: one["id"] for one in page["last_audits"]}
    assert newest == {one: desk.audits(one)[-1].id for one in (number, other)}
    assert any(event["type"] == "Comment" and event["body"] == "Soon" for event in page["last_audits"][0]["events"])
    shown = desk.get(f"tickets/{number}.json", include="ticket_forms")
    assert [one["id"] for one in shown["ticket_forms"]] == [shown["ticket"]["ticket_form_id"]]
    assert page["sharing_agreements"] == []


@pytest.mark.parametrize("noun", ["triggers", "automations", "macros"])
def test_usage_of_rules_is_counted_from_the_audits(desk: Desk, noun: str) -> None:
    # api-reference/ticketing/business-rules/triggers, "Sideloads": usage_1h, usage_24h, usage_7d, usage_30d
    number = desk.asks()
    if noun == "macros":
        macro = desk.post(
            "macros.json", {"macro": {"title": "Hi", "actions": [{"field": "priority", "value": "low"}]}}
        )["macro"]
        desk.updates(number, macro_ids=[macro["id"]], priority="low")
    elif noun == "automations":
        desk.updates(number, status="solved")
        desk.waits(days=5)
    windows = "usage_1h,usage_24h,usage_7d,usage_30d"
    found = desk.get(f"{noun}.json", include=windows)[noun]
    assert all({"usage_1h", "usage_24h", "usage_7d", "usage_30d"} <= one.keys() for one in found)
    assert sum(one["usage_30d"] for one in found) > 0
    assert all(one["usage_1h"] <= one["usage_24h"] <= one["usage_7d"] <= one["usage_30d"] for one in found)
    desk.waits(days=40)
    assert sum(one["usage_7d"] for one in desk.get(f"{noun}/active.json", include="usage_7d")[noun]) == 0
    assert "usage_7d" not in desk.get(f"{noun}.json")[noun][0]


def test_columns_of_views_can_be_filtered_or_sorted(desk: Desk) -> None:
    # not confirmed in the documentation: an operator saw both keys
    view = desk.get("views.json")["views"][0]
    shown = desk.get(f"views/{view['id']}/execute.json")["columns"]
    assert all({"filterable", "sortable"} <= column.keys() for column in shown)
    by_name: dict[Any, Any] = {column["id"]: column for column in shown}
    assert by_name["subject"]["filterable"] is False
    assert by_name["subject"]["sortable"] is True


def test_compact_views_are_at_most_32_whole_views(desk: Desk) -> None:
    # api-reference/ticketing/business-rules/views, "List Views - Compact"
    test = {"field": "status", "operator": "less_than", "value": "solved"}
    for number in range(30):
        desk.post("views.json", {"view": {"title": f"V{number}", "all": [test]}})
    page = desk.get("views/compact.json", per_page=2)
    assert len(page["views"]) == 32
    assert page["views"][0] == desk.get(f"views/{page['views'][0]['id']}.json")["view"]


def test_audits_of_all_tickets_have_cursors(desk: Desk) -> None:
    # api-reference/ticketing/tickets/ticket_audits, "List All Ticket Audits": page[after], page[before], page[size]
    for place in range(3):
        desk.asks(f"Leak {place}")
    first = desk.get("ticket_audits.json", raw={"page[size]": 2})
    rest = desk.get("ticket_audits.json", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    ids = [one["id"] for one in (*first["audits"], *rest["audits"])]
    assert ids == sorted(ids, reverse=True)
    assert len(ids) == 3
    back = desk.get("ticket_audits.json", raw={"page[size]": 2, "page[before]": rest["meta"]["before_cursor"]})
    assert [one["id"] for one in back["audits"]] == ids[:2]
    old = desk.get("ticket_audits.json", limit=2)
    assert [one["id"] for one in desk.get("ticket_audits.json", cursor=old["after_cursor"])["audits"]] == ids[2:]


def test_a_role_shows_every_documented_permission(desk: Desk) -> None:
    # api-reference/ticketing/account-configuration/custom_roles, "Configuration"
    scopes = {"shipment": {"scopes": ["read", "update"]}}
    body = {"name": "Clerk", "configuration": {"custom_objects": scopes, "manage_groups": True}}
    shown = desk.post("custom_roles.json", {"custom_role": body})["custom_role"]["configuration"]
    assert shown["custom_objects"] == scopes
    assert shown["manage_groups"] is True
    assert shown["assign_tickets_to_any_brand"] is shown["manage_organizations"] is False
    assert {"export_views", "manage_approval_requests", "manage_group_memberships", "moderate_forums"} <= shown.keys()
    wrong = {"name": "Wrong", "configuration": {"manage_groups": "yes"}}
    assert desk.call("POST", "custom_roles.json", {"custom_role": wrong}).status == 422


def test_a_deleted_user_says_whether_it_was_erased(desk: Desk) -> None:
    # not confirmed in the documentation: an operator saw the key
    mara = desk.user(MARA).id
    assert "permanently_deleted" not in desk.get(f"users/{mara}.json")["user"]
    desk.delete(f"users/{mara}.json")
    assert desk.get(f"users/{mara}.json")["user"]["permanently_deleted"] is False
    assert desk.get(f"deleted_users/{mara}.json")["deleted_user"]["permanently_deleted"] is False
    assert desk.delete(f"deleted_users/{mara}.json").json()["deleted_user"]["permanently_deleted"] is True
    assert desk.get(f"users/{mara}.json")["user"]["permanently_deleted"] is True
