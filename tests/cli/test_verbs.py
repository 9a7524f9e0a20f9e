"""The whole command line: fast, clear about errors, and printing only JSON when JSON is requested."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from diorama.cli import VERBS
from diorama.worlds import open_world
from tests.cli.commands import Commands

HEAVY = ("rich", "apsw", "msgspec", "starlette", "uvicorn", "diorama.kernel")


def diorama(*words: str, cwd: Path | None = None, told: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process."""
    return commands().run(words, cwd, told)


commands = cache(Commands)
"""The server of commands of this process."""


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; from diorama.cli import app; app(['--help'], standalone_mode=False);"
        f"print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert all(f"  {verb} " in done.stdout for verb in VERBS)
    assert all(line in done.stdout for line in VERBS.values())
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_is_one_file_with_a_function_of_its_name(verb: str) -> None:
    name = verb.replace("-", "_")
    assert callable(getattr(import_module(f"diorama.cli.{name}"), name))


def test_the_version_is_printed() -> None:
    done = diorama("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, "diorama")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["fly"], "No such command 'fly'"),
        (["run", "zendesk/late-refund"], "Missing option '--agent'"),
        (["run", "nowhere/nothing", "--agent", "noop"], "There is no scenario 'nowhere/nothing'. There are:"),
        (["run", "zendesk/late-refund", "--agent", "wizard"], "There is no agent 'wizard'. There are: oracle"),
        (["run", "zendesk/late-refund", "--agent", "cheat:nope"], "knows no cheat 'nope'. Its cheats:"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--episodes", "0"], "greater than or equal to 1"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--parallel", "0"], "greater than or equal to 1"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--seed", "-1"], "greater than or equal to 0"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--seed", "9" * 30], "less than or equal to"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--out", "/proc/x"], "Cannot write a run into /proc/x"),
        (["run", "zendesk/late-refund", "--agent", "python:mine"], "Write python:PACKAGE.MODULE:CALLABLE"),
        (["play", "zendesk/late-refund", "--out", "/proc/x"], "Cannot write a run into /proc/x"),
        (["scenarios", "zendesk/late-refund", "--table", "--out", "/proc/x"], "Cannot write /proc/x"),
        (["serve", "--port", "99999"], "less than or equal to 65535"),
        (["serve", "--advertise", "a/b"], "--advertise a/b: give a host name or an address"),
        (["serve", "--advertise", "http://a"], "--advertise http://a: give a host name or an address"),
        (["serve", "--advertise", "a:80"], "--advertise a:80: give a host name or an address"),
        (["contract", "zendesk", "--recordings", "/etc/passwd"], "/etc/passwd: it is not a tar archive"),
        (["run", "zendesk/late-refund", "--agent", "noop", "--group", "9" * 12], "a run has at most 2000000"),
        (["worlds", "larkspur", "--threads", "-1"], "greater than or equal to 0"),
        (["worlds", "--size", "huge"], "worlds come in small, medium, large, not in 'huge'"),
        (["worlds", "larkspur", "--size", "huge"], "larkspur comes in small, medium, large, not in 'huge'"),
        (["worlds", "larkspur", "--check", "--size", "huge"], "comes in small, medium, large, not in 'huge'"),
        (["new", "app", "crm", "--path", "/proc/x"], "--path /proc/x: cannot make this folder"),
        (["new", "app", "crm", "--world", "larkspur"], "--world says where a scenario takes place"),
        (["new", "scenario", "zendesk/x", "--world", "nowhere"], "There is no world 'nowhere'"),
        (["new", "scenario", "zendesk/x", "--world", "kittiwake"], "goods and people of larkspur"),
        (["play", "nowhere/nothing"], "There is no scenario"),
        (["replay", "nowhere"], "There is no run in nowhere"),
        (["judge-score", "--cases", "nowhere", "--replies", "x"], "--cases nowhere: No such file or directory"),
        (["new", "app", "Two Words"], "cannot name an app"),
        (["new", "scenario", "flat"], "cannot name a scenario"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_one_sentence(words: list[str], complaint: str, tmp_path: Path) -> None:
    done = diorama(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert complaint in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if done.stderr.startswith("diorama: "):
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["run", "zendesk/late-refund", "--agent", "noop"], ["worlds", "larkspur", "--check"], ["serve", "--port", "0"]],
    ids=lambda words: words[0],
)
def test_a_cache_that_cannot_be_written_is_one_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_CACHE", "/proc/nowhere")
    done = diorama(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.replace("\n", " ").startswith("diorama: cannot write to the cache folder /proc/nowhere")
    assert len(done.stderr.splitlines()) == 1


def test_a_reason_that_several_things_have_is_printed_once(tmp_path: Path) -> None:
    assert diorama("new", "app", "crm", cwd=tmp_path).returncode == 0
    assert diorama("new", "scenario", "crm/two-changes", cwd=tmp_path).returncode == 0
    api = tmp_path / "apps/crm/api.py"
    api.write_text(api.read_text().replace("def shown(item: Item)", "def shown(item Item)"))
    done = diorama("check", "crm", cwd=tmp_path)
    lines = done.stderr.splitlines()
    assert (done.returncode, done.stdout, len(lines)) == (2, "", 3)
    assert "could not be loaded: SyntaxError" in lines[0]
    assert "(apps/crm/api.py:" in lines[0]
    assert [line.partition(") ")[2] for line in lines[1:]] == ["needs app crm, see above"] * 2


def test_an_edit_since_a_run_is_told_in_plain_words(tmp_path: Path) -> None:
    diorama("new", "app", "crm", cwd=tmp_path)
    diorama("new", "scenario", "crm/two-changes", cwd=tmp_path)
    words = ("run", "crm/two-changes", "--agent", "noop", "--out", "kept")
    assert diorama(*words, cwd=tmp_path).returncode == 0
    story = tmp_path / "scenarios/two_changes.py"
    story.write_text(story.read_text().replace("hours = 24.0", "hours = 25.0"))
    done = diorama(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "since then the scenario crm/two-changes was edited" in done.stderr
    assert "another folder with --out" in done.stderr


def test_a_new_help_desk_can_be_read_and_checked(tmp_path: Path) -> None:
    diorama("new", "world", "acme-tea", cwd=tmp_path)
    assert diorama("worlds", "acme-tea", "--threads", "3", cwd=tmp_path).stdout.count("no priority") == 3
    done = diorama("worlds", "acme-tea", "--check", cwd=tmp_path)
    first, *_, last = done.stdout.splitlines()
    assert first == "18 rules over 40 tickets, 40 comments, 40 audits, 9 users: no contradictions."
    assert last.endswith("checks: no findings.")
    assert done.returncode == 0
    shown = diorama("worlds", "acme-tea", "--profile", "--json", cwd=tmp_path)
    assert json.loads(shown.stdout)["tickets"] == 40, "no back office is needed"


def test_a_damaged_image_is_one_line_on_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = open_world("larkspur").pages.image.path
    spoiled = tmp_path / good.name
    for file in (good, good.with_suffix(".json"), *good.parent.glob("sources-*.json")):
        shutil.copy(file, tmp_path)
    os.truncate(spoiled, 4096 * 10)
    monkeypatch.setenv("DIORAMA_CACHE", str(tmp_path))
    done = diorama("worlds", "larkspur", "--threads", "1")
    assert (done.returncode, done.stderr) == (
        0,
        f"damaged image {spoiled}: it has 40960 bytes instead of {good.stat().st_size}; building it again\n",
    )
    assert spoiled.read_bytes() == good.read_bytes()
    assert diorama("worlds", "larkspur", "--threads", "1").stderr == ""
