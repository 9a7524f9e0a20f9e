"""Find an agent by name; every agent gets the agent plane and nothing else."""

import os
import re
from collections.abc import Iterable
from typing import Any

from diorama.episodes.agent_process import AgentProcess, act_outside
from diorama.episodes.agents.model import converse
from diorama.episodes.agents.random_agent import wander
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.endings import AgentFailed
from diorama.episodes.episode import Episode
from diorama.episodes.usage import Misuse
from diorama.kernel import Dice
from diorama.scenarios import Scenario

AGENT_NAMES = "oracle, noop, random, cheat:NAME, python:PACKAGE.MODULE:CALLABLE, openai:MODEL"


PERSON = "person"
"""Who acts in `diorama play`; not an agent that a run can have."""
_MODEL = re.compile("[!-~]+")


def is_agent_name(name: str) -> bool:
    """Check whether a name is one that `run --agent` takes, exactly: no spaces, no invisible characters."""
    kind, _, rest = name.partition(":")
    if kind == "python":
        module, split, callable_ = rest.partition(":")
        return bool(split) and all(one.isidentifier() for one in (*module.split("."), *callable_.split(".")))
    if kind == "openai":
        return _MODEL.fullmatch(rest) is not None
    return rest.isidentifier() if kind == "cheat" else name in ("oracle", "noop", "random")


class NoSuchAgent(Misuse):
    """There is no agent with this name; the message lists the existing ones."""


def act(name: str, episode: Episode, hands: AgentHands, seconds: float) -> None:
    """Run the named agent until it returns; raise Overtime after `seconds` of wall time.

    A `python:` agent runs in a process of its own. The others are part of this package and run here.
    """
    kind, _, rest = name.partition(":")
    if kind == "python":
        act_outside(rest, hands, seconds)
        return
    with hands.within(seconds):
        _act_here(kind, rest, episode, hands)


def _act_here(kind: str, rest: str, episode: Episode, hands: AgentHands) -> None:
    if kind == "oracle":
        episode.scenario.oracle(hands, episode.truth)
    elif kind == "cheat":
        episode.scenario.cheats[rest](hands, episode.truth)
    elif kind == "random":
        wander(hands, Dice(f"{episode.scenario.name}/{episode.split}/{episode.seed}").child("random agent"))
    elif kind == "openai":
        converse(hands, rest, hands.remember)


def check(name: str, scenarios: Iterable[Scenario[Any]]) -> None:
    """Raise NoSuchAgent if the agent cannot act in these scenarios, before anything is started."""
    kind, _, rest = name.partition(":")
    if kind == "cheat" and rest:
        for scenario in scenarios:
            if rest not in scenario.cheats:
                known = ", ".join(scenario.cheats) or "none"
                raise NoSuchAgent(f"{scenario.name} knows no cheat {rest!r}. Its cheats: {known}.")
    elif kind == "python" and rest:
        try:
            AgentProcess(rest).kill()  # loads it where it cannot change this process
        except AgentFailed as error:
            raise NoSuchAgent(str(error)) from None
    elif kind == "openai" and rest and not (os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")):
        raise NoSuchAgent(
            f"{name} needs an endpoint: set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible server."
        )
    if not is_agent_name(name):
        raise NoSuchAgent(f"There is no agent {name!r}. There are: {AGENT_NAMES}.")
