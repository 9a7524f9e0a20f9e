"""Search: the vendor's language over tickets, users, organizations and groups."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.apps.zendesk.desk import ADA, ANA, BEN, MARA, OLEG, Desk


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Create four tickets that differ in every field."""
    leak = desk.asks("Steam wand leaks", "Water on the counter, model Aria.", MARA)
    refund = desk.asks("Where is my refund", "You said Friday.", OLEG)
    beans = desk.asks("Beans arrived stale", "Roasted in December?", MARA)
    desk.waits(days=2)
    noise = desk.asks("Grinder is loud", "Like an espresso aircraft.", OLEG)
    desk.updates(leak, ANA, priority="high", assignee_email=ANA, tags=["aria", "leak"], type="incident")
    desk.updates(refund, BEN, priority="urgent", assignee_email=BEN, group_id=None)
    desk.replies(beans, "Sent a fresh bag by courier.", ANA, status="solved")
    assert (leak, refund, beans, noise) == (1, 2, 3, 4)
    return desk


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("leaks", {1}),
        ("leak", {1}),
        ("LEAK", {1}),
        ("eak", set()),
        ("espresso", {4}),
        ("courier", {3}),
        ('"steam wand"', {1}),
        ('"wand steam"', set()),
        ("wand water", {1}),
        ("-leaks", {2, 3, 4}),
        ("status:new", {4}),
        ("status:open status:new", {1, 2, 4}),
        ("status<solved", {1, 2, 4}),
        ("status>=solved", {3}),
        ("-status:solved", {1, 2, 4}),
        ("priority>normal", {1, 2}),
        ("priority:urgent", {2}),
        ("priority:none", {3, 4}),
        ("assignee:me", set()),
        (f"assignee:{ANA}", {1, 3}),
        ("assignee:ana", {1, 3}),
        ('assignee:"Ana Ruiz"', {1, 3}),
        ("assignee:none", {4}),
        ("-assignee:none", {1, 2, 3}),
        (f"requester:{MARA}", {1, 3}),
        ("requester:mara status:solved", {3}),
        ('organization:"Roasters United"', {2, 4}),
        ("organization:none", {1, 3}),
        ("group:support", {1, 2, 3}),
        ("tags:aria", {1}),
        ("tags:ari", set()),
        ("tags:ari*", {1}),
        ("tags:vip", {2, 4}),
        ("-tags:vip", {1, 3}),
        ("tags:aria tags:vip", {1, 2, 4}),
        ('tags:"vip wholesale"', {2, 4}),
        ("ticket_type:incident", {1}),
        ("created>2026-03-03", {4}),
        ("created<=2026-03-02", {1, 2, 3}),
        ("created:2026-03-02", {1, 2, 3}),
        ("created>1day", {4}),
        ("created<1day", {1, 2, 3}),
        ("created>2026-03-01 created<2026-03-03", {1, 2, 3}),
        ("via:mail", {1, 2, 3, 4}),
        ("via:api", set()),
        ("commenter:ana", {3}),
        ("subject:loud", {4}),
        ("description:friday", {2}),
        ("solved>2026-03-03", {3}),
        ("2", {2}),
        ("https://example.com", set()),
        ("created:nonsense", set()),
        ('" " *', {1, 2, 3, 4} - {1, 2, 3, 4}),
    ],
)
def test_tickets_are_found_by_the_search_language(busy: Desk, query: str, found: set[int]) -> None:
    answer = busy.get("search.json", query=f"type:ticket {query}")
    assert {result["id"] for result in answer["results"]} == found
    assert answer["count"] == len(found) == busy.get("search/count.json", query=f"type:ticket {query}")["count"]


def test_me_in_a_search_is_the_caller(busy: Desk) -> None:
    assert {hit["id"] for hit in busy.get("search.json", ANA, query="assignee:me")["results"]} == {1, 3}
    assert {hit["id"] for hit in busy.get("search.json", BEN, query="assignee:me")["results"]} == {2}


