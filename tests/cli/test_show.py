"""`diorama show`: the reason in the first line, then the whole story, from real runs."""

import io
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from diorama.cli import app
from diorama.cli.errors import Misuse
from diorama.runs.file import FILE
from diorama.runs.store import pack, unpack
from tests.cli.test_verbs import diorama

REFUND = "zendesk/late-refund"
AGENTS = """
import re

def halfway(hands):
    ticket = int(re.search(r"#(\\d+)", hands.brief)[1])
    hands.call("zendesk_get_ticket", {"ticket_id": ticket})
    hands.http("zendesk", "GET", f"/api/v2/tickets/{ticket}/comments.json")
    hands.call("zendesk_get_ticket", {"ticket_id": "seven"})
    body = "I have asked the carrier about your parcel and will write again as soon as they answer me.\\n\\nAna"
    hands.call("zendesk_reply_to_ticket", {"ticket_id": ticket, "body": body})
    hands.call("wait", {"until": "notice", "minutes": 3000})
    raise KeyError("order")
"""
NAMES = ("oracle", "noop", "cheat:pleases_without_the_deed", "cheat:gives_everything", "random", "python:mine:halfway")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with an episode of every kind of agent."""
    place = tmp_path_factory.mktemp("shown")
    (place / "mine.py").write_text(AGENTS)
    agents = [word for name in NAMES for word in ("--agent", name)]
    done = diorama("run", REFUND, *agents, "--out", "run", cwd=place)
    assert done.returncode == 0, done.stderr
    return place / "run"


def show(folder: Path, *words: str) -> str:
    """Return what the command prints to a pipe."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(printed):
        app(["show", str(folder), *words], standalone_mode=False)
    return printed.buffer.getvalue().decode()


def document(folder: Path, *words: str) -> Any:
    return json.loads(show(folder, *words, "--json"))


def refused(folder: Path, *words: str) -> str:
    """Return the one sentence with which the command refuses; it is exit code 2."""
    with pytest.raises(Misuse) as error:
        show(folder, *words)
    assert "\n" not in str(error.value)
    return str(error.value)


def number(agent: str) -> str:
    return str(NAMES.index(agent) + 1)


def changed(run: Path, to: Path, agent: str, **columns: Any) -> Path:
    """Copy a run and change columns of one agent's row."""
    shutil.copytree(run, to)
    with sqlite3.connect(to / FILE) as db:
        for name, value in columns.items():
            db.execute(f"UPDATE episodes SET {name} = ? WHERE agent = ?", (value, agent))
    return to


def stored(run: Path, agent: str, column: str) -> Any:
    with sqlite3.connect(run / FILE) as db:
        return db.execute(f"SELECT {column} FROM episodes WHERE agent = ?", (agent,)).fetchone()[0]


def test_the_list_has_failures_first_and_says_why(run: Path) -> None:
    listed = document(run)
    assert [one["outcome"] for one in listed["episodes"]] == ["failed"] * 5 + ["success"]
    assert all(one["reason"] for one in listed["episodes"][:5])
    assert listed["summary"]["success"] == 1
    assert listed["summary"]["failed"] == 5
    text = show(run)
    assert "found no refund" in " ".join(text.split())
    assert "6 episodes: 1 success, 5 failed, 0 void" in text
    assert f" show {run} 2\n" in text


def test_the_list_can_be_narrowed(run: Path) -> None:
    shown = document(run, "--failed", "--scenario", "*/late-*")
    assert [one["agent"] for one in shown["episodes"]] == list(NAMES[1:])
    assert shown["summary"]["episodes"] == 6
    assert "No scenario of this run matches 'crm/*'" in refused(run, "--scenario", "crm/*")


