"""What a command asks for, as jobs: which scenarios, which agents, which seeds of which split."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from hashlib import sha256
from os import getpid
from typing import Any

from diorama.episodes.agents import check
from diorama.episodes.usage import Misuse
from diorama.runs.perform import versions_of
from diorama.runs.store import Job, RunInfo, wall_now
from diorama.scenarios import Scenario, catalogue, load_all


class NoSuchScenario(Misuse):
    """No scenario goes by this name; the message says which there are."""


def chosen(names: Sequence[str]) -> list[Scenario[Any]]:
    """The scenarios that names and patterns such as `zendesk/*` mean, each once."""
    known = load_all()
    found: dict[str, Scenario[Any]] = {}
    for name in names:
        matching = [one for one in known if one == name or fnmatchcase(one, name)]
        if not matching:
            raise NoSuchScenario(catalogue().explain(name))
        found.update((one, known[one]) for one in matching)
    return list(found.values())


def jobs(
    scenarios: Iterable[Scenario[Any]],
    agents: Sequence[str],
    *,
    split: str = "train",
    seed: int = 0,
    episodes: int = 1,
    group: int = 1,
) -> list[Job]:
    """Every agent on the same variants: seeds from `seed` on, each `group` times; agents are checked first."""
    scenarios = list(scenarios)
    for agent in agents:
        check(agent, scenarios)
    return [
        Job(agent, scenario.name, number, index, split=split)
        for scenario in scenarios
        for agent in agents
        for number in range(seed, seed + episodes)
        for index in range(group)
    ]


def run_info(command: list[str], plan: Sequence[Job], parameters: dict[str, Any]) -> RunInfo:
    """The run that a plan is; building the worlds it needs, if they are not there yet."""
    agents = list(dict.fromkeys(job.agent for job in plan))
    scenarios = list(dict.fromkeys(job.scenario for job in plan))
    return RunInfo(
        id=run_id(agents),
        command=command,
        agents=agents,
        scenarios=scenarios,
        plan=parameters,
        versions={name: versions_of(name) for name in scenarios},
        created=wall_now(),
    )


def run_id(agents: Sequence[str]) -> str:
    """A name that sorts by time and that no two processes share."""
    moment = datetime.now(UTC)
    word = "".join(c if c.isalnum() else "-" for c in agents[0]) if len(agents) == 1 else f"{len(agents)}-agents"
    salt = sha256(f"{moment.timestamp()} {getpid()}".encode()).hexdigest()[:4]
    return f"{moment:%Y%m%d-%H%M%S}-{word}-{salt}"
