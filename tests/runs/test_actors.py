"""Who the agent of a run can be: seats of its scenario and holders of tokens it was shown, through its own doors."""

from typing import Any

import pytest
from msgspec.structs import replace

from diorama.episodes.episode import Episode, start
from diorama.kernel import Actor, Event, Request
from diorama.kit.wire import json_encode
from diorama.runs.actors import NeverWritten, check_actor, check_door, check_request

ME = "/api/v2/users/me.json"


@pytest.fixture(scope="module")
def episode() -> Episode:
    return start("zendesk/late-refund", 0)


def sent(episode: Episode, path: str = ME, **headers: str) -> Event:
    episode.http("zendesk", "GET", path, headers=headers)
    return episode.events[-1]


def minted(episode: Episode) -> str:
    """Let an administrator of the desk make a token."""
    (boss, *_) = episode.http("zendesk", "GET", "/api/v2/users.json?role=admin").json()["users"]

    def post(path: str, body: object) -> dict[str, dict[str, str]]:
        heads = {"content-type": "application/json"}
        request = Request("POST", path, "", heads, json_encode(body))
        made: dict[str, dict[str, str]] = episode.request(
            "zendesk", request, "python", Actor("agent", boss["email"])
        ).json()
        return made

    client = post("/api/v2/oauth/clients.json", {"client": {"name": "Reports", "identifier": "reports-1"}})["client"]
    asked = {"token": {"client_id": client["id"], "scopes": ["read"]}}
    return post("/api/v2/oauth/tokens.json", asked)["token"]["full_token"]


def test_the_agents_own_seat_is_accepted(episode: Episode) -> None:
    event = sent(episode)
    check_actor(episode, event, [])
    check_actor(episode, event, [], "", "")
    check_door(event, "python")
    check_request(episode.app("zendesk"), event)


@pytest.mark.parametrize("actor", ["system:backoffice", "agent:someone@else.example", "staff:boss@larkspur.coffee"])
def test_anyone_else_is_refused(actor: str, episode: Episode) -> None:
    event = replace(sent(episode), actor=actor)
    for seat in (None, ""):
        with pytest.raises(NeverWritten, match="cannot act as"):
            check_actor(episode, event, [], seat)


@pytest.mark.parametrize("door", ["http", "paced", "input", "browser", "mcp", "tools"])
def test_doors_of_a_server_are_refused(door: str, episode: Episode) -> None:
    with pytest.raises(NeverWritten, match="through the door"):
        check_door(replace(sent(episode), door=door), "python")


@pytest.mark.parametrize(
    "changed",
    [
        {"headers": {"X-Upper": "1"}},
        {"headers": {}, "body": b"{}"},
        {"headers": {"content-type": "application/json"}, "body": b"x" * 30_000_000},
        {"path": "/" + "a" * 300_000},
    ],
)
def test_a_request_that_no_door_sends_is_refused(changed: dict[str, Any], episode: Episode) -> None:
    event = sent(episode)
    with pytest.raises(NeverWritten, match="recorded like this"):
        check_request(episode.app("zendesk"), replace(event, request=event.request | changed))


def test_a_token_counts_only_if_the_agent_was_shown_it(episode: Episode) -> None:
    token = minted(episode)
    event = sent(episode, authorization=f"Bearer {token}")
    assert event.actor != sent(episode).actor
    check_actor(episode, event, [b"nothing", f'{{"full_token": "{token}"}}'.encode()], "")
    with pytest.raises(NeverWritten, match="cannot act as"):
        check_actor(episode, event, [b"nothing"], "")
    header = episode.app("zendesk").product.grants.header  # type: ignore[union-attr] # it mints tokens
    spoofed = replace(sent(episode), request={**sent(episode).request, "headers": {header: "1"}})
    with pytest.raises(NeverWritten, match="cannot act as"):
        check_actor(episode, spoofed, [token.encode()], "")
