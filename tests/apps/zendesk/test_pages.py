"""Pages: what visitors, customers and agents see is the state that the API shows at the same moment."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest

from diorama.kernel import Actor, Reply, Request
from diorama.kernel.wire import ANONYMOUS
from tests.apps.zendesk.desk import ADA, ANA, MARA, OLEG, Desk

FORM = {"content-type": "application/x-www-form-urlencoded"}


def opens(desk: Desk, path: str, by: str = "", **query: str) -> Reply:
    """Open a page; empty means anonymous."""
    kind = "persona" if by.endswith((".com", ".org")) else "agent"
    return desk.send(Request("GET", path, urlencode(query)), Actor(kind, by) if by else ANONYMOUS)


def submits(desk: Desk, path: str, fields: dict[str, str], by: str = "") -> Reply:
    actor = Actor("persona", by) if by else ANONYMOUS
    return desk.send(Request("POST", path, "", FORM, urlencode(fields).encode()), actor)


def words(reply: Reply) -> str:
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    return unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", reply.text, flags=re.DOTALL))


class Shelf:
    """A Help Center with one public and one internal article."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.category = self._make("categories", "category", {"name": "Returns & refunds", "description": "Money back"})
        path = f"categories/{self.category['id']}/sections"
        self.section = self._make(path, "section", {"name": "How to return", "description": "Step by step"})
        groups = desk.get("guide/permission_groups.json")["permission_groups"]
        segments = desk.get("help_center/user_segments.json")["user_segments"]
        staff = next(one["id"] for one in segments if one["user_type"] == "staff")
        common = {"permission_group_id": groups[0]["id"], "locale": "en-us"}
        path = f"sections/{self.section['id']}/articles"
        body = "<p>Send it within <b>30 days</b>.</p>"
        self.public = self._make(
            path, "article", {"title": "Thirty days", "body": body, "user_segment_id": None} | common
        )
        inner = {"title": "For agents", "body": "<p>Secret margin</p>", "user_segment_id": staff}
        self.internal = self._make(path, "article", inner | common)

    def _make(self, path: str, noun: str, fields: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = self.desk.post(f"help_center/en-us/{path}.json", {noun: fields})[noun]
        return made


@pytest.fixture
def shelf(desk: Desk) -> Shelf:
    return Shelf(desk)


def path_of(url: str) -> str:
    return "/" + url.partition("://")[2].partition("/")[2]


@pytest.mark.parametrize(
    ("path", "by", "leads_to"),
    [
        ("/", "", "/hc"),
        ("/", MARA, "/hc"),
        ("/", ANA, "/agent"),
        ("/hc", "", "/hc/en-us"),
        ("/agent", "", "/access/unauthenticated?return_to=%2Fagent"),
        ("/agent/tickets/1", "", "/access/unauthenticated?return_to=%2Fagent%2Ftickets%2F1"),
        ("/agent/tickets/1", MARA, "/hc"),
        ("/hc/en-us/requests", "", "/access/unauthenticated?return_to=%2Fhc%2Fen-us%2Frequests"),
        ("/access/unauthenticated", ANA, "/"),
    ],
)
def test_visitors_are_led_where_they_belong(desk: Desk, path: str, by: str, leads_to: str) -> None:
    reply = opens(desk, path, by)
    assert (reply.status, reply.headers["location"]) == (302, leads_to)


def test_the_home_page_shows_the_categories_of_the_api(desk: Desk, shelf: Shelf) -> None:
    reply = opens(desk, "/hc/en-us")
    assert reply.headers["zendesk-service"] == "help-center"
    for category in desk.get("help_center/en-us/categories.json")["categories"]:
        assert category["name"] in words(reply)
        assert f'href="{path_of(category["html_url"])}"' in reply.text
    assert "Sign in" in words(reply)
    assert "Mara Voss" in words(opens(desk, "/hc/en-us", MARA))


def test_category_and_section_pages_list_what_the_visitor_may_read(desk: Desk, shelf: Shelf) -> None:
    for item in (shelf.category, shelf.section):
        page = opens(desk, path_of(item["html_url"]))
        assert item["name"] in words(page)
        assert item["description"] in words(page)
        assert "Thirty days" in words(page)
        assert "For agents" not in words(page)
        assert "For agents" in words(opens(desk, path_of(item["html_url"]), ANA))


def test_an_article_page_shows_body_author_and_date(desk: Desk, shelf: Shelf) -> None:
    page = opens(desk, path_of(shelf.public["html_url"]))
    assert shelf.public["body"] in page.text
    assert "Ada King" in words(page)
    assert f'datetime="{shelf.public["created_at"]}"' in page.text
    desk.put(
        f"help_center/articles/{shelf.public['id']}/translations/en-us.json", {"translation": {"body": "<p>Now 60</p>"}}
    )
    assert "Now 60" in words(opens(desk, path_of(shelf.public["html_url"])))
    desk.post(f"help_center/articles/{shelf.public['id']}/up.json", {}, MARA)
    assert "1 out of 1 found this helpful" in words(opens(desk, path_of(shelf.public["html_url"])))


def test_a_short_address_leads_to_the_full_one(desk: Desk, shelf: Shelf) -> None:
    for kind, item in (("articles", shelf.public), ("sections", shelf.section), ("categories", shelf.category)):
        reply = opens(desk, f"/hc/en-us/{kind}/{item['id']}")
        assert (reply.status, reply.headers["location"]) == (301, path_of(item["html_url"]))


def test_internal_articles_ask_strangers_to_sign_in(desk: Desk, shelf: Shelf) -> None:
    address = path_of(shelf.internal["html_url"])
    assert opens(desk, address).headers["location"].startswith("/access/unauthenticated")
    assert opens(desk, address, MARA).status == 404
    assert "Secret margin" in words(opens(desk, address, ANA))


def test_search_results_are_those_of_the_api(desk: Desk, shelf: Shelf) -> None:
    for by in ("", ANA):
        found = desk.get("help_center/articles/search.json", by or MARA, query="days agents")["results"]
        page = opens(desk, "/hc/en-us/search", by, query="days agents")
        for one in found:
            assert one["title"] in words(page)
            assert path_of(one["html_url"]) in page.text
    assert 'No results for "<zebra>"' in words(opens(desk, "/hc/en-us/search", query="<zebra>"))


@pytest.mark.parametrize(
    "path", ["/hc/en-us/articles/1", "/hc/xx", "/hc/en-us/nothing", "/hc/en-us/sections/abc", "/agent/nothing"]
)
def test_an_address_that_does_not_exist_gets_a_page(desk: Desk, path: str) -> None:
    reply = opens(desk, path, ANA)
    assert reply.status == 404
    assert "The page you were looking for doesn't exist" in words(reply)


def test_the_request_form_files_a_ticket(desk: Desk) -> None:
    form = opens(desk, "/hc/en-us/requests/new")
    assert 'action="/hc/en-us/requests"' in form.text
    assert "Your email address" in words(form)
    assert "Your email address" not in words(opens(desk, "/hc/en-us/requests/new", MARA))
    sent = {
        "request[anonymous_requester_email]": "new.person@example.com",
        "request[subject]": "Broken <grinder>",
        "request[description]": "It does not turn.",
    }
    reply = submits(desk, "/hc/en-us/requests", sent)
    assert (reply.status, reply.headers["location"]) == (302, "/hc/en-us?return_to=%2Fhc%2Frequests")
    assert "successfully submitted" in words(opens(desk, "/hc/en-us", return_to="/hc/requests"))
    [ticket] = desk.get("search.json", query="subject:grinder")["results"]
    assert (ticket["subject"], ticket["via"]["channel"]) == ("Broken <grinder>", "web")
    assert desk.get(f"users/{ticket['requester_id']}.json")["user"]["email"] == "new.person@example.com"
    assert "Broken <grinder>" in words(opens(desk, f"/agent/tickets/{ticket['id']}", ANA))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"request[subject]": ""}, "Subject: cannot be blank"),
        ({"request[description]": " "}, "Description: cannot be blank"),
        ({"request[anonymous_requester_email]": "nobody"}, "Email: is not a valid address"),
        ({"request[anonymous_requester_email]": ADA}, "Please sign in"),
    ],
)
def test_a_form_with_errors_comes_back_with_them(desk: Desk, wrong: dict[str, str], told: str) -> None:
    sent = {
        "request[anonymous_requester_email]": "p@example.com",
        "request[subject]": "S1",
        "request[description]": "Words that I typed",
    }
    before = desk.world.state
    reply = submits(desk, "/hc/en-us/requests", sent | wrong)
    assert (reply.status, desk.world.state) == (422, before)
    assert told in words(reply)
    if "request[description]" not in wrong:
        assert "Words that I typed" in words(reply)


