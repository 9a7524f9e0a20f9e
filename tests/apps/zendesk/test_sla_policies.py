"""SLAs: the first matching policy applies, clocks pause and stop correctly, and breaches are reported on time."""

from typing import Any

import pytest

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.schema import TicketMetric
from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk

ANYTHING = {"all": [{"field": "type", "operator": "is_not", "value": "task"}], "any": []}


def policy(desk: Desk, title: str = "All", every: Any = ANYTHING, **targets: int) -> Any:
    """Create a policy with targets in minutes for normal tickets, in calendar hours."""
    metrics = [
        {"priority": "normal", "metric": name, "target": minutes, "business_hours": False}
        for name, minutes in (targets or {"first_reply_time": 60}).items()
    ]
    body = {"title": title, "filter": every, "policy_metrics": metrics}
    return desk.post("slas/policies.json", {"sla_policy": body})["sla_policy"]


def events(desk: Desk, ticket: int, *types: str, metric: str = "") -> list[Any]:
    """Return the metric events of a ticket."""
    desk.waits(minutes=2)
    found = desk.get("incremental/ticket_metric_events.json", start_time=1)["ticket_metric_events"]
    return [
        one
        for one in found
        if one["ticket_id"] == ticket and (not types or one["type"] in types) and metric in ("", one["metric"])
    ]


def opened(desk: Desk, priority: str = "normal") -> int:
    number = desk.asks()
    desk.updates(number, priority=priority)
    return number


def test_a_policy_is_created_read_changed_and_deleted(desk: Desk) -> None:
    made = policy(desk, "Fast", first_reply_time=30, agent_work_time=90)
    assert desk.get(f"slas/policies/{made['id']}.json")["sla_policy"] == made
    assert [one["target_in_seconds"] for one in made["policy_metrics"]] == [1800, 5400]
    assert made["filter"] == ANYTHING
    changed = desk.put(f"slas/policies/{made['id']}.json", {"sla_policy": {"title": "Faster"}})["sla_policy"]
    assert (changed["title"], changed["policy_metrics"]) == ("Faster", made["policy_metrics"])
    assert [one["title"] for one in desk.get("slas/policies.json")["sla_policies"]] == ["Faster"]
    desk.delete(f"slas/policies/{made['id']}.json")
    assert desk.call("GET", f"slas/policies/{made['id']}.json").status == 404


@pytest.mark.parametrize(
    "flaw",
    [
        {"title": " "},
        {"policy_metrics": [{"priority": "soon", "metric": "first_reply_time", "target": 5}]},
        {"policy_metrics": [{"priority": "low", "metric": "coffee_time", "target": 5}]},
        {"policy_metrics": [{"priority": "low", "metric": "first_reply_time", "target": 0}]},
        {"policy_metrics": [{"priority": "low", "metric": "first_reply_time"}]},
        {"filter": {"all": [{"field": "moon", "operator": "is", "value": "full"}]}},
    ],
)
def test_an_invalid_sla_policy_is_refused(desk: Desk, flaw: dict[str, Any]) -> None:
    reply = desk.call("POST", "slas/policies.json", {"sla_policy": {"title": "x", "filter": ANYTHING, **flaw}})
    assert (reply.status, reply.json()["error"]) == (422, "RecordInvalid")


def test_policies_are_for_admins(desk: Desk) -> None:
    for path in ("slas/policies.json", "group_slas/policies.json", "slas/policies/definitions.json"):
        assert desk.call("GET", path, by=ANA).status == 403
        assert desk.call("GET", path, by=ADA).status == 200


def test_the_order_decides_which_policy_a_ticket_gets(desk: Desk) -> None:
    first, second = policy(desk, "First"), policy(desk, "Second")
    number = opened(desk)
    assert [one["sla"]["policy"]["id"] for one in events(desk, number, "apply_sla")] == [first["id"]]
    desk.put("slas/policies/reorder.json", {"sla_policy_ids": [second["id"], first["id"]]})
    assert [one["title"] for one in desk.get("slas/policies.json")["sla_policies"]] == ["Second", "First"]
    other = opened(desk)
    assert [one["sla"]["policy"]["title"] for one in events(desk, other, "apply_sla")] == ["Second"]


def test_a_ticket_without_priority_has_no_sla_target(desk: Desk) -> None:
    policy(desk)
    number = desk.asks()
    assert events(desk, number, "apply_sla") == []
    desk.updates(number, priority="normal")
    assert [one["sla"]["target"] for one in events(desk, number, "apply_sla")] == [60]


