"""Find an agent by name; every agent gets the agent plane and nothing else."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from diorama.episodes.agents.model import converse
from diorama.episodes.agents.random_agent import wander
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.episode import Episode
from diorama.episodes.hands import Hands, only_hands
from diorama.episodes.usage import Misuse
from diorama.kernel import Dice
from diorama.scenarios import Scenario

KINDS = "oracle, noop, random, cheat:NAME, python:PACKAGE.MODULE:CALLABLE, openai:MODEL"


class NoSuchAgent(Misuse):
    """There is no agent with this name; the message lists the existing ones."""


def act(name: str, episode: Episode, hands: AgentHands) -> None:
    """Run the named agent until it returns."""
    kind, _, rest = name.partition(":")
    if kind == "oracle":
        episode.scenario.oracle(hands, episode.truth)
    elif kind == "cheat":
        episode.scenario.cheats[rest](hands, episode.truth)
    elif kind == "random":
        wander(hands, Dice(f"{episode.scenario.name}/{episode.split}/{episode.seed}").child("random agent"))
    elif kind == "python":
        imported(rest)(only_hands(hands))
    elif kind == "openai":
        converse(hands, rest, hands.remember)


def check(name: str, scenarios: Iterable[Scenario[Any]]) -> None:
    """Raise NoSuchAgent if the agent cannot act in these scenarios, before anything is started."""
    kind, _, rest = name.partition(":")
    if name in ("oracle", "noop", "random"):
        return
    if kind == "cheat" and rest:
        for scenario in scenarios:
            if rest not in scenario.cheats:
                known = ", ".join(scenario.cheats) or "none"
                raise NoSuchAgent(f"{scenario.name} knows no cheat {rest!r}. Its cheats: {known}.")
    elif kind == "python" and rest:
        imported(rest)
    elif kind == "openai" and rest:
        if not (os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")):
            raise NoSuchAgent(
                f"{name} needs an endpoint: set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible server."
            )
    else:
        raise NoSuchAgent(f"There is no agent {name!r}. There are: {KINDS}.")


def imported(place: str) -> Callable[[Hands], None]:
    """Import the callable at `package.module:name`; the current folder is importable."""
    module, found, attribute = place.partition(":")
    if not (module and found and attribute):
        raise NoSuchAgent(f"python:{place} names no callable. Write python:PACKAGE.MODULE:CALLABLE.")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        target: Any = importlib.import_module(module)
        for part in attribute.split("."):
            target = getattr(target, part)
    except (ImportError, AttributeError) as error:
        raise NoSuchAgent(f"python:{place} cannot be loaded: {error}.") from error
    if not callable(target):
        raise NoSuchAgent(f"python:{place} is not callable, it is a {type(target).__name__}.")
    return target  # type: ignore[no-any-return] # checked to be callable
