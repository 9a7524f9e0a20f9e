"""Rate limits of single endpoints: a client that exceeds one gets Retry-After, and can retry then."""

from typing import Any

import pytest

from diorama.kernel import Reply
from tests.apps.zendesk.desk import ADA, ANA, BEN, Desk

UPDATES_EXCEEDED = "Rate limit for ticket updates exceeded, please wait before updating this ticket again"
"""https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/best-practices-for-avoiding-rate-limiting/"""


def refused(reply: Reply, within_seconds: int = 60) -> None:
    assert reply.status == 429, reply.text
    if reply.text != UPDATES_EXCEEDED:
        assert reply.json()["error"] == "APIRateLimitExceeded"
    assert 0 < int(reply.headers["Retry-After"]) <= within_seconds


def test_incremental_exports_share_a_limit_of_10_a_minute(desk: Desk) -> None:
    path, query = "/api/v2/incremental/tickets/cursor.json", {"start_time": 1}
    first = desk.ask_at_once(path, query)
    assert first.headers["zendesk-ratelimit-incremental-exports"] == "total=10; remaining=9; resets=60"
    for _ in range(9):
        assert desk.ask_at_once("/api/v2/incremental/users.json", query).status == 200
    reply = desk.ask_at_once(path, query)
    refused(reply)
    assert "incremental ticket export" in reply.json()["description"]
    assert reply.headers["zendesk-ratelimit-incremental-exports"].startswith("total=10; remaining=0; resets=")
    desk.waits(seconds=int(reply.headers["Retry-After"]))
    assert desk.ask_at_once(path, query).status == 200


def test_samples_are_limited_to_10_in_20_minutes(desk: Desk) -> None:
    path, query = "/api/v2/incremental/tickets/sample.json", {"start_time": 1}
    assert [desk.ask_at_once(path, query).status for _ in range(11)] == [200] * 10 + [429]
    desk.waits(minutes=19)
    refused(desk.ask_at_once(path, query), 60)
    desk.waits(minutes=1)
    assert desk.ask_at_once(path, query).status == 200


def test_ticket_updates_are_limited_to_30_in_10_minutes(desk: Desk) -> None:
    one, other = desk.asks("One"), desk.asks("Other")
    for number in range(30):
        desk.updates(one, ANA, external_id=str(number))
    reply = desk.call("PUT", f"tickets/{one}.json", {"ticket": {"priority": "high"}}, ANA)
    refused(reply, 600)
    assert (reply.text, reply.headers["content-type"]) == (UPDATES_EXCEEDED, "text/html; charset=utf-8")
    assert (desk.ticket(one).external_id, desk.ticket(one).priority) == ("29", None)
    desk.updates(other, ANA, priority="high")
    desk.updates(one, BEN, priority="low")
    desk.waits(seconds=int(reply.headers["Retry-After"]))
    desk.updates(one, ANA, priority="high")


def test_refused_updates_count_toward_the_limit(desk: Desk) -> None:
    ticket = desk.asks()
    for _ in range(30):
        assert desk.call("PUT", f"tickets/{ticket}.json", {"ticket": {"status": "nonsense"}}, ANA).status == 422
    refused(desk.call("PUT", f"tickets/{ticket}.json", {"ticket": {"priority": "high"}}, ANA), 600)


def test_executing_a_view_is_limited_to_5_a_minute(desk: Desk) -> None:
    first, second = [view["id"] for view in desk.get("views.json")["views"]][:2]
    for word in ("execute", "count"):
        path = f"/api/v2/views/{first}/{word}.json"
        assert [desk.ask_at_once(path).status for _ in range(6)] == [200] * 5 + [429]
        assert desk.ask_at_once(f"/api/v2/views/{second}/{word}.json").status == 200
        assert desk.ask_at_once(path, by=ANA).status == 200
        assert desk.ask_at_once(f"/api/v2/views/{first}/tickets.json").status == 200
    many = {"ids": f"{first},{second}"}
    assert [desk.ask_at_once("/api/v2/views/count_many.json", many).status for _ in range(7)] == [200] * 6 + [429]
    desk.waits(minutes=5)
    assert desk.ask_at_once("/api/v2/views/count_many.json", many).status == 200


@pytest.mark.parametrize(
    ("path", "query", "most"),
    [
        ("/api/v2/deleted_tickets.json", {}, 10),
        ("/api/v2/deleted_tickets.json", {"page": 101, "per_page": 1}, 5),
        ("/api/v2/tickets.json", {"page": 501, "per_page": 1}, 50),
        ("/api/v2/tickets.json", {}, 100),
    ],
)
def test_expensive_lists_have_lower_rate_limits(desk: Desk, path: str, query: dict[str, Any], most: int) -> None:
    assert [desk.ask_at_once(path, query).status for _ in range(most + 1)] == [200] * most + [429]
    desk.waits(minutes=1)
    assert desk.ask_at_once(path, query).status == 200


def test_the_ticket_list_reports_its_own_limit(desk: Desk) -> None:
    reply = desk.call("GET", "tickets.json")
    assert reply.headers["zendesk-ratelimit-tickets-index"] == "total=100; remaining=99; resets=60"
    assert "zendesk-ratelimit-tickets-index" not in desk.call("GET", "users.json").headers


def test_at_most_30_jobs_run_at_once(desk: Desk) -> None:
    body = {"tickets": [{"subject": "Bulk", "comment": {"body": "Hello"}}] * 30}
    replies = [desk.ask_at_once("/api/v2/tickets/create_many.json", body=body) for _ in range(31)]
    assert [reply.status for reply in replies] == [200] * 30 + [429]
    assert replies[-1].json()["error"] == "TooManyJobs"
    assert int(replies[-1].headers["Retry-After"]) > 0
    for _ in range(10):  # 900 tickets end a wait early several times
        desk.waits(minutes=1)
    assert desk.call("POST", "tickets/create_many.json", body, ADA).status == 200


def test_one_client_can_reach_the_limit_of_its_plan(desk: Desk) -> None:
    began = desk.world.now
    statuses = [desk.call("GET", "users/me.json").status for _ in range(701)]  # one after the other, in world time
    assert statuses == [200] * 700 + [429]
    assert (desk.world.now - began).total_seconds() < 60
    reply = desk.call("GET", "users/me.json", by=BEN)
    # https://support.zendesk.com/hc/en-us/community/posts/4600766234138
    assert (reply.body, reply.headers["content-type"]) == (
        b"Number of allowed API requests per minute exceeded",
        "text/plain",
    )
    assert len(reply.body) == 50
    assert (reply.headers["x-rate-limit"], reply.headers["x-rate-limit-remaining"]) == ("700", "0")
    assert reply.headers["cache-control"] == f"max-age={reply.headers['Retry-After']},public"
    desk.waits(seconds=int(reply.headers["Retry-After"]))
    assert desk.call("GET", "users/me.json").status == 200
    assert desk.world.defect is None


def test_updates_of_all_tickets_are_limited_to_100_a_minute(desk: Desk) -> None:
    tickets = [desk.asks(f"Number {n}") for n in range(5)]
    body = {"ticket": {"priority": "high"}}
    replies = [
        desk.ask_at_once(
            f"/api/v2/tickets/{tickets[n % 5]}.json", by=(ADA, ANA, BEN)[n // 5 % 3], method="PUT", body=body
        )
        for n in range(101)
    ]
    assert [reply.status for reply in replies] == [200] * 100 + [429]
    refused(replies[-1])
