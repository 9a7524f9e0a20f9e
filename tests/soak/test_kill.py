"""Endurance: real runs, killed fifty times at random moments and resumed; every finished episode is there once."""

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from diorama.runs.store import Job
from tests.runs.killed import kept_in, kill_in_the_middle, saved_in

KILLS = 50
EPISODES = 300
SCENARIO = "zendesk/late-refund"


def command(run: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "diorama", "run", SCENARIO, "--agent", "oracle", "--agent", "random"),
        *("--episodes", str(EPISODES // 2), "--parallel", "2", "--out", str(run)),
    ]


@pytest.mark.soak
def test_fifty_kills_lose_nothing(tmp_path: Path) -> None:
    moments = random.Random()
    kills = kills_in_work = runs = 0
    while kills < KILLS:
        run = tmp_path / f"run{runs}"
        before: set[Job] = set()
        killed = True
        while killed and kills < KILLS:
            working = partial(lambda run, count: saved_in(run) > count, run, len(before))
            early = moments.random() < 0.2  # while it starts
            moment = moments.uniform(0.2, 2.0)
            killed = kill_in_the_middle(command(run), moment, ready=(lambda: True) if early else working)
            after = kept_in(run)
            assert before <= after, "an episode that had finished is gone"
            kills, kills_in_work, before = kills + killed, kills_in_work + (killed and before < after), after
        assert not kill_in_the_middle(command(run), 3600)
        assert len(kept_in(run)) == EPISODES
        verified = subprocess.run([sys.executable, "-m", "diorama", "replay", str(run), "--verify"], check=False)
        assert verified.returncode == 0
        runs += 1
    told = (
        f"{kills} kills, {kills_in_work} of them after new episodes were saved, in {runs} runs of {EPISODES} episodes"
    )
    sys.stdout.write(f"\n{told}\n")
    assert kills_in_work >= KILLS // 2
