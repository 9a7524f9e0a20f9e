"""HTTP API: both kinds of paging, headers, and errors in the vendor's words; never a 5xx."""

import re
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules import oauth, sessions
from diorama.apps.zendesk.schema import GRANTS, OAuthClient
from diorama.kernel import ANONYMOUS, Actor, Request
from diorama.kit import Operation
from diorama.kit.openapi import document
from tests.apps.zendesk.desk import ADA, ANA, APP, MARA, Desk


def fill(desk: Desk, count: int) -> None:
    for number in range(count):
        desk.asks(f"ticket {number}")


def test_offset_pages_cover_the_whole_list(desk: Desk) -> None:
    fill(desk, 5)
    seen: list[int] = []
    page = 1
    while True:
        answer = desk.get("tickets.json", per_page=2, page=page)
        assert answer["count"] == 5
        seen.extend(ticket["id"] for ticket in answer["tickets"])
        if answer["next_page"] is None:
            break
        assert answer["next_page"] == f"https://larkspur.zendesk.com/api/v2/tickets.json?page={page + 1}&per_page=2"
        page += 1
    assert seen == [1, 2, 3, 4, 5]
    assert answer["previous_page"] == "https://larkspur.zendesk.com/api/v2/tickets.json?page=2&per_page=2"


def test_cursor_pages_cover_the_list_and_a_full_page_has_more(desk: Desk) -> None:
    fill(desk, 4)
    first = desk.get("tickets.json", raw={"page[size]": 2})
    second = desk.get("tickets.json", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    third = desk.get("tickets.json", raw={"page[size]": 2, "page[after]": second["meta"]["after_cursor"]})
    assert [ticket["id"] for page in (first, second) for ticket in page["tickets"]] == [1, 2, 3, 4]
    assert [page["meta"]["has_more"] for page in (first, second, third)] == [True, True, False]
    assert third["meta"] == {"has_more": False, "after_cursor": None, "before_cursor": None}
    assert third["links"] == {"prev": None, "next": None}
    assert "count" not in first
    assert first["links"]["next"].startswith("https://larkspur.zendesk.com/api/v2/tickets.json?page%5Bafter%5D=")
    back = desk.get("tickets.json", raw={"page[size]": 2, "page[before]": second["meta"]["before_cursor"]})
    assert [ticket["id"] for ticket in back["tickets"]] == [1, 2]


def test_cursor_pages_can_be_sorted(desk: Desk) -> None:
    fill(desk, 3)
    answer = desk.get("tickets.json", sort="-updated_at", raw={"page[size]": 2})
    assert [ticket["id"] for ticket in answer["tickets"]] == [3, 2]
    rest = desk.get(
        "tickets.json", sort="-updated_at", raw={"page[size]": 2, "page[after]": answer["meta"]["after_cursor"]}
    )
    assert [ticket["id"] for ticket in rest["tickets"]] == [1]
    assert "sort=-updated_at" in answer["links"]["next"]


def test_no_page_has_more_than_a_hundred_items(desk: Desk) -> None:
    fill(desk, 102)
    assert len(desk.get("tickets.json", per_page=500)["tickets"]) == 100
    assert len(desk.get("tickets.json", raw={"page[size]": 500})["tickets"]) == 100


@pytest.mark.parametrize(
    ("query", "status", "title"),
    [
        ({"page": "two"}, 400, "Invalid attribute"),
        ({"page[size]": "many"}, 400, "Invalid attribute"),
    ],
)
def test_an_invalid_page_is_refused(desk: Desk, query: dict[str, str], status: int, title: str) -> None:
    reply = desk.call("GET", "tickets.json", raw=query)
    assert (reply.status, reply.json()["error"]["title"]) == (status, title)


def test_offset_paging_ends_at_ten_thousand(desk: Desk) -> None:
    reply = desk.call("GET", "tickets.json", page=101)
    assert reply.status == 400
    assert reply.json()["errors"][0]["code"] == "InvalidPaginationDepth"


def test_every_reply_has_the_vendors_headers(desk: Desk) -> None:
    reply = desk.call("GET", "tickets.json", by=ANA)
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert (reply.headers["x-rate-limit"], reply.headers["x-rate-limit-remaining"]) == ("700", "699")
    assert reply.headers["ratelimit-limit"] == "700"
    assert reply.headers["x-request-id"].endswith("-FRA")
    assert reply.headers["etag"].startswith('W/"')


def test_an_unchanged_reply_is_304(desk: Desk) -> None:
    number = desk.asks()
    mark = desk.call("GET", f"tickets/{number}.json").headers["etag"]
    request = Request("GET", f"/api/v2/tickets/{number}.json", "", {"if-none-match": mark})
    assert desk.send(request, Actor("agent", ADA)).status == 304
    desk.updates(number, priority="high")
    assert desk.send(request, Actor("agent", ADA)).status == 200


def test_a_client_over_the_limit_gets_retry_after(desk: Desk) -> None:
    request = Request("GET", "/api/v2/users/me.json")
    for _ in range(700):
        reply = desk.world.send("zendesk", request, Actor("agent", ANA), turn=False)
        assert reply.status == 200
    reply = desk.call("GET", "users/me.json", by=ANA)
    assert (reply.status, reply.text) == (429, "Number of allowed API requests per minute exceeded")
    assert 0 < int(reply.headers["Retry-After"]) <= 60
    assert desk.call("GET", "users/me.json").status == 429  # the limit is the account's, not the person's
    desk.waits(seconds=61)
    assert desk.call("GET", "users/me.json", by=ANA).status == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "nothing.json", None, 404, "InvalidEndpoint"),
        ("PATCH", "tickets.json", {}, 404, "InvalidEndpoint"),
        ("GET", "tickets/404.json", None, 404, "RecordNotFound"),
        ("GET", "users/404.json", None, 404, "RecordNotFound"),
        ("PUT", "tickets/404.json", {"ticket": {}}, 404, "RecordNotFound"),
        ("POST", "tickets.json", {}, 400, "ParameterMissing"),
        ("POST", "users.json", {}, 400, "ParameterMissing"),
    ],
)
def test_errors_are_worded_as_the_vendor_words_them(
    desk: Desk, method: str, path: str, body: Any, status: int, error: str
) -> None:
    reply = desk.call(method, path, body)
    assert (reply.status, reply.json()["error"]) == (status, error)


