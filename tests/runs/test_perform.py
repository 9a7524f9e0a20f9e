"""One job from staging to grading: agent failures keep their score; ours have none and name their boundary."""

import re
from typing import Any

import pytest

from diorama.episodes.agents import NoSuchAgent, check
from diorama.rewards.account import HARM_LEFT
from diorama.runs.jobs import NoSuchScenario, chosen, make_jobs
from diorama.runs.perform import perform
from diorama.runs.store import Job, unpack
from tests.runs.bakery import BakeIt

pytestmark = pytest.mark.usefixtures("in_the_bakery")


def act(agent: str, scenario: str = "oven/bake", seconds: float = 60.0) -> tuple[dict[str, Any], str]:
    finished = perform(Job(agent, scenario, 3), agent_seconds=seconds)
    return finished.result, finished.note


def guest(name: str, scenario: str = "oven/bake", seconds: float = 60.0) -> tuple[dict[str, Any], str]:
    return act(f"python:tests.runs.guests:{name}", scenario, seconds)


def test_only_the_oracle_succeeds() -> None:
    assert act("oracle")[0]["success"] is True
    for other in ("noop", "random", "cheat:another_loaf"):
        result, _ = act(other)
        assert result["success"] is False
        assert result["reward"] < 0.5


def test_the_same_job_gives_the_same_bytes() -> None:
    for agent in ("oracle", "random"):
        one, two = perform(Job(agent, "oven/bake", 1)), perform(Job(agent, "oven/bake", 1))
        timeless = [{**each.result, "wall_seconds": None} for each in (one, two)]
        assert timeless[0] == timeless[1]
        trace = [event["trace"] for event in unpack(one.events)]
        assert trace == [event["trace"] for event in unpack(two.events)]
        assert trace[-1] == one.result["trace"]


def test_a_crashed_agent_gave_up_and_has_a_score() -> None:
    for name in ("crashes", "leaves"):
        result, note = guest(name)
        assert (result["ended"], result["fault"]) == ("gave_up", None)
        assert result["reward"] == pytest.approx(0.4 * 0.5 * HARM_LEFT)
        assert "the agent raised" in note


def test_a_stalled_agent_is_stopped_and_has_a_score() -> None:
    result, note = guest("stalls", seconds=0.5)
    assert result["ended"] == "time_limit"
    assert result["reward"] == pytest.approx(0.4 * 0.5)
    assert "wall time" in note


def test_a_token_limit_is_scored() -> None:
    assert guest("runs_out")[0]["ended"] == "token_limit"


def test_an_agent_cannot_blame_its_provider() -> None:
    result, note = guest("loses_its_model")
    assert (result["ended"], result["fault"]) == ("gave_up", None)
    assert "the agent raised ProviderFailed" in note


def test_the_result_says_how_long_it_took() -> None:
    result, _ = guest("stalls", seconds=0.5)
    assert 0.5 <= result["wall_seconds"] < 30


@pytest.mark.parametrize(
    ("agent", "scenario", "boundary", "kind"),
    [
        ("python:tests.runs.guests:burns", "oven/bake", "app", "ZeroDivisionError"),
        ("python:tests.runs.guests:curses", "oven/bake", "grader", "IndexError"),
        ("noop", "oven/faint", "persona", "KeyError"),
        ("noop", "oven/unstageable", "reset", "RuntimeError"),
    ],
)
def test_a_harness_fault_is_void_and_names_its_boundary(agent: str, scenario: str, boundary: str, kind: str) -> None:
    result, _ = act(agent, scenario)
    assert (result["ended"], result["success"], result["reward"], result["score"]) == ("void", None, None, None)
    assert (result["fault"]["boundary"], result["fault"]["kind"]) == (boundary, kind)
    assert "planted" in result["fault"]["message"]


def test_odd_arguments_do_not_void_the_episode() -> None:
    result, _ = guest("says_odd_things")
    assert result["ended"] != "void"


def test_an_agent_that_returns_a_coroutine_is_told_so() -> None:
    result, note = guest("returns_a_coroutine")
    assert result["ended"] == "gave_up"
    assert "returned an object of type coroutine, which was not run" in note


def test_the_note_of_an_error_has_file_and_line() -> None:
    _, note = guest("raises_in_a_library")
    assert re.search(r"raised JSONDecodeError: .* \(guests\.py:\d+\)$", note)


def test_every_turn_is_in_the_transcript() -> None:
    turns = unpack(perform(Job("oracle", "oven/bake", 0)).transcript)
    assert [turn["tool"] for turn in turns] == ["oven_look", "wait", "oven_bake", "finish"]
    assert '"kind":"old"' in turns[0]["text"]


def test_unknown_agents_are_refused_before_the_start() -> None:
    for name, complaint in {
        "oracel": "There is no agent",
        "cheat:": "There is no agent",
        "cheat:burn_it_down": "Its cheats: another_loaf",
        "python:nowhere": "names no callable",
        "python:nowhere:x": "cannot be loaded",
        "python:tests.runs.guests:nobody": "cannot be loaded",
        "python:tests.runs.bakery:BAKER": "is not callable",
        "python:tests.runs.guests:waits_async": "is an async function",
        "python:tests.runs.guests:yields": "is a generator function",
    }.items():
        with pytest.raises(NoSuchAgent, match=complaint):
            check(name, [BakeIt()])


def test_a_model_without_an_endpoint_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(NoSuchAgent, match="set OPENAI_API_KEY"):
        check("openai:any", [])


def test_scenarios_are_chosen_by_name_and_pattern() -> None:
    assert [scenario.name for scenario in chosen(["oven/b*", "oven/bake"])] == ["oven/bake"]
    with pytest.raises(NoSuchScenario, match="There are: oven/bake"):
        chosen(["oven/toast"])


def test_jobs_give_every_agent_the_same_variants() -> None:
    jobs = make_jobs(chosen(["oven/bake"]), ["oracle", "noop"], split="eval", seed=5, episodes=2, group=2)
    assert len(jobs) == 8
    assert [(job.seed, job.index) for job in jobs[:4]] == [(5, 0), (5, 1), (6, 0), (6, 1)]
    assert {job.split for job in jobs} == {"eval"}
