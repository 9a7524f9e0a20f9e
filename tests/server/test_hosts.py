"""Hosts: each host of an app has its own port, origin and true name, and the world records which one was requested."""

from typing import Any

import httpx
import pytest

from tests.doors.depot import API, FILES
from tests.doors.serving import Server
from tests.server.browsing import bearer, browser


def start(server: Server, scenario: str = "depot/store") -> tuple[dict[str, Any], dict[str, Any], dict[str, str]]:
    """Start an episode; return it, its depot's hosts by alias, and the headers of its agent."""
    opened = server.start(scenario)
    depot = opened["apps"]["depot"]
    return opened, {host["role"]: host for host in depot["hosts"]}, bearer(depot["credentials"]["bot_token"])


def host_of(server: Server, opened: dict[str, Any]) -> str:
    """Return the host that the last request recorded."""
    request = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"][-1]["request"]
    return str(request.get("host", ""))


def test_every_role_has_its_own_port_and_the_reply_lists_them(server: Server) -> None:
    opened, hosts, _ = start(server)
    assert [hosts[role]["host"] for role in ("", "files", "buckets")] == [API, FILES, "{bucket}.store.depot.example"]
    assert len({host["base_url"] for host in hosts.values()}) == 3
    assert opened["apps"]["depot"]["base_url"] == hosts[""]["base_url"]
    listed = {row["name"]: row["base_url"] for row in server.control.get("/v1/apps").json()["apps"]}
    assert listed["depot.files"] == hosts["files"]["base_url"]


@pytest.mark.parametrize(
    ("role", "asked", "recorded"),
    [
        ("", "", ""),
        ("", API, ""),
        ("files", API, ""),
        ("files", "", FILES),
        ("", FILES, FILES),
        ("files", "unknown.example", FILES),
        ("buckets", "b1.store.depot.example", "b1.store.depot.example"),
        ("buckets", "B1.Store.Depot.Example:443", "b1.store.depot.example"),
        ("buckets", "", "store.depot.example"),
    ],
)
def test_the_world_records_the_requested_host(server: Server, role: str, asked: str, recorded: str) -> None:
    opened, hosts, headers = start(server)
    more = {"host": asked} if asked else {}
    assert httpx.get(f"{hosts[role]['base_url']}/me", headers={**headers, **more}).status_code == 200
    assert host_of(server, opened) == recorded


def test_an_origin_contains_the_role_and_the_label(server: Server) -> None:
    opened, hosts, headers = start(server)
    with browser(headers=headers) as client:
        for url, recorded in (
            (hosts["files"]["origin"], FILES),
            (hosts["buckets"]["origin"].replace("{bucket}", "b1"), "b1.store.depot.example"),
            (hosts["buckets"]["origin"].replace("{bucket}", "a.b2"), "a.b2.store.depot.example"),
        ):
            assert client.get(f"{url}/me").status_code == 200
            assert host_of(server, opened) == recorded


def test_an_app_with_one_host_records_none(server: Server) -> None:
    opened = server.start("notes/write")
    notes = opened["apps"]["notes"]
    auth = (f"{notes['credentials']['email']}/token", notes["credentials"]["token"])
    for headers in ({}, {"host": "acme.notes.example"}, {"host": "elsewhere.example"}):
        assert httpx.get(f"{notes['base_url']}/notes/1", auth=auth, headers=headers).status_code == 200
        assert host_of(server, opened) == ""


def test_compressed_and_other_bodies_are_not_rewritten(server: Server) -> None:
    _, hosts, headers = start(server)
    url, here = f"https://{API}/me", f"{hosts['']['base_url']}/me"

    def text(kind: str) -> str:
        with httpx.stream("GET", f"{hosts['']['base_url']}/document", params={"kind": kind}, headers=headers) as reply:
            return b"".join(reply.iter_raw()).decode()

    assert text("text/plain") == f'{{"u":"{url}"}}'
    assert text("application/gzip") == f'"{url}"'
    assert text("packed") == f'{{"u":"{url}"}}'
    assert text("application/json") == f'{{"u":"{here}"}}'
    assert text("application/xml") == f'<r at="{here}"><u>{here}</u><t>see {url}</t></r>'
    link = httpx.get(f"{hosts['']['base_url']}/document", headers=headers).headers["link"]
    assert link == f'<{here}?page=2>; rel="next", <https://other.example/>; rel="up"'
