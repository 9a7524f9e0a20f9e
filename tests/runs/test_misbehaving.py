"""Nothing that an agent does is void or stops a run: it is scored, it gave up, or its time was over."""

import fcntl
import json
import sqlite3
import time
from pathlib import Path

import pytest

from diorama.episodes.agent_process import AgentProcess, stop
from diorama.episodes.agents import recorded
from diorama.runs.file import FILE
from diorama.runs.perform import perform
from diorama.runs.replay import verify
from diorama.runs.store import Job, unpack
from tests.cli.test_verbs import diorama
from tests.runs.misbehaving import SURVIVORS

REFUND = "zendesk/late-refund"
HERE = "python:tests.runs.misbehaving"
SCORED = "done"

AGENTS: dict[str, tuple[str, str]] = {
    "raises": ("gave_up", "the agent raised ValueError: my own fault ?"),
    "raises_something_unprintable": ("gave_up", "the agent raised Sullen: "),
    "raises_a_base_exception": ("gave_up", "the agent raised Rude: no"),
    "raises_keyboard_interrupt": ("gave_up", "the agent raised KeyboardInterrupt"),
    "pretends_that_its_provider_failed": ("gave_up", "the agent raised ProviderFailed"),
    "exits": ("gave_up", "the agent raised SystemExit: 5"),
    "exits_at_once": ("gave_up", "exit code 9"),
    "exits_with_zero": ("gave_up", "exit code 0"),
    "aborts": ("gave_up", "signal 6"),
    "crashes_in_c": ("gave_up", "signal 11"),
    "kills_itself": ("gave_up", "signal 9"),
    "kills_its_group": ("gave_up", "signal 9"),
    "kills_its_parents": (SCORED, ""),
    "kills_everybody": (SCORED, ""),
    "sleeps": ("time_limit", "wall time"),
    "swallows_everything": ("time_limit", "wall time"),
    "hangs_in_c": ("time_limit", "wall time"),
    "stops_itself": ("time_limit", "wall time"),
    "goes_on_after_the_end": (SCORED, "100 calls after the episode had ended"),
    "never_reads_its_answers": ("step_limit", "100 calls after the episode had ended"),
    "forks": (SCORED, ""),
    "forks_and_exits": ("gave_up", "exit code 0"),
    "acts_from_a_copy": (SCORED, ""),
    "returns_twice": (SCORED, ""),
    "starts_threads": (SCORED, ""),
    "leaves_threads_behind": (SCORED, ""),
    "closes_everything": ("gave_up", "exit code 0"),
    "closes_its_output": (SCORED, ""),
    "makes_a_namespace": (SCORED, ""),
    "prints_much": (SCORED, ""),
    "sends_garbage": ("gave_up", "the agent sent a message of 4294967295 bytes"),
    "sends_half_a_message": ("time_limit", "wall time"),
    "sends_another_shape": ("gave_up", "cannot read"),
    "sends_deep_nesting": ("gave_up", "cannot read"),
    "claims_to_be_loaded": ("gave_up", "cannot read"),
    "says_odd_things": ("step_limit", ""),
    "says_odd_things_over_http": ("step_limit", ""),
    "reports_half_an_emoji": (SCORED, ""),
    "looks_for_the_truth": (SCORED, ""),
}


def test_misbehaving_agents_are_scored_and_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_ADMIN_TOKEN", "secret of the harness")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    words = [word for name in AGENTS for word in ("--agent", f"{HERE}:{name}")]
    more = ["--agent", "oracle", "--agent-seconds", "8", "--parallel", "2", "--out", "run", "--json"]
    done = diorama("run", REFUND, *words, *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stderr) < 1_000_000, "what an agent prints is limited"

    document = json.loads(done.stdout)
    summary = document["summary"]
    assert (summary["fault_rate"], summary["void_rate"], summary["quarantined"]) == (0, 0, [])
    assert summary["n"] == summary["graded"] == len(AGENTS) + 1
    assert summary["by_agent"]["oracle"]["success_rate"] == 1

    with sqlite3.connect(tmp_path / "run" / FILE) as db:
        rows = db.execute("SELECT agent, ended, note, reward FROM episodes WHERE agent != 'oracle'").fetchall()
        ((transcript,),) = db.execute("SELECT transcript FROM episodes WHERE agent LIKE '%for_the_truth'").fetchall()
    db.close()
    found = {agent.rpartition(":")[2]: (ended, note) for agent, ended, note, _ in rows}
    for name, (ended, note) in AGENTS.items():
        assert found[name][0] == ended, (name, found[name])
        assert note in found[name][1], name
        assert bool(note) == bool(found[name][1]), (name, found[name])
    assert all(-1 <= reward <= 1 for *_, reward in rows)
    assert unpack(transcript)[-1]["arguments"] == {"report": "nothing"}, "an agent found something of the harness"
    assert_no_survivors(tmp_path)
    replayed = diorama("replay", "run", "--verify", cwd=tmp_path)
    assert (replayed.returncode, replayed.stderr) == (0, ""), replayed.stdout