def test_a_missed_first_reply_is_reported_once(desk: Desk) -> None:
    policy(desk, first_reply_time=60)
    number = opened(desk)
    created = desk.ticket(number).created_at
    desk.waits(minutes=50)
    assert events(desk, number, "breach") == []
    desk.waits(minutes=20)
    missed = events(desk, number, "breach")
    assert [(one["metric"], one["instance_id"]) for one in missed] == [("reply_time", 1)]
    assert missed[0]["time"] == (created.replace(hour=created.hour + 1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    desk.replies(number, "Sorry for the wait.")
    desk.waits(days=1)
    assert len(events(desk, number, "breach")) == 1


def test_an_answer_in_time_cancels_the_breach(desk: Desk) -> None:
    policy(desk, first_reply_time=60)
    number = opened(desk)
    desk.waits(minutes=30)
    desk.replies(number, "On it.")
    desk.waits(days=1)
    assert events(desk, number, "breach") == []
    kinds = [one["type"] for one in events(desk, number, metric="reply_time")]
    assert kinds == ["measure", "activate", "apply_sla", "fulfill", "update_status"]
    status = events(desk, number, "update_status", metric="reply_time")[0]["status"]
    assert status == {"calendar": 30, "business": 30}


def test_the_next_reply_has_its_own_sla_target(desk: Desk) -> None:
    policy(desk, first_reply_time=60, next_reply_time=15)
    number = opened(desk)
    desk.replies(number, "Which model?", status="pending")
    desk.writes(number, "An Aria.")
    applied = events(desk, number, "apply_sla")
    assert [(one["instance_id"], one["sla"]["target"]) for one in applied] == [(1, 60), (2, 15)]
    desk.waits(minutes=20)
    assert [one["instance_id"] for one in events(desk, number, "breach")] == [2]


def test_a_pending_ticket_pauses_the_requester_wait_time(desk: Desk) -> None:
    policy(desk, requester_wait_time=120, agent_work_time=120)
    number = opened(desk)
    desk.waits(minutes=60)
    desk.updates(number, status="pending", assignee_email=ANA)
    desk.waits(days=2)
    assert events(desk, number, "breach") == []
    desk.updates(number, status="hold")
    desk.waits(minutes=70)
    assert [one["metric"] for one in events(desk, number, "breach")] == ["requester_wait_time"]
    desk.updates(number, status="open")
    desk.waits(minutes=70)
    assert [one["metric"] for one in events(desk, number, "breach")] == ["requester_wait_time", "agent_work_time"]


def test_reopening_a_ticket_resumes_its_sla(desk: Desk) -> None:
    policy(desk, requester_wait_time=100)
    number = opened(desk)
    desk.waits(minutes=40)
    desk.replies(number, "Done.", status="solved")
    desk.waits(days=1)
    desk.writes(number, "Not done.")
    desk.waits(minutes=50)
    assert events(desk, number, "breach") == []
    desk.waits(minutes=20)
    assert len(events(desk, number, "breach", metric="requester_wait_time")) == 1


def test_business_hour_targets_skip_the_weekend(desk: Desk) -> None:
    desk.do(seed.add_schedule, "Office", "Berlin", seed.weekly(9, 17))
    desk.do(
        seed.add_sla_policy, "Office", [("type", "is_not", "task")], {"first_reply_time": {"normal": 540}}
    )  # nine hours of an eight-hour day
    number = opened(desk)  # a Monday, nine o'clock in Berlin
    desk.waits(hours=24)
    assert events(desk, number, "breach") == []
    desk.waits(hours=1, minutes=5)
    missed = events(desk, number, "breach")
    assert [one["time"][:16] for one in missed] == ["2026-03-03T09:00"]


def test_a_changed_priority_changes_the_target(desk: Desk) -> None:
    made = policy(desk, first_reply_time=60)
    high = {"priority": "high", "metric": "first_reply_time", "target": 10, "business_hours": False}
    listed = [*made["policy_metrics"], high]
    desk.put(f"slas/policies/{made['id']}.json", {"sla_policy": {"policy_metrics": listed}})
    number = opened(desk)
    desk.waits(minutes=5)
    desk.updates(number, priority="high")
    assert [one["sla"]["target"] for one in events(desk, number, "apply_sla")] == [60, 10]
    desk.waits(minutes=10)
    assert len(events(desk, number, "breach")) == 1


def test_a_deleted_ticket_has_no_breaches(desk: Desk) -> None:
    policy(desk)
    number = opened(desk)
    desk.delete(f"tickets/{number}.json")
    desk.waits(hours=3)
    assert events(desk, number, "breach") == []


def test_groups_have_their_own_sla_policies(desk: Desk) -> None:
    billing, support = desk.group("Billing"), desk.group("Support")
    body = {
        "title": "Billing is quick",
        "filter": {"all": [{"field": "group_id", "operator": "includes", "value": [billing.id]}]},
        "policy_metrics": [{"priority": "normal", "metric": "group_ownership_time", "target": 1800}],
    }
    made = desk.post("group_slas/policies.json", {"group_sla_policy": body})["group_sla_policy"]
    assert desk.get(f"group_slas/policies/{made['id']}.json")["group_sla_policy"] == made
    number = opened(desk)
    desk.updates(number, group_id=support.id)
    desk.waits(hours=1)
    assert events(desk, number, "breach") == []
    desk.updates(number, group_id=billing.id)
    applied = events(desk, number, "apply_group_sla")
    assert [one["group_sla"]["policy"]["id"] for one in applied] == [made["id"]]
    desk.waits(hours=1)
    assert [(one["metric"], one["instance_id"]) for one in events(desk, number, "breach")] == [
        ("group_ownership_time", 2)
    ]
    renamed = desk.put(f"group_slas/policies/{made['id']}.json", {"group_sla_policy": {"title": "Billing"}})
    assert renamed["group_sla_policy"]["title"] == "Billing"
    desk.put("group_slas/policies/reorder.json", {"group_sla_policy_ids": [made["id"]]})
    assert desk.get("group_slas/policies.json")["group_sla_policies"][0]["position"] == 1
    desk.delete(f"group_slas/policies/{made['id']}.json")
    assert desk.get("group_slas/policies.json")["count"] == 0


def test_definitions_list_the_accounts_values(desk: Desk) -> None:
    shapes = desk.get("slas/policies/definitions.json")["definitions"]["all"]
    groups = next(one for one in shapes if one["value"] == "group_id")["values"]["list"]
    assert {one["title"] for one in groups} >= {"Billing", "Support"}
    of_groups = desk.get("group_slas/policies/definitions.json")["definitions"]["all"]
    assert desk.group("Billing").id in [one["value"] for one in of_groups[0]["values"]["list"]]


# --- metrics


def test_ticket_metrics_follow_its_events(desk: Desk) -> None:
    number = desk.asks()
    desk.waits(minutes=30)
    desk.replies(number, "Which model?", status="pending", assignee_email=ANA)
    desk.waits(minutes=60)
    desk.writes(number, "An Aria.")
    desk.waits(minutes=10)
    desk.replies(number, "Solved.", status="solved")
    figures = desk.get(f"tickets/{number}/metrics.json")["ticket_metric"]
    assert figures["ticket_id"] == number
    assert (figures["replies"], figures["assignee_stations"], figures["group_stations"]) == (2, 1, 1)
    assert figures["reply_time_in_minutes"] == {"calendar": 30, "business": 30}
    assert figures["agent_wait_time_in_minutes"] == {"calendar": 60, "business": 60}
    assert figures["requester_wait_time_in_minutes"]["calendar"] == 40
    assert figures["first_resolution_time_in_minutes"]["calendar"] == 100
    assert figures["full_resolution_time_in_minutes"] == figures["first_resolution_time_in_minutes"]
    assert desk.get(f"ticket_metrics/{figures['id']}.json")["ticket_metric"] == figures
    assert desk.get("ticket_metrics.json")["ticket_metrics"] == [figures]


def test_reopening_restarts_only_the_full_resolution_time(desk: Desk) -> None:
    number = desk.asks()
    desk.waits(minutes=10)
    desk.replies(number, "Done.", status="solved")
    desk.waits(minutes=50)
    desk.writes(number, "No.")
    desk.replies(number, "Now it is.", status="solved")
    figures = desk.get(f"tickets/{number}/metrics.json")["ticket_metric"]
    assert figures["reopens"] == 1
    assert figures["first_resolution_time_in_minutes"]["calendar"] == 10
    assert figures["full_resolution_time_in_minutes"]["calendar"] == 60


def test_only_agents_see_ticket_metrics(desk: Desk) -> None:
    number = desk.asks()
    assert desk.call("GET", f"tickets/{number}/metrics.json", by=MARA).status == 403
    assert desk.call("GET", "ticket_metrics/7.json").status == 404
    assert desk.call("GET", "incremental/ticket_metric_events.json", by=ANA, start_time=1).status == 403


def test_every_ticket_has_a_metrics_row(desk: Desk) -> None:
    for _ in range(3):
        desk.asks()
    assert desk.read(lambda tx: tx.count(TicketMetric)) == 3


@pytest.mark.parametrize("ids", ["\u00b2", "9" * 5_000, "9" * 30, "\u0663", "x", "1,,2"])
@pytest.mark.parametrize("kind", ["sla", "group_sla"])
def test_an_order_of_unknown_policies_is_refused(desk: Desk, kind: str, ids: str) -> None:
    reply = desk.call("PUT", f"{kind}s/policies/reorder.json", {}, raw={f"{kind}_policy_ids": ids})
    assert reply.status == 404