def test_wrong_types_name_the_attribute(desk: Desk) -> None:
    reply = desk.call("GET", "users/abc.json")
    assert reply.json() == {
        "error": {
            "title": "Invalid attribute",
            "message": "You passed an invalid value for the id attribute. Invalid parameter: id must be an integer",
        }
    }
    reply = desk.call("POST", "tickets.json", {"ticket": {"comment": "hello"}})
    assert reply.status == 400
    assert "ticket.comment must be a hash" in reply.json()["error"]["message"]


def test_a_body_that_is_not_json_is_refused(desk: Desk) -> None:
    request = Request("POST", "/api/v2/tickets.json", "", {"content-type": "application/json"}, b"{nope")
    reply = desk.send(request, Actor("agent", ANA))
    assert (reply.status, reply.json()) == (
        422,
        {"error": "Unprocessable Entity", "message": "Server could not parse JSON"},
    )


def test_anonymous_requests_are_refused(desk: Desk) -> None:
    request = Request("GET", "/api/v2/tickets.json")
    for actor in (ANONYMOUS, Actor("agent", "nobody@nowhere.example")):
        reply = desk.send(request, actor)
        assert (reply.status, reply.json()) == (401, {"error": "Couldn't authenticate you"})


def test_a_refused_request_changes_nothing(desk: Desk) -> None:
    number = desk.asks()
    before = desk.world.state
    desk.call("PUT", f"tickets/{number}.json", {"ticket": {"priority": "high", "status": "nonsense"}}, ANA)
    desk.call("PUT", f"tickets/{number}.json", {"ticket": {"requester": {"email": "x@y.example"}, "type": "no"}}, ANA)
    assert desk.world.state == before


