"""A run that can be killed from outside: `python -m tests.runs.killed FOLDER EPISODES`; and what must hold after."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from diorama.runs.engine import Engine
from diorama.runs.file import FILE, WrongRun
from diorama.runs.store import Job, Store, unpack
from tests.runs import stand_in
from tests.runs.test_store import info


def main() -> None:
    """Run the given number of stand-in episodes with two workers."""
    folder, episodes = Path(sys.argv[1]), int(sys.argv[2])
    plan = [Job("oracle", "s", seed) for seed in range(episodes)]
    with Store.begin(folder, info(plan)) as store:
        Engine(store, stand_in.perform, 2).run()


def kill_in_the_middle(
    command: list[str], seconds: float, cwd: Path | None = None, ready: Callable[[], bool] = lambda: True
) -> bool:
    """Start a command and kill -9 it `seconds` after it is ready; return whether it still ran. No child may survive."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=cwd)
    try:
        while process.poll() is None and not ready():
            time.sleep(0.05)
        _, complaint = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        children = children_of(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 10
        while any(alive(child) for child in children):
            assert time.monotonic() < deadline, "workers outlived their parent"
            time.sleep(0.02)
        process.communicate()
        return True
    assert process.returncode == 0, complaint
    return False


def kept_in(folder: Path) -> set[Job]:
    """Return every episode in the folder; check that each is stored once and is fully readable."""
    if not (folder / FILE).exists():
        return set()
    with sqlite3.connect(folder / FILE) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'episodes'").fetchone():
            return set()
        keys = db.execute("SELECT agent, scenario, seed, idx, attempt, split FROM episodes").fetchall()
        rows = db.execute("SELECT result, events, transcript, trace FROM episodes").fetchall()
    db.close()
    assert len(keys) == len(set(keys))
    for result, events, transcript, trace in rows:
        assert msgspec.json.decode(result)["trace"] == trace
        assert unpack(events)
        assert isinstance(unpack(transcript), list)
    return {Job(*key) for key in keys}


def saved_in(folder: Path) -> int:
    """Return the number of episodes in a folder that a run may be writing to."""
    try:
        with Store.open(folder) as store:
            return store.count()
    except (WrongRun, sqlite3.Error):
        return 0


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def alive(pid: int) -> bool:
    """Check whether a process is still running."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    main()
