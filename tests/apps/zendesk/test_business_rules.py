"""Trigger categories and revisions, macro attachments and replicas, definitions, and bulk changes of rules."""

from typing import Any

import pytest

from diorama.apps.zendesk import seed
from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk

TRIGGER: dict[str, Any] = {
    "title": "Tag",
    "conditions": {"all": [{"field": "status", "operator": "is", "value": "new"}], "any": []},
    "actions": [{"field": "current_tags", "value": "seen"}],
}


def trigger(desk: Desk, **more: Any) -> Any:
    return desk.post("triggers.json", {"trigger": {**TRIGGER, **more}})["trigger"]


def category(desk: Desk, name: str) -> Any:
    return desk.post("trigger_categories.json", {"trigger_category": {"name": name}})["trigger_category"]


# --- categories


def test_a_category_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = category(desk, "Mail")
    assert desk.get(f"trigger_categories/{made['id']}.json")["trigger_category"] == made
    body = {"trigger_category": {"name": "Letters", "position": 4}}
    changed = desk._good(desk.call("PATCH", f"trigger_categories/{made['id']}.json", body))["trigger_category"]
    assert (changed["name"], changed["position"]) == ("Letters", 4)
    assert desk.get("trigger_categories.json")["trigger_categories"] == [changed]
    desk.delete(f"trigger_categories/{made['id']}.json")
    missing = desk.call("GET", f"trigger_categories/{made['id']}.json")
    assert (missing.status, missing.json()["errors"][0]["code"]) == (404, "TriggerCategoryNotFound")


def test_a_category_with_active_triggers_cannot_be_deleted(desk: Desk) -> None:
    made = category(desk, "Mail")
    inside = trigger(desk, category_id=made["id"])
    listed = desk.get("trigger_categories.json", include="rule_counts")
    assert listed["rule_counts"] == [{"trigger_category_id": made["id"], "active_count": 1, "inactive_count": 0}]
    assert [one["id"] for one in desk.get("triggers.json", category_id=made["id"])["triggers"]] == [inside["id"]]
    refused = desk.call("DELETE", f"trigger_categories/{made['id']}.json")
    assert (refused.status, refused.json()["errors"][0]["code"]) == (400, "TriggerCategoryNotEmpty")
    desk.put(f"triggers/{inside['id']}.json", {"trigger": {"active": False}})
    desk.delete(f"trigger_categories/{made['id']}.json")
    assert desk.get(f"triggers/{inside['id']}.json")["trigger"]["category_id"] is None


def test_a_category_needs_a_name_and_an_admin(desk: Desk) -> None:
    blank = desk.call("POST", "trigger_categories.json", {"trigger_category": {"name": " "}})
    assert (blank.status, blank.json()["errors"][0]["code"]) == (400, "InvalidTriggerCategory")
    assert desk.call("GET", "trigger_categories.json", by=ANA).status == 403


def test_categories_and_triggers_are_reordered_in_one_job(desk: Desk) -> None:
    first, second = category(desk, "A"), category(desk, "B")
    one = trigger(desk)
    items = {
        "trigger_categories": [{"id": first["id"], "position": 9}],
        "triggers": [{"id": str(one["id"]), "category_id": second["id"], "active": False}],
    }
    done = desk.post("trigger_categories/jobs.json", {"job": {"action": "patch", "items": items}})
    assert done["status"] == "complete"
    assert done["results"]["trigger_categories"][0]["position"] == 9
    there = desk.get(f"triggers/{one['id']}.json")["trigger"]
    assert (there["category_id"], there["active"]) == (second["id"], False)
    lost = {"job": {"action": "patch", "items": {"triggers": [{"id": "7"}]}}}
    assert desk.call("POST", "trigger_categories/jobs.json", lost).json()["errors"][0]["code"] == "InvalidTrigger"


# --- revisions


