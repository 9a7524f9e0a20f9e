"""Running and replaying from the command line, as a person or a script does it."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from diorama.runs.store import FILE, pack, unpack
from tests.cli.test_verbs import diorama

REFUND = "zendesk/late-refund"
AGENTS = """
def noisy(hands):
    print("I talk to myself")
    hands.call("finish", {"report": "done"})
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small finished run."""
    place = tmp_path_factory.mktemp("runs") / "refunds"
    done = diorama("run", REFUND, "--agent", "oracle", "--agent", "noop", "--episodes", "3", "--out", str(place))
    assert done.returncode == 0, done.stderr
    assert "100 %" in done.stdout
    assert f"diorama replay {place} --verify" in done.stdout.replace("\n", " ")
    return place


def altered(folder: Path, to: Path, operation: str) -> int:
    """Copy a run with one stored reply changed; return the changed step."""
    to.mkdir()
    with sqlite3.connect(folder / FILE) as old, sqlite3.connect(to / FILE) as db:
        old.backup(db)
        number, packed = db.execute(
            "SELECT number, events FROM episodes WHERE agent = 'oracle' AND seed = 1"
        ).fetchone()
        events = unpack(packed)
        event = next(event for event in events if event["operation"] == operation)
        event["reply"]["body"] = event["reply"]["body"].replace("e", "3", 1)
        db.execute("UPDATE episodes SET events = ? WHERE number = ?", (pack(events), number))
    return int(event["seq"])


def test_json_is_one_document_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AGENTS)
    done = diorama("run", REFUND, "--agent", "python:mine:noisy", "--episodes", "2", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert list(document) == ["run", "episodes", "summary"]
    assert (tmp_path / document["run"] / FILE).exists()
    assert {"n", "success_rate", "mean_reward", "fault_rate", "faults"} <= set(document["summary"])
    assert document["summary"]["n"] == 2
    one = document["episodes"][0]
    assert {"episode", "scenario", "seed", "versions", "ended", "success", "reward", "score", "fault"} <= set(one)
    assert set(one["versions"]) == {"image", "package", "reward"}


def test_a_finished_run_is_not_run_again(folder: Path) -> None:
    words = ["run", REFUND, "--agent", "oracle", "--agent", "noop", "--episodes", "3", "--out", str(folder), "--json"]
    done = diorama(*words)
    assert done.returncode == 0
    assert "6 of 6 episodes are done" in done.stderr
    assert json.loads(done.stdout)["summary"]["n"] == 6


def test_another_run_does_not_go_into_the_same_folder(folder: Path) -> None:
    done = diorama("run", REFUND, "--agent", "oracle", "--episodes", "5", "--out", str(folder))
    assert done.returncode == 2
    assert "holds another run. It was made with agents oracle, noop, now oracle; episodes 3, now 5." in done.stderr
    assert "choose another folder with --out" in done.stderr


def test_replay_verifies(folder: Path) -> None:
    done = diorama("replay", str(folder), "--verify")
    assert (done.returncode, done.stdout) == (0, "6 of 6 episodes replayed with equal digests at every event.\n")


def test_an_altered_reply_is_found_and_named(folder: Path, tmp_path: Path) -> None:
    seq = altered(folder, tmp_path / "altered", "show_ticket")
    done = diorama("replay", str(tmp_path / "altered"), "--verify")
    assert done.returncode == 1
    assert f"{REFUND}:train:1@oracle diverges at step {seq}: reply.body" in done.stdout
    assert "5 of 6" in done.stdout
    found = diorama("replay", str(tmp_path / "altered"), "--verify", "--json")
    assert found.returncode == 1
    assert json.loads(found.stdout)["divergences"][0]["seq"] == seq


def test_another_version_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    with sqlite3.connect(folder / FILE) as old, sqlite3.connect(tmp_path / "old" / FILE) as db:
        old.backup(db)
        for number, text in db.execute("SELECT number, result FROM episodes").fetchall():
            result: dict[str, Any] = json.loads(text)
            result["versions"]["reward"] = "of last week"
            db.execute("UPDATE episodes SET result = ? WHERE number = ?", (json.dumps(result), number))
    done = diorama("replay", str(tmp_path / "old"), "--verify")
    assert done.returncode == 2
    assert "was recorded with reward of last week" in done.stderr


def test_replay_prints_the_story_of_an_episode(folder: Path) -> None:
    done = diorama("replay", str(folder), f"{REFUND}:train:0@oracle")
    assert done.returncode == 0
    assert "staging" in done.stdout
    assert "zendesk_get_ticket(ticket_id=" in done.stdout
    assert "GET /api/v2/tickets/" in done.stdout
    assert "(zendesk show_ticket) -> 200" in done.stdout
    assert "Success (done)" in done.stdout


def test_replay_lists_episodes_in_the_order_of_the_plan(folder: Path) -> None:
    listed = diorama("replay", str(folder)).stdout.splitlines()
    rows = [line.split() for line in listed[1:7]]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [(row[2], row[3]) for row in rows] == [(agent, str(n)) for agent in ("oracle", "noop") for n in range(3)]
    assert "success" in listed[1]
    assert "1.000" in listed[1]
    assert "not solved" in listed[4]
    assert "ticket_was_read: The agent read the ticket." in listed[4]
    episodes = json.loads(diorama("replay", str(folder), "--json").stdout)["episodes"]
    assert [one["number"] for one in episodes] == [1, 2, 3, 4, 5, 6]
    assert diorama("replay", str(folder), "5").stdout.startswith(f"{REFUND}:train:1@noop")


def test_the_story_says_why_a_request_was_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def lost(hands):\n    hands.call('zendesk_get_ticket', {'ticket_id': 999999999})\n"
    )
    diorama("run", REFUND, "--agent", "python:mine:lost", "--out", "run", cwd=tmp_path)
    assert "-> 404 RecordNotFound" in diorama("replay", "run", "1", cwd=tmp_path).stdout


def test_too_many_harness_faults_are_exit_code_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    done = diorama("run", REFUND, "--agent", "openai:nobody", "--json", cwd=tmp_path)
    assert done.returncode == 3
    assert "1 of 1 episodes (100.0 %) failed because of the harness" in done.stderr
    assert "provider URLError" in done.stderr
    document = json.loads(done.stdout)
    assert document["episodes"][0]["ended"] == "void"
    assert document["summary"]["success_rate"] is None


def test_play_works_through_a_pipe(tmp_path: Path) -> None:
    told = "tools\n\nno_such_tool\nwait minutes=5\nwait\n\n30\nfinish\nI looked around.\n\n"
    done = diorama("play", REFUND, "--seed", "2", "--out", "kept", cwd=tmp_path, told=told)
    assert done.returncode == 0, done.stderr
    assert "zendesk_get_ticket(ticket_id" in done.stdout
    assert "There is no tool 'no_such_tool'" in done.stdout
    assert "5 minutes have passed" in done.stdout
    assert "30 minutes have passed" in done.stdout
    assert "Not solved (done)" in done.stdout
    assert diorama("replay", "kept", "--verify", cwd=tmp_path).returncode == 0


def test_leaving_play_counts_as_giving_up(tmp_path: Path) -> None:
    done = diorama("play", REFUND, cwd=tmp_path, told="")
    assert "Not solved (gave_up)" in done.stdout


@pytest.mark.parametrize("verb", ["apps", "worlds", "scenarios"])
def test_apps_worlds_and_scenarios_are_listed_as_text_and_json(verb: str) -> None:
    document = json.loads(diorama(verb, "--json").stdout)
    rows = document[verb]
    assert document["broken"] == []
    told = diorama(verb)
    assert told.returncode == 0
    assert rows
    assert all(row["name"] in told.stdout for row in rows)


def test_the_demo_shows_the_reward_of_each_agent(tmp_path: Path) -> None:
    done = diorama("demo", "--episodes", "1", "--parallel", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for word in ("oracle", "noop", "random", "cheat:", "step", "phase", "episode", "Run saved to runs/"):
        assert word in done.stdout
