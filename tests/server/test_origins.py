"""Origins: each episode has its own for browsers; no cookie, link or token leads from one to another."""

from typing import Any

import pytest

from tests.doors.notes import ANA
from tests.doors.serving import Server
from tests.server.browsing import bearer, browser


def depot(opened: dict[str, Any]) -> dict[str, Any]:
    app: dict[str, Any] = opened["apps"]["depot"]
    return app


def mark_of(opened: dict[str, Any]) -> str:
    return str(depot(opened)["origin"].removeprefix("http://").partition(".")[0])


def last_event(server: Server, opened: dict[str, Any]) -> Any:
    return server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"][-1]


def test_an_origin_selects_its_episode_without_credentials(server: Server) -> None:
    one, two = server.start("depot/store", 1), server.start("depot/store", 2)
    assert mark_of(one) != mark_of(two)
    assert mark_of(one).isalnum()
    assert mark_of(one) == mark_of(one).lower()
    with browser(depot(one)["origin"]) as client:
        assert client.get("/login").status_code == 200
    assert (last_event(server, one)["operation"], last_event(server, one)["actor"]) == ("login_page", "anonymous:")
    assert last_event(server, two)["operation"] != "login_page"


def test_an_anonymous_client_gets_public_pages_only(server: Server) -> None:
    opened = server.start("depot/store")
    with browser(depot(opened)["origin"]) as client:
        refused = client.get("/me")
        assert (refused.status_code, refused.json()["error"]) == (401, "Who")
        assert client.get("/nowhere").status_code == 404
    with browser(depot(opened)["base_url"]) as client:
        assert client.get("/login").status_code == 401  # a port alone names no episode


@pytest.mark.parametrize("mark", ["0" * 16, "x", "", "zendesk"])
def test_an_unknown_mark_is_refused(server: Server, mark: str) -> None:
    opened = server.start("depot/store")
    origin = depot(opened)["origin"].replace(mark_of(opened), mark).replace("//.", "//")
    before = last_event(server, opened)["seq"]
    with browser(origin) as client:
        refused = client.get("/login")
    assert (refused.status_code, refused.json()["error"]) == (401, "Who")
    assert last_event(server, opened)["seq"] == before


def test_an_app_that_the_scenario_does_not_use_refuses_its_origin(server: Server) -> None:
    used, unused = server.start("depot/store"), server.start("notes/write")
    origin = depot(used)["origin"].replace(mark_of(used), unused["apps"]["notes"]["origin"][7:23])
    with browser(origin) as client:
        assert client.get("/login").status_code == 401
    assert server.show(unused)["status"] == "live"


def test_the_origin_of_a_finished_episode_says_so(server: Server) -> None:
    opened = server.start("depot/store")
    with browser(depot(opened)["origin"]) as client:
        assert client.get("/login").status_code == 200
        server.post(opened, "finish")
        assert client.get("/login").status_code == 403
        server.control.delete(f"/v1/episodes/{opened['id']}")
        assert client.get("/login").status_code == 403


def test_a_credential_of_another_episode_is_a_wrong_token(server: Server) -> None:
    one, two = server.start("depot/store", 1), server.start("depot/store", 2)
    own, foreign = (bearer(depot(opened)["credentials"]["user_token"]) for opened in (one, two))
    for _ in range(2):  # also once the door remembers the credential
        with browser(depot(one)["origin"]) as client:
            assert client.get("/me", headers=own).json()["person"] == ANA
            assert client.get("/me", headers=foreign).status_code == 401
            assert client.get("/login", headers=foreign).status_code == 401
            assert client.get("/login", headers={"authorization": "Bearer wrong"}).status_code == 401
        with browser(depot(one)["base_url"]) as client:
            assert client.get("/me", headers=foreign).status_code == 200


def test_links_in_replies_use_the_requested_origin(server: Server) -> None:
    opened = server.start("depot/store")
    hosts = {host["role"]: host for host in depot(opened)["hosts"]}
    headers = bearer(depot(opened)["credentials"]["bot_token"])
    bucket = hosts["buckets"]["origin"].replace("{bucket}", "b1")
    for start, files in (("origin", hosts["files"]["origin"]), ("base_url", hosts["files"]["base_url"])):
        with browser(depot(opened)[start]) as client:
            shown = client.get("/me", headers=headers).json()
            assert shown["url"] == f"{depot(opened)[start]}/me"
            assert shown["files"] == f"{files}/f/1"
            assert shown["bucket"] == f"{bucket}/key?signature=abc%2Fd"  # a port cannot name a bucket
            assert shown["text"] == "see https://api.depot.example/me for more"
    with browser(depot(opened)["origin"]) as client:
        assert f'href="{hosts["files"]["origin"]}/help"' in client.get("/login").text


def test_a_cookie_belongs_to_one_origin_and_to_no_other_episode(server: Server) -> None:
    one, two = server.start("depot/store", 1), server.start("depot/store", 2)
    with browser(depot(one)["origin"], follow_redirects=True) as client:
        signed_in = client.post("/login", json={"email": "kim@example.com"}, follow_redirects=False)
        cookie = signed_in.headers["set-cookie"]
        assert "domain" not in cookie.lower()
        assert mark_of(one) not in cookie  # which episode it belongs to is masked
        assert signed_in.headers["location"] == f"{depot(one)['origin']}/me"
        assert client.get("/me").json()["person"] == "kim@example.com"
        kept = client.cookies["session"]
        assert client.get(f"{depot(two)['origin']}/me").status_code == 401  # the client sends no cookie there
    for where in (depot(two)["origin"], depot(two)["origin"].replace(mark_of(two), "0" * 16)):
        with browser(where, cookies={"session": kept}) as thief:
            assert thief.get("/me").status_code == 401
    event = last_event(server, one)
    assert (event["actor"], "cookie" in event["request"]["headers"]) == ("agent:kim@example.com", False)
    assert kept not in str(server.control.get(f"/v1/episodes/{one['id']}/events").json())


def test_a_refusal_without_an_episode_names_the_requested_host(server: Server) -> None:
    with browser(server.ready.origins[0]["depot"]) as client:
        refused = client.get("/me")
        named = client.get("/me", headers={"host": "api.depot.example"})
    netloc = server.ready.origins[0]["depot"].removeprefix("http://")
    assert refused.json()["detail"] == f"Sign in at https://{netloc}/login"
    assert named.headers["www-authenticate"] == 'Bearer realm="api.depot.example"'


def test_a_token_in_the_query_does_not_change_who_acts(server: Server) -> None:
    """The header decides: a token of another episode beside it is an unknown parameter, and reaches no other world."""
    one, two = server.start("depot/store", 1), server.start("depot/store", 2)
    own, other = (depot(opened)["credentials"]["user_token"] for opened in (one, two))
    before = last_event(server, two)["seq"]
    with browser(depot(one)["base_url"]) as client:
        plain = client.get("/me", headers=bearer(own))
        seen = client.get("/me", params={"access_token": other}, headers=bearer(own))
    assert (seen.status_code, seen.json()["person"]) == (200, plain.json()["person"])
    assert last_event(server, one)["operation"] == "me"
    with browser(depot(two)["origin"]) as client:
        assert client.get("/me", params={"access_token": other}, headers=bearer(own)).status_code == 401
    assert last_event(server, two)["seq"] == before