def test_a_trigger_keeps_its_revisions(desk: Desk) -> None:
    made = trigger(desk)
    desk.put(f"triggers/{made['id']}.json", {"trigger": {"title": "Label"}})
    then = [{"field": "current_tags", "value": "noticed"}]
    desk.put(f"triggers/{made['id']}.json", {"trigger": {"actions": then}})
    listed = desk.get(f"triggers/{made['id']}/revisions.json")
    newest, renamed, oldest = listed["trigger_revisions"]
    assert [one["snapshot"]["title"] for one in (newest, renamed, oldest)] == ["Label", "Label", "Tag"]
    assert renamed["diff"]["title"] == [{"change": "-", "content": "Tag"}, {"change": "+", "content": "Label"}]
    assert renamed["diff"]["actions"][0]["value"] == [{"change": "=", "content": "seen"}]
    assert [one["value"][0]["change"] for one in newest["diff"]["actions"]] == ["-", "+"]
    assert "diff" not in oldest
    assert newest["author_id"] == desk.user(ADA).id
    shown = desk.get(f"triggers/{made['id']}/revisions/{oldest['id']}.json")["trigger_revision"]
    assert shown["snapshot"]["actions"] == TRIGGER["actions"]
    rest = desk.get(f"triggers/{made['id']}/revisions.json", cursor=listed["after_cursor"])
    assert rest["trigger_revisions"] == []
    number = desk.asks()
    fired = desk.get(f"tickets/{number}/audits.json")["audits"][0]["events"]
    sources = [one["via"]["source"]["from"] for one in fired if "via" in one]
    assert newest["id"] in [one["revision_id"] for one in sources if one["id"] == made["id"]]


def test_moving_a_trigger_does_not_add_a_revision(desk: Desk) -> None:
    made = trigger(desk)
    desk.put("triggers/update_many.json", {"triggers": [{"id": made["id"], "position": 1}]})
    assert desk.get(f"triggers/{made['id']}.json")["trigger"]["position"] == 1
    assert desk.get(f"triggers/{made['id']}/revisions.json")["count"] == 1
    desk.delete(f"triggers/{made['id']}.json")
    assert desk.call("GET", f"triggers/{made['id']}/revisions.json").status == 404


# --- many at once


@pytest.mark.parametrize("noun", ["triggers", "views", "macros"])
def test_rules_are_activated_and_reordered_in_bulk(desk: Desk, noun: str) -> None:
    first, second = desk.get(f"{noun}.json")[noun][:2]
    body = {noun: [{"id": first["id"], "active": False}, {"id": second["id"], "position": 77}]}
    changed = desk.put(f"{noun}/update_many.json", body)[noun]
    assert [one["id"] for one in changed] == [first["id"], second["id"]]
    assert first["id"] not in [one["id"] for one in desk.get(f"{noun}/active.json")[noun]]
    assert desk.get(f"{noun}/{second['id']}.json")[noun.removesuffix("s")]["position"] == 77
    assert desk.call("PUT", f"{noun}/update_many.json", body, by=ANA).status == 403
    assert desk.call("PUT", f"{noun}/update_many.json", {noun: [{"id": 7}]}).status == 404
    many = {noun: [{"id": first["id"]}] * 101}
    assert desk.call("PUT", f"{noun}/update_many.json", many).json()["error"] == "TooManyValues"


# --- definitions


def test_definitions_list_what_the_account_has(desk: Desk) -> None:
    field = desk.do(seed.add_field, "Model", "tagger", [("Aria", "aria"), ("Duet", "duet")])
    shapes = desk.get("triggers/definitions.json")["definitions"]
    tests = {one["subject"]: one for one in shapes["conditions_all"]}
    assert desk.user(ANA).name in [value["title"] for value in tests["assignee_id"]["values"]]
    assert [value["value"] for value in tests[f"custom_fields_{field.id}"]["values"]] == ["aria", "duet"]
    assert "value_previous" in [one["value"] for one in tests["status"]["operators"]]
    assert "notification_user" in [one["subject"] for one in shapes["actions"]]
    macros = desk.get("macros/definitions.json", by=ANA)["definitions"]["actions"]
    assert "comment_value" in [one["subject"] for one in macros]
    assert desk.get("macros/actions.json")["actions"] == macros
    views = desk.get("views/definitions.json", by=ANA)["definitions"]
    assert "SOLVED" in [one["subject"] for one in views["conditions_all"]]
    assert str(field.id) in [one["id"] for one in views["columns"]]


