"""The account's audit log: every configuration change is logged automatically."""

from typing import Any

import pytest

from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.schema import AuditLog
from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, Desk

WHEN = {"all": [{"field": "status", "operator": "is", "value": "open"}]}
TIMED = {"all": [{"field": "OPEN", "operator": "is", "value": "24"}]}
THEN = [{"field": "priority", "value": "high"}]
TARGETS = [{"priority": "high", "metric": "first_reply_time", "target": 60, "business_hours": False}]
HOOK = {"name": "H", "endpoint": "https://h.example", "http_method": "POST", "request_format": "json"}

NOUNS: list[tuple[str, str, dict[str, Any], dict[str, Any], str, str]] = [
    ("triggers", "trigger", {"title": "T", "conditions": WHEN, "actions": THEN}, {"title": "U"}, "rule", "Trigger: "),
    ("automations", "automation", {"title": "T", "all": TIMED["all"], "actions": THEN}, {"active": False}, "rule",
     "Automation: "),
    ("macros", "macro", {"title": "T", "actions": THEN}, {"title": "U"}, "rule", "Macro: "),
    ("views", "view", {"title": "T", "all": WHEN["all"]}, {"title": "U"}, "rule", "View: "),
    ("groups", "group", {"name": "T"}, {"name": "U"}, "group", "Group: "),
    ("slas/policies", "sla_policy", {"title": "T", "filter": WHEN, "policy_metrics": TARGETS}, {"title": "U"},
     "sla/policy", "Policy: "),
    ("business_hours/schedules", "schedule", {"name": "T", "time_zone": "Berlin"}, {"name": "U"}, "schedule",
     "Schedule: "),
    ("ticket_fields", "ticket_field", {"type": "text", "title": "T"}, {"title": "U"}, "ticket_field", "Ticket field: "),
    ("organizations", "organization", {"name": "T"}, {"name": "U"}, "organization", "Organization: "),
    ("brands", "brand", {"name": "T", "subdomain": "tt"}, {"name": "U"}, "brand", "Brand: "),
    ("custom_roles", "custom_role", {"name": "T"}, {"name": "U"}, "permission_set", "Permission set: "),
    ("webhooks", "webhook", {**HOOK, "status": "active"}, {**HOOK, "status": "inactive"}, "webhook", "Webhook: "),
    ("users", "user", {"name": "T", "email": "t@larkspur.example", "role": "agent"}, {"role": "admin"}, "user",
     "User: "),
]  # fmt: skip


def lines(desk: Desk, **filters: Any) -> list[dict[str, Any]]:
    """Return the log, oldest entry first."""
    raw = {f"filter[{name}]": value for name, value in filters.items()}
    found: list[dict[str, Any]] = desk.get("audit_logs.json", raw={**raw, "sort_by": "created_at"})["audit_logs"]
    return sorted(found, key=lambda line: line["id"])


@pytest.mark.parametrize(("path", "noun", "first", "then", "kind", "label"), NOUNS, ids=[one[0] for one in NOUNS])
def test_creating_changing_and_deleting_are_logged(
    desk: Desk, path: str, noun: str, first: dict[str, Any], then: dict[str, Any], kind: str, label: str
) -> None:
    made = desk.post(path, {noun: first})[noun]
    reply = desk.call("PUT", f"{path}/{made['id']}", {noun: then})
    assert reply.status in (200, 204), reply.text
    desk.delete(f"{path}/{made['id']}")
    found = [line for line in lines(desk, source_type=kind) if line["source_label"].startswith(label)]
    assert [line["action"] for line in found] == ["create", "update", "destroy"]
    assert {line["actor_name"] for line in found} == {"Ada King"}
    assert {line["ip_address"] for line in found} == {audit_logs.address_of(desk.user(ADA))}
    assert found[1]["change_description"]
    if isinstance(made["id"], int):
        one = lines(desk, source_type=kind, source_id=made["id"])
        assert [line["action"] for line in one] == ["create", "update", "destroy"]


