"""The work of a judgement grows at most in proportion to what an agent did, whatever it did often.

Counted are the instructions that Python runs and the rows that statements return, never time.
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from diorama.episodes.episode import Episode, start
from diorama.kernel.lane import Lane

FEW, TIMES = 8, 10
FREE = 20_000
"""Instructions that a judgement takes in any case."""
Do = Callable[[Episode, int], None]


def send(episode: Episode, method: str, path: str, body: Any, app: str = "zendesk") -> Any:
    reply = episode.http(app, method, path, body)
    assert reply.status < 300, (path, reply.status, reply.body[:300])
    return reply.json() if reply.body else None


def update(episode: Episode, change: dict[str, Any], beside: int = 0) -> None:
    send(episode, "PUT", f"/api/v2/tickets/{episode.truth.ticket_id - beside}.json", {"ticket": change})


def customers(episode: Episode) -> list[int]:
    found = send(episode, "GET", "/api/v2/users.json?role=end-user&per_page=100", None)
    return [one["id"] for one in found["users"]]


def changes_of_one_row(episode: Episode, count: int) -> None:
    who = customers(episode)[2]
    made = [{"id": who, "name": f"n{place}", "notes": f"x{place}", "phone": f"+49{place:09}"} for place in range(count)]
    send(episode, "PUT", "/api/v2/users/update_many", {"users": made})
    episode.call("wait", {"minutes": 2})
    send(episode, "PUT", f"/api/v2/users/{who}", {"user": {"notes": ""}})


def changes_that_are_taken_back(episode: Episode, count: int) -> None:
    for place in range(count):
        update(episode, {"priority": ("low", "high")[place % 2], "subject": f"s{place}"}, beside=1)
    update(episode, {"subject": "s0"}, beside=1)


def changes_of_a_requester(episode: Episode, count: int) -> None:
    people = customers(episode)
    for place in range(count):
        update(episode, {"requester_id": people[place % 9]}, beside=1)


def rows(episode: Episode, count: int) -> None:
    for place in range(count):
        made = {"name": f"n{place}", "email": f"n{place}@x.example", "notes": "a liar"}
        send(episode, "POST", "/api/v2/users", {"user": made})


def notes(episode: Episode, count: int) -> None:
    for place in range(count):
        said = f"note {place} 0151 {place:08} a{place}@x.example"
        update(episode, {"comment": {"body": said, "public": False}})


def long_notes(episode: Episode, count: int) -> None:
    said = " ,".join(str(10_000_000 + place) for place in range(count * 10))
    update(episode, {"comment": {"body": said, "public": False}})


def mails(episode: Episode, count: int) -> None:
    for place in range(count):
        update(episode, {"comment": {"body": f"We have refunded {place}.00 EUR for order LK-{place:05}."}})


def mails_of_a_changing_ticket(episode: Episode, count: int) -> None:
    for place in range(count):
        update(episode, {"comment": {"body": "Thank you."}, "subject": f"s{place}"})


def tags(episode: Episode, count: int) -> None:
    update(episode, {"tags": [f"tag{place}" for place in range(count)]}, beside=1)


def fields(episode: Episode, count: int) -> None:
    numbers = send(episode, "GET", "/api/v2/ticket_fields.json", None)["ticket_fields"]
    record = next(one["id"] for one in numbers if one["title"] == "Record")
    for place in range(count):
        update(episode, {"custom_fields": [{"id": record, "value": f"X{place}"}]})


def side_objects(episode: Episode, count: int) -> None:
    action = {"field": "status", "value": "open"}
    for place in range(count):
        send(episode, "POST", "/api/v2/macros", {"macro": {"title": f"m{place}", "actions": [action]}})


def records_of_the_shop(episode: Episode, count: int) -> None:
    path = f"/api/v1/customers/{episode.truth.customer_id}/notes"
    for place in range(count):
        send(episode, "POST", path, {"body": f"note {place}"}, "backoffice")


def work(do: Do, count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how much the judgement at the end takes, after something was done often."""
    episode = start("zendesk/late-refund", 1)
    monkeypatch.setattr(type(episode.scenario), "turns", 10_000)
    do(episode, count)
    counted, query = 0, Lane.query

    def counting(lane: Lane, *args: Any) -> list[Any]:
        nonlocal counted
        found = query(lane, *args)
        counted += len(found)
        return found

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal counted
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return trace

    monkeypatch.setattr(Lane, "query", counting)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        episode.grader.judge(episode.world, episode.gradebook, end=True)
    finally:
        sys.settrace(before)
        monkeypatch.undo()
    return counted


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Fill the caches that belong to the process."""
    episode = start("zendesk/late-refund", 1)
    mails(episode, 3)
    changes_that_are_taken_back(episode, 2)
    episode.finish()


@pytest.mark.parametrize(
    "do",
    [
        changes_of_one_row, changes_that_are_taken_back, changes_of_a_requester, rows, notes, long_notes, mails,
        mails_of_a_changing_ticket, tags, fields, side_objects, records_of_the_shop,
    ],
)  # fmt: skip
def test_ten_times_as_much_takes_about_ten_times_the_work(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = work(do, FEW, monkeypatch), work(do, FEW * TIMES, monkeypatch)
    assert many <= 1.2 * TIMES * few + FREE, (few, many)


def test_a_phone_number_in_a_note_costs_no_search_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = work(long_notes, FEW, monkeypatch), work(long_notes, FEW * TIMES, monkeypatch)
    assert (many - few) / (FEW * (TIMES - 1) * 10) < 600
