"""The stored command of a run: what it asks for must be what the run plans."""

import math
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from diorama.episodes.agents import PERSON, is_agent_name
from diorama.runs.jobs import listed_jobs
from diorama.runs.store import PLANNED_AT_MOST, Cell, RunInfo, cells_of

PLANNING = {"--agent": "", "--episodes": "1", "--seed": "0", "--split": "train", "--group": "1"}
"""The options of `run` that decide the plan, with their defaults."""
OTHER = {"--parallel": "1", "--agent-seconds": "600", "--out": "runs", "--path": "."}
"""Its other options that take a value; what they say is not part of the plan."""
FLAGS = ("--json",)
SPLITS = ("train", "eval", "eval-new")
AT_LEAST = {"--episodes": 1, "--seed": 0, "--group": 1, "--parallel": 1, "--agent-seconds": 0.1}
AT_MOST = {
    "--episodes": 1_000_000,
    "--seed": 2**62,
    "--group": math.inf,
    "--parallel": 256,
    "--agent-seconds": 7 * 86_400.0,
}
"""What the command line takes for a number."""


def contradiction(info: RunInfo) -> str:
    """Return how the command of a run contradicts its plan, or "".

    Only what `run` and `play` of the command line write is read; a program may store any other words, but it cannot
    let a person act.
    """
    words = _after_paths(info.command)
    played = [cell for cell in info.plan if cell.agent == PERSON]
    if words[:1] == ["play"] or played:
        cells = [(cell.scenario, cell.split, cell.episodes, cell.group) for cell in played]
        if len(info.plan) != 1 or len(words) != 2 or words[0] != "play" or cells != [(words[1], "train", 1, 1)]:
            return f"the command is {' '.join(words)!r}, but a person plays one episode of `diorama play SCENARIO`"
        return ""
    if words[:1] != ["run"]:
        return ""
    try:
        asked = _asked(words[1:], info.scenarios)
    except ValueError as error:
        return f"the command is not one of `diorama run`: {error}"
    if _sorted(asked) != _sorted(info.plan):
        return "the command asks for other scenarios, agents or seeds than the run plans"
    return ""


def spelled_out(command: Sequence[str], scenarios: Sequence[str]) -> list[str]:
    """Return a command with the names of scenarios instead of patterns: a pattern would not say what was left out."""
    words: list[str] = []
    lead = len(command) - len(_after_paths(command)) + 1  # the options before the verb, and the verb
    is_value = only_names = False
    for place, word in enumerate(command):
        name, has_value, _ = word.partition("=")
        is_name = place >= lead and not is_value and (only_names or not word.startswith("-"))
        words.extend([one for one in scenarios if is_name and fnmatchcase(one, word)] or [word])
        only_names |= word == "--" and not is_value
        is_value = not (is_value or has_value or only_names) and (name in PLANNING or name in OTHER)
    return words


def agent_seconds(command: Sequence[str]) -> float | None:
    """Return how much wall time a command gives to an agent; None if it is not one of `diorama run`."""
    words = _after_paths(command)
    try:
        return float(_given(words[1:])[1]["--agent-seconds"]) if words[:1] == ["run"] else None
    except ValueError:
        return None


def _asked(words: Sequence[str], scenarios: Sequence[str]) -> list[Cell]:
    """Return the plan that the words after `run` ask for."""
    names, given, agents = _given(words)
    found = dict.fromkeys(names)
    unknown = [name for name in found if name not in scenarios]
    if unknown:
        raise ValueError(f"no episode is of {unknown[0]}")
    seed, episodes, group = (_whole(given[name]) for name in ("--seed", "--episodes", "--group"))
    if len(found) * len(agents) * episodes * group > PLANNED_AT_MOST:
        raise ValueError("it asks for more episodes than a run can have")
    return cells_of(listed_jobs(found, agents, split=given["--split"], seed=seed, episodes=episodes, group=group))


def _given(words: Sequence[str]) -> tuple[list[str], dict[str, str], list[str]]:
    """Return the scenarios, the options and the agents of the words after `run`.

    Raise ValueError for what the command line refuses: a missing word, an unknown agent, a number out of its range.
    """
    names: list[str] = []
    agents: list[str] = []
    given = {**PLANNING, **OTHER}
    for option, value in _options(words):
        if option in ("", "--agent"):
            (agents if option else names).append(value)
        else:
            given[option] = value
    if not names or not agents:
        raise ValueError("it names no scenario or no agent")
    wrong = [agent for agent in agents if not is_agent_name(agent)]
    if wrong:
        raise ValueError(f"it takes no agent {wrong[0]!r}")
    for name, least in AT_LEAST.items():
        number = float(given[name]) if name == "--agent-seconds" else _whole(given[name])
        if not least <= number <= AT_MOST[name]:
            raise ValueError(f"it does not take {name} {given[name]}")
    if given["--split"] not in SPLITS or not given["--out"].strip():
        raise ValueError("it takes no such --split or --out")
    return names, given, agents


def _whole(text: str) -> int:
    """Parse a whole number as the command line does, which also takes `5.0`."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise
        return int(number)


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every option with its value, and every other word with ""."""
    rest = iter(words)
    for word in rest:
        name, has_value, value = word.partition("=")
        if word == "--":
            yield from (("", other) for other in rest)
        elif name in PLANNING or name in OTHER:
            found = value if has_value else next(rest, None)
            if found is None:
                raise ValueError(f"{name} has no value")
            yield name, found
        elif word.startswith("-") and word not in FLAGS:
            raise ValueError(f"it has no option {name}")
        elif word not in FLAGS:
            yield "", word


def _after_paths(words: Sequence[str]) -> list[str]:
    """Return a command without the --path options before its verb."""
    left = list(words)
    while left and left[0].partition("=")[0] == "--path":
        del left[: 1 if "=" in left[0] else 2]
    return left


def _sorted(plan: Sequence[Cell]) -> list[Cell]:
    return sorted(plan, key=lambda cell: (cell.agent, cell.scenario, cell.split, cell.seed, cell.episodes, cell.group))