def test_group_memberships_are_logged(desk: Desk) -> None:
    group, ben = desk.group("Billing"), desk.user(BEN)
    made = desk.post("group_memberships.json", {"group_membership": {"user_id": ben.id, "group_id": group.id}})
    desk.delete(f"group_memberships/{made['group_membership']['id']}.json")
    found = lines(desk, source_type="membership", source_id=ben.id)
    assert [(line["action"], line["source_label"], line["change_description"]) for line in found] == [
        ("create", "Group: Billing", "Agent: Ben Ito"), ("destroy", "Group: Billing", "Agent: Ben Ito"),
    ]  # fmt: skip


def test_a_role_change_logs_the_old_and_new_role(desk: Desk) -> None:
    desk.put(f"users/{desk.user(ANA).id}.json", {"user": {"role": "admin", "notes": "Promoted"}})
    [line] = lines(desk, source_type="user")
    assert line["change_description"] == "Role changed from agent to admin"


def test_ordinary_work_is_not_in_the_audit_log(desk: Desk) -> None:
    number = desk.asks()
    desk.replies(number, "Hello.", status="solved")
    desk.post("users.json", {"user": {"name": "New Customer", "email": "new@example.net"}})
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"notes": "Likes crema"}})
    desk.put(f"users/{desk.user(MARA).id}.json", {"user": {"phone": "+49 30 1"}}, by=ANA)
    assert lines(desk) == []


def test_suspending_a_user_and_deleting_a_ticket_are_logged(desk: Desk) -> None:
    number, mara = desk.asks(), desk.user(MARA)
    desk.put(f"users/{mara.id}.json", {"user": {"suspended": True}})
    desk.delete(f"tickets/{number}.json")
    found = [(line["action"], line["source_type"], line["source_id"]) for line in lines(desk)]
    assert found == [("update", "user", mara.id), ("destroy", "ticket", number)]


def test_refused_and_empty_changes_are_not_logged(desk: Desk) -> None:
    assert desk.call("POST", "triggers.json", {"trigger": {"title": ""}}).status == 422
    view = desk.get("views.json")["views"][0]
    desk.put(f"views/{view['id']}.json", {"view": {"title": view["title"]}})
    assert lines(desk) == []


def test_the_audit_log_shows_no_secrets(desk: Desk) -> None:
    made = desk.post("webhooks", {"webhook": {**HOOK, "status": "active"}})["webhook"]
    secret = desk.post(f"webhooks/{made['id']}/signing_secret", {})["signing_secret"]["secret"]
    [line] = lines(desk, source_type="webhook", action="update")
    assert line["change_description"] == "Signing secret changed"
    assert secret not in str(lines(desk))


def test_audit_logs_filter_by_actor_address_action_and_time(desk: Desk) -> None:
    desk.post("groups.json", {"group": {"name": "One"}})
    desk.waits(hours=2)
    between = desk.world.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    desk.waits(hours=2)
    desk.post("groups.json", {"group": {"name": "Two"}})
    ada = desk.user(ADA)
    assert len(lines(desk, actor_id=ada.id)) == 2
    assert lines(desk, actor_id=desk.user(ANA).id) == []
    assert len(lines(desk, ip_address=audit_logs.address_of(ada))) == 2
    assert lines(desk, action="destroy") == []
    for name in ("filter[created_at]", "filter[created_at][]"):
        query = f"{name}=2020-01-01T00:00:00Z&{name}={between}"
        reply = desk.send(Request("GET", "/api/v2/audit_logs.json", query, {}, b""), Actor("agent", ADA))
        assert [line["source_label"] for line in reply.json()["audit_logs"]] == ["Group: One"]
    assert desk.call("GET", "audit_logs.json", raw={"filter[source_id]": 5}).status == 400
    page = desk.get("audit_logs.json", raw={"page[size]": 1})
    assert [line["source_label"] for line in page["audit_logs"]] == ["Group: Two"]
    assert page["meta"]["has_more"]


def test_every_logged_table_is_listed_once(desk: Desk) -> None:
    names = [record.__name__ for record in audit_logs.WATCHED]
    assert len(names) == len(set(names)) == len(audit_logs._RECORDS)
    assert AuditLog not in audit_logs.WATCHED, "a log that logs itself never ends"