def test_without_a_type_everything_is_searched(busy: Desk) -> None:
    results = busy.get("search.json", query="roast*")["results"]
    assert {(hit["result_type"], hit.get("name") or hit["subject"]) for hit in results} == {
        ("ticket", "Beans arrived stale"),
        ("organization", "Roasters United"),
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("mara", {MARA}),
        (MARA, {MARA}),
        ("role:agent", {ANA, BEN}),
        ("role:admin", {ADA}),
        ("tags:vip", {OLEG}),
        ("email:oleg@example.org", {OLEG}),
        ('organization:"Roasters United"', {OLEG}),
        ("name:voss", {MARA}),
        ("user:ben", {BEN}),
        ("group:support", {ADA, ANA, BEN}),
    ],
)
def test_users_are_found(desk: Desk, query: str, found: set[str]) -> None:
    assert {user["email"] for user in desk.get("search.json", query=f"type:user {query}")["results"]} == found
    assert {user["email"] for user in desk.get("users/search.json", query=query)["users"]} == found


def test_results_are_newest_first_or_as_requested(busy: Desk) -> None:
    def order(**how: str) -> list[int]:
        return [
            hit["id"] for hit in busy.get("search.json", raw={"query": "type:ticket status<closed", **how})["results"]
        ]

    assert order(sort_by="created_at", sort_order="asc") == [1, 2, 3, 4]
    assert order(sort_by="priority", sort_order="desc")[:2] == [2, 1]
    assert order(sort_by="status", sort_order="asc")[0] == 4
    by_words = busy.get("search.json", query="type:ticket status<closed order_by:created sort:asc")["results"]
    assert [hit["id"] for hit in by_words] == [1, 2, 3, 4]


def test_search_pages_by_number_only_and_not_too_deep(busy: Desk) -> None:
    first = busy.get("search.json", query="type:ticket status<closed", per_page=3)
    second = busy.get("search.json", query="type:ticket status<closed", per_page=3, page=2)
    assert len({hit["id"] for hit in [*first["results"], *second["results"]]}) == 4
    assert first["next_page"].endswith("page=2&per_page=3")
    assert second["next_page"] is None
    cursor = busy.call("GET", "search.json", None, query="x", raw={"page[size]": 2})
    assert (cursor.status, cursor.json()["error"]["title"]) == (400, "Invalid attribute")
    deep = busy.call("GET", "search.json", query="x", page=11)
    assert (deep.status, deep.json()["error"]) == (422, "invalid")


def test_a_mixed_search_pages_across_kinds(busy: Desk) -> None:
    whole = [(hit["result_type"], hit["id"]) for hit in busy.get("search.json", query="created>2020-01-01")["results"]]
    parts: list[tuple[str, int]] = []
    for page in range(1, 5):
        hits = busy.get("search.json", query="created>2020-01-01", per_page=4, page=page)["results"]
        parts.extend((hit["result_type"], hit["id"]) for hit in hits)
    assert parts == whole
    assert {kind for kind, _ in whole} == {"ticket", "user", "organization", "group"}


def test_search_can_sideload_users(busy: Desk) -> None:
    answer = busy.get("search.json", query="type:ticket leaks", include="tickets(users)")
    assert {user["email"] for user in answer["users"]} == {MARA, ANA}


def test_searching_needs_a_query(desk: Desk) -> None:
    assert desk.call("GET", "search.json").json() == {
        "error": "ParameterMissing",
        "description": "Required parameter missing: query",
    }


DESK = Desk()
DESK.asks("Steam wand leaks")


@settings(max_examples=150)
@given(st.text(max_size=40))
def test_no_query_makes_the_search_fail(query: str) -> None:
    reply = DESK.call("GET", "search/count.json", query=query)
    assert reply.status == 200


# --- order


def found(desk: Desk, query: str, **more: Any) -> list[int]:
    """Return the ids that a search finds, in order."""
    return [one["id"] for one in desk.get("search.json", query=query, **more)["results"]]


