"""Search export: every result of one type, newest first, page by page, during concurrent changes."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ANA, MARA, OLEG, Desk

PATH = "search/export.json"


def export(desk: Desk, query: str, kind: str = "ticket", size: int = 2, **more: Any) -> Any:
    return desk.get(PATH, ANA, query=query, raw={"filter[type]": kind, "page[size]": size, **more})


def follow(desk: Desk, query: str, kind: str = "ticket", size: int = 2) -> list[int]:
    page = export(desk, query, kind, size)
    seen = [one["id"] for one in page["results"]]
    while page["meta"]["has_more"]:
        page = export(desk, query, kind, size, **{"page[after]": page["meta"]["after_cursor"]})
        seen.extend(one["id"] for one in page["results"])
    return seen


def test_an_export_shows_every_result_once_newest_first(desk: Desk) -> None:
    numbers = []
    for number in range(7):
        numbers.append(desk.asks(f"Leak {number}", by=MARA if number % 2 else OLEG))
        desk.waits(minutes=1)
    desk.asks("Something else", "Nothing drips")
    assert follow(desk, "leak") == numbers[::-1]
    assert follow(desk, "leak", size=1000) == numbers[::-1]
    page = export(desk, "leak", size=3)
    assert {one["result_type"] for one in page["results"]} == {"ticket"}
    assert page["facets"] is None
    assert "count" not in page
    assert page["links"]["prev"] is None
    assert page["meta"]["before_cursor"] is None
    assert "page%5Bafter%5D=" in page["links"]["next"]
    assert "filter%5Btype%5D=ticket" in page["links"]["next"]
    last = export(desk, "leak", size=1000)
    assert last["links"]["next"] is None
    assert last["meta"]["has_more"] is False


def test_writes_during_an_export_do_not_shift_its_pages(desk: Desk) -> None:
    numbers = []
    for number in range(6):
        numbers.append(desk.asks(f"Leak {number}"))
        desk.waits(minutes=1)
    first = export(desk, "leak")
    late = desk.asks("Leak again")
    desk.updates(numbers[0], priority="urgent")
    desk.delete(f"tickets/{numbers[2]}.json")
    desk.delete(f"tickets/{first['results'][-1]['id']}.json")
    rest: list[int] = []
    page = first
    while page["meta"]["has_more"]:
        page = export(desk, "leak", **{"page[after]": page["meta"]["after_cursor"]})
        rest.extend(one["id"] for one in page["results"])
    assert rest == [numbers[3], numbers[1], numbers[0]]
    assert late not in rest


def test_users_organizations_and_groups_are_exported_too(desk: Desk) -> None:
    users = export(desk, "role:agent", "user", 100)["results"]
    assert {one["email"] for one in users} >= {ANA}
    assert {one["result_type"] for one in users} == {"user"}
    assert [one["name"] for one in export(desk, "roasters", "organization")["results"]] == ["Roasters United"]
    assert [one["name"] for one in export(desk, "billing", "group")["results"]] == ["Billing"]
    assert export(desk, "status:open", "user")["results"] == []
    number = desk.asks(by=OLEG)
    page = export(desk, f"id:{number}", include="tickets(users)")
    assert desk.user(OLEG).id in [one["id"] for one in page["users"]]


@pytest.mark.parametrize(
    ("query", "raw", "status"),
    [
        (None, {"filter[type]": "ticket"}, 400),
        ("leak", {}, 400),
        ("leak", {"filter[type]": "article"}, 400),
        ("type:user leak", {"filter[type]": "ticket"}, 422),
        ("leak", {"filter[type]": "ticket", "page[size]": 1001}, 400),
        ("leak", {"filter[type]": "ticket", "page[size]": 0}, 400),
        ("leak", {"filter[type]": "ticket", "page[after]": "nonsense"}, 400),
    ],
)
def test_invalid_export_requests_are_refused(desk: Desk, query: str | None, raw: dict[str, Any], status: int) -> None:
    asked = {**raw, **({"query": query} if query else {})}
    assert desk.call("GET", PATH, by=ANA, raw=asked).status == status


def test_a_cursor_expires_after_an_hour(desk: Desk) -> None:
    for number in range(3):
        desk.asks(f"Leak {number}")
    after = export(desk, "leak")["meta"]["after_cursor"]
    desk.waits(minutes=59)
    assert len(export(desk, "leak", **{"page[after]": after})["results"]) == 1
    desk.waits(minutes=2)
    reply = desk.call("GET", PATH, by=ANA, query="leak", raw={"filter[type]": "ticket", "page[after]": after})
    assert reply.json()["errors"][0]["code"] == "InvalidPaginationParameter"


def test_customers_cannot_export(desk: Desk) -> None:
    assert desk.call("GET", PATH, by=MARA, query="leak", raw={"filter[type]": "ticket"}).status == 403


def test_exports_are_limited_to_100_a_minute(desk: Desk) -> None:
    raw = {"filter[type]": "group"}
    path = "/api/v2/search/export"
    spent = [desk.ask_at_once(path, raw | {"query": "billing"}) for _ in range(101)]
    assert [reply.status for reply in spent] == [200] * 100 + [429]
    assert spent[-1].json()["error"] == "APIRateLimitExceeded"
    assert 0 < int(spent[-1].headers["Retry-After"]) <= 60
    desk.waits(minutes=1)
    assert desk.ask_at_once(path, raw | {"query": "billing"}).status == 200