@pytest.mark.parametrize("agent", NAMES)
def test_no_line_is_wider_than_the_screen(run: Path, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = show(run, number(agent)).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("\x1b" in line for line in lines)
    assert max(map(len, show(run).splitlines()[:-2])) <= 80


@pytest.mark.parametrize("agent", NAMES[1:])
def test_the_first_line_of_a_failure_is_its_reason(run: Path, agent: str) -> None:
    story = document(run, number(agent))
    first = show(run, number(agent)).split("\nEpisode ")[0]
    assert " ".join(first.split()) == story["headline"]
    assert story["headline"].startswith("Failed: ")
    assert story["reasons"]
    assert all(part["expected"] and part["found"] for part in (*story["reasons"], *story["parts"]))
    assert not any("not judged" in part["found"] for part in story["parts"])


def test_a_success_is_told_with_its_deeds_and_rows(run: Path) -> None:
    text = show(run, number("oracle"))
    assert text.startswith("Success: everything that was expected was found.")
    assert "Brief\n  | You are Ana Duarte" in text
    assert "backoffice_refund_charge(charge_id=" in text
    assert re.search(r"backoffice_refunds \S+ added", text)
    assert "refunded_cents: 0 -> " not in text  # the app declares that it follows from the refund
    assert "status: new -> solved" in " ".join(text.split())
    assert "| Hello, I have refunded" in text
    assert "refund_is_made now holds" in text
    assert "because of turn" in text


def test_a_lie_is_told_with_the_answer_of_the_customer(run: Path) -> None:
    text = show(run, number("cheat:pleases_without_the_deed"))
    assert "wrote (complaint):" in text
    assert "holds from turn 1 on" in text


def test_damage_is_told_with_the_turn_that_did_it(run: Path) -> None:
    text = show(run, number("cheat:gives_everything"))
    assert text.startswith("Failed: ")
    told = document(run, number("cheat:gives_everything"))
    damage = next(part for part in told["reasons"] if part["name"].startswith("damage: "))
    turn = next(one["turn"] for one in told["turns"] if one["event"] == damage["evidence"][0])
    assert f"where    turn {turn} (event {damage['evidence'][0]})" in text


def test_an_agent_that_breaks_off_is_told_up_to_its_exception(run: Path) -> None:
    text = show(run, number("python:mine:halfway"))
    assert text.startswith("Failed: the agent raised KeyError: 'order' (mine.py:12)")
    assert "zendesk GET /api/v2/tickets/" in text
    assert "error  zendesk_get_ticket: Expected `int`, got `str`" in text
    assert "| I have asked the carrier about your parcel" in text
    assert text.index('wait(until="notice"') < text.index("the agent did not call finish")
    assert "what the agent's own code printed or thought" in text


def test_every_turn_of_the_transcript_is_told_once(run: Path) -> None:
    for agent in NAMES:
        acts = unpack(stored(run, agent, "transcript"))
        turns = document(run, number(agent))["turns"]
        told = [(turn["tool"], turn["saw"]) for turn in turns if not turn["by_harness"]]
        assert told == [(act.get("tool", ""), act["text"]) for act in acts]
        assert all(turn["event"] for turn in turns)


def test_full_leaves_nothing_out(run: Path) -> None:
    short, full = show(run, number("oracle")), show(run, number("oracle"), "--full")
    assert "zendesk_audits" in full
    assert '"requester_id"' in full
    assert '"requester_id"' not in short
    assert len(full) > 3 * len(short)


def test_an_episode_is_found_by_number_id_and_seed(run: Path, tmp_path: Path) -> None:
    by_name = show(run, f"{REFUND}:train:0@noop")
    assert by_name == show(run, "2")
    assert "Choose one by its number: 1 (oracle), 2 (noop)" in refused(run, f"{REFUND}:0")
    alone = tmp_path / "alone"
    diorama("run", REFUND, "--agent", "noop", "--seed", "4", "--out", str(alone))
    assert show(alone, f"{REFUND}:4") == show(alone, f"{REFUND}:train:4") == show(alone, "1")


def test_a_void_episode_is_told_with_its_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    diorama("run", REFUND, "--agent", "openai:nobody", "--out", str(tmp_path / "run"))
    text = show(tmp_path / "run", "1")
    assert text.startswith("Void: the harness broke at the boundary provider: ")
    assert "An earlier attempt was void: provider: " in text
    assert "agent openai:nobody, attempt 2." in " ".join(text.split())
    listed = document(tmp_path / "run")
    assert listed["summary"]["void"] == 1
    assert listed["episodes"][0]["fault"]["boundary"] == "provider"
    assert "1 episodes: 0 success, 0 failed, 1 void" in show(tmp_path / "run", "--failed")


def test_words_of_a_model_are_told_before_what_it_did(run: Path, tmp_path: Path) -> None:
    acts = unpack(stored(run, "oracle", "transcript"))
    acts.insert(1, {"said": "Now I look at \x1b[31mthe order.", "usage": {}})
    copy = changed(run, tmp_path / "said", "oracle", transcript=pack(acts))
    text = show(copy, "1")
    assert text.index("Turn 2,") < text.index("said   Now I look at") < text.index("backoffice_get_order(")
    assert "\x1b" not in text


def test_a_missing_transcript_is_said_and_events_are_told(run: Path, tmp_path: Path) -> None:
    text = show(changed(run, tmp_path / "bare", "oracle", transcript=pack([])), "1")
    assert "the run has no transcript, so the vendors' replies are shown" in " ".join(text.split())
    assert "zendesk GET /api/v2/tickets/" in " ".join(text.split())


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("events", b"torn", "the events: the stored log is damaged"),
        ("transcript", b"torn", "the transcript: the stored log is damaged"),
        ("result", "{", "Damaged: the stored result cannot be read."),
    ],
)
def test_a_damaged_episode_says_what_is_missing(run: Path, tmp_path: Path, column: str, value: Any, told: str) -> None:
    copy = changed(run, tmp_path / "damaged", "noop", **{column: value})
    assert told in show(copy, "2")
    assert show(copy, "1").startswith("Success")
    assert len(document(copy)["episodes"]) == 6