def test_reading_changes_nothing(desk: Desk) -> None:
    number = desk.asks()
    before = desk.world.state
    for path in ("tickets.json", f"tickets/{number}.json", "views.json", "search.json", "users.json", "tags.json"):
        desk.call("GET", path, query="leak")
    assert desk.world.state == before


ANSWERED = {(operation.method, operation.path) for operation in APP.product.operations}


READS = [
    operation
    for operation in APP.product.operations
    if operation.method == "GET" and "{" not in operation.path and "pages" not in operation.tags
]


@pytest.mark.parametrize("operation", READS, ids=lambda operation: operation.name)
def test_every_reply_matches_its_declared_type(operation: Any, desk: Desk) -> None:
    """Each reading operation that needs no id answers in the shape that the OpenAPI document promises."""
    desk.asks()
    query = {"query": "x", "ids": "1", "start_time": "1", "external_id": "1", "name": "a", "ticket_ids": "1"}
    query.update(
        {
            "filter[agent_ids]": "1",
            "host_mapping": "help.lark.example",
            "subdomain": "lark",
            "identifiers": "a",
            "filter[type]": "ticket",
            "filter[ticket_id]": "1",
            "filter[locales]": "en-us",
        }
    )
    desk.do(sessions.log_in, desk.user(ADA))
    headers = {}
    if operation.name == "show_current_token":
        token = desk.do(lambda tx: oauth.give(tx, tx.all(OAuthClient)[0], desk.user(ADA).id, ["read"]))
        headers = {GRANTS.header: str(token.id)}
    reply = desk.send(Request("GET", operation.path, urlencode(query), headers), Actor("agent", ADA))
    assert reply.status == 200, reply.text
    msgspec.json.decode(reply.body, type=operation.answers, strict=True)


def test_the_document_describes_every_operation() -> None:
    paths = document(APP)["paths"]
    assert {(method.upper(), path) for path, methods in paths.items() for method in methods} == ANSWERED


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-1, 3) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NOUNS = ("ticket", "user", "organization", "group", "trigger", "macro", "view", "request", "tags", "tickets")
FIELDS = (
    "subject", "comment", "status", "tags", "assignee_id", "name", "email", "conditions", "actions", "due_at",
    "custom_fields", "requester", "title", "all", "ids",
)  # fmt: skip
BODIES = st.dictionaries(
    st.sampled_from(NOUNS), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4) | JSON, max_size=2
)
WRITES = [operation for operation in APP.product.operations if operation.method in ("POST", "PUT", "DELETE")]
DESK = Desk()
DESK.asks()


@settings(max_examples=300)
@given(st.sampled_from(WRITES), BODIES, st.sampled_from([ADA, ANA, MARA]))
def test_no_request_body_causes_a_defect(operation: Any, body: Any, by: str) -> None:
    path = operation.path.removeprefix("/api/v2/")
    for name in ("ticket_id", "user_id", "request_id", "group_id", "organization_id"):
        path = path.replace("{" + name + "}", "1")
    reply = DESK.world.fork().send(
        "zendesk",
        Request(
            operation.method,
            "/api/v2/" + path,
            "ids=1",
            {"content-type": "application/json"},
            msgspec.json.encode(body),
        ),
        Actor("agent", by),
    )
    assert reply.status < 500


def test_every_operation_says_who_may_call_it() -> None:
    unsaid = [one.name for one in APP.product.operations if not one.public and not one.role]
    assert unsaid == []
    assert not [one.name for one in APP.product.operations if one.role not in {"", *APP.product.roles}]


@pytest.mark.parametrize("operation", [one for one in APP.product.operations if one.role == "admin"], ids=repr)
def test_an_agent_is_refused_what_is_for_administrators(desk: Desk, operation: Operation) -> None:
    path = re.sub(r"\{[^}]*\}", "1", operation.path)
    reply = desk.send(Request(operation.method, path, "", {}, b"{}"), Actor("agent", ANA))
    assert reply.status in (400, 403, 422), reply.text
