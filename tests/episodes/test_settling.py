"""An episode may be settled in parts: its history and its score are the same."""

import pytest

from diorama.episodes import episode as episodes
from diorama.episodes.agents import act
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start


def acted(name: str) -> Episode:
    episode = start(name, 2)
    change = {"ticket": {"comment": {"body": "We look into it."}}}
    ids = ",".join(map(str, range(301, 331)))
    assert episode.http("zendesk", "PUT", f"/api/v2/tickets/update_many.json?ids={ids}", change).status == 200
    act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
    return episode


@pytest.mark.parametrize("name", ["zendesk/late-refund", "zendesk/outage-flood"])
def test_settling_in_parts_gives_the_same_history(name: str) -> None:
    whole, parts = acted(name), acted(name)
    calls = 1
    while not parts.settle("all done", price=500):
        calls += 1
    assert calls > 1
    one, other = whole.finish("all done"), parts.finish("all done")
    assert (one.trace, one.state, one.score, one.virtual_seconds) == (
        other.trace, other.state, other.score, other.virtual_seconds,
    )  # fmt: skip


def test_a_restored_episode_settles_from_there() -> None:
    episode = acted("zendesk/late-refund")
    snapshot = episode.snapshot()
    whole = episode.finish()
    episode.restore(snapshot)
    episode.settle(price=300)
    episode.restore(snapshot)
    assert episode.finish().trace == whole.trace


def test_more_work_than_a_settlement_runs_earns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def solved() -> Episode:
        episode = start("zendesk/late-refund", 2)
        act("oracle", episode, AgentHands(episode.hands, episode.world), 600)
        return episode

    assert solved().finish().success is True
    monkeypatch.setattr(episodes, "SETTLEMENT_PRICE", 700)
    one, other = solved(), solved()
    while not other.settle(price=200):
        pass
    result, again = one.finish(), other.finish()
    assert (result.ended, result.success, again.trace, again.score) == ("done", False, result.trace, result.score)
    assert result.reward is not None
    assert result.reward <= 0.05  # what was looked at still counts
    limits = [event for event in one.events if event.operation == "settlement_limit"]
    assert [event.request["left"] > 0 for event in limits] == [True]


def test_a_report_may_hold_anything() -> None:
    result = start("zendesk/late-refund", 2).finish("done \ud83d")
    assert result.ended == "done"
