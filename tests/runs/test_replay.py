"""Replay: the same inputs give the same history, and every alteration is reported with its step."""

from collections.abc import Callable
from typing import Any

import pytest

from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import start
from diorama.episodes.result import Ended
from diorama.runs.perform import perform, stored_episode
from diorama.runs.replay import OtherVersion, check, verify
from diorama.runs.store import Finished, Job, pack, unpack

pytestmark = pytest.mark.usefixtures("in_the_bakery")

AGENTS = (
    *("oracle", "noop", "random", "cheat:another_loaf"),
    *(
        f"python:tests.runs.guests:{name}"
        for name in (
            "crashes",
            "loses_its_model",
            "runs_out",
            "burns",
            "burns_by_http",
            "curses",
            "speaks_http",
            "speaks_with_spaces",
            "says_odd_things",
            "sells",
            "writes_much",
        )
    ),
)


@pytest.mark.parametrize("agent", AGENTS)
def test_every_kind_of_episode_replays_with_equal_digests(agent: str) -> None:
    for seed in range(3):
        assert verify(perform(Job(agent, "oven/bake", seed, split="eval"))) is None


def test_a_call_from_one_app_to_another_is_verified() -> None:
    finished = perform(Job("python:tests.runs.guests:sells", "oven/bake", 0))
    events = unpack(finished.events)
    sold, refused = (event for event in events if event["door"] == "world")
    assert [(event["app"], event["reply"]["status"]) for event in (sold, refused)] == [("till", 201), ("till", 422)]
    kept = [event["request"]["args"]["status"] for event in events if event["operation"] == "keep_receipt"]
    assert kept == [201, 422]
    sold["reply"]["body"] = '{"sale":9}'
    finished.events = pack(events)
    found = verify(finished)
    assert found is not None
    assert (found.seq, found.what) == (sold["seq"], "reply.body")


def test_a_large_body_is_kept_once_and_verified() -> None:
    finished = perform(Job("python:tests.runs.guests:writes_much", "oven/bake", 0))
    asked = [event for event in unpack(finished.events) if event["operation"] == "bake_loaf"]
    first, second, binary = (event["request"]["body"] for event in asked)
    assert first == second != binary
    assert len(finished.bodies[first["sha256"]]) == first["bytes"] > 100_000
    assert finished.bodies[binary["sha256"]] == b"\xff" * 100_000
    assert verify(finished) is None
    finished.bodies[first["sha256"]] = finished.bodies[first["sha256"]].replace(b"long", b"tall")
    found = verify(finished)
    assert found is not None
    assert found.seq == asked[0]["seq"]


def test_an_episode_ended_by_the_wall_clock_replays() -> None:
    assert verify(perform(Job("python:tests.runs.guests:stalls", "oven/bake", 0), agent_seconds=0.3)) is None


def test_a_request_that_broke_the_episode_breaks_it_again() -> None:
    finished = perform(Job("python:tests.runs.guests:burns_by_http", "oven/bake", 0))
    assert finished.result["fault"]["boundary"] == "app"
    assert check(finished) == (None, "")
    turns = unpack(finished.transcript)
    turns[1]["request"]["body"] = ""
    finished.transcript = pack(turns)
    assert verify(finished) is not None


@pytest.mark.parametrize(("turns", "same"), [(0, True), (1, True), (2, True), (5, False)])
def test_a_stopped_agent_did_the_first_turns_of_what_it_does(turns: int, same: bool) -> None:
    job = Job("oracle", "oven/bake", 0)
    episode = start(job.scenario, job.seed)
    hands = AgentHands(episode.hands, episode.world)
    for tool, given in [("oven_look", {}), ("wait", {"minutes": 5}), *[("oven_look", {})] * 3][:turns]:
        hands.call(tool, given)
    result = episode.finish(ended="time_limit", agent="oracle")
    finished = stored_episode(job, episode, hands, result, "the agent took more than 600 s of wall time")
    assert (verify(finished) is None) == same


@pytest.mark.parametrize("ended", ["gave_up", "token_limit", "time_limit"])
def test_an_agent_of_ours_ends_as_it_ends_again(ended: Ended) -> None:
    job = Job("noop", "oven/bake", 0)
    episode = start(job.scenario, job.seed)
    result = episode.finish(ended=ended, agent="noop")
    assert verify(stored_episode(job, episode, AgentHands(episode.hands), result)) is not None


def test_a_lost_episode_has_nothing_to_replay() -> None:
    assert verify(perform(Job("noop", "oven/unstageable", 0))) is None


def altered(change: Callable[[list[dict[str, Any]]], Any]) -> Finished:
    finished = perform(Job("oracle", "oven/bake", 0))
    events = unpack(finished.events)
    change(events)
    finished.events = pack(events)
    return finished


def baking(events: list[dict[str, Any]]) -> dict[str, Any]:
    return next(event for event in events if event["operation"] == "bake_loaf")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda event: event["reply"].update(body='{"id":9,"kind":"rye"}'), "reply.body"),
        (lambda event: event["reply"].update(status=200), "reply.status"),
        (lambda event: event["changes"].clear(), "changes"),
        (lambda event: event.update(state="0" * 32), "state"),
        (lambda event: event.update(trace="0" * 64), "trace"),
        (lambda event: event.update(at=event["at"] + 1), "at"),
        (lambda event: event["signals"][0].update(value=0.9), "signals[0].value"),
        (lambda event: event["request"].update(body='{"kind":"white"}'), "request.body"),
    ],
)
def test_an_alteration_is_named_with_its_step(change: Callable[[dict[str, Any]], None], what: str) -> None:
    finished = altered(lambda events: change(baking(events)))
    found = verify(finished)
    assert found is not None
    assert (found.episode, found.what) == ("oven/bake:train:0@oracle", what)
    assert found.seq == baking(unpack(finished.events))["seq"]
    assert f"at step {found.seq}: {what} was" in str(found)


def test_a_removed_event_is_found() -> None:
    assert verify(altered(lambda events: events.pop())) is not None
    assert verify(altered(lambda events: events.remove(baking(events)))) is not None


def test_an_altered_reward_is_named() -> None:
    finished = perform(Job("oracle", "oven/bake", 0))
    finished.result["reward"] = 0.99
    found = verify(finished)
    assert found is not None
    assert (found.seq, found.what) == (None, "reward")


def test_another_version_is_refused_as_such() -> None:
    finished = perform(Job("oracle", "oven/bake", 0))
    finished.result["versions"]["reward"] = "an older one"
    with pytest.raises(OtherVersion, match="was recorded with reward an older one; this installation has reward"):
        verify(finished)
