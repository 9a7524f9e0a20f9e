"""The package passes every check that Diorama makes, and its runs replay."""

import json
from pathlib import Path

import pytest

from tests.foreign.finding import PACKAGE, STORY, diorama


@pytest.mark.parametrize("name", ["chat", "pier", STORY])
def test_diorama_check_passes(name: str, tmp_path: Path) -> None:
    done = diorama("check", name, "--json", "--path", str(PACKAGE), cwd=tmp_path)
    made = json.loads(done.stdout)
    assert (done.returncode, made["passed"]) == (0, True), done.stdout
    assert {one["result"] for one in made["checks"]} == {"passed"}


def test_a_run_of_the_scenario_replays(tmp_path: Path) -> None:
    path = ("--path", str(PACKAGE))
    run = diorama("run", STORY, "--agent", "oracle", "--episodes", "3", "--out", "made", *path, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    again = diorama("replay", "made", "--verify", *path, cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    lost = diorama("replay", "made", "--verify", cwd=tmp_path)
    assert lost.returncode != 0
    assert STORY in lost.stdout + lost.stderr
