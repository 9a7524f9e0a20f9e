"""The whole command line: fast, clear about errors, and printing only JSON when JSON is requested."""

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from diorama.cli import VERBS
from diorama.worlds import open_world

HEAVY = ("rich", "apsw", "msgspec", "starlette", "uvicorn", "diorama.kernel")


def diorama(*words: str, cwd: Path | None = None, told: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process."""
    return subprocess.run(
        [sys.executable, "-m", "diorama", *words], capture_output=True, text=True, check=False, cwd=cwd, input=told
    )


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
    assert callable(getattr(import_module(f"diorama.cli.{verb}"), verb))


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
        (["play", "nowhere/nothing"], "There is no scenario"),
        (["replay", "nowhere"], "There is no run in nowhere"),
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
