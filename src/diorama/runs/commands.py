"""The stored command of a run: what it asks for must be what the run plans."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from diorama.runs.jobs import listed_jobs
from diorama.runs.store import PLANNED_AT_MOST, Cell, RunInfo, cells_of

PLANNING = {"--agent": "", "--episodes": "1", "--seed": "0", "--split": "train", "--group": "1"}
"""The options of `run` that decide the plan, with their defaults."""
OTHER = ("--parallel", "--agent-seconds", "--out", "--path")
"""Its other options that take a value; what they say is not part of the plan."""
FLAGS = ("--json",)


def contradiction(info: RunInfo) -> str:
    """Return how the command of a run contradicts its plan, or "".

    Only what `run` and `play` of the command line write is read; a program may store any other words.
    """
    words = _after_paths(info.command)
    if words[:1] == ["play"] and words[1:] != [job.scenario for job in info.jobs]:
        return f"the command plays {' '.join(words[1:])}, which is not what the run plans"
    if words[:1] != ["run"] or len(words) == 1:
        return ""
    try:
        asked = _asked(words[1:], info.scenarios)
    except ValueError as error:
        return f"the command is not one of `diorama run`: {error}"
    if _sorted(asked) != _sorted(info.plan):
        return "the command asks for other scenarios, agents or seeds than the run plans"
    return ""


def _asked(words: Sequence[str], scenarios: Sequence[str]) -> list[Cell]:
    """Return the plan that the words after `run` ask for; patterns stand for the scenarios of the run."""
    names: list[str] = []
    given: dict[str, list[str]] = {}
    for option, value in _options(words):
        (given.setdefault(option, []) if option else names).append(value)
    single = {name: given.get(name, [default])[-1] for name, default in PLANNING.items()}
    seed, episodes, group = (int(single[name]) for name in ("--seed", "--episodes", "--group"))
    agents = given.get("--agent", [])
    found = dict.fromkeys(one for name in names for one in scenarios if one == name or fnmatchcase(one, name))
    unknown = [name for name in names if not any(one == name or fnmatchcase(one, name) for one in scenarios)]
    if unknown:
        raise ValueError(f"no episode is of {unknown[0]}")
    if min(episodes, group) < 1 or len(found) * len(agents) * episodes * group > PLANNED_AT_MOST:
        raise ValueError("it asks for more episodes than a run can have, or for none")
    return cells_of(listed_jobs(found, agents, split=single["--split"], seed=seed, episodes=episodes, group=group))


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