def test_every_condition_and_action_on_offer_can_be_used(desk: Desk) -> None:
    shapes = desk.get("triggers/definitions.json")["definitions"]
    for shape in shapes["conditions_all"]:
        test = {"field": shape["subject"], "operator": shape["operators"][0]["value"], "value": "1"}
        body = {**TRIGGER, "conditions": {"all": [test]}}
        assert desk.call("POST", "triggers.json", {"trigger": body}).status == 201, shape["subject"]
    for shape in shapes["actions"]:
        body = {**TRIGGER, "actions": [{"field": shape["subject"], "value": "1"}]}
        assert desk.call("POST", "triggers.json", {"trigger": body}).status == 201, shape["subject"]


# --- macros


def test_a_macro_can_be_drafted_from_a_macro_or_a_ticket(desk: Desk) -> None:
    there = desk.get("macros.json")["macros"][0]
    copy = desk.get("macros/new.json", macro_id=there["id"])["macro"]
    assert (copy["title"], copy["actions"]) == (there["title"], there["actions"])
    number = desk.asks("Leak")
    desk.replies(number, "A new pump is on its way.", status="pending", assignee_email=ANA, tags=["pump"])
    made = desk.get("macros/new.json", ticket_id=number)["macro"]
    actions = {one["field"]: one["value"] for one in made["actions"]}
    assert (made["title"], actions["status"], actions["set_tags"]) == ("Leak", "pending", "pump")
    assert actions["comment_value"] == "A new pump is on its way."
    assert desk.post("macros.json", {"macro": made})["macro"]["actions"] == made["actions"]
    assert desk.call("GET", "macros/new.json", by=MARA).status == 403


def _form(filename: str, content: bytes) -> tuple[bytes, str]:
    edge = "edge"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="attachment"; filename="{filename}"\r\n'
    head += "Content-Type: text/plain\r\n\r\n"
    return head.encode() + content + f"\r\n--{edge}--\r\n".encode(), f"multipart/form-data; boundary={edge}"


def test_a_macro_has_attachments(desk: Desk) -> None:
    macro = desk.get("macros.json")["macros"][0]["id"]
    body, kind = _form("how-to.txt", b"Turn it off and on.")
    path = f"/api/v2/macros/{macro}/attachments.json"
    reply = desk.send(Request("POST", path, "", {"content-type": kind}, body), Actor("agent", ADA))
    assert reply.status == 201, reply.text
    file = reply.json()["macro_attachment"]
    assert (file["filename"], file["content_type"], file["size"]) == ("how-to.txt", "text/plain", 19)
    assert desk.get(f"macros/{macro}/attachments.json")["macro_attachments"] == [file]
    assert desk.get(f"macros/attachments/{file['id']}.json")["macro_attachment"] == file
    assert desk.call("GET", f"macros/attachments/{file['id']}/content").body == b"Turn it off and on."
    assert desk.call("GET", f"macros/attachments/{file['id']}.json", by=MARA).status == 403


def test_a_file_can_be_uploaded_before_its_macro_exists(desk: Desk) -> None:
    body, kind = _form("a.txt", b"x")
    request = Request("POST", "/api/v2/macros/attachments.json", "", {"content-type": kind}, body)
    file = desk.send(request, Actor("agent", ANA)).json()["macro_attachment"]
    assert desk.get(f"macros/attachments/{file['id']}.json", by=ANA)["macro_attachment"] == file
    empty = Request("POST", "/api/v2/macros/attachments.json", "", {"content-type": kind}, b"")
    assert desk.send(empty, Actor("agent", ANA)).status == 400
