"""Optional ticket includes, and views sorted by the next SLA breach."""

from typing import Any

import pytest

from diorama.apps.zendesk import seed
from tests.apps.zendesk.desk import ADA, ANA, Desk
from tests.apps.zendesk.test_sla_policies import policy

EVERYTHING = "slas,metric_sets,dates,comment_count,incident_counts"


def promised(desk: Desk, number: int, **more: Any) -> dict[str, Any]:
    """Return a ticket's SLA metrics by name."""
    shown = desk.get(f"tickets/{number}.json", include="slas", **more)["ticket"]
    return {one["metric"]: one for one in shown["slas"]["policy_metrics"]}


def test_the_slas_sideload_shows_stage_and_time_left(desk: Desk) -> None:
    policy(desk, first_reply_time=90, requester_wait_time=60 * 72)
    number = desk.asks()
    assert promised(desk, number) == {}
    desk.updates(number, priority="normal")
    first = promised(desk, number)["first_reply_time"]
    assert (first["stage"], first["hours"]) == ("active", 1)
    assert first["breach_at"] == "2026-03-02T09:30:00Z"
    assert promised(desk, number)["requester_wait_time"]["days"] == 2
    desk.waits(minutes=45)
    assert promised(desk, number)["first_reply_time"]["minutes"] == 44
    desk.waits(hours=3)
    assert promised(desk, number)["first_reply_time"]["hours"] == -2
    assert promised(desk, number)["first_reply_time"]["breach_at"] == "2026-03-02T09:30:00Z"
    desk.replies(number, "Sorry!", status="pending")
    after = promised(desk, number)
    assert (after["first_reply_time"]["stage"], after["first_reply_time"]["breach_at"]) == ("achieved", None)
    assert (after["requester_wait_time"]["stage"], after["requester_wait_time"]["breach_at"]) == ("paused", None)


def test_sideloads_equal_their_own_endpoints(desk: Desk) -> None:
    problem, other = desk.asks(), desk.asks()
    desk.updates(problem, type="problem")
    desk.updates(other, type="incident", problem_id=problem)
    desk.replies(problem, "We know.", ANA, assignee_email=ANA)
    shown = desk.get(f"tickets/{problem}.json", include=EVERYTHING)["ticket"]
    assert shown["metric_set"] == desk.get(f"tickets/{problem}/metrics.json")["ticket_metric"]
    assert shown["comment_count"] == len(desk.comments(problem)) == 2
    assert shown["incident_count"] == desk.get(f"tickets/{problem}/related.json")["incidents"] == 1
    ticket = desk.ticket(problem)
    assert shown["dates"]["assigned_at"] == shown["metric_set"]["assigned_at"]
    assert shown["dates"]["assignee_updated_at"] == f"{ticket.assignee_updated_at:%Y-%m-%dT%H:%M:%SZ}"
    plain = desk.get(f"tickets/{problem}.json")["ticket"]
    assert not {"metric_set", "dates", "slas", "comment_count", "incident_count"} & plain.keys()


def test_every_list_has_the_same_sideloads(desk: Desk) -> None:
    policy(desk, first_reply_time=90)
    number = desk.asks()
    desk.updates(number, priority="normal")
    desk.waits(minutes=2)
    view = desk.do(seed.add_view, "All", [("status", "less_than", "closed")])
    one = desk.get(f"tickets/{number}.json", include="dates,slas,comment_count")["ticket"]
    lists: list[tuple[str, str, dict[str, Any]]] = [
        ("tickets.json", "tickets", {}), ("tickets/show_many.json", "tickets", {"ids": str(number)}),
        (f"views/{view.id}/tickets.json", "tickets", {}), ("incremental/tickets.json", "tickets", {"start_time": 1}),
        ("incremental/tickets/cursor.json", "tickets", {"start_time": 1}),
        ("search.json", "results", {"query": "type:ticket leaks"}),
        (f"users/{one['requester_id']}/tickets/requested.json", "tickets", {}),
    ]  # fmt: skip
    for path, key, query in lists:
        [found] = desk.get(path, by=ADA, include="dates,slas,comment_count", **query)[key]
        found.pop("result_type", None)
        assert found == one, path


@pytest.fixture
def hurried(desk: Desk) -> Desk:
    """Create four tickets: two with a breached SLA, one with an active one, and one without any."""
    policy(desk, first_reply_time=60)
    for number in range(1, 5):
        assert desk.asks() == number
        if number < 4:
            desk.updates(number, priority="normal")
        desk.waits(minutes=25)
    desk.updates(2, tags=["touched"])
    return desk


def test_a_view_can_be_ordered_by_the_next_breach(hurried: Desk) -> None:
    body = {"title": "Hurry", "all": [{"field": "status", "operator": "less_than", "value": "closed"}],
            "output": {"columns": ["subject", "sla_next_breach_at"], "sort_by": "sla_next_breach_at",
                       "sort_order": "asc"}}  # fmt: skip
    view = hurried.post("views.json", {"view": body})["view"]
    rows = hurried.get(f"views/{view['id']}/execute.json")["rows"]
    assert [row["ticket_id"] for row in rows] == [1, 2, 3, 4]
    moments = [row["sla_next_breach_at"] for row in rows]
    assert moments[3] is None
    assert moments[:3] == sorted(moments[:3])
    assert moments[0] < f"{hurried.world.now:%Y-%m-%dT%H:%M:%SZ}" < moments[2]
    hurried.replies(1, "Done.")
    listed = hurried.get(f"views/{view['id']}/tickets.json")["tickets"]
    assert [one["id"] for one in listed] == [2, 3, 4, 1]
    grouped = {**body, "output": {"columns": ["subject"], "group_by": "sla_next_breach_at", "group_order": "asc"}}
    hurried.put(f"views/{view['id']}.json", {"view": grouped})
    shown = hurried.get(f"views/{view['id']}/execute.json")
    assert [row["ticket_id"] for row in shown["rows"]][:2] == [2, 3]
    assert shown["groups"][0]["title"] == "Next SLA breach"


@pytest.mark.parametrize(
    ("field", "operator", "value", "found"),
    [
        ("until_sla_next_breach_at", "less_than", "1", {3}),
        ("until_sla_next_breach_at", "greater_than", "0", {3}),
        ("until_sla_next_breach_at", "is", "0", {3}),
        ("until_sla_next_breach_at", "greater_than", "5", set()),
        ("sla_next_breach_at", "greater_than", "0", {1, 2}),
        ("sla_next_breach_at", "less_than", "1", {1, 2}),
        ("sla_next_breach_at", "greater_than", "9", set()),
    ],
)
def test_views_can_filter_by_sla(hurried: Desk, field: str, operator: str, value: str, found: set[int]) -> None:
    every = [{"field": "status", "operator": "less_than", "value": "closed"},
             {"field": field, "operator": operator, "value": value}]  # fmt: skip
    rows = hurried.post("views/preview.json", {"view": {"all": every}})["rows"]
    assert {row["ticket_id"] for row in rows} == found
