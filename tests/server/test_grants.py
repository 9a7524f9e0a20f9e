"""Tokens created in a world work at its door, give no access to other episodes, and stop when revoked."""

import asyncio
import json
from typing import Any

import pytest

from diorama.apps.zendesk.rules import oauth
from diorama.apps.zendesk.schema import OAuthClient, OAuthToken, User
from diorama.apps.zendesk.schema.app import GRANTS
from diorama.doors.http import Door, ask
from diorama.kernel import Request, Tx
from diorama.kit.tokens import MARK
from diorama.server.control import ForkRequest, StartRequest
from diorama.server.host import LocalHost

SCENARIO = "zendesk/late-refund"
INSIDE = 48


def outside(inside: str, mark: str) -> str:
    """Return a token as clients of the episode with this mark see it."""
    return GRANTS.tokens.outward(inside.encode(), mark).decode()


class Server:
    """One process with a door for the desk."""

    def __init__(self) -> None:
        self.host = LocalHost({"zendesk": "http://127.0.0.1:1"})
        self.one = asyncio.run(self.host.start(StartRequest(scenario=SCENARIO, seed=3)))
        self.door = Door(self.live(self.one).episode.app("zendesk").product, self.host.credentials)

    def live(self, started: Any) -> Any:
        return self.host._live[started["id"]]

    def send(
        self, method: str, path: str, authorization: str = "", body: Any = None, **headers: str
    ) -> tuple[int, Any]:
        """Send one request to the door; return status and body."""
        data = b"" if body is None else json.dumps(body).encode()
        shown = {name.replace("_", "-"): value for name, value in headers.items()}
        shown |= {"authorization": authorization} if authorization else {}
        reply = ask(self.door, Request(method, path, "", {"content-type": "application/json", **shown}, data))
        return reply.status, json.loads(reply.body or b"null")

    def boss(self, started: Any) -> str:
        """Return the credentials of an administrator of this world, in the form that a door accepts."""
        live = self.live(started)

        def give(tx: Tx) -> str:
            admin = tx.first(User, "role = 'admin'")
            client = tx.first(OAuthClient)
            assert admin is not None
            assert client is not None
            return oauth.give(tx, client, admin.id, ["read", "write"]).token

        return outside(live.episode.world.do(give, "staff:stage"), live.mark)


@pytest.fixture(scope="module")
def server() -> Server:
    return Server()


def test_a_token_granted_over_http_works_until_it_is_revoked(server: Server) -> None:
    boss = f"Bearer {server.boss(server.one)}"
    body = {"client": {"name": "Reports", "identifier": "reports-1"}}
    status, made = server.send("POST", "/api/v2/oauth/clients.json", boss, body)
    assert (status, len(made["client"]["secret"])) == (201, INSIDE + MARK)
    asked = {"token": {"client_id": made["client"]["id"], "scopes": ["read"]}}
    status, token = server.send("POST", "/api/v2/oauth/tokens.json", boss, asked)
    bearer = f"Bearer {token['token']['full_token']}"
    assert (status, len(token["token"]["full_token"])) == (201, INSIDE + MARK)
    assert server.send("GET", "/api/v2/users/me.json", bearer)[1]["user"]["role"] == "admin"
    status, current = server.send("GET", "/api/v2/oauth/tokens/current.json", bearer)
    assert current["token"]["id"] == token["token"]["id"]
    assert server.send("POST", "/api/v2/tickets.json", bearer, {"ticket": {}})[0] == 403
    status, spoofed = server.send("GET", "/api/v2/oauth/tokens/current.json", bearer, x_oauth_token_id="1")
    assert spoofed == current, "only the door says which token was shown"
    assert server.send("DELETE", f"/api/v2/oauth/tokens/{token['token']['id']}.json", boss)[0] == 204
    status, refused = server.send("GET", "/api/v2/users/me.json", bearer)
    assert (status, refused["error"]) == (401, "invalid_token")


def test_a_client_secret_gets_a_token(server: Server) -> None:
    boss = f"Bearer {server.boss(server.one)}"
    body = {"client": {"name": "Reports", "identifier": "reports-2"}}
    secret = server.send("POST", "/api/v2/oauth/clients.json", boss, body)[1]["client"]["secret"]
    asked = {"grant_type": "client_credentials", "client_id": "reports-2", "client_secret": secret, "scope": "read"}
    status, token = server.send("POST", "/oauth/tokens", "", asked)
    assert status == 201
    assert server.send("GET", "/api/v2/users/me.json", f"Bearer {token['access_token']}")[0] == 200
    status, refused = server.send("POST", "/oauth/tokens", "", {**asked, "client_secret": "0" * 64})
    assert (status, refused) == (401, {"error": "Couldn't authenticate you"}), "no secret leads to no world"
    assert server.send("GET", "/api/v2/users/me.json", "", asked)[0] == 401, "nobody reads without a token"


def test_a_fork_shares_no_token_with_its_parent(server: Server) -> None:
    inside = server.boss(server.one)[:INSIDE]  # the rest is the mark, masked
    twin = asyncio.run(server.host.fork(server.one["id"], ForkRequest()))
    live, other = server.live(server.one), server.live(twin)
    assert live.mark != other.mark
    for mark, events in ((live.mark, live.episode.world.events), (other.mark, other.episode.world.events)):
        before = len(events)
        assert server.send("GET", "/api/v2/users/me.json", f"Bearer {outside(inside, mark)}")[0] == 200
        asked = [event for event in events[before:] if event.operation == "show_current_user"]
        assert len(asked) == 1, "each token leads to its own world"
    other.episode.world.do(lambda tx: tx.remove(tx.first(OAuthToken, "token = ?", inside)), "staff:stage")
    assert server.send("GET", "/api/v2/users/me.json", f"Bearer {outside(inside, other.mark)}")[0] == 401
    assert server.send("GET", "/api/v2/users/me.json", f"Bearer {outside(inside, live.mark)}")[0] == 200
    asyncio.run(server.host.delete(twin["id"]))
    status, told = server.send("GET", "/api/v2/users/me.json", f"Bearer {outside(inside, other.mark)}")
    assert (status, told["error"]) == (403, "episode_ended")


def test_no_secret_is_in_the_log_and_tokens_replay(server: Server) -> None:
    live = server.live(server.one)
    inside = server.boss(server.one)[:INSIDE]  # the rest is the mark, masked
    reply = live.episode.http("zendesk", "GET", "/api/v2/users/me.json", headers={"Authorization": f"Bearer {inside}"})
    assert reply.json()["user"]["role"] == "admin"
    event = live.episode.world.events[-1]
    assert event.request["headers"] == {"x-oauth-token-id": event.request["headers"]["x-oauth-token-id"]}
    assert inside not in json.dumps(event.request)
    mine = live.episode.http("zendesk", "GET", "/api/v2/users/me.json", headers={"x-oauth-token-id": "1"})
    assert mine.json()["user"]["email"] == live.episode.scenario.person
