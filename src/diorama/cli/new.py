"""`diorama new`: a working app or scenario to change, instead of a blank page."""

import keyword
import re
from enum import StrEnum
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.errors import Misuse


class Kind(StrEnum):
    """What can be started."""

    app = "app"
    scenario = "scenario"


def new(
    kind: Annotated[Kind, typer.Argument(help="What to start.")],
    name: Annotated[str, typer.Argument(help="Its name: `crm` for an app, `zendesk/angry-guest` for a scenario.")],
    path: Annotated[
        Path | None, typer.Option(help="Write into this folder instead of the project tree around you.")
    ] = None,
) -> None:
    """Write the files, and say what to do next."""
    for written in (app_files if kind is Kind.app else scenario_files)(name, path):
        typer.echo(f"wrote {written}")
    if kind is Kind.app:
        typer.echo("Next: run its tests, then add its APP to a world in src/diorama/worlds/ (its README says how).")
    else:
        typer.echo(f"Next: `diorama scenarios`, then `diorama run {name} --agent oracle --episodes 10`.")


def app_files(name: str, path: Path | None) -> list[Path]:
    """Write an app: the same few rooms as in every house, and its tests."""
    if not re.fullmatch(r"[a-z][a-z0-9]*", name) or keyword.iskeyword(name):
        raise Misuse(f"{name!r} cannot name an app: use lower-case letters and digits, as in `crm` or `zendesk`.")
    root = path or project_tree()
    house = root / name if path else root / "src/diorama/apps" / name
    tests = house / "tests" if path else root / "tests/apps" / name
    words = {"name": name, "title": name.capitalize(), "package": name if path else f"diorama.apps.{name}"}
    rooms = files("diorama.cli") / "templates" / "app"
    return write_all([(rooms, house), (rooms / "tests", tests)], words)


def scenario_files(name: str, path: Path | None) -> list[Path]:
    """Write a scenario: one file with its story, its facts, its oracle and its cheats, and its test."""
    if not re.fullmatch(r"[a-z][a-z0-9]*/[a-z][a-z0-9-]*", name):
        raise Misuse(f"{name!r} cannot name a scenario: write APP/NAME in lower case, as in `zendesk/late-refund`.")
    root = path or project_tree()
    module = name.partition("/")[2].replace("-", "_")
    words = {"name": name, "module": module, "title": module.replace("_", " ").capitalize()}
    words["class"] = "".join(part.capitalize() for part in module.split("_"))
    words["package"] = module if path else f"diorama.scenarios.{module}"
    rooms = files("diorama.cli") / "templates" / "scenario"
    places = [(rooms, path or root / "src/diorama/scenarios"), (rooms / "tests", path or root / "tests/scenarios")]
    return write_all(places, words)


def project_tree() -> Path:
    """The checkout of this project around the current folder."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "src/diorama/apps").is_dir():
            return folder
    raise Misuse(f"{here} is not inside a checkout of the project. Go there, or say where to write with --path.")


def write_all(places: list[tuple[Traversable, Path]], words: dict[str, str]) -> list[Path]:
    """Fill in every template, or write nothing when something is in the way."""
    made: dict[Path, str] = {}
    for templates, folder in places:
        for template in sorted(templates.iterdir(), key=lambda entry: entry.name):
            if template.name.endswith(".txt"):
                target = folder / fill(template.name.removesuffix(".txt"), words)
                made[target] = fill(template.read_text(), words)
    taken = [target for target in made if target.exists()]
    if taken:
        raise Misuse(f"{taken[0]} is already there. Choose another name, or move it away.")
    for target, text in made.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return list(made)


def fill(text: str, words: dict[str, str]) -> str:
    """Put the words into a template; other double braces are Python's own."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words.get(found[1], found[0]), text)
