"""Episodes without a world: just enough to test the store and the engine."""

import hashlib
import os
import signal
import sys
import time
from pathlib import Path

from diorama.runs.store import Finished, Job, pack


def perform(job: Job) -> Finished:
    """Succeed on even seeds, a moment later."""
    time.sleep(0.005)
    return finished(job, success=job.seed % 2 == 0)


def die_once(job: Job) -> Finished:
    """Kill the worker at the first attempt of seed 3."""
    if job.seed == 3 and job.attempt == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(job)


def die_in_company(job: Job) -> Finished:
    """Be killed twice from outside: whatever runs beside others when the killer comes, is seed 3."""
    marks = Path(os.environ["DIORAMA_TEST_MARKS"])
    if job.seed == 3 and job.attempt < 2:
        with marks.open("a") as lines:
            lines.write(f"{job.attempt}\n")
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(job)


def crowd(job: Job) -> Finished:
    """Write down when each episode began and ended; seed 3 kills its worker at every attempt."""
    marks = Path(os.environ["DIORAMA_TEST_MARKS"])
    with marks.open("a") as lines:
        lines.write(f"begin {job.seed} {job.attempt}\n")
    if job.seed == 3:
        time.sleep(0.05)
        os._exit(7)
    done = perform(job)
    with marks.open("a") as lines:
        lines.write(f"end {job.seed} {job.attempt}\n")
    return done


def hang(job: Job) -> Finished:
    """Never finish seed 3."""
    if job.seed == 3:
        time.sleep(60)
    return perform(job)


def broken(job: Job) -> Finished:
    """Return a defect of an app for every third seed, and print to standard output."""
    sys.stdout.write("an agent that prints\n")
    if job.seed % 3 == 0:
        return finished(job, fault={"boundary": "app", "kind": "KeyError", "message": f"no {job.seed}", "at": 4})
    return perform(job)


def raising(job: Job) -> Finished:
    """Raise an error in the engine's own code."""
    raise RuntimeError("out of cheese")


def leaves_marks(job: Job) -> Finished:
    """Write a line to disk for each run, so that a test can count them."""
    with Path(os.environ["DIORAMA_TEST_MARKS"]).open("a") as marks:
        marks.write(f"{job.name}\n")
    return perform(job)


def finished(job: Job, success: bool = False, fault: dict[str, object] | None = None) -> Finished:
    """Return a result in the public format."""
    digest = hashlib.sha256(job.name.encode()).hexdigest()
    result = {
        "episode": f"ep-{job.name}",
        "scenario": job.scenario,
        "seed": job.seed,
        "split": job.split,
        "versions": {"image": "i", "package": "p", "reward": "r"},
        "ended": "void" if fault else "done",
        "success": None if fault else success,
        "reward": None if fault else 1.0 if success else 0.1,
        "score": None,
        "fault": fault,
        "turns": 1,
        "virtual_seconds": 2.0,
        "state": digest,
        "trace": digest,
        "wall_seconds": 0.005,
    }
    return Finished(job, result, pack([{"seq": 1, "state": digest}]), pack([]))