def test_results_are_ranked_by_relevance_by_default(desk: Desk) -> None:
    beside = desk.asks("Delivery is late", "Also " + "something else entirely " * 20 + "and the gasket, by the way.")
    twice = desk.asks("Leak", "The gasket leaks, a new gasket please.")
    titled = desk.asks("Gasket broken", "It broke.")
    desk.waits(hours=1)
    desk.updates(beside, tags=["touched"])
    assert found(desk, "type:ticket gasket") == [titled, twice, beside]
    assert found(desk, "type:ticket gasket", sort_by="relevance", sort_order="asc") == [beside, twice, titled]
    assert found(desk, "type:ticket gasket", sort_by="updated_at")[0] == beside
    assert found(desk, "type:ticket gasket order_by:created sort:asc") == [beside, twice, titled]
    assert found(desk, "type:ticket gasket -subject:leak") == [titled, beside]
    assert found(desk, "type:ticket gasket leaks") == [twice]


def test_without_text_results_are_sorted_by_update_time(busy: Desk) -> None:
    newest = sorted(range(1, 5), key=lambda number: (busy.ticket(number).updated_at, number), reverse=True)
    assert found(busy, "type:ticket status<closed") == newest


def test_a_ticket_id_ranks_above_tickets_that_mention_it(desk: Desk) -> None:
    first = desk.asks()
    other = desk.asks("About 1 and 1 and 1", "See 1")
    assert found(desk, f"type:ticket {first}") == [first, other]


def test_users_and_organizations_are_ranked_too(desk: Desk) -> None:
    for name, notes in (
        ("Vera Long", "once met Kim, " + "and then much more " * 20),
        ("Kim Kim", "Kim"),
        ("Kim Ono", ""),
    ):
        body = {"name": name, "email": f"{name.split()[0].lower()}{len(notes)}@example.net", "notes": notes}
        desk.post("users.json", {"user": body})
    names = [one["name"] for one in desk.get("search.json", query="type:user kim")["results"]]
    assert names[0] == "Kim Kim"
    assert names[-1] == "Vera Long"
    assert desk.get("search/count.json", query="type:user kim")["count"] == 3


# --- odd queries


@pytest.mark.parametrize("query", ["status<>open", "created<>2026-01-01", "created:<=", "created<", "type:", "-", '-"'])
def test_odd_operators_are_accepted(desk: Desk, query: str) -> None:
    assert desk.call("GET", "search.json", query=query).status == 200


def test_users_are_found_by_keyword_and_text_combined(desk: Desk) -> None:
    assert [one["email"] for one in desk.get("search.json", query="type:user user:mara voss")["results"]] == [MARA]


def test_a_type_named_twice_is_searched_once(busy: Desk) -> None:
    assert found(busy, "type:ticket type:tickets leaks") == [1]


def test_the_longest_queries_are_answered_or_refused(busy: Desk) -> None:
    assert found(busy, "type:ticket " + "leaks " * 63) == [1]
    assert found(busy, "type:ticket " + "1 " * 63) == [1]
    assert found(busy, f'type:ticket tags:"{"aria " * 63}"') == [1]
    for long in ("leaks " * 65, "x" * 4_001, f'"{"leaks " * 65}"'):
        for path in ("search.json", "search/count.json", "users/search.json"):
            reply = busy.call("GET", path, query=long)
            assert (reply.status, reply.json()["error"]) == (422, "invalid")


TERMS = st.sampled_from(
    ["leak", "status", "created", "tags", "user", "2", "#1", "me", "none", "today", ":", "<", ">=", "-", '"', " ", "*"]
)


@settings(max_examples=150)
@given(st.lists(TERMS, max_size=12).map("".join))
def test_no_mix_of_keywords_and_signs_makes_search_fail(query: str) -> None:
    assert DESK.call("GET", "search.json", query=query).status == 200
