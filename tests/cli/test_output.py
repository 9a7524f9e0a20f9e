"""Output that cannot be written, and values that no option takes, are one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_verbs import diorama

REFUND = "zendesk/late-refund"
FULL = "diorama: cannot write to standard output: No space left on device.\n"
COMMANDS = ["--help", "--version", "apps", "scenarios --json", "run --help"]


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell; `diorama` is the command."""
    code = f'diorama() {{ "{sys.executable}" -m diorama "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize("words", COMMANDS)
def test_output_that_cannot_be_written_is_one_line(words: str, tmp_path: Path) -> None:
    full = shell(f"diorama {words} >/dev/full", tmp_path)
    assert (full.returncode, full.stderr) == (1, FULL)
    closed = shell(f"diorama {words} >&-", tmp_path)
    told = "diorama: standard output is closed. Send it to a file or to /dev/null.\n"
    assert (closed.returncode, closed.stderr) == (1, told)


def test_a_closed_pipe_ends_a_command_quietly(tmp_path: Path) -> None:
    done = shell("set -o pipefail; diorama scenarios --json | true", tmp_path)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_closed_error_stream_changes_nothing(tmp_path: Path) -> None:
    done = shell("diorama apps 2>&-", tmp_path)
    assert done.returncode == 0
    assert "zendesk" in done.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"diorama play {REFUND} <&-", "Standard input is closed."),
        (f"diorama play {REFUND} 0>/dev/null", "Cannot read standard input: "),
    ],
)
def test_play_without_an_input_is_one_line(line: str, told: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"diorama: {told}")
    assert done.stderr.count("\n") == 1


def test_other_commands_need_no_input(tmp_path: Path) -> None:
    for words in ("apps", "scenarios", f"run {REFUND} --agent noop --out run", "show run", "replay run --verify"):
        for closed in ("<&-", "<&- 2>&-"):
            done = shell(f"diorama {words} {closed}", tmp_path)
            assert (done.returncode, "Traceback" in done.stdout + done.stderr) == (0, False)


def test_an_episode_that_cannot_be_printed_was_not_changed(tmp_path: Path) -> None:
    assert diorama("run", REFUND, "--agent", "noop", "--out", "run", cwd=tmp_path).returncode == 0
    for line in ("diorama replay run 1", "diorama replay run", "diorama show run", "diorama replay run --verify"):
        done = shell(f"{line} >/dev/full", tmp_path)
        assert (done.returncode, done.stderr) == (
            1,
            "diorama: cannot write to standard output: No space left on device.\n",
        )


@pytest.mark.parametrize("seconds", ["inf", "1e308", "nan", "ten", "-1", "0", "604801"])
def test_times_that_no_clock_measures_are_refused(seconds: str, tmp_path: Path) -> None:
    run = diorama("run", REFUND, "--agent", "oracle", "--agent-seconds", seconds, "--out", "run", cwd=tmp_path)
    served = diorama("serve", "--lease", seconds, "--port", "0", cwd=tmp_path)
    for done, option in ((run, "--agent-seconds"), (served, "--lease")):
        assert done.returncode == 2
        told = "is not a number" if seconds in ("nan", "ten") else "to 604800 seconds"
        assert f"Invalid value for '{option}'" in done.stderr
        assert told in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "line",
    [
        rf"diorama run {REFUND} --agent noop --out $'w\xff\xfe'",
        rf"diorama play {REFUND} --out $'w\xff\xfe'",
        r"diorama serve --port 0 --host $'\xff'",
        f"diorama cases {REFUND} --split nope",
        f"diorama mutate {REFUND} --seeds 0",
    ],
)
def test_values_that_no_option_takes_are_refused(line: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["run.sqlite", "lock"])
def test_a_pipe_or_a_link_in_a_run_folder_is_named(name: str, tmp_path: Path) -> None:
    for place, make in (("pipe", os.mkfifo), ("link", lambda path: os.symlink("/dev/null", path))):
        (tmp_path / place).mkdir()
        make(tmp_path / place / name)
        done = diorama("run", REFUND, "--agent", "noop", "--out", place, cwd=tmp_path)
        assert done.returncode == 2
        assert f"{name} is not a plain file. Choose another" in done.stderr