def test_a_damaged_file_and_an_older_format_are_one_sentence(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "torn")
    data = (tmp_path / "torn" / FILE).read_bytes()
    (tmp_path / "torn" / FILE).write_bytes(data[:4096] + b"\x55" * (len(data) - 4096))
    assert "damaged" in refused(tmp_path / "torn")
    shutil.copytree(run, tmp_path / "old")
    with sqlite3.connect(tmp_path / "old" / FILE) as db:
        db.execute("UPDATE run SET format = 2")
    assert "holds a run of format 2" in refused(tmp_path / "old", "1")


def test_parts_without_explanations_are_told_by_their_sentence(run: Path, tmp_path: Path) -> None:
    result = json.loads(stored(run, "noop", "result"))
    for part in result["score"]["parts"]:
        part.pop("expected")
        part.pop("found")
    copy = changed(run, tmp_path / "older", "noop", result=json.dumps(result))
    assert show(copy, "2").startswith("Failed: not met: What the customer is owed was done, once: ")


def test_another_staging_hides_the_brief(run: Path, tmp_path: Path) -> None:
    events = unpack(stored(run, "noop", "events"))
    events[0]["actor"] = "system:other"
    text = show(changed(run, tmp_path / "edited", "noop", events=pack(events)), "2")
    assert "Brief" not in text
    assert "the code or the data of the scenario was changed since the run" in " ".join(text.split())


def test_a_reader_may_close_the_pipe_early(run: Path) -> None:
    words = f"{sys.executable} -m diorama show {run} 1 --full | head -1"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Success")
    assert "Traceback" not in done.stderr


def test_options_that_do_not_fit_are_refused(run: Path) -> None:
    assert "use them without EPISODE" in refused(run, "1", "--failed")
    assert "--full is about one episode" in refused(run, "--full")


def test_a_suggested_command_has_no_path_of_an_earlier_command(run: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("DIORAMA_PATH", "")
    assert f" show {run} 2 --path {tmp_path}\n" in show(run, "--path", str(tmp_path))
    assert f" show {run} 2\n" in show(run)
