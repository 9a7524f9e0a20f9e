"""Endurance: a real run, killed ten times at random moments, then resumed; every finished episode is there once."""

import random
import sys
from pathlib import Path

import pytest

from diorama.runs.store import Job
from tests.runs.killed import kept_in, kill_in_the_middle

KILLS = 10
EPISODES = 600
SCENARIO = "zendesk/late-refund"


@pytest.mark.soak
def test_ten_kills_lose_nothing(tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [
        *(sys.executable, "-m", "diorama", "run", SCENARIO, "--agent", "oracle", "--agent", "random"),
        *("--episodes", str(EPISODES // 2), "--parallel", "2", "--out", str(run)),
    ]
    moments = random.Random()
    kills = 0
    before: set[Job] = set()
    for _ in range(KILLS * 3):
        if kills == KILLS:
            break
        kills += kill_in_the_middle(command, moments.uniform(0.5, 4.0))
        after = kept_in(run)
        assert before <= after, "an episode that had finished is gone"
        before = after
    assert kills == KILLS, "the run ended too soon: raise EPISODES"
    assert not kill_in_the_middle(command, 900)
    assert len(kept_in(run)) == EPISODES
