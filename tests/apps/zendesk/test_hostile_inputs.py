"""Requests that are meant to break or stall the desk: each is refused in the vendor's words, quickly."""

import time
from datetime import timedelta
from typing import Any

import pytest

from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ADA, Desk

CONDITION = {"field": "status", "operator": "is", "value": "open"}
LOOP = "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}"
TOO_LARGE = {"error": "Request Entity Too Large"}


def invalid(name: str, rule: str) -> dict[str, Any]:
    """Return the vendor's error about one attribute."""
    message = f"You passed an invalid value for the {name} attribute. Invalid parameter: {rule}"
    return {"error": {"title": "Invalid attribute", "message": message}}


def too_long(field: str, text: str) -> dict[str, Any]:
    """Return the vendor's error about one field that is too long."""
    details = {field: [{"description": text, "error": "ValueTooLong"}]}
    return {"error": "RecordInvalid", "description": "Record validation errors", "details": details}


def complex_search(what: str) -> dict[str, Any]:
    """Return the error of a search that is too long."""
    return {"error": "invalid", "description": f"Invalid search: the query {what}"}


COMPLEX = {"error": "Unprocessable Entity", "message": "The request is too complex to process"}
MANY_VALUES = invalid("request", "the body has more than 20000 values")
TEXT = "is longer than 65536 characters"
PEOPLE = "is too long (maximum is 100 items)"
RULES = "is too long (maximum is 200 items)"
READS: list[tuple[str, dict[str, str], int, Any]] = [
    ("search", {"query": " ".join(f"word{n}" for n in range(1_000))}, 422, complex_search("is too long")),
    ("search", {"query": "a " * 1_000}, 422, complex_search("has too many terms")),
    ("search", {"query": '"' + "the " * 900 + '"'}, 422, complex_search("has too many terms")),
    ("help_center/articles/search", {"query": "word " * 5_000}, 422, complex_search("is too long")),
    ("organizations/autocomplete", {"name": "x" * 51_000}, 422, COMPLEX),
    ("tickets/show_many", {"ids": ",".join(map(str, range(9_000)))}, 400, None),
    ("tickets/99999999999999999999999", {}, 400, None),
]
CHANGES: list[tuple[str, dict[str, Any], int, Any]] = [
    ("145,000 ccs", {"email_ccs": [{"user_email": f"a{n}@b.co"} for n in range(145_000)]}, 400, MANY_VALUES),
    ("5,000 ccs", {"email_ccs": [{"user_email": f"a{n}@b.co"} for n in range(5_000)]}, 400, None),
    ("101 ccs", {"email_ccs": [{"user_email": f"a{n}@b.co"} for n in range(101)]}, 400,
     invalid("ticket.email_ccs", f"ticket.email_ccs {PEOPLE}")),
    ("49 ccs", {"email_ccs": [{"user_email": f"a{n}@b.co"} for n in range(49)]}, 422, None),
    ("9,000 ids of followers", {"follower_ids": list(range(9_000))}, 400, None),
    ("400,000 tags", {"tags": [f"t{n}" for n in range(400_000)]}, 400, MANY_VALUES),
    ("900 tags", {"tags": [f"tag{n}" for n in range(900)]}, 422,
     too_long("tags", "Tags: is too long (maximum is 5096 characters)")),
    ("4.8 MB of HTML", {"comment": {"html_body": "<b>x</b>" * 600_000}}, 400,
     invalid("ticket.comment.html_body", f"ticket.comment.html_body {TEXT}")),
    ("64 KB of HTML", {"comment": {"html_body": "<b>x</b>" * 8_010}}, 422,
     too_long("comment", "Comment: is too long (maximum is 64000 characters)")),
    ("thousands of fields", {"custom_fields": [{"id": n, "value": "x"} for n in range(9_000)]}, 400, MANY_VALUES),
    ("a number of 40 digits", {"assignee_id": 10**18 * 9}, 422, None),
]  # fmt: skip
RULES_SENT: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("triggers", "trigger", {"title": "x", "conditions": {"all": [CONDITION] * 201}, "actions": []},
     invalid("trigger.conditions.all", f"trigger.conditions.all {RULES}")),
    ("triggers", "trigger", {"title": "x", "actions": [{"field": "status", "value": "open"}] * 6_000},
     invalid("trigger.actions", "trigger.actions has more than 1000 items")),
    ("views", "view", {"title": "x", "all": [CONDITION] * 900}, invalid("view.all", f"view.all {RULES}")),
    ("views", "view", {"title": "x", "all": [CONDITION] * 9_000}, MANY_VALUES),
    ("automations", "automation", {"title": "x", "all": [CONDITION] * 201}, invalid("automation.all",
     f"automation.all {RULES}")),
]  # fmt: skip


