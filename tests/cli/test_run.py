"""Running and replaying from the command line, as a person or a script does it."""

import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from diorama.runs.file import FILE
from diorama.runs.perform import perform
from diorama.runs.replay import verify
from diorama.runs.store import Job, job_of, lost, pack, unpack
from tests.cli.test_verbs import diorama
from tests.runs.forged import forging, reseal

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
    assert "Why did episodes fail (" in done.stdout
    assert f"diorama show {place}\n" in done.stdout
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
    assert list(document) == ["run", "digest", "episodes", "summary"]
    assert document["summary"]["planned"] == 2
    assert all(0 < episode["wall_seconds"] < 600 for episode in document["episodes"])
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
    assert done.returncode == 0
    assert (
        "6 of 6 episodes replayed with equal digests at every event; 0 refused, 0 not verified, 0 void." in done.stdout
    )


def test_the_printed_digest_proves_the_run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_RUN_KEY", "sesame")
    words = ["run", REFUND, "--agent", "noop", "--out", str(tmp_path / "sealed")]
    digest = json.loads(diorama(*words, "--json").stdout)["digest"]
    done = diorama("replay", str(tmp_path / "sealed"), "--verify", "--digest", digest)
    assert (done.returncode, f"The digest {digest} is the one that was expected." in done.stdout) == (0, True)
    assert "sealed with the key" in diorama("replay", str(tmp_path / "sealed"), "--verify").stdout
    monkeypatch.delenv("DIORAMA_RUN_KEY")
    without = diorama("replay", str(tmp_path / "sealed"), "--verify")
    assert (without.returncode, without.stdout.splitlines()[-1]) == (0, "sealed; not checked, no key")
    monkeypatch.setenv("DIORAMA_RUN_KEY", "sesame")
    refused = diorama("replay", str(folder), "--verify", "--digest", digest)
    assert refused.returncode == 1
    assert "another digest: the run has digest" in refused.stdout
    assert "no seal" in refused.stdout
    assert diorama("replay", str(folder), "1", "--verify", "--digest", digest).returncode == 2
    assert "64 hexadecimal digits" in diorama("replay", str(folder), "--verify", "--digest", "abc").stderr


def test_a_lost_worker_is_accepted_only_if_asked(folder: Path, tmp_path: Path) -> None:
    with forging(folder, tmp_path / "lost") as forger:
        row = forger.row("agent = 'noop'")
        last = max(one["finished"] for one in forger.rows())
        forger.insert(row | {"number": len(forger.rows()) + 1, "attempt": 1, "finished": last})
        killed = "the worker process ended in the middle of an episode: signal 9 (SIGKILL)"
        gone = lost(job_of(row), "engine", "worker_death", killed, json.loads(forger.run("versions"))[REFUND])
        forger.put_result(row, **gone.result)
        forger.put(row, events=gone.events, transcript=gone.transcript, note="")
    reseal(tmp_path / "lost")
    done = diorama("replay", str(tmp_path / "lost"), "--verify")
    assert done.returncode == 1
    assert "6 of 7" in done.stdout
    assert "0 refused, 1 not verified, 0 void." in done.stdout
    assert "not verified: zendesk/late-refund:train:0@noop is void by a fault" in done.stdout
    assert diorama("replay", str(tmp_path / "lost"), "--verify", "--allow-unverified").returncode == 0
    assert diorama("replay", str(tmp_path / "lost"), "--allow-unverified").returncode == 2


def test_a_run_without_episodes_is_not_verified(folder: Path, tmp_path: Path) -> None:
    with forging(folder, tmp_path / "empty") as forger:
        forger.db.execute("DELETE FROM episodes")
    done = diorama("replay", str(tmp_path / "empty"), "--verify")
    assert done.returncode == 1
    assert "episode deleted: planned but not in the run: zendesk/late-refund:train:0@oracle" in done.stdout
    assert "No episode was verified" in done.stdout


def test_run_files_are_private(folder: Path) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes.pop(folder.name) == 0o700
    assert FILE in modes
    assert set(modes.values()) == {0o600}


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    words = ["run", REFUND, "--agent", "oracle", "--episodes", "12", "--parallel", "2", "--out", str(tmp_path / "run")]
    small = f"ulimit -f 160; exec {sys.executable} -m diorama {' '.join(words)}"
    full = subprocess.run(["bash", "-c", small], capture_output=True, text=True, check=False)
    assert full.returncode == 2
    told = [line for line in full.stderr.splitlines() if not re.match(r"\d+/12 episodes", line)]
    assert len(told) == 1
    saved = re.search(r"Cannot save to .*: (?:disk I/O error|the disk is full)\. (\d+) episodes are saved\.", told[0])
    assert saved
    kept = int(saved[1])
    assert 0 < kept < 12
    again = diorama(*words)
    assert again.returncode == 0
    assert f"{kept} of 12 episodes are done; continuing." in again.stderr
    assert diorama("replay", str(tmp_path / "run"), "--verify").returncode == 0


