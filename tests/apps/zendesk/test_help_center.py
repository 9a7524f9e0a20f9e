"""The Help Center: sections, articles, languages, readers, and permissions."""

from typing import Any

import pytest

from diorama.kernel import Actor, Request
from tests.apps.zendesk.desk import ANA, APP, MARA, OLEG, Desk


@pytest.fixture
def section(desk: Desk) -> int:
    """Create a section to write articles in."""
    category = desk.post("help_center/categories.json", {"category": {"name": "Orders"}})["category"]
    body = {"section": {"name": "Delivery", "description": "When it comes"}}
    made = desk.post(f"help_center/categories/{category['id']}/sections.json", body)["section"]
    assert made["category_id"] == category["id"]
    return int(made["id"])


def write(desk: Desk, section: int, title: str = "How long?", body: str = "<p>Two days.</p>", **more: Any) -> Any:
    """Show an article."""
    article = {"title": title, "body": body, **more}
    return desk.post(f"help_center/sections/{section}/articles.json", {"article": article}, ANA)["article"]


def segment(desk: Desk, kind: str) -> int:
    """Return the user segment of a kind."""
    found = desk.get("help_center/user_segments.json")["user_segments"]
    return next(int(one["id"]) for one in found if one["user_type"] == kind)


def anonymous(desk: Desk, path: str, query: str = "") -> Any:
    """Send a Help Center request as an anonymous user."""
    return desk.send(Request("GET", f"/api/v2/help_center/{path}", query, {}, b""), Actor("anonymous", ""))


def test_an_article_is_created_read_moved_and_archived(desk: Desk, section: int) -> None:
    made = write(desk, section, label_names=["delivery"], promoted=True)
    assert desk.get(f"help_center/articles/{made['id']}.json", MARA)["article"] == made
    assert made["html_url"].endswith(f"/hc/en-us/articles/{made['id']}-How-long")
    changed = desk.put(f"help_center/articles/{made['id']}.json", {"article": {"promoted": False, "position": 4}}, ANA)
    assert (changed["article"]["promoted"], changed["article"]["position"]) == (False, 4)
    for path in ("articles", f"sections/{section}/articles", "en-us/articles", f"users/{made['author_id']}/articles"):
        found = desk.get(f"help_center/{path}.json")
        assert [one["id"] for one in found["articles"]] == [made["id"]]
        assert (found["page"], found["page_count"], found["count"]) == (1, 1, 1)
    assert desk.get("help_center/articles.json", include="users,sections")["sections"][0]["id"] == section
    desk.delete(f"help_center/articles/{made['id']}.json", ANA)
    assert desk.call("GET", f"help_center/articles/{made['id']}.json").status == 404


def test_sections_are_renamed_and_deleted_with_their_articles(desk: Desk, section: int) -> None:
    made = write(desk, section)
    renamed = desk.put(f"help_center/sections/{section}.json", {"section": {"name": "Parcels"}})["section"]
    assert (
        desk.get(f"help_center/en-us/sections/{section}.json", MARA)["section"]["name"] == renamed["name"] == "Parcels"
    )
    category = renamed["category_id"]
    desk.put(f"help_center/categories/{category}.json", {"category": {"position": 3, "description": "All of it"}})
    shown = desk.get(f"help_center/categories/{category}.json")["category"]
    assert (shown["position"], shown["description"], shown["name"]) == (3, "All of it", "Orders")
    assert desk.get(f"help_center/categories/{category}/articles.json")["count"] == 1
    desk.delete(f"help_center/categories/{category}.json")
    assert desk.get("help_center/sections.json")["count"] == 0
    assert desk.call("GET", f"help_center/articles/{made['id']}.json").status == 404


def test_only_staff_write_articles_and_only_admins_add_sections(desk: Desk, section: int) -> None:
    body = {"article": {"title": "x", "body": "y"}}
    assert desk.call("POST", f"help_center/sections/{section}/articles.json", body, MARA).status == 403
    assert desk.call("POST", "help_center/categories.json", {"category": {"name": "x"}}, ANA).status == 403
    groups = desk.get("guide/permission_groups.json")["permission_groups"]
    locked = next(one["id"] for one in groups if not one["edit"])
    made = write(desk, section, permission_group_id=locked)
    reply = desk.call("PUT", f"help_center/articles/{made['id']}.json", {"article": {"position": 2}}, ANA)
    assert reply.status == 403
    desk.put(f"help_center/articles/{made['id']}.json", {"article": {"position": 2}})


