"""The community, content tags and the unified search of the Help Center, and what anonymous callers may do."""

from typing import Any

import msgspec
import pytest

from diorama.apps.zendesk.schema import User
from diorama.kernel import ANONYMOUS, Reply, Request
from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk

BOARD = "community"


def strange(desk: Desk, method: str, path: str, body: Any = None, query: str = "") -> Reply:
    """Send a request without credentials."""
    data = b"" if body is None else msgspec.json.encode(body)
    headers = {"content-type": "application/json"} if data else {}
    return desk.send(Request(method, f"/api/v2/{path}", query, headers, data), ANONYMOUS)


def topic(desk: Desk, **more: Any) -> Any:
    return desk.post(f"{BOARD}/topics.json", {"topic": {"name": "Machines", **more}})["topic"]


def post(desk: Desk, topic_id: int, by: str = MARA, **more: Any) -> Any:
    body = {"title": "It leaks", "details": "<p>All day</p>", "topic_id": topic_id, **more}
    return desk.post(f"{BOARD}/posts.json", {"post": body}, by)["post"]


# --- api-reference/help_center/help-center-api/topics


def test_topics_are_made_by_administrators_and_read_by_all(desk: Desk) -> None:
    made = topic(desk, description="All about them", manageable_by="staff")
    assert made["url"].endswith(f"/api/v2/community/topics/{made['id']}.json")
    assert made["html_url"].endswith(f"/community/topics/{made['id']}-Machines")
    assert made["manageable_by"] == "staff"
    [shown] = strange(desk, "GET", f"{BOARD}/topics.json").json()["topics"]
    assert (shown["id"], "manageable_by" in shown) == (made["id"], False), "only those who manage it see who may"
    assert desk.call("POST", f"{BOARD}/topics.json", {"topic": {"name": "Mine"}}, MARA).status == 403
    assert desk.call("POST", f"{BOARD}/topics.json", {"topic": {"name": " "}}).status == 422
    assert desk.call("POST", f"{BOARD}/topics.json", {"topic": {"name": "x", "manageable_by": "me"}}).status == 422
    assert desk.put(f"{BOARD}/topics/{made['id']}.json", {"topic": {"name": "Tools"}})["topic"]["name"] == "Tools"


def test_a_topic_for_some_is_hidden_from_others(desk: Desk) -> None:
    segments = {one["user_type"]: one["id"] for one in desk.get("help_center/user_segments.json")["user_segments"]}
    staff = topic(desk, name="Inside", user_segment_id=segments["staff"])
    known = topic(desk, name="Customers", user_segment_id=segments["signed_in_users"])
    hidden = post(desk, staff["id"], ADA)
    assert desk.get(f"{BOARD}/topics.json", MARA)["count"] == 1
    assert strange(desk, "GET", f"{BOARD}/topics/{known['id']}.json").status == 404
    assert desk.call("GET", f"{BOARD}/posts/{hidden['id']}.json", by=MARA).status == 404
    assert desk.get(f"{BOARD}/posts.json", MARA)["posts"] == []
    assert desk.call("POST", f"{BOARD}/posts/{hidden['id']}/up.json", {}, MARA).status == 404
    body = {"post": {"title": "x", "topic_id": staff["id"]}}
    assert desk.call("POST", f"{BOARD}/posts.json", body, MARA).status == 404


# --- api-reference/help_center/help-center-api/posts and post_comments


def test_a_post_is_written_read_and_answered(desk: Desk) -> None:
    made = post(desk, topic(desk)["id"], details="<p>See https://a.example</p><script>x</script>")
    assert made["author_id"] == desk.user(MARA).id
    assert "<script>" not in made["details"]
    assert '<a href="https://a.example"' in made["details"]
    path = f"{BOARD}/posts/{made['id']}"
    assert strange(desk, "GET", f"{path}.json").json()["post"] == made
    assert desk.call("PUT", f"{path}.json", {"post": {"pinned": True}}, MARA).status == 403
    assert desk.call("PUT", f"{path}.json", {"post": {"title": "Mine"}}, OLEG).status == 403
    desk.waits(minutes=1)
    comment = desk.post(f"{path}/comments.json", {"comment": {"body": "Try <b>this</b>", "official": True}}, ANA)
    assert comment["comment"]["official"] is True
    assert desk.call("POST", f"{path}/comments.json", {"comment": {"body": "x", "official": True}}, OLEG).status == 403
    changed = desk.put(f"{path}.json", {"post": {"status": "answered", "closed": True, "title": "Leaks"}}, ANA)["post"]
    assert (changed["status"], changed["closed"], changed["comment_count"]) == ("answered", True, 1)
    assert changed["non_author_editor_id"] == desk.user(ANA).id
    assert desk.call("POST", f"{path}/comments.json", {"comment": {"body": "Late"}}, OLEG).status == 422
    listed = strange(desk, "GET", f"{path}/comments.json").json()
    assert [one["id"] for one in listed["comments"]] == [comment["comment"]["id"]]
    assert strange(desk, "POST", f"{path}/comments.json", {"comment": {"body": "x"}}).status == 401
    desk.delete(f"{path}/comments/{comment['comment']['id']}.json", ANA)
    assert desk.get(f"{path}.json")["post"]["comment_count"] == 0
    desk.delete(f"{path}.json", MARA)
    assert desk.call("GET", f"{path}.json").status == 404


