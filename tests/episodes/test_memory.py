"""An episode takes a bounded amount of memory, whatever fills it: every event and every new page counts."""

from collections.abc import Callable
from typing import Any

import pytest

from diorama.episodes.agents import act
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start
from diorama.kernel import growth
from diorama.kernel.budget import EPISODE_BYTES
from diorama.kernel.pages import PAGE
from diorama.kernel.snapshot import Snapshot

MB = 1 << 20


def memory(episode: Episode) -> int:
    pages = episode.world.pages
    return episode.world.chain.memory + (pages.pages - pages.image.pages) * PAGE


def bulk_job(episode: Episode, number: int) -> Any:
    users = [{"id": one, "notes": f"{number} " + "x" * 500} for one in range(1, 60)]
    reply = episode.http("zendesk", "PUT", "/api/v2/users/update_many", {"users": users})
    episode.call("wait", {"minutes": 1})
    return reply


def small_get(episode: Episode, number: int) -> Any:
    return episode.http("zendesk", "GET", f"/api/v2/tickets.json?per_page=7&x={number}")


def long_url(episode: Episode, number: int) -> Any:
    return episode.http("zendesk", "GET", f"/api/v2/users/me.json?q={number}{'z' * 7000}")


def malformed_body(episode: Episode, number: int) -> Any:
    return episode.http("zendesk", "POST", "/api/v2/tickets.json", b"{%d" % number + b"z" * 15_000)


def wrong_call(episode: Episode, number: int) -> Any:
    return episode.call("no_such_tool", {"a": "z" * 900, "b": number})


def note(episode: Episode, number: int) -> Any:
    comment = {"body": f"{number} " + "odd words " * 800, "public": False}
    return episode.http(
        "zendesk", "PUT", f"/api/v2/tickets/{episode.truth.ticket_id}.json", {"ticket": {"comment": comment}}
    )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let an episode take 2 MB, and half a megabyte more; return both together."""
    monkeypatch.setattr(growth, "EPISODE_BYTES", 2 * MB)
    monkeypatch.setattr(growth, "REST_BYTES", MB // 2)
    return 5 * MB // 2


@pytest.mark.parametrize("do", [bulk_job, small_get, long_url, malformed_body, wrong_call, note])
def test_an_episode_ends_before_it_outgrows_its_memory(
    do: Callable[[Episode, int], Any], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = start("zendesk/late-refund", 1)
    monkeypatch.setattr(type(episode.scenario), "turns", 100_000)
    monkeypatch.setattr(type(episode.scenario), "hours", 10_000)
    for number in range(4_000):
        do(episode, number)
        if episode.ended:
            break
        if memory(episode) > 2 * MB and do is note:
            assert do(episode, number).status == 413  # the vendor's own refusal
    assert episode.ended == "step_limit"
    assert memory(episode) < small + MB // 4
    result = episode.finish()
    assert (result.success, result.fault) == (False, None)
    assert memory(episode) < small + MB // 4


def test_what_an_episode_has_no_room_to_settle_earns_nothing(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    episode = start("zendesk/late-refund", 1)
    monkeypatch.setattr(type(episode.scenario), "turns", 100_000)
    act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
    monkeypatch.setattr(growth, "EPISODE_BYTES", memory(episode) - small)
    result = episode.finish()
    assert not result.success
    assert episode.world.events[-1].operation == "settlement_limit"


def test_forks_and_dumps_count_the_same_memory() -> None:
    episode = start("zendesk/late-refund", 1)
    for number in range(3):
        note(episode, number)
        small_get(episode, number)
    chain, snapshot = episode.world.chain, episode.world.snapshot()
    assert chain.memory == sum(entry.memory for entry in chain.entries())
    again = Snapshot.load(snapshot.dump(), episode.world.company, episode.world.pages.image)
    assert {snapshot.chain.memory, episode.fork().world.chain.memory, again.chain.memory} == {chain.memory}


def test_an_honest_episode_takes_little_of_its_memory() -> None:
    episode = start("zendesk/outage-flood", 3)
    act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
    assert episode.finish().success
    assert memory(episode) < EPISODE_BYTES / 20
