"""Views: they list the tickets that match their conditions, in their order, with the right count."""

from typing import Any

import pytest

from diorama.apps.zendesk import seed
from diorama.apps.zendesk.schema import Output
from tests.apps.zendesk.desk import ADA, ANA, BEN, OLEG, Desk


def view(desk: Desk, title: str) -> int:
    return int(next(one["id"] for one in desk.get("views.json")["views"] if one["title"] == title))


def held(desk: Desk, title: str, by: str = ANA) -> list[int]:
    return [ticket["id"] for ticket in desk.get(f"views/{view(desk, title)}/tickets.json", by)["tickets"]]


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Create tickets in every state."""
    for subject in ("one", "two", "three", "four"):
        desk.asks(subject)
        desk.waits(minutes=10)
    desk.updates(1, assignee_email=ANA)
    desk.replies(2, "Which one?", BEN, status="pending", assignee_email=BEN)
    desk.replies(3, "Done.", ANA, status="solved")
    return desk


@pytest.mark.parametrize(
    ("title", "by", "tickets"),
    [
        ("Your unsolved tickets", ANA, [1]),
        ("Your unsolved tickets", BEN, [2]),
        ("Unassigned tickets", ANA, [4]),
        ("All unsolved tickets", ADA, [4, 2, 1]),
        ("Pending tickets", ADA, [2]),
        ("Recently solved tickets", ADA, [3]),
        ("Unsolved tickets in your groups", ANA, [1, 2]),
    ],
)
def test_the_standard_views_list_the_right_tickets(busy: Desk, title: str, by: str, tickets: list[int]) -> None:
    assert held(busy, title, by) == tickets


def test_the_count_of_every_view_is_the_number_of_its_tickets(busy: Desk) -> None:
    listed = busy.get("views.json", ANA)["views"]
    for one in listed:
        tickets = busy.get(f"views/{one['id']}/tickets.json", ANA)
        rows = busy.get(f"views/{one['id']}/execute.json", ANA)
        count = busy.get(f"views/{one['id']}/count.json", ANA)["view_count"]
        assert len(tickets["tickets"]) == tickets["count"] == rows["count"] == len(rows["rows"]) == count["value"]
    many = busy.get("views/count_many.json", ANA, ids=",".join(str(one["id"]) for one in listed))["view_counts"]
    assert len(many) == len(listed)


def test_a_view_groups_and_then_sorts(desk: Desk) -> None:
    for priority in ("low", "urgent", "low", "urgent"):
        desk.updates(desk.asks(), priority=priority)
    output = Output(("subject",), group_by="priority", group_order="desc", sort_by="nice_id", sort_order="asc")
    desk.do(seed.add_view, "Mine", [("status", "less_than", "solved")], output)
    assert held(desk, "Mine") == [2, 4, 1, 3]


def test_a_request_may_ask_for_another_order(busy: Desk) -> None:
    number = view(busy, "All unsolved tickets")
    shown = busy.get(f"views/{number}/tickets.json", sort_by="nice_id", sort_order="asc")["tickets"]
    assert [ticket["id"] for ticket in shown] == [1, 2, 4]


def test_executing_a_view_shows_its_columns(busy: Desk) -> None:
    number = view(busy, "Your unsolved tickets")
    shown = busy.get(f"views/{number}/execute.json", ANA)
    assert [column["id"] for column in shown["columns"]] == [
        "nice_id",
        "subject",
        "requester",
        "created",
        "type",
        "priority",
    ]
    [row] = shown["rows"]
    assert (row["subject"], row["requester_id"], row["ticket"]["id"]) == ("one", busy.user("mara@example.com").id, 1)
    assert shown["view"]["execution"]["group"]["id"] == "status"


BODY: dict[str, Any] = {
    "title": "Wholesale",
    "all": [{"field": "status", "operator": "less_than", "value": "closed"}],
    "any": [{"field": "current_tags", "operator": "includes", "value": "wholesale"}],
    "output": {"columns": ["subject", "priority"], "sort_by": "created", "sort_order": "asc"},
}


def test_a_view_is_created_read_changed_and_deleted(desk: Desk) -> None:
    desk.asks(by=OLEG)
    desk.asks()
    made = desk.post("views.json", {"view": BODY})["view"]
    assert desk.get(f"views/{made['id']}.json")["view"] == made
    assert held(desk, "Wholesale", ADA) == [1]
    changed = desk.put(f"views/{made['id']}.json", {"view": {"title": "W", "any": [], "all": BODY["all"]}})["view"]
    assert (changed["title"], changed["conditions"]["any"]) == ("W", [])
    assert held(desk, "W", ADA) == [2, 1] or held(desk, "W", ADA) == [1, 2]
    desk.delete(f"views/{made['id']}.json")
    assert desk.call("GET", f"views/{made['id']}.json").status == 404


def test_a_preview_shows_the_tickets_of_the_view(desk: Desk) -> None:
    desk.asks(by=OLEG)
    assert len(desk.post("views/preview.json", {"view": BODY})["rows"]) == 1
    assert desk.post("views/preview/count.json", {"view": BODY})["view_count"]["value"] == 1


def test_a_personal_view_is_visible_to_its_owner_only(desk: Desk) -> None:
    made = desk.post("views.json", {"view": BODY}, ANA)["view"]
    assert made["restriction"] == {"type": "User", "id": desk.user(ANA).id}
    assert desk.call("GET", f"views/{made['id']}.json", by=BEN).status == 404
    assert "Wholesale" not in [one["title"] for one in desk.get("views/active.json", BEN)["views"]]


def test_agents_cannot_change_shared_views(desk: Desk) -> None:
    number = view(desk, "Pending tickets")
    assert desk.call("PUT", f"views/{number}.json", {"view": {"title": "x"}}, ANA).status == 403


@pytest.mark.parametrize(
    "change",
    [
        {"title": " "},
        {"all": [], "any": []},
        {"all": [{"field": "priority", "operator": "is", "value": "low"}]},
        {"output": {"columns": ["shoe_size"]}},
    ],
)
def test_a_view_that_cannot_be_shown_is_refused(desk: Desk, change: dict[str, Any]) -> None:
    assert desk.call("POST", "views.json", {"view": {**BODY, **change}}).status == 422


def test_views_are_listed_in_compact_form_and_by_title(desk: Desk) -> None:
    assert desk.get("views/compact.json")["count"] == desk.get("views/count.json")["count"]["value"] == 8
    assert [one["title"] for one in desk.get("views/search.json", query="pending")["views"]] == ["Pending tickets"]


def test_a_view_is_exported_in_the_background(busy: Desk) -> None:
    view = next(one for one in busy.get("views.json", by=ANA)["views"] if one["title"] == "All unsolved tickets")
    path = f"views/{view['id']}/export.json"
    assert busy.get(path, by=ANA)["export"] == {"view_id": view["id"], "status": "starting"}
    assert busy.get(path, by=ANA)["export"]["status"] in ("queued", "working")
    busy.waits(minutes=1)
    job = busy.get("job_statuses.json", by=ANA)["job_statuses"][0]
    lines = job["results"][0]["csv"].splitlines()
    assert lines[0].startswith("ID,Subject,Requester")
    assert len(lines) - 1 == busy.get(f"views/{view['id']}/count.json", by=ANA)["view_count"]["value"] > 0
    assert busy.get(path, by=ANA)["export"]["status"] == "starting"
