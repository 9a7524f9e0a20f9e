"""A turn whose judgement may have much to read is known before it runs, so that a server runs it beside the others."""

from typing import Any

import pytest

from diorama.episodes.agents import act
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start

SMALL = 300
"""Bytes of an ordinary request."""


@pytest.fixture
def episode() -> Episode:
    return start("zendesk/late-refund", 1)


def comment(episode: Episode, text: str, public: bool = True, **more: Any) -> None:
    change = {"ticket": {"comment": {"body": text, "public": public}, **more}}
    reply = episode.http("zendesk", "PUT", f"/api/v2/tickets/{episode.truth.ticket_id}.json", change)
    assert reply.status == 200


@pytest.mark.parametrize("public", [True, False])
def test_an_episode_with_much_unread_is_costly(episode: Episode, public: bool) -> None:
    assert not episode.is_costly(SMALL)
    assert episode.is_costly(5_000)
    comment(episode, "Thank you, we look at it.", public)
    assert not episode.is_costly(SMALL)
    comment(episode, "We look at it. " * 150, public)
    assert episode.is_costly(SMALL)
    assert episode.is_costly(0)


def test_a_fork_and_a_restored_episode_are_as_costly(episode: Episode) -> None:
    for number in range(4):
        comment(episode, f"{number} " + "We look at it. " * 300)
    assert episode.fork().is_costly(SMALL)
    episode.restore(episode.snapshot())
    assert episode.is_costly(SMALL)


def test_what_others_do_and_reads_are_not_costly(episode: Episode) -> None:
    episode.call("wait", {"minutes": 24 * 60})
    for place in range(20):
        episode.http("zendesk", "GET", f"/api/v2/tickets.json?per_page=25&x={place}")
    assert not episode.is_costly(0)
    assert not episode.is_costly(SMALL)


def test_many_changes_are_costly(episode: Episode) -> None:
    found = episode.http("zendesk", "GET", "/api/v2/users.json?role=end-user&per_page=1").json()
    who = found["users"][0]["id"]
    for number in range(11):
        users = [{"id": who, "notes": f"{number} {place}"} for place in range(100)]
        assert episode.http("zendesk", "PUT", "/api/v2/users/update_many", {"users": users}).status == 200
        episode.call("wait", {"minutes": 2})
    assert episode.is_costly(0)


def test_an_oracle_is_never_costly_and_an_ended_episode_is_not(episode: Episode) -> None:
    seen: list[bool] = []

    class Watching(AgentHands):
        def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
            seen.append(episode.is_costly(SMALL))
            return super().call(tool, arguments)

    act("oracle", episode, Watching(episode.hands, episode.world), 600)
    assert seen
    assert not any(seen)
    assert not episode.is_costly(100_000)