@pytest.mark.parametrize(("path", "query", "status", "words"), READS, ids=lambda value: str(value)[:30])
def test_a_costly_read_is_refused(desk: Desk, path: str, query: dict[str, str], status: int, words: Any) -> None:
    started = time.thread_time()
    reply = desk.call("GET", path, raw=query)
    assert (reply.status, reply.json() if words else None) == (status, words)
    assert time.thread_time() - started < 0.5


@pytest.mark.parametrize(("what", "change", "status", "words"), CHANGES, ids=[one[0] for one in CHANGES])
def test_a_costly_update_is_refused(desk: Desk, what: str, change: dict[str, Any], status: int, words: Any) -> None:
    ticket = desk.asks()
    state, started = desk.world.state, time.thread_time()
    reply = desk.call("PUT", f"tickets/{ticket}", {"ticket": change})
    assert (reply.status, reply.json() if words else None) == (status, words), reply.text[:300]
    assert time.thread_time() - started < 0.5
    assert desk.world.state == state
    assert desk.call("PUT", f"tickets/{ticket}", {"ticket": {"priority": "high"}}).status == 200


@pytest.mark.parametrize(("path", "name", "rule", "words"), RULES_SENT, ids=lambda value: str(value)[:30])
def test_a_rule_of_thousands_is_refused(
    desk: Desk, path: str, name: str, rule: dict[str, Any], words: dict[str, Any]
) -> None:
    reply = desk.call("POST", path, {name: rule})
    assert (reply.status, reply.json()) == (400, words)


@pytest.mark.parametrize("token", ["-9223372036854775808", "9" * 30, "-1", "7fffffffffffffff"])
def test_a_token_without_a_file_is_not_found(desk: Desk, token: str) -> None:
    reply = desk.send(Request("GET", f"/attachments/token/{token}"), Actor("agent", ADA))
    assert (reply.status, reply.json()["error"]) == (404, "RecordNotFound")


def test_a_bulk_update_with_the_largest_comment_is_bounded(desk: Desk) -> None:
    tickets = [desk.asks() for _ in range(30)]
    listed = ",".join(str(one) for one in tickets)
    html = "<b>x</b>" * 7_900
    refused = desk.call("PUT", "tickets/update_many", {"ticket": {"comment": {"html_body": html * 70}}}, ids=listed)
    assert refused.status == 400
    started = time.thread_time()
    assert (
        desk.call("PUT", "tickets/update_many", {"ticket": {"comment": {"html_body": html}}}, ids=listed).status == 200
    )
    desk.world.wait(timedelta(minutes=5))
    assert time.thread_time() - started < 2
    assert desk.world.defect is None


def test_a_template_that_loops_ends(desk: Desk) -> None:
    made = desk.call(
        "POST", "macros", {"macro": {"title": "x", "actions": [{"field": "comment_value", "value": LOOP}]}}
    )
    ticket = desk.asks()
    started = time.thread_time()
    assert desk.call("GET", f"tickets/{ticket}/macros/{made.json()['macro']['id']}/apply").status == 200
    assert desk.call("PUT", f"tickets/{ticket}", {"ticket": {"comment": {"body": LOOP}}}).status == 200
    assert time.thread_time() - started < 1


def test_a_storm_of_rules_is_refused(desk: Desk) -> None:
    ticket = desk.asks()
    mail = ["requester_id", "x", "{{ticket.description}} " * 2_000]
    when = {"all": [{"field": "update_type", "operator": "is", "value": "Change"}]}
    for number in range(30):
        actions = [{"field": "notification_user", "value": mail}]
        desk.post("triggers", {"trigger": {"title": f"storm {number}", "conditions": when, "actions": actions}})
    reply = desk.call("PUT", f"tickets/{ticket}", {"ticket": {"comment": {"body": "hi"}}})
    assert (reply.status, reply.json()) == (422, COMPLEX)
    assert desk.world.defect is None


@pytest.mark.parametrize(
    "body",
    [b'{"ticket":' * 3_000 + b"1" + b"}" * 3_000, b"[" * 200_000, b'{"ticket":{"subject":"' + b"\\u0041" * 99],
    ids=["deep objects", "deep lists", "cut"],
)
def test_a_body_that_cannot_be_parsed_is_refused(desk: Desk, body: bytes) -> None:
    request = Request("POST", "/api/v2/tickets", "", {"content-type": "application/json"}, body)
    reply = desk.send(request, Actor("agent", ADA))
    assert reply.status in (400, 422)


def test_a_body_above_the_limit_is_cut_before_it_is_recorded(desk: Desk) -> None:
    request = Request("POST", "/api/v2/uploads", "filename=" + "x" * 300_000, {}, b"x" * 30_000_000)
    reply = desk.send(request, Actor("agent", ADA))
    assert (reply.status, reply.json()) == (413, TOO_LARGE)
    entry = desk.world.chain.entry(len(desk.world.chain) - 1)
    assert sum(map(len, entry.bodies.values())) == 5_000_001
    assert len(entry.core) < 100_000