def test_a_full_disk_under_the_cache_is_one_line(tmp_path: Path) -> None:
    small = f"ulimit -f 1000; exec {sys.executable} -m diorama run {REFUND} --agent noop --out {tmp_path / 'run'}"
    environment = {**os.environ, "DIORAMA_CACHE": str(tmp_path / "cache")}
    full = subprocess.run(["bash", "-c", small], capture_output=True, text=True, check=False, env=environment)
    assert full.returncode == 1
    assert full.stderr.count("\n") == 1
    assert "cannot write the image of larkspur (small)" in full.stderr
    assert "DIORAMA_CACHE" in full.stderr


def test_an_altered_reply_is_found_and_named(folder: Path, tmp_path: Path) -> None:
    seq = altered(folder, tmp_path / "altered", "show_ticket")
    done = diorama("replay", str(tmp_path / "altered"), "--verify")
    assert done.returncode == 1
    assert f"{REFUND}:train:1@oracle: events was changed after it was recorded" in done.stdout
    assert "5 of 6" in done.stdout
    reseal(tmp_path / "altered")
    found = diorama("replay", str(tmp_path / "altered"), "--verify")
    assert f"{REFUND}:train:1@oracle diverges at step {seq}: reply.body" in found.stdout
    found = diorama("replay", str(tmp_path / "altered"), "--verify", "--json")
    assert found.returncode == 1
    assert json.loads(found.stdout)["divergences"][0]["seq"] == seq


def test_another_version_is_refused(folder: Path, tmp_path: Path) -> None:
    with forging(folder, tmp_path / "old") as forger:
        versions: dict[str, Any] = json.loads(forger.run("versions"))
        versions[REFUND]["reward"] = "of last week"
        forger.put_run(versions=json.dumps(versions))
        for row in forger.rows():
            forger.put_result(row, versions={name: versions[REFUND][name] for name in ("image", "package", "reward")})
    reseal(tmp_path / "old")
    done = diorama("replay", str(tmp_path / "old"), "--verify")
    assert done.returncode == 2
    assert "6 not verified: " in done.stderr
    assert "was recorded with reward of last week" in done.stderr
    assert "0 of 6 episodes" in done.stdout


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
    rows = [line.split() for line in listed[1:] if line[:1].isdigit()][:6]  # a long reason takes two lines
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [(row[2], row[3]) for row in rows] == [(agent, str(n)) for agent in ("oracle", "noop") for n in range(3)]
    assert "success" in listed[1]
    assert "1.000" in listed[1]
    assert "not solved" in listed[4]
    assert "found no refund" in " ".join(" ".join(listed[4:6]).split())
    episodes = json.loads(diorama("replay", str(folder), "--json").stdout)["episodes"]
    assert [one["number"] for one in episodes] == [1, 2, 3, 4, 5, 6]
    assert diorama("replay", str(folder), "5").stdout.startswith(f"{REFUND}:train:1@noop")


ESCAPES = "x\x1b[2K\x1b[1F\x9b2K\rall verified\n6 of 6 episodes\u202e"


@pytest.mark.parametrize("column", ["agent", "note", "episode"])
def test_stored_control_characters_do_not_reach_the_terminal(column: str, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "forged")
    with closing(sqlite3.connect(tmp_path / "forged" / FILE, isolation_level=None)) as db:
        db.execute(f"UPDATE episodes SET {column} = {column} || ? WHERE number = 1", (ESCAPES,))
    for asked in ([], ["1"], ["7"], ["--verify"], ["--json"], [ESCAPES]):
        done = diorama("replay", str(tmp_path / "forged"), *asked)
        said = done.stdout + done.stderr
        assert "Traceback" not in said
        shown = said.replace("\u202e", "") if "--json" in asked else said  # JSON is for programs
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)
        assert "\n6 of 6 episodes" not in said


def test_the_parts_of_a_score_are_marked(folder: Path) -> None:
    assert re.search(r"\+1\.00  met +words_are_clean: ", diorama("replay", str(folder), "1").stdout)
    assert re.search(r"\+0\.00  missing +ticket_is_done: ", diorama("replay", str(folder), "4").stdout)


def test_the_table_of_a_run_names_the_reason_of_a_failure(folder: Path) -> None:
    again = diorama("run", REFUND, "--agent", "noop", "--out", str(folder.parent / "failing")).stdout
    assert "first reason" in again
    assert "refunded for order" in " ".join(again.split())


def test_the_story_says_what_was_expected_and_found(folder: Path) -> None:
    told = diorama("replay", str(folder), "1").stdout
    assert re.search(r"potential \+0\.\d+ .*\n +expected: .+\n +found: .+", told)
    assert re.search(r"missing +\w+: .*\n +expected: .+\n +found: .+", diorama("replay", str(folder), "4").stdout)