def assert_no_survivors(folder: Path) -> None:
    """Fail if a process that an agent left behind still holds its lock."""
    with (folder / SURVIVORS).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


WITHOUT_NAMESPACES = {
    "raises": "gave_up",
    "exits_at_once": "gave_up",
    "kills_itself": "gave_up",
    "kills_its_group": "gave_up",
    "kills_its_parents": "gave_up",
    "stops_itself": "time_limit",
    "hangs_in_c": "time_limit",
    "forks": "done",
    "forks_and_exits": "gave_up",
    "closes_everything": "gave_up",
    "starts_threads": "step_limit",
    "looks_for_the_truth": "done",
}


@pytest.mark.parametrize("name", WITHOUT_NAMESPACES)
@pytest.mark.usefixtures("in_the_bakery")
def test_sessions_contain_an_agent_where_namespaces_are_forbidden(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AgentProcess, "may_separate", False)
    monkeypatch.chdir(tmp_path)
    finished = perform(Job(f"{HERE}:{name}", "oven/bake", 0), agent_seconds=2)
    stop()
    assert (finished.result["ended"], finished.result["fault"]) == (WITHOUT_NAMESPACES[name], None), finished.note
    if name == "looks_for_the_truth":
        assert unpack(finished.transcript)[-1]["arguments"] == {"report": "nothing"}
    if name.startswith("forks"):
        assert_no_survivors(tmp_path)


@pytest.mark.usefixtures("in_the_bakery")
def test_a_process_is_reused_until_its_agent_misbehaves() -> None:
    told = []
    for _ in range(4):
        finished = perform(Job(f"{HERE}:exits_the_second_time", "oven/bake", 0))
        told.append((finished.result["ended"], unpack(finished.transcript)[-1]["arguments"]))
    stop()
    first, second = ("done", {"report": "1"}), ("gave_up", {"minutes": 2})
    assert told == [first, second, first, second]


FLOODS = {
    "asks_for_ever_whether_it_has_ended": ("gave_up", "10000 times in a row"),
    "asks_for_ever_for_an_unknown_app": ("gave_up", "10000 times in a row"),
    "asks_again_and_again_for_an_unknown_host": ("gave_up", "10000 times in a row"),
    "shows_invalid_tokens_for_ever": ("gave_up", "the record of the episode is larger than"),
    "sends_millions_of_lists": ("gave_up", "more than 25000 values"),
    "passes_millions_of_lists": ("done", ""),
    "sends_a_body_that_no_app_reads": ("done", ""),
    "says_much_about_its_end": ("gave_up", "the agent raised E: xxx"),
}


@pytest.mark.parametrize("name", FLOODS)
def test_an_agent_that_floods_its_pipe_has_given_up(name: str) -> None:
    finished = perform(Job(f"{HERE}:{name}", REFUND, 0), agent_seconds=60)
    stop()
    ended, note = FLOODS[name]
    assert (finished.result["ended"], finished.result["fault"]) == (ended, None)
    assert note in finished.note
    assert len(finished.note) < 3000
    assert len(finished.transcript) < 10 << 20
    if name == "sends_a_body_that_no_app_reads":
        assert unpack(finished.transcript)[-1]["arguments"] == {"report": "413"}
    assert verify(finished) is None


@pytest.mark.parametrize("name", ["asks_for_ever_whether_it_has_ended", "asks_for_ever_for_an_unknown_app"])
def test_an_agent_that_floods_its_pipe_runs_out_of_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "IDLE_AT_MOST", 1 << 62)
    began = time.monotonic()
    finished = perform(Job(f"{HERE}:{name}", REFUND, 0), agent_seconds=2)
    stop()
    assert (finished.result["ended"], finished.result["fault"]) == ("time_limit", None)
    assert time.monotonic() - began < 60


def test_an_agent_that_takes_its_output_back_does_not_block_the_worker() -> None:
    process = AgentProcess("tests.runs.misbehaving:forks")
    try:
        process._drain()
        process._show()  # there is nothing to read any more: the agent was faster
        assert process.alive
    finally:
        process.kill()
