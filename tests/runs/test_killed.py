"""kill -9 during a run loses no finished episode, corrupts nothing, and the run can be resumed."""

import sys
from pathlib import Path

from diorama.kernel import Dice
from diorama.runs.store import Job
from tests.runs.killed import kept_in, kill_in_the_middle

ROOT = Path(__file__).parents[2]
EPISODES = 400


def test_a_run_killed_many_times_still_completes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.runs.killed", str(tmp_path / "run"), str(EPISODES)]
    dice, killed = Dice("killed"), 0
    before: set[Job] = set()
    for _ in range(3):
        killed += kill_in_the_middle(command, dice.between(0.3, 1.2), cwd=ROOT)
        after = kept_in(tmp_path / "run")
        assert before <= after
        before = after
    assert killed
    assert not kill_in_the_middle(command, 120, cwd=ROOT)
    assert len(kept_in(tmp_path / "run")) == EPISODES