def test_customers_see_their_own_requests_only(desk: Desk) -> None:
    reply = submits(desk, "/hc/en-us/requests", {"request[subject]": "Mine", "request[description]": "Hello"}, MARA)
    address = reply.headers["location"]
    number = int(address.rpartition("/")[2])
    desk.replies(number, "A secret note", public=False)
    desk.replies(number, "A public answer", status="pending")
    page = words(opens(desk, address, MARA))
    assert "A public answer" in page
    assert "Awaiting your reply" in page
    assert "A secret note" not in page
    assert "Mine" in words(opens(desk, "/hc/en-us/requests", MARA))
    assert opens(desk, address, OLEG).status == 404
    assert "Mine" not in words(opens(desk, "/hc/en-us/requests", OLEG))
    assert "A secret note" in words(opens(desk, f"/agent/tickets/{number}", ANA))


def test_agents_see_their_tickets_and_views(desk: Desk) -> None:
    number = desk.asks("A wet floor")
    desk.updates(number, ANA, assignee_id=desk.user(ANA).id)
    assert "A wet floor" in words(opens(desk, "/agent", ANA))
    view = desk.get("views.json")["views"][0]
    listed = desk.get(f"views/{view['id']}/tickets.json", ANA)["tickets"]
    page = opens(desk, f"/agent/filters/{view['id']}", ANA)
    assert view["title"] in words(page)
    assert all(f"#{one['id']}" in words(page) for one in listed)
    assert opens(desk, "/agent/tickets/999999", ANA).status == 404


def test_pages_do_not_count_toward_the_api_limit(desk: Desk) -> None:
    assert "x-rate-limit" not in opens(desk, "/hc/en-us", ANA).headers
    for _ in range(5):
        opens(desk, "/hc/en-us", ANA)
    assert desk.call("GET", "users/me.json").headers["x-rate-limit-remaining"] == "699"


def test_no_password_is_right(desk: Desk) -> None:
    assert 'name="user[password]"' in opens(desk, "/access/unauthenticated").text
    reply = submits(desk, "/access/login", {"user[email]": ADA, "user[password]": "x"})
    assert (reply.status, "did not match" in words(reply)) == (401, True)
    reply = opens(desk, "/access/unauthenticated", ANA, return_to="//evil.example")
    assert reply.headers["location"] == "/"


def test_a_page_escapes_what_people_wrote(desk: Desk) -> None:
    number = desk.asks("<script>alert(1)</script>", "<img src=x onerror=alert(1)>")
    page = opens(desk, f"/agent/tickets/{number}", ANA)
    assert "<script>alert" not in page.text
    assert "<img src=x" not in page.text
