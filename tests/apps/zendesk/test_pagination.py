"""Paging of every list: page numbers to the end, cursors that stay stable during writes, and refusals in the
vendor's words."""

from typing import Any

import pytest

from diorama.apps.zendesk import APP
from diorama.apps.zendesk.api.pagination import Page
from diorama.kit import Operation
from tests.apps.zendesk.desk import ADA, ANA, Desk

NUMBERED = {
    "/api/v2/users/search",
    "/api/v2/requests/search",
    "/api/v2/search",
    "/api/v2/help_center/articles/search",
    "/api/v2/help_center/community_posts/search",
}
SHORT = {"/api/v2/organizations/autocomplete", "/api/v2/users/autocomplete", "/api/v2/tickets/recent"}
"""`NUMBERED`: lists with page numbers only; `SHORT`: lists that never have a second page."""

LISTS = sorted(
    {
        one.path
        for one in APP.operations
        if one.method == "GET" and any(p.type is Page for p in one.parameters)
        if one.path.startswith("/api/v2/") and "{" not in one.path
    }
)
NEEDED = {
    "/api/v2/search": {"query": "a"},
    "/api/v2/users/search": {"query": "a"},
    "/api/v2/requests/search": {"query": "a"},
    "/api/v2/help_center/articles/search": {"query": "a"},
    "/api/v2/help_center/community_posts/search": {"query": "a"},
    "/api/v2/macros/search": {"query": "a"},
    "/api/v2/views/search": {"query": "a"},
    "/api/v2/triggers/search": {"query": "a"},
    "/api/v2/automations/search": {"query": "a"},
    "/api/v2/email_notifications": {"filter[ticket_id]": "1"},
    "/api/v2/views/show_many": {"ids": "1"},
    "/api/v2/routing/agents/instance_values": {"filter[agent_ids]": "1"},
}


def ask(desk: Desk, path: str, **raw: Any) -> Any:
    return desk.call("GET", path.removeprefix("/api/v2/"), raw={**NEEDED.get(path, {}), **raw})


@pytest.mark.parametrize("path", LISTS)
def test_numbered_pages_end_at_ten_thousand_records(desk: Desk, path: str) -> None:
    assert ask(desk, path).status == 200
    reply = ask(desk, path, page=101, per_page=100)
    if path in NUMBERED:
        assert reply.status in (400, 422)
        return
    [error] = reply.json()["errors"]
    assert (reply.status, error["code"]) == (400, "InvalidPaginationDepth")
    assert "(page * per_page)" in error["title"]
    assert "Cursor Pagination" in error["detail"]


@pytest.mark.parametrize("path", [path for path in LISTS if path not in NUMBERED | SHORT])
def test_a_forged_cursor_is_refused(desk: Desk, path: str) -> None:
    reply = ask(desk, path, **{"page[size]": 2, "page[after]": "bm9uc2Vuc2U="})
    assert (reply.status, reply.json()["errors"][0]["code"]) == (400, "InvalidPaginationParameter")


@pytest.mark.parametrize("path", ["macros", "views", "tags", "job_statuses", "ticket_fields", "groups", "users"])
def test_cursors_page_through_the_whole_list_and_back(desk: Desk, path: str) -> None:
    for number in range(5):
        ticket = desk.asks(f"Question {number}")
        desk.updates(ticket, tags=[f"tag-{number}", "common"])
        body = {"tickets": [{"subject": f"Bulk {number}", "comment": {"body": "Hello"}}]}
        desk.post("groups.json", {"group": {"name": f"Group {number}"}})
        desk.post(
            "macros.json", {"macro": {"title": f"Macro {number}", "actions": [{"field": "priority", "value": "low"}]}}
        )
        desk.post("tickets/create_many.json", body)
    desk.waits(minutes=1)
    everything = keys(path, desk.get(f"{path}.json"))
    assert len(everything) > 4
    seen: list[Any] = []
    page = desk.get(f"{path}.json", raw={"page[size]": 2})
    for _ in range(60):
        part = keys(path, page)
        assert len(part) <= 2
        seen.extend(part)
        if not page["meta"]["has_more"]:
            break
        before, page = (
            page,
            desk.get(f"{path}.json", raw={"page[size]": 2, "page[after]": page["meta"]["after_cursor"]}),
        )
        if page["meta"]["before_cursor"] is not None:
            back = {"page[size]": 2, "page[before]": page["meta"]["before_cursor"]}
            assert keys(path, desk.get(f"{path}.json", raw=back)) == keys(path, before)
    assert seen == everything


def keys(path: str, page: Any) -> list[Any]:
    return [one["name"] if path == "tags" else one["id"] for one in page[path]]


