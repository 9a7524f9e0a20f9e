"""What the system or the shell gives a command: words that are not text, few open files, Ctrl-C, a full device."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diorama.cli.output import Messages
from tests.cli.test_output import shell
from tests.cli.test_verbs import diorama

REFUND = "zendesk/late-refund"


@pytest.mark.parametrize(
    "line",
    [
        rf"diorama run {REFUND} --agent $'x\xff' --out run",
        r"diorama run $'\xff' --agent noop --out run",
        r"diorama apps --path $'p\xff'",
        r"diorama --path $'p\xff' apps",
        r"diorama replay $'p\xff'",
        r"DIORAMA_PATH=$'p\xff' diorama apps",
    ],
)
def test_a_word_that_is_not_text_is_one_line(line: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "is not text in UTF-8" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [["replay", ""], ["show", " "], ["replay", "", "--verify"], ["apps", "--path", ""]])
def test_an_empty_name_of_a_folder_is_refused(words: list[str], tmp_path: Path) -> None:
    done = diorama(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "The name of a folder is empty" in done.stderr


@pytest.mark.parametrize("files", [8, 12, 16])
def test_too_few_open_files_are_one_line(files: int, tmp_path: Path) -> None:
    assert diorama("run", REFUND, "--agent", "noop", "--out", "first", cwd=tmp_path).returncode == 0  # builds the world
    done = shell(f"ulimit -n {files}; diorama run {REFUND} --agent noop --out run", tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Too many open files. Raise the limit with `ulimit -n`" in done.stderr


def test_ctrl_c_while_workers_start_prints_no_traceback(tmp_path: Path) -> None:
    words = ["run", REFUND, "--agent", "random", "--episodes", "500", "--parallel", "2", "--out", "run"]
    for seconds in (0.1, 0.4):
        with subprocess.Popen(
            [sys.executable, "-m", "diorama", *words], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
        ) as run:
            until = time.monotonic() + 30
            while not (tmp_path / "run" / "lock").exists() and time.monotonic() < until:
                time.sleep(0.01)
            time.sleep(seconds)
            os.killpg(run.pid, signal.SIGINT)
            told = run.communicate()[1].decode()
        assert run.returncode == 130
        assert "Traceback" not in told


def test_a_full_device_for_messages_does_not_end_a_run(tmp_path: Path) -> None:
    done = shell(f"diorama run {REFUND} --agent noop --out run 2>/dev/full", tmp_path)
    assert done.returncode == 0
    assert "Run saved to run." in done.stdout


@pytest.mark.parametrize("json", ["", "--json"])
def test_an_error_that_cannot_be_said_is_told_on_standard_output(json: str, tmp_path: Path) -> None:
    done = shell(f"diorama run {REFUND} --agent nobody --out run {json} 2>/dev/full", tmp_path)
    assert done.returncode == 2
    assert "cannot write to standard error: No space left on device" in done.stdout
    assert "There is no agent 'nobody'" in done.stdout


def test_messages_keep_what_cannot_be_written() -> None:
    with open("/dev/full", "w", buffering=1) as full:
        told = Messages(full)
        told.write("one\n")
        told.writelines(["two\n"])
        assert (told.lost, told.kept) == ("No space left on device", "one\ntwo\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_signal_in_the_first_moments_is_one_line(number: signal.Signals, seconds: float, tmp_path: Path) -> None:
    words = ["run", REFUND, "--agent", "noop", "--episodes", "8000", "--out", "run"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with it ignored
    try:
        run = subprocess.Popen([sys.executable, "-m", "diorama", *words], cwd=tmp_path, stderr=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, before)
    with run:
        while not catches(run.pid, signal.SIGTERM) and run.poll() is None:
            time.sleep(0.01)
        is_early = not (tmp_path / "run").exists()
        time.sleep(seconds)
        run.send_signal(number)
        said = run.communicate(timeout=60)[1].decode()
    assert is_early
    assert run.returncode == 128 + number
    assert said.count("\n") == 1
    assert said.startswith(("diorama: stopped.", "Stopped: "))


def catches(pid: int, number: int) -> bool:
    """Return whether a process has a handler of its own for a signal."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (number - 1) & 1)