def test_posts_are_listed_filtered_sorted_and_side_loaded(desk: Desk) -> None:
    one, two = topic(desk), topic(desk, name="Beans")
    first = post(desk, one["id"])
    desk.waits(minutes=1)
    second = post(desk, two["id"], OLEG, title="Sour beans")
    desk.put(f"{BOARD}/posts/{first['id']}.json", {"post": {"status": "planned"}})
    desk.post(f"{BOARD}/posts/{first['id']}/up.json", {}, OLEG)
    page = desk.get(f"{BOARD}/posts.json", include="users,topics")
    assert [item["id"] for item in page["posts"]] == [second["id"], first["id"]]
    assert {item["id"] for item in page["users"]} == {desk.user(MARA).id, desk.user(OLEG).id}
    assert {item["id"] for item in page["topics"]} == {one["id"], two["id"]}
    by_votes = desk.get(f"{BOARD}/posts.json", sort_by="votes")["posts"]
    assert by_votes[0]["id"] == first["id"]
    assert [item["id"] for item in desk.get(f"{BOARD}/posts.json", filter_by="planned")["posts"]] == [first["id"]]
    assert desk.call("GET", f"{BOARD}/posts.json", filter_by="lost").status == 400
    assert desk.get(f"{BOARD}/topics/{two['id']}/posts.json")["posts"][0]["id"] == second["id"]
    assert desk.get(f"{BOARD}/users/{desk.user(MARA).id}/posts.json", MARA)["posts"][0]["id"] == first["id"]
    found = strange(desk, "GET", "help_center/community_posts/search.json", query="query=sour").json()["results"]
    assert [(item["id"], item["result_type"]) for item in found] == [(second["id"], "post")]


def test_votes_on_posts_and_comments_count_once(desk: Desk) -> None:
    # item types Post and PostComment are not confirmed; the rest is as on articles
    made = post(desk, topic(desk)["id"])
    path = f"{BOARD}/posts/{made['id']}"
    up = desk.post(f"{path}/up.json", {}, OLEG)["vote"]
    assert (up["item_type"], up["item_id"], up["value"]) == ("Post", made["id"], 1)
    down = desk.post(f"{path}/down.json", {}, OLEG)["vote"]
    assert down["id"] == up["id"]
    shown = desk.get(f"{path}.json")["post"]
    assert (shown["vote_sum"], shown["vote_count"]) == (-1, 1)
    comment = desk.post(f"{path}/comments.json", {"comment": {"body": "Same"}}, OLEG)["comment"]
    vote = desk.post(f"{path}/comments/{comment['id']}/up.json", {}, MARA)["vote"]
    assert vote["item_type"] == "PostComment"
    assert desk.get(f"{path}/comments/{comment['id']}.json")["comment"]["vote_sum"] == 1
    assert len(desk.get(f"{path}/votes.json")["votes"]) == 1
    assert desk.get(f"{path}/votes.json", MARA)["votes"] == [], "customers see their own votes"
    desk.delete(f"help_center/votes/{vote['id']}.json", MARA)
    assert desk.get(f"{path}/comments/{comment['id']}.json")["comment"]["vote_count"] == 0
    assert strange(desk, "POST", f"{path}/up.json", {}).status == 401


# --- api-reference/help_center/help-center-api/content_tags


def tag(desk: Desk, name: str) -> Any:
    return desk.post("guide/content_tags", {"content_tag": {"name": name}}, ANA)["content_tag"]


