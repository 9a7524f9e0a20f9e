"""Why episodes ended, what caused it, and what a run may conclude from it."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from diorama.runs.store import Job

GATE = 0.05
"""If more than this share of episodes have a harness fault, the run is not valid."""

# Stored summaries have these words, so they keep them although `ended` says `step_limit` and `time_limit`.
MODEL_ENDINGS = {
    "done": "agent_done",
    "gave_up": "agent_gave_up",
    "step_limit": "max_steps",
    "token_limit": "token_limit",
    "time_limit": "agent_timeout",
}
HARNESS_ENDINGS = {
    "reset": "reset_failed",
    "app": "env_crash",
    "persona": "env_crash",
    "engine": "env_crash",
    "door": "tool_infra_error",
    "sandbox": "tool_infra_error",
    "browser": "tool_infra_error",
    "grader": "grader_error",
    "provider": "provider_error",
}

Json = Mapping[str, Any]

WORKER_DEATHS = 4
"""How often a variant must be running when a worker dies before it is blamed: once beside others, then alone."""
LOST = ("worker_death", "no_start", "hang")
"""Faults of a worker that was lost; a variant that was to run then is tried again alone."""
FAULTS = 2
"""How often a variant must fail in any other way before it is blamed."""

Step = Literal["again", "alone", "quarantine", "stop"]


def after_void(faults: Sequence[Json]) -> Step:
    """Say what follows the faults of all attempts so far: try again, try alone, quarantine, or stop without blame."""
    deaths = sum(1 for fault in faults if fault["kind"] in ("worker_death", "no_start"))
    provider = sum(1 for fault in faults if fault["boundary"] == "provider")
    if deaths >= WORKER_DEATHS or len(faults) - deaths - provider >= FAULTS:
        return "quarantine"
    if provider >= FAULTS:  # an unreachable model says nothing about the variant
        return "stop"
    return "alone" if any(fault["kind"] in LOST for fault in faults) else "again"


def termination(result: Json) -> str:
    """Return the one word for how an episode ended; each blames either the model or the harness."""
    if result["ended"] != "void":
        return "success" if result["success"] else MODEL_ENDINGS[result["ended"]]
    fault = result["fault"]
    if fault["boundary"] == "grader" and fault["kind"] == "timeout":
        return "grader_timeout"
    if fault["kind"] == "snapshot_mismatch":
        return "snapshot_mismatch"
    return HARNESS_ENDINGS[fault["boundary"]]


def wilson(hits: int, n: int, z: float = 1.959964) -> tuple[float, float] | None:
    """Return the 95 % interval of a rate, or None if nothing was counted."""
    if not n:
        return None
    rate = hits / n
    middle = rate + z * z / (2 * n)
    spread = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


class Tally:
    """The statistics of a run: counts over final attempts, with the harness faults of all attempts."""

    def __init__(self, attempts: Iterable[tuple[Job, Json]], planned: Iterable[Job]) -> None:
        """Count every attempt with its result, in order of attempt; `planned` is every job of a plan, counted once."""
        self.planned = list(dict.fromkeys(planned))
        self.final: dict[Job, Json] = {}
        self.faulted: dict[Job, list[Json]] = defaultdict(list)
        for job, result in attempts:
            self.final[job.episode] = result
            if result["ended"] == "void":
                self.faulted[job.episode].append(result["fault"])
        self.dropped = {job.group for job, result in self.final.items() if result["ended"] == "void"}

    def summary(self, quarantined: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return the `summary` of `run --json`."""
        overall = self._figures(self.planned)
        policies: dict[str, list[Job]] = defaultdict(list)
        cells: dict[tuple[str, str], list[Job]] = defaultdict(list)
        for job in self.planned:
            policies[job.agent].append(job)
            cells[job.agent, job.scenario].append(job)
        return {
            **overall,
            "faults": dict(Counter(fault["boundary"] for faults in self.faulted.values() for fault in faults)),
            "worst_causes": self.worst_causes(),
            "unreadable_errors": dict(
                Counter(error for result in self.final.values() for error in result.get("unreadable", ()))
            ),
            "terminations": dict(Counter(termination(result) for result in self.final.values())),
            "quarantined": [dict(row) for row in quarantined],
            "by_agent": {agent: self._figures(jobs) for agent, jobs in policies.items()},
            "by_scenario": [
                {"agent": agent, "scenario": scenario, **self._figures(jobs)}
                for (agent, scenario), jobs in cells.items()
            ],
        }

    def worst_causes(self, most: int = 3) -> list[dict[str, Any]]:
        """Return the most frequent harness faults, each with one example episode."""
        causes: Counter[tuple[str, str, str]] = Counter()
        shown: dict[tuple[str, str, str], str] = {}
        for job, faults in self.faulted.items():
            for fault in faults:
                cause = (fault["boundary"], fault["kind"], fault["message"])
                causes[cause] += 1
                shown.setdefault(cause, job.name)
        return [
            {"boundary": cause[0], "kind": cause[1], "message": cause[2], "count": count, "example": shown[cause]}
            for cause, count in causes.most_common(most)
        ]

    def _figures(self, planned: Sequence[Job]) -> dict[str, Any]:
        jobs = [job for job in planned if job in self.final]
        solved = sum(1 for job in jobs if self.final[job]["success"])
        graded = [self.final[job] for job in jobs if job.group not in self.dropped]
        wins = sum(1 for result in graded if result["success"])
        faulted = sum(1 for job in jobs if job in self.faulted)
        void = sum(1 for job in jobs if self.final[job]["ended"] == "void")
        return {
            "n": len(jobs),
            "planned": len(planned),
            "graded": len(graded),
            "planned_success_rate": solved / len(planned) if planned else None,
            "planned_success_interval": wilson(solved, len(planned)),
            "success_rate": wins / len(graded) if graded else None,
            "success_interval": wilson(wins, len(graded)),
            "mean_reward": math.fsum(result["reward"] for result in graded) / len(graded) if graded else None,
            "fault_rate": faulted / len(jobs) if jobs else 0.0,
            "fault_interval": wilson(faulted, len(jobs)),
            "void_rate": void / len(jobs) if jobs else 0.0,
            "reruns": sum(len(self.faulted[job]) for job in jobs if job in self.faulted) - void,
            "dropped": len(jobs) - len(graded),
            "unreadable": sum(1 for job in jobs if self.final[job].get("unreadable")),
        }