def test_the_story_says_why_a_request_was_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def lost(hands):\n    hands.call('zendesk_get_ticket', {'ticket_id': 999999999})\n"
    )
    diorama("run", REFUND, "--agent", "python:mine:lost", "--out", "run", cwd=tmp_path)
    assert "-> 404 RecordNotFound" in diorama("replay", "run", "1", cwd=tmp_path).stdout


def test_a_refused_out_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    done = diorama("run", REFUND, "--agent", "noop", "--out", "full", cwd=tmp_path)
    assert done.returncode == 2
    assert "holds other files (letter.txt)" in done.stderr
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]
    for verb in (["run", REFUND, "--agent", "noop"], ["play", REFUND], ["scenarios", "--card"]):
        done = diorama(*verb, "--out", "", cwd=tmp_path)
        assert done.returncode == 2
        assert "--out is empty" in done.stderr


def test_scenarios_refuses_an_out_that_it_would_not_write(tmp_path: Path) -> None:
    for options in ([], ["--table", "--json"]):
        done = diorama("scenarios", *options, "--out", "x.md", cwd=tmp_path)
        assert done.returncode == 2
        assert "--out is for the Markdown of --card or --table" in done.stderr
        assert not (tmp_path / "x.md").exists()


def test_the_verify_command_has_the_paths_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "my own").mkdir()
    for words in (["--path", "my own", "run"], ["run", "--path", "my own"]):
        done = diorama(*words, REFUND, "--agent", "noop", cwd=tmp_path)
        told = re.search(r"replay \S+ --verify --digest [0-9a-f]{64} --path 'my own'$", done.stdout.strip())
        assert told, done.stdout


def test_a_wrong_call_and_the_end_of_staging_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import time\ndef wrong(hands):\n    hands.call('backoffice_nope', {})\ndef slow(hands):\n    time.sleep(60)\n"
    )
    agents = ("--agent", "python:mine:wrong", "--agent", "python:mine:slow")
    diorama("run", REFUND, *agents, "--agent-seconds", "1", "--out", "run", cwd=tmp_path)
    wrong, slow = (diorama("replay", "run", number, cwd=tmp_path).stdout for number in "12")
    assert "backoffice_nope() -> wrong call\n            no tool named 'backoffice_nope'" in wrong
    counted = [re.search(r"staging: (\d+) events", told) for told in (wrong, slow)]
    assert counted[0]
    assert counted[1]
    assert counted[0][1] == counted[1][1]


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


def test_a_password_of_the_provider_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:pwSECRET@127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    done = diorama("run", REFUND, "--agent", "openai:nobody", "--json", "--out", "run", cwd=tmp_path)
    shown = diorama("show", "run", cwd=tmp_path)
    assert "http://127.0.0.1:9/v1 could not be reached" in done.stdout
    assert "pwSECRET" not in done.stdout + done.stderr + shown.stdout
    assert b"pwSECRET" not in (tmp_path / "run" / FILE).read_bytes()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_stopped_says_how_to_continue(number: signal.Signals, tmp_path: Path) -> None:
    words = ["run", REFUND, "--agent", "noop", "--episodes", "8000", "--out", "run"]
    command = [sys.executable, "-m", "diorama", *words]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with it ignored
    try:
        started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with started as run:
        assert run.stderr is not None
        assert any("episodes in" in line for line in run.stderr), "it runs"
        os.killpg(run.pid, number) if number == signal.SIGINT else run.send_signal(number)
        rest = run.stderr.read()
    assert run.returncode == 128 + number
    *_, last = rest.splitlines()
    assert re.fullmatch(
        r"Stopped: \d+ of 8000 episodes are saved. Run the same command with --out run to continue.", last
    )
    assert "asyncio" not in rest
    assert "Traceback" not in rest


def test_workers_end_with_the_run(tmp_path: Path) -> None:
    words = ["run", REFUND, "--agent", "noop", "--episodes", "8000", "--out", "run"]
    command = [sys.executable, "-m", "diorama", *words]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        assert run.stderr is not None
        assert any("episodes in" in line for line in run.stderr), "it runs"
        run.kill()
        run.stderr.read()  # until no process has it open
    assert run.returncode == -signal.SIGKILL


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


def test_requests_that_leave_no_event_are_verified() -> None:
    finished = perform(Job("python:tests.runs.guests:shows_an_invalid_token", REFUND, 0))
    turns = unpack(finished.transcript)
    assert [turn["is_error"] for turn in turns] == [False, True, True, False]
    asked = [event for event in unpack(finished.events) if event["door"] == "python"]
    assert len(asked) == 2, "an invalid token is refused before the world"
    assert verify(finished) is None
    turns[1]["text"] = "welcome"
    finished.transcript = pack(turns)
    found = verify(finished)
    assert found is not None
    assert found.place == "transcript"
    assert found.what.startswith("turn 2: ")
