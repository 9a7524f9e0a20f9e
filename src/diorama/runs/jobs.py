"""Turn the arguments of a command (scenarios, agents, seeds, split) into jobs."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from hashlib import sha256
from os import getpid
from typing import Any

from diorama.episodes.agents import check, clock
from diorama.episodes.usage import Misuse
from diorama.runs.perform import versions_of
from diorama.runs.store import PLANNED_AT_MOST, Job, RunInfo, cells_of
from diorama.runs.times import wall_now
from diorama.scenarios import Scenario, catalogue, load_all


class NoSuchScenario(Misuse):
    """There is no scenario with this name; the message lists the existing ones."""


def chosen(names: Sequence[str]) -> list[Scenario[Any]]:
    """Return the scenarios that match names and patterns such as `zendesk/*`, without duplicates."""
    known = load_all()
    found: dict[str, Scenario[Any]] = {}
    for name in names:
        matching = [one for one in known if one == name or fnmatchcase(one, name)]
        if not matching:
            raise NoSuchScenario(catalogue().explain(name))
        found.update((one, known[one]) for one in matching)
    return list(found.values())


def make_jobs(
    scenarios: Iterable[Scenario[Any]],
    agents: Sequence[str],
    *,
    split: str = "train",
    seed: int = 0,
    episodes: int = 1,
    group: int = 1,
) -> list[Job]:
    """Return jobs for every agent on the same variants: seeds from `seed` on, each `group` times; check agents."""
    scenarios = list(scenarios)
    wanted = len(scenarios) * len(agents) * episodes * group
    if wanted > PLANNED_AT_MOST:
        raise Misuse(f"These are {wanted} episodes; a run has at most {PLANNED_AT_MOST}. Ask for fewer, or split them.")
    for agent in agents:
        check(agent, scenarios)
    for one in scenarios:
        if split not in one.splits:
            raise Misuse(f"{one.name} has no variants in the split {split}; it has {' and '.join(one.splits)}.")
    names = [scenario.name for scenario in scenarios]
    return listed_jobs(names, agents, split=split, seed=seed, episodes=episodes, group=group)


def listed_jobs(
    scenarios: Iterable[str], agents: Sequence[str], *, split: str, seed: int, episodes: int, group: int
) -> list[Job]:
    """Return the jobs of named scenarios and agents, without a check of either."""
    return [
        Job(agent, scenario, number, index, split=split)
        for scenario in scenarios
        for agent in agents
        for number in range(seed, seed + episodes)
        for index in range(group)
    ]


def run_info(command: list[str], jobs: Sequence[Job]) -> RunInfo:
    """Return the run info of these jobs; build missing worlds first."""
    clock.restart()
    return RunInfo(
        id=run_id(list(dict.fromkeys(job.agent for job in jobs))),
        command=command,
        plan=cells_of(jobs),
        versions={name: versions_of(name) for name in dict.fromkeys(job.scenario for job in jobs)},
        created=wall_now(),
    )


def run_id(agents: Sequence[str]) -> str:
    """Return a name that sorts by time and is unique across processes."""
    moment = datetime.now(UTC)
    word = "".join(c if c.isalnum() else "-" for c in agents[0]) if len(agents) == 1 else f"{len(agents)}-agents"
    salt = sha256(f"{moment.timestamp()} {getpid()}".encode()).hexdigest()[:4]
    return f"{moment:%Y%m%d-%H%M%S}-{word}-{salt}"