def test_readers_see_only_articles_meant_for_them(desk: Desk, section: int) -> None:
    everybody = write(desk, section, "Public")
    inside = write(desk, section, "Limits of refunds", user_segment_id=segment(desk, "staff"))
    known = write(desk, section, "Wholesale", user_segment_id=segment(desk, "signed_in_users"))
    draft = write(desk, section, "Soon", draft=True)

    def seen(by: str) -> set[int]:
        return {one["id"] for one in desk.get("help_center/articles.json", by)["articles"]}

    assert seen(ANA) == {everybody["id"], inside["id"], known["id"], draft["id"]}
    assert seen(MARA) == {everybody["id"], known["id"]}
    assert {one["id"] for one in anonymous(desk, "articles.json").json()["articles"]} == {everybody["id"]}
    for hidden in (inside, draft):
        assert desk.call("GET", f"help_center/articles/{hidden['id']}.json", None, MARA).status == 404
    assert anonymous(desk, f"articles/{known['id']}.json").status == 404
    assert desk.get("help_center/articles/search.json", MARA, query="refunds")["results"] == []
    assert desk.get("help_center/articles/search.json", ANA, query="refunds")["count"] == 1


def test_articles_have_translations(desk: Desk, section: int) -> None:
    made = write(desk, section)
    path = f"help_center/articles/{made['id']}/translations"
    german = {"translation": {"locale": "de", "title": "Wie lange?", "body": "<p>Zwei Tage.</p>", "draft": True}}
    desk.post(f"{path}.json", german, ANA)
    assert desk.call("POST", f"{path}.json", german, ANA).status == 422
    assert desk.call("GET", f"help_center/de/articles/{made['id']}.json", None, MARA).status == 404
    desk.put(f"{path}/de.json", {"translation": {"draft": False, "outdated": True}}, ANA)
    shown = desk.get(f"help_center/de/articles/{made['id']}.json", MARA)["article"]
    assert (shown["title"], shown["locale"], shown["outdated"]) == ("Wie lange?", "de", True)
    assert shown["outdated_locales"] == ["de"]
    assert {one["locale"] for one in desk.get(f"{path}.json", MARA)["translations"]} == {"de", "en-us"}
    assert "de" not in desk.get(f"{path}/missing.json", ANA)["locales"]
    assert desk.get("help_center/locales.json")["locales"] == ["de", "en-us"]
    desk.waits(minutes=3)
    desk.put(f"{path}/en-us.json", {"translation": {"body": "<p>Three days.</p>"}}, ANA)
    after = desk.get(f"help_center/articles/{made['id']}.json", MARA)["article"]
    assert after["body"] == "<p>Three days.</p>"
    assert after["edited_at"] > made["edited_at"]
    words = desk.get(f"{path}/de.json")["translation"]
    desk.delete(f"help_center/translations/{words['id']}.json", ANA)
    assert desk.call("GET", f"{path}/de.json").status == 404
    source = desk.get(f"{path}/en-us.json")["translation"]["id"]
    assert desk.call("DELETE", f"help_center/translations/{source}.json").status == 422
    french = {"translation": {"locale": "fr", "title": "Combien de temps ?", "outdated": True}}
    assert desk.post(f"{path}.json", french, ANA)["translation"]["outdated"] is True


def test_articles_are_found_by_text_language_and_label(desk: Desk, section: int) -> None:
    first = write(desk, section, "Descaling", "<p>Use the descaler, never vinegar.</p>", label_names=["care"])
    second = write(desk, section, "Refund limits", "<p>Up to 150 EUR.</p>")
    found = anonymous(desk, "articles/search.json", "query=vineg").json()["results"]
    assert [one["id"] for one in found] == [first["id"]]
    assert "<em>vineg</em>" in found[0]["snippet"]
    assert [one["id"] for one in desk.get("help_center/articles/search.json", query="limits pizza")["results"]] == [
        second["id"]
    ]
    assert desk.get("help_center/articles/search.json", query="vinegar", locale="de")["count"] == 0
    assert desk.get("help_center/articles/search.json", query="vinegar", section=1)["count"] == 0
    assert desk.call("GET", "help_center/articles/search.json").status == 400
    assert desk.get("help_center/articles.json", label_names="care")["count"] == 1


