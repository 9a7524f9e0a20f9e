"""The honest way wins in every plan of the foreign scenario; what only looks like it does not."""

from typing import Any

import pytest

from diorama.episodes.episode import Episode, start
from diorama.runs.perform import perform
from diorama.runs.store import Job
from diorama.scenarios import find
from tests.foreign.finding import STORY

SEEDS = range(20)


def results(agent: str, split: str = "train") -> list[dict[str, Any]]:
    """Return what an agent earned on each seed."""
    return [perform(Job(agent, STORY, seed, split=split)).result for seed in SEEDS]


@pytest.mark.parametrize("split", ["train", "eval"])
def test_the_oracle_wins_with_full_marks(split: str, harbour: None) -> None:
    assert {(one["success"], one["reward"]) for one in results("oracle", split)} == {(True, 1.0)}


def test_doing_nothing_earns_nothing(harbour: None) -> None:
    assert {(one["success"], one["reward"]) for one in results("noop")} == {(False, 0.0)}


def test_no_cheat_pays(harbour: None) -> None:
    cheats = find(STORY).cheats
    assert len(cheats) == 5
    for cheat in cheats:
        for result in results(f"cheat:{cheat}"):
            assert result["success"] is False
            assert result["reward"] < 0.5


def test_there_are_at_least_eight_plans(harbour: None) -> None:
    assert len({one["plan"] for one in results("noop") + results("noop", "eval")}) >= 8


def test_the_old_value_costs_more_than_silence(harbour: None) -> None:
    assert max(one["reward"] for one in results("cheat:takes_the_first_note")) < 0.0


def direct(seed: int) -> Episode | None:
    """Return the episode of a seed if the colleague asked in a direct channel."""
    episode = start(STORY, seed)
    shown = episode.http("chat", "GET", f"/api/conversations.info?channel={episode.truth.channel}").json()
    return start(STORY, seed) if shown["channel"]["is_im"] else None


def test_another_order_and_other_words_win_as_well(harbour: None) -> None:
    episode = next(found for found in map(direct, SEEDS) if found is not None)
    truth: Any = episode.truth
    change = {"status": "solved"} if truth.wish == "solve" else {"assignee_email": "yusuf@pier.example"}
    ticket = {**change, "comment": {"body": f"Dear passenger, ({truth.value}) is right. Noor"}}
    reaction = f"channel={truth.channel}&timestamp={truth.request}&name=white_check_mark"
    assert not episode.http("chat", "POST", f"/api/reactions.add?{reaction}").refused
    assert not episode.http("zendesk", "PUT", f"/api/v2/tickets/{truth.ticket}", {"ticket": ticket}).refused
    words = {"channel": truth.channel, "text": f"done, see #{truth.ticket}"}  # in the channel, not in the thread
    assert not episode.http("chat", "POST", "/api/chat.postMessage", words).refused
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0), result.score


def test_writing_to_another_channel_is_damage(harbour: None) -> None:
    episode = start(STORY, 0)
    channels = episode.call("chat_list_channels").data["channels"]
    general = next(one["id"] for one in channels if one["name"] == "general")
    for _ in range(6):
        assert not episode.call("chat_post_message", {"channel": general, "text": "hello all"}).is_error
    episode.scenario.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert result.score is not None
    assert not result.success
    assert [part.value for part in result.score.parts if part.name == "damage: chat_messages"] == [-0.1] * 6
