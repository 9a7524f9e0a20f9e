"""Golden digests of a few episodes, to detect changes of behaviour; `make golden` rewrites them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diorama.runs.perform import perform
from diorama.runs.store import Job

GOLDEN = Path(__file__).with_name("golden.json")
ROOT = GOLDEN.parents[1]
AGENTS = ("oracle", "random", "noop")
SEEDS = (("train", 0), ("train", 7), ("eval", 0))
KEPT = ("ended", "success", "reward", "turns", "state", "trace")
SPLIT_HALVES = ["--episodes", "6", "--seed", "11", "--agent", "oracle", "--agent", "random"]


def acted(job: Job) -> dict[str, Any]:
    """Run a job, and return the stored part of its result."""
    result = perform(job).result
    return {"scenario": job.scenario, "agent": job.agent, "split": job.split, "seed": job.seed} | {
        name: result[name] for name in KEPT
    }


def wanted() -> list[dict[str, Any]]:
    """Return the golden episodes; empty before they are first written."""
    found: list[dict[str, Any]] = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else []
    return found


@pytest.mark.parametrize("golden", wanted(), ids=lambda row: "{scenario}:{split}:{seed}@{agent}".format_map(row))
def test_each_golden_episode_is_unchanged(golden: dict[str, Any]) -> None:
    job = Job(golden["agent"], golden["scenario"], golden["seed"], split=golden["split"])
    assert acted(job) == golden, "behaviour has changed; if on purpose, run `make golden` and say so in the changelog"


def test_every_scenario_has_golden_episodes() -> None:
    from diorama.scenarios import load_all

    assert {row["scenario"] for row in wanted()} == set(load_all())


def test_no_process_setting_reaches_a_world(tmp_path: Path) -> None:
    settings = [
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "parallel": "1"},
        {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "parallel": "2"},
    ]
    seen = []
    for number, setting in enumerate(settings):
        parallel = setting.pop("parallel")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "diorama", "run", "zendesk/late-refund", *SPLIT_HALVES),
                *("--parallel", parallel, "--out", str(tmp_path / str(number)), "--json"),
            ],
            env={**os.environ, **setting}, cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        seen.append(
            [
                [one[name] for name in ("episode", "agent", "state", "trace", "reward", "score")]
                for one in json.loads(done.stdout)["episodes"]
            ]
        )
    assert len(seen[0]) == 12
    assert seen[0] == seen[1]


def main() -> None:
    """Rewrite the golden episodes."""
    from diorama.scenarios import load_all

    jobs = [Job(agent, name, seed, split=split) for name in load_all() for agent in AGENTS for split, seed in SEEDS]
    GOLDEN.write_text(json.dumps([acted(job) for job in jobs], indent=1) + "\n")
    sys.stdout.write(f"wrote {len(jobs)} episodes to {GOLDEN.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