def test_labels_are_added_and_removed(desk: Desk, section: int) -> None:
    path = f"help_center/articles/{write(desk, section)['id']}/labels"
    made = desk.post(f"{path}.json", {"label": {"name": "parcels"}}, ANA)["label"]
    assert desk.get(f"{path}.json", MARA)["labels"] == [made]
    assert desk.get("help_center/articles/labels.json")["labels"] == [made]
    assert desk.get(f"help_center/articles/labels/{made['id']}.json")["label"] == made
    desk.delete(f"{path}/{made['id']}.json", ANA)
    assert desk.get(f"{path}.json", MARA)["labels"] == []


def test_a_reader_has_one_vote_and_may_change_it(desk: Desk, section: int) -> None:
    number = write(desk, section)["id"]
    path = f"help_center/articles/{number}"
    desk.post(f"{path}/up.json", {}, MARA)
    desk.post(f"{path}/down.json", {}, OLEG)
    cast = desk.post(f"{path}/down.json", {}, MARA)["vote"]
    shown = desk.get(f"{path}.json")["article"]
    assert (shown["vote_sum"], shown["vote_count"], cast["value"]) == (-2, 2, -1)
    assert desk.get(f"{path}/votes.json")["count"] == 2
    assert desk.call("GET", f"help_center/votes/{cast['id']}.json", None, OLEG).status == 404
    assert desk.get(f"help_center/users/{desk.user(MARA).id}/votes.json")["votes"] == [cast]
    desk.delete(f"help_center/votes/{cast['id']}.json", MARA)
    assert desk.get(f"{path}.json")["article"]["vote_count"] == 1


def test_readers_can_change_only_their_own_comments(desk: Desk, section: int) -> None:
    path = f"help_center/articles/{write(desk, section)['id']}/comments"
    made = desk.post(f"{path}.json", {"comment": {"body": "Not true", "locale": "en-us"}}, MARA)["comment"]
    assert desk.get(f"{path}.json", OLEG)["comments"] == [made]
    assert desk.call("PUT", f"{path}/{made['id']}.json", {"comment": {"body": "x"}}, OLEG).status == 403
    desk.put(f"{path}/{made['id']}.json", {"comment": {"body": "True after all"}}, MARA)
    assert desk.get(f"{path}/{made['id']}.json")["comment"]["body"] == "True after all"
    desk.post(f"{path}/{made['id']}/up.json", {}, OLEG)
    assert desk.get(f"{path}/{made['id']}.json")["comment"]["vote_sum"] == 1
    assert desk.get(f"help_center/users/{desk.user(MARA).id}/comments.json", MARA)["count"] == 1
    desk.delete(f"{path}/{made['id']}.json", ANA)
    assert desk.get(f"{path}.json")["comments"] == []


def test_comments_can_be_closed(desk: Desk, section: int) -> None:
    path = f"help_center/articles/{write(desk, section, comments_disabled=True)['id']}/comments.json"
    assert desk.call("POST", path, {"comment": {"body": "Hm"}}, MARA).status == 422


def test_articles_and_sections_can_be_followed(desk: Desk, section: int) -> None:
    article = write(desk, section)["id"]
    for path in (f"help_center/articles/{article}", f"help_center/sections/{section}"):
        body = {"subscription": {"locale": "en-us", "include_comments": True}}
        made = desk.post(f"{path}/subscriptions.json", body, MARA)["subscription"]
        assert made["include_comments"] is True
        assert desk.get(f"{path}/subscriptions.json", ANA)["subscriptions"] == [made]
        assert desk.get(f"{path}/subscriptions.json", OLEG)["subscriptions"] == []
        desk.delete(f"{path}/subscriptions/{made['id']}.json", MARA)
        assert desk.get(f"{path}/subscriptions.json", MARA)["count"] == 0


def test_changed_articles_are_exported(desk: Desk, section: int) -> None:
    desk.waits(minutes=5)
    start = int(desk.world.now.timestamp()) - 120
    made = write(desk, section)
    desk.waits(minutes=5)
    found = desk.get("help_center/incremental/articles.json", start_time=start)
    assert [one["id"] for one in found["articles"]] == [made["id"]]


def test_an_agent_finds_policies_with_a_tool(desk: Desk, section: int) -> None:
    made = write(desk, section, "Refund limits", "<p>Up to 150 EUR.</p>")
    tool = next(one for one in APP.product.tools if one.name == "zendesk_search_help_center")
    reply = desk.send(APP.request_of(tool.call({"query": "refund limit"})), Actor("agent", ANA))
    assert [(one["id"], one["body"]) for one in reply.json()["results"]] == [(made["id"], "<p>Up to 150 EUR.</p>")]