def test_content_tags_are_created_searched_renamed_and_deleted(desk: Desk) -> None:
    for name in ("feature request", "bug", "feature idea"):
        tag(desk, name)
    page = desk.get("guide/content_tags", MARA, raw={"filter[name_prefix]": "Feat", "sort": "-name"})
    assert [one["name"] for one in page["records"]] == ["feature request", "feature idea"]
    assert page["meta"]["has_more"] is False
    first = desk.get("guide/content_tags", raw={"page[size]": 2})
    rest = desk.get("guide/content_tags", raw={"page[size]": 2, "page[after]": first["meta"]["after_cursor"]})
    assert len(first["records"]) + len(rest["records"]) == 3
    one = first["records"][0]
    assert len(one["id"]) == 26
    body = {"content_tag": {"name": "request"}}
    assert desk.put(f"guide/content_tags/{one['id']}", body)["content_tag"]["name"] == "request"
    assert desk.call("PUT", f"guide/content_tags/{one['id']}", body, ANA).status == 403
    assert desk.call("POST", "guide/content_tags", {"content_tag": {"name": "BUG"}}, ANA).status == 422
    assert desk.call("POST", "guide/content_tags", {"content_tag": {"name": "x" * 256}}, ANA).status == 422
    assert desk.call("POST", "guide/content_tags", {"content_tag": {"name": "mine"}}, MARA).status == 403
    made = post(desk, topic(desk)["id"], content_tag_ids=[one["id"]])
    assert made["content_tag_ids"] == [one["id"]]
    desk.delete(f"guide/content_tags/{one['id']}")
    assert desk.get(f"{BOARD}/posts/{made['id']}.json")["post"]["content_tag_ids"] == []
    wrong = {"post": {"title": "x", "topic_id": made["topic_id"], "content_tag_ids": [one["id"]]}}
    assert desk.call("POST", f"{BOARD}/posts.json", wrong, MARA).status == 422


# --- api-reference/help_center/help-center-api/search, "Unified Search"


def article(desk: Desk, title: str, **more: Any) -> Any:
    category = desk.post("help_center/categories.json", {"category": {"locale": "en-us", "name": "C"}})["category"]
    path = f"help_center/categories/{category['id']}/sections.json"
    section = desk.post(path, {"section": {"locale": "en-us", "name": "S"}})["section"]
    body = {"title": title, "body": "Turn the valve.", "locale": "en-us", "draft": False, **more}
    return desk.post(f"help_center/sections/{section['id']}/articles.json", {"article": body})["article"]


def test_the_unified_search_finds_articles_and_posts(desk: Desk) -> None:
    marked = tag(desk, "valves")
    page = article(desk, "Leaking valves", content_tag_ids=[marked["id"]])
    talk = post(desk, topic(desk)["id"], title="Leaking again")
    found = desk.get("guide/search", MARA, raw={"filter[locales]": "en-us"}, query="leaking")
    assert [(one["type"], one["id"]) for one in found["results"]] == [("ARTICLE", page["id"]), ("POST", talk["id"])]
    assert found["meta"]["has_more"] is False

    def ids(query: str = "leaking", **filters: Any) -> list[int]:
        raw = {"filter[locales]": "en-us", **{f"filter[{name}]": value for name, value in filters.items()}}
        return [one["id"] for one in desk.get("guide/search", MARA, raw=raw, query=query)["results"]]

    assert ids(content_types="POST") == ids(topic_ids=talk["topic_id"]) == [talk["id"]]
    assert ids(section_ids=page["section_id"]) == ids(content_tag_ids=marked["id"]) == [page["id"]]
    assert page["id"] in ids(query="")
    assert ids(locales="xx") == ids(external_source_ids="01EC05A5T1J4ZSDJX4Q8JGFRHP") == []
    first = desk.get("guide/search", MARA, raw={"filter[locales]": "en-us", "page[size]": 1}, query="leaking")
    assert first["meta"]["has_more"] is True
    raw = {"filter[locales]": "en-us", "page[size]": 1, "page[after]": first["meta"]["after_cursor"]}
    assert desk.get("guide/search", MARA, raw=raw, query="leaking")["results"][0]["id"] == talk["id"]
    assert desk.call("GET", "guide/search", by=MARA, query="leaking").status == 400
    assert strange(desk, "GET", "guide/search", query="filter%5Blocales%5D=en-us").status == 401


# --- api-reference/ticketing/tickets/ticket-requests, "Create Request": anonymous users


def test_an_anonymous_request_names_its_requester(desk: Desk) -> None:
    body = {"subject": "Help", "comment": {"body": "Please"}}
    named = {**body, "requester": {"name": "Kim", "email": "kim@example.net"}}
    reply = strange(desk, "POST", "requests.json", {"request": named})
    assert reply.status == 201
    made = reply.json()["request"]
    user = desk.read(lambda tx: tx.get(User, made["requester_id"]))
    assert (user.name, user.email, user.verified) == ("Kim", "kim@example.net", False)
    again = strange(desk, "POST", "requests.json", {"request": named}).json()["request"]
    assert again["requester_id"] == user.id
    assert desk.comments(made["id"])[0].author_id == user.id


@pytest.mark.parametrize(
    ("requester", "status"),
    [(None, 422), ({"email": "kim@example.net"}, 422), ({"name": "Kim"}, 422), ({"name": "Ana", "email": ANA}, 403)],
)
def test_an_anonymous_request_needs_a_customer(desk: Desk, requester: Any, status: int) -> None:
    body = {"subject": "Help", "comment": {"body": "Please"}, **({"requester": requester} if requester else {})}
    assert strange(desk, "POST", "requests.json", {"request": body}).status == status
    assert strange(desk, "GET", "requests.json").status == 401, "only creation is open"
