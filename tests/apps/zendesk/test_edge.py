"""The edge of Zendesk: the headers of recorded replies, in the world's time, on every reply through every door."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest

from diorama.apps.zendesk.edge import CloudflareEdge, ray_id
from diorama.apps.zendesk.schema import APP as PRODUCT
from diorama.doors.credentials import Credentials
from diorama.doors.http import Door, ask
from diorama.kernel import Reply, Request, to_us
from diorama.kit import Credential
from tests.apps.zendesk.desk import ANA, Desk
from tests.doors.notes import WorldSession

EDGE = CloudflareEdge()
RECORDED = [  # node-zendesk, test/fixtures/organizations_test_update_organization.json, October 2023
    "Date", "Content-Type", "x-zendesk-api-version", "x-zendesk-application-version", "x-frame-options",
    "x-rate-limit", "ratelimit-limit", "x-rate-limit-remaining", "ratelimit-remaining", "ratelimit-reset",
    "strict-transport-security", "etag", "cache-control", "x-zendesk-origin-server", "x-request-id", "X-Request-ID",
    "x-runtime", "X-Zendesk-Zorg", "CF-Cache-Status", "Server", "CF-RAY",
]  # fmt: skip
"""Without Report-To, NEL and cookies. The recorder spelled `ratelimit-*` differently; the documentation has this:

https://developer.zendesk.com/documentation/api-basics/best-practices/best-practices-for-avoiding-rate-limiting
"""


class Agent(WorldSession):
    def __init__(self, desk: Desk) -> None:
        app = desk.world.company.app("zendesk")
        super().__init__(desk.world, app)  # type: ignore[arg-type] # the company's app is one of the kit
        self.login = ANA


def through_the_door(desk: Desk, path: str, secret: str = "tok-1", method: str = "GET") -> Reply:
    session = Agent(desk)
    credentials = Credentials()
    credentials.add("zendesk", "tok-1", session)
    request = PRODUCT.auth.write(Request(method, path), Credential(ANA, secret))
    return ask(Door(PRODUCT, credentials), request)


def names(lines: tuple[str, str] | None) -> list[str]:
    assert lines is not None
    return [line.partition(":")[0] for line in "".join(lines).split("\r\n") if line]


def test_a_reply_has_the_recorded_headers_in_their_order(desk: Desk) -> None:
    number = desk.asks()
    reply = desk.call("GET", f"tickets/{number}.json")
    now_us = desk.world.hot.now
    made = EDGE.headers(reply, now_us)
    assert list(made) == RECORDED
    assert names(EDGE.lines(reply, now_us)) == RECORDED
    assert "".join(EDGE.lines(reply, now_us) or ()) == "".join(f"{name}: {value}\r\n" for name, value in made.items())
    assert made["CF-RAY"] == made["x-request-id"] == made["X-Request-ID"]
    assert made["x-zendesk-origin-server"].startswith("classic-app-server-")
    assert made["cache-control"] == "max-age=0, private, must-revalidate"


@pytest.mark.parametrize(
    ("second", "ray"),
    [(1696787931, "8130463c0b3a08be"), (1695428177, "80ae9918ce8c30a1"), (1634604863, "6a0608ecafe1eeda")],
)
def test_ray_ids_contain_the_time_as_recorded_ones_do(second: int, ray: str) -> None:
    made = ray_id(second * 1_000_000, int(ray, 16))
    assert made.endswith("-FRA")
    assert abs((int(made[:16], 16) >> 28) - (int(ray, 16) >> 28)) < 100  # hundredths of a second
    assert made[9:16] == ray[9:]


def test_ray_ids_differ_and_are_the_same_in_a_replay(desk: Desk) -> None:
    seen = [desk.call("GET", path).headers["x-request-id"] for path in ("tickets.json", "users.json", "users.json")]
    assert len(set(seen)) == 3
    twin = Desk()
    assert [twin.call("GET", path).headers["x-request-id"] for path in ("tickets.json", "users.json")] == seen[:2]


@pytest.mark.parametrize(
    ("path", "secret", "status"),
    [
        ("/api/v2/users/me.json", "tok-1", 200),
        ("/api/v2/tickets/404.json", "tok-1", 404),
        ("/api/v2/nothing", "tok-1", 404),
        ("/api/v2/users/me.json", "wrong", 401),
        ("/api/v2/help_center/en-us/articles.json", "tok-1", 200),
    ],
)
def test_every_reply_shows_the_world_time_and_the_edge(desk: Desk, path: str, secret: str, status: int) -> None:
    reply = through_the_door(desk, path, secret)
    assert reply.status == status
    shown = parsedate_to_datetime(reply.headers["date"])
    assert abs((shown - desk.world.now).total_seconds()) <= 1
    assert reply.headers["server"] == "cloudflare"
    assert reply.headers["cf-ray"] == reply.headers["x-request-id"]
    assert reply.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    assert ("etag" in reply.headers) == (status == 200)
    assert reply.headers["cache-control"] == ("max-age=0, private, must-revalidate" if status == 200 else "no-cache")


def test_two_refusals_outside_any_world_have_two_ids(desk: Desk) -> None:
    session, credentials = Agent(desk), Credentials()
    credentials.add("zendesk", "tok-1", session)
    door = Door(PRODUCT, credentials)
    request = PRODUCT.auth.write(Request("GET", "/api/v2/users/me.json"), Credential(ANA, "wrong"))
    assert ask(door, request).headers["cf-ray"] != ask(door, request).headers["cf-ray"]


def test_the_application_version_grows_as_recorded() -> None:
    def version(day: datetime) -> int:
        return int(EDGE.headers(Reply(200, {}), to_us(day))["x-zendesk-application-version"][1:])

    assert version(datetime(2023, 9, 23, 0, 16, 17, tzinfo=UTC)) == 18457
    assert abs(version(datetime(2023, 10, 8, 17, 58, tzinfo=UTC)) - 18586) < 70


def test_a_gateway_error_comes_from_the_edge_alone() -> None:
    made = EDGE.headers(Reply(504, {"content-type": "text/html"}, b"", "timeout"), 1_772_440_659_000_000)
    assert made["Server"] == "cloudflare"
    assert not any(name.lower().startswith("x-zendesk") for name in made)


def test_what_is_not_http_gets_the_page_of_the_edge() -> None:
    headers, body = EDGE.unreadable(400, "Bad Request", 1_772_440_659_000_000)
    assert headers["CF-RAY"] == "-"
    assert b"<hr><center>cloudflare</center>" in body