def test_a_cursor_stays_valid_after_its_item_is_deleted(desk: Desk) -> None:
    first = desk.get("macros.json", raw={"page[size]": 2})
    everything = keys("macros", desk.get("macros.json"))
    desk.delete(f"macros/{everything[1]}.json")
    rest = desk.get("macros.json", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    assert keys("macros", rest) == everything[2:4]


def test_cursor_paging_supports_fewer_sort_orders(desk: Desk) -> None:
    for subject in ("b", "a", "c"):
        desk.asks(subject)
    asked = {"page[size]": 2}
    assert keys("tickets", desk.get("tickets.json", sort="-id", raw=asked)) == [3, 2]
    assert keys("tickets", desk.get("tickets.json", sort="status", raw=asked)) == [1, 2]
    for order in ("created_at", "subject", "-nonsense"):
        reply = desk.call("GET", "tickets.json", sort=order, raw=asked)
        assert (reply.status, reply.json()["errors"][0]["code"]) == (400, "InvalidPaginationParameter")
    numbered = desk.get("tickets.json", sort_by="subject", sort_order="desc", per_page=2)
    assert [ticket["subject"] for ticket in numbered["tickets"]] == ["c", "b"]
    ignored = desk.get("tickets.json", sort_by="id", sort_order="desc", raw=asked)
    assert keys("tickets", ignored) == [1, 2], "the words of numbered pages are passed over, as the product does"


def test_an_invalid_page_size_gets_the_vendors_error(desk: Desk) -> None:
    reply = desk.call("GET", "tickets.json", raw={"page[size]": "True"})
    assert "page.size must be an integer" in reply.json()["error"]["message"]


COUNTS = sorted(
    one.path
    for one in APP.operations
    if one.method == "GET" and one.path.endswith("/count") and "{" not in one.path and "search" not in one.path
)


@pytest.mark.parametrize("path", COUNTS)
def test_every_count_has_a_value_and_a_refresh_time(desk: Desk, path: str) -> None:
    count = desk.get(path.removeprefix("/api/v2/"))["count"]
    assert set(count) == {"value", "refreshed_at"}
    assert isinstance(count["value"], int)
    assert count["refreshed_at"].endswith("Z")


def many() -> list[Operation]:
    found = [one for one in APP.operations if one.path.endswith("_many") and "{" not in one.path]
    return [one for one in found if any(parameter.name == "ids" for parameter in one.parameters)]


@pytest.mark.parametrize("operation", many(), ids=lambda one: one.name)
def test_a_request_reads_at_most_100_records(desk: Desk, operation: Operation) -> None:
    path = operation.path.removeprefix("/api/v2/")
    ids = ",".join(str(number) for number in range(1, 102))
    noun = path.partition("/")[0].removesuffix("s")
    body = {noun: {"notes": "x"}} if operation.body is not None else None
    reply = desk.call(operation.method, path, body, ids=ids)
    assert (reply.status, reply.json()["error"]) == (400, "TooManyValues"), reply.text
    assert reply.json()["max_count"] == 100 or operation.name == "count_many_views"


@pytest.mark.parametrize(
    ("path", "items"),
    [
        ("tickets/create_many", {"tickets": [{"comment": {"body": "Hello"}}] * 101}),
        ("users/create_many", {"users": [{"name": "Somebody"}] * 101}),
        ("users/create_or_update_many", {"users": [{"name": "Somebody"}] * 101}),
        ("organizations/create_many", {"organizations": [{"name": "Somebody"}] * 101}),
        ("group_memberships/create_many", {"group_memberships": [{"user_id": 1, "group_id": 1}] * 101}),
        ("organization_memberships/create_many", {"organization_memberships": [{"user_id": 1}] * 101}),
        ("imports/tickets/create_many", {"tickets": [{"comments": [{"body": "Hello"}]}] * 101}),
    ],
)
def test_a_request_creates_at_most_100_records(desk: Desk, path: str, items: Any) -> None:
    reply = desk.call("POST", f"{path}.json", items, ADA)
    assert (reply.status, reply.json()["error"]) == (400, "TooManyValues"), reply.text


def test_search_returns_at_most_1000_results(desk: Desk) -> None:
    desk.asks()
    assert desk.get("search.json", ANA, query="leaks", page=10, per_page=100)["count"] == 1
    for deep in ({"page": 11, "per_page": 100}, {"page": 101, "per_page": 10}):
        reply = desk.call("GET", "search.json", None, ANA, deep, query="leaks")
        assert reply.status == 422
        assert reply.json()["error"] == "invalid"
        assert "Requested response size was greater than Search Response Limits" in reply.json()["description"]
