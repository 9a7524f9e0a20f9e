"""Histories and names that no run writes are refused, also if every digest fits them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diorama.episodes.agents import is_agent_name
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode, start
from diorama.kernel import Request
from diorama.runs.evidence import Verdict, refused, verify_run
from diorama.runs.file import Damaged
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform, stored_episode
from diorama.runs.store import Finished, Job, Store
from diorama.runs.taxonomy import Tally

pytestmark = pytest.mark.usefixtures("in_the_bakery")

OURS = "python:tests.runs.guests:burns"
OVERTIME = "the agent took more than 600 s of wall time"


def saved(folder: Path, finished: Finished) -> Verdict:
    """Write a run of one episode with all digests, as anyone who has the code can do, and verify it."""
    command = ["play", finished.job.scenario] if finished.job.agent == "person" else ["mine"]
    with Store.begin(folder, run_info(command, [finished.job])) as store:
        store.add([finished])
        store.finish(Tally(store.results(), store.info.jobs).summary(store.quarantined()))
    try:
        with Store.open(folder) as store:
            return verify_run(store)
    except Damaged as damaged:
        return refused(damaged)


def invented(
    act: Callable[[Episode], Any] | None = None, ended: Any = "done", agent: str = OURS, note: str = ""
) -> Finished:
    """Return an episode in which inputs were made beside the doors of an agent."""
    episode = start("oven/bake", 0)
    hands = AgentHands(episode.hands, episode.world)
    if act is not None:
        act(episode)
        hands.remember({"event": len(episode.world.chain)})
    return stored_episode(Job(agent, "oven/bake", 0), episode, hands, episode.finish(ended=ended, agent=agent), note)


def by_a_tool(episode: Episode) -> None:
    """Send a request through the door of the tools that no tool makes."""
    episode.request("oven", Request("GET", "/loaves", "", {"x-mine": "1"}), "tools")


INPUTS: dict[str, Callable[[Episode], Any]] = {
    "error": lambda episode: episode._wrong("oven_bake", {}, "The loaf is baked: all is done."),
    "wait": lambda episode: episode._wait(0.000001, "something"),
    "report": lambda episode: episode._end("done", "r" * 3_000_000),
    "object": lambda episode: episode._end("done", {"a": 1}),  # type: ignore[arg-type] # no tool makes such a report
    "tools": by_a_tool,
    "python": lambda episode: episode.request("oven", Request("GET", "/loaves"), "python"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_an_input_that_no_turn_made_is_refused(name: str, tmp_path: Path) -> None:
    found = saved(tmp_path / "run", invented(INPUTS[name]))
    assert found.findings
    assert not found.verified


@pytest.mark.parametrize(
    ("ended", "agent", "note"),
    [
        ("step_limit", OURS, ""),
        ("step_limit", "noop", ""),
        ("time_limit", OURS, ""),
        ("time_limit", OURS, "it was late"),
        ("time_limit", "noop", OVERTIME),
        ("time_limit", OURS, OVERTIME),
        ("time_limit", "person", "the agent took more than 0.001 s of wall time"),
        ("gave_up", "person", "it was late"),
        ("done", "person", ""),
        ("done", "openai:m-1", ""),
        ("token_limit", "person", ""),
        ("token_limit", "noop", ""),
        ("gave_up", "oracle", ""),
    ],
)
def test_an_ending_that_did_not_happen_is_refused(ended: str, agent: str, note: str, tmp_path: Path) -> None:
    found = saved(tmp_path / "run", invented(None, ended, agent, note))
    assert found.findings
    assert not found.verified


@pytest.mark.parametrize(
    ("ended", "agent", "note"),
    [
        ("done", "noop", ""),
        ("done", OURS, ""),
        ("time_limit", OURS, "the agent took more than 0.001 s of wall time"),
        ("token_limit", "openai:m-1", "context_length"),
        ("gave_up", OURS, "the agent raised ValueError: no"),
        ("gave_up", "person", ""),
    ],
)
def test_an_ending_that_can_have_happened_is_verified(ended: str, agent: str, note: str, tmp_path: Path) -> None:
    found = saved(tmp_path / "run", invented(None, ended, agent, note))
    assert not found.findings
    assert found.verified == 1


WRONG = [
    "noop ", "noop\u200b", "Noop", "noop:1", "my-model", "oracle2", "cheatX:foo", "", "cheat:", "cheat:a b", "openai:",
    "openai:gpt 5", "openai:gpt\u200b", "python:x", "python:x:", "python:x:y ", "person2",
]  # fmt: skip


@pytest.mark.parametrize("agent", WRONG)
def test_an_agent_that_no_run_can_have_is_refused(agent: str, tmp_path: Path) -> None:
    assert not is_agent_name(agent)
    made = perform(Job("noop", "oven/bake", 0))
    job = replace(made.job, agent=agent)
    found = saved(tmp_path / "run", replace(made, job=job, result=made.result | {"agent": agent}))
    assert "which no run can have" in str(found.findings[0])


def test_a_cheat_that_the_scenario_does_not_have_is_refused(tmp_path: Path) -> None:
    found = saved(tmp_path / "run", invented(None, "gave_up", "cheat:none_such", "the agent raised KeyError"))
    assert [one.forgery for one in found.findings] == ["relabelled"]


@pytest.mark.parametrize("agent", ["oracle", "noop", "random", "cheat:another_loaf", "python:a.b:c.d", "openai:a/b-1"])
def test_names_that_a_run_can_have(agent: str) -> None:
    assert is_agent_name(agent)
