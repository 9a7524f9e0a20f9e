"""`diorama new`: a working app, world or scenario to change, instead of a blank page."""

import keyword
import os
import pkgutil
import re
import sys
from collections.abc import Iterable
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from diorama.cli.errors import Misuse

if TYPE_CHECKING:
    from diorama.kit.discovery import Place

LONGEST = 40
WORD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
ALLOWED = (
    f"Use lower-case words of letters and digits with hyphens between them, at most {LONGEST} characters, "
    "beginning with a letter, as in `crm` or `late-refund`; Python's own names and names that exist are taken."
)
A = {"app": "an app", "world": "a world", "scenario": "a scenario"}
DESK_APPS = ("zendesk", "backoffice")
DESK_WORLD = "larkspur"
"""The company that the example of a scenario for these apps is about."""
PROJECT_TEXT = "# Diorama searches this folder for apps, worlds and scenarios when a command runs in it or below it.\n"


class Kind(StrEnum):
    """What can be created."""

    app = "app"
    world = "world"
    scenario = "scenario"


def new(
    ctx: typer.Context,
    kind: Annotated[Kind, typer.Argument(help="What to start.")],
    name: Annotated[
        str, typer.Argument(help="Its name: `crm` for an app or a world, `crm/late-order` for a scenario of that app.")
    ],
    path: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write into this folder instead of the checkout or the folder you are in."),
    ] = None,
    world: Annotated[
        str,
        typer.Option(help="The world in which a new scenario takes place. Default: the first one that has its app."),
    ] = "",
) -> None:
    """Write the files and their tests, and say what to do next."""
    path = path or folder_before(ctx)
    for written, text in write(kind, name, path, world).items():
        typer.echo(f"wrote {os.path.relpath(written)}")
        if kind is Kind.scenario and "scenarios" in written.parent.name and written.name[:5] != "test_":
            for world in re.findall(r'^    world = "(.+?)"', text, re.MULTILINE):
                typer.echo(f"  It takes place in the world {world}.")
    if kind is Kind.app and "-" in name:
        typer.echo(f"  Commands list the app as {name.replace('-', '_')}, the name of its package.")
    typer.echo(f"Next: diorama check {name}" + (f" --path {path}" if path else ""))


def folder_before(ctx: typer.Context) -> Path | None:
    """Return the folder that was given before the command, as in `diorama --path DIR new app x`."""
    given = (ctx.parent.params.get("path") if ctx.parent is not None else None) or []
    if len(given) > 1:
        raise Misuse(f"`new` writes into one folder, not into {len(given)}: give one --path.")
    return Path(given[0]) if given else None


class Target(NamedTuple):
    """Where files go: the folder of packages, the folder of tests, and whether it is this project's own checkout."""

    root: Path
    tests: Path
    ours: bool

    def package(self, kind: str, module: str) -> str:
        """Return how a module of this target is imported by its neighbours of another kind."""
        return f"diorama.{kind}.{module}" if self.ours else f"..{kind}.{module}"


def write(kind: Kind, name: str, path: Path | None, world: str = "") -> dict[Path, str]:
    """Write what was asked for, or nothing if something is in the way; return the files and their texts."""
    from diorama.cli import search_in
    from diorama.kit.discovery import PROJECT_FILE, roots_in

    if world and kind is not Kind.scenario:
        raise Misuse(f"--world says where a scenario takes place; {A[kind]} has none.")
    if path is not None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Misuse(f"--path {path}: cannot make this folder: {error.strerror}.") from None
        if roots_in(path):
            search_in([path])
    target = target_of(path)
    made: dict[Path, str] = {}
    if not target.ours and not os.path.lexists(target.tests.parent / PROJECT_FILE):
        made[target.tests.parent / PROJECT_FILE] = PROJECT_TEXT
    if kind is Kind.scenario:
        made.update(scenario_files(name, target, world))
    else:
        made.update({Kind.app: app_files, Kind.world: world_files}[kind](name, target))
    taken = [file for file in made if os.path.lexists(file)]
    if taken:
        raise Misuse(f"{taken[0]} is already there. Choose another name, or move it away.")
    if not target.ours:
        made = {file: sort_imports(text) if file.suffix == ".py" else text for file, text in made.items()}
    try:
        for file, text in made.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"Cannot write {error.filename}: {error.strerror}. Choose another folder with --path.") from None
    return made


def target_of(path: Path | None) -> Target:
    """Return where to write: DIR, or the checkout around the current folder, or the project folder, or this folder."""
    from diorama.kit.discovery import marked_folder, roots_in

    if path is None:
        here = Path.cwd()
        for folder in (here, *here.parents):
            if os.path.isdir(folder / "src/diorama/apps"):
                return Target(folder / "src/diorama", folder / "tests", True)
    folder = (path or marked_folder() or Path.cwd()).absolute()
    roots = roots_in(folder)
    return Target(roots[0] if len(roots) == 1 else folder, folder / "tests", False)


def app_files(name: str, target: Target) -> dict[Path, str]:
    """Return the files of an app: the same few modules as in every app, and their tests."""
    from diorama.kit.discovery import apps

    checked_name("app", name, apps().found.values())
    module = name.replace("-", "_")
    words = {
        "name": module,
        "typed": name,
        "host": name,
        "title": titled(name),
        "here": f"diorama.apps.{module}" if target.ours else ".",
        "in": f"diorama.apps.{module}." if target.ours else ".",
    }
    return filled("app", words, target.root / "apps" / module, target.tests / "apps" / module)


def world_files(name: str, target: Target) -> dict[Path, str]:
    """Return the files of a world: with the app of this name if there is one, else with a Zendesk help desk."""
    from diorama.kit.discovery import apps
    from diorama.worlds import catalogue

    checked_name("world", name, catalogue().found.values())
    module = name.replace("-", "_")
    words = {"name": name, "module": module, "title": titled(name)}
    found = apps().found.get(module)
    if found is not None and has_items(found.thing):
        words |= {"app": module, "app_in": f"{'' if target.ours else '.'}{import_of(found.place, target)}"}
        words["app_title"] = found.thing.product.title
        return filled("world", words, target.root / "worlds" / module, target.tests / "worlds")
    return filled("desk_world", words, target.root / "worlds" / module, target.tests / "worlds")


def scenario_files(name: str, target: Target, world: str = "") -> dict[Path, str]:
    """Return the files of a scenario in a world that has its app, and those of a world if none has the app yet."""
    from diorama.kit.discovery import apps
    from diorama.scenarios import catalogue
    from diorama.worlds import companies

    typed, slash, story = name.partition("/")
    if not slash or not WORD.fullmatch(typed.replace("_", "-")):
        raise Misuse(f"{name!r} cannot name a scenario: write APP/NAME, as in `zendesk/late-refund`. {ALLOWED}")
    checked_name("scenario", story, catalogue().found.values(), name)
    app, module = typed.replace("-", "_"), story.replace("-", "_")
    found = apps().found.get(app)
    if found is None:
        raise Misuse(f"{apps().explain(app)} Make it first: diorama new app {typed.replace('_', '-')}")
    words = {"name": name, "module": module, "title": titled(story), "app": app}
    words["class"] = words["title"].replace(" ", "")
    shelf, tests = target.root / "scenarios", target.tests / "scenarios"
    homes = [company.name for company in companies() if any(one.product is found.thing.product for one in company.apps)]
    if world and world not in homes:
        raise Misuse(f"--world {world}: {lacks(world, app)} Worlds with {app}: {', '.join(homes) or 'none'}.")
    if app in DESK_APPS:
        if world not in ("", DESK_WORLD):
            raise Misuse(
                f"--world {world}: the example for {app} is about the goods and people of {DESK_WORLD}. Write it with "
                f"--world {DESK_WORLD}, then state your own desk in it: docs/how-to/write-a-scenario.md says how."
            )
        words["world"] = DESK_WORLD
        return filled("desk_scenario", words, shelf, tests) | filled("scenario", words, None, tests)
    if not has_items(found.thing):
        raise Misuse(
            f"There is no template for scenarios of {app}: it was not made by `diorama new app`. Start from one of "
            "`diorama scenarios`, or from a scenario of a new app."
        )
    words["app_in"] = import_of(found.place, target)
    words["world"] = world or (homes[0] if homes else app.replace("_", "-"))
    made = {} if homes else world_files(words["world"], target)
    return made | filled("scenario", words, shelf, tests)


def lacks(world: str, app: str) -> str:
    """Say why a scenario of an app cannot take place in a world."""
    from diorama.worlds import catalogue

    return f"this world has no {app}." if world in catalogue().found else catalogue().explain(world)


def has_items(package: Any) -> bool:
    """Return whether an app still has the nouns of the template, which its scenarios are about."""
    tables = {table.name: set(table.names) for table in package.product.tables}
    items = tables.get(f"{package.product.name}_items", set())
    return {"title", "owner", "status", "done_at"} <= items and f"{package.product.name}_entries" in tables


def import_of(place: "Place", target: Target) -> str:
    """Return how a scenario of the target imports an app; refuse an app that it could not import."""
    if place.origin == "diorama" or place.origin.startswith("entry point"):
        return place.module
    if Path(place.origin) == target.root:
        return target.package("apps", place.name)
    raise Misuse(f"{place.name} is in another folder. Write there: --path {place.origin}")


def checked_name(kind: str, word: str, found: Iterable[Any], name: str = "") -> None:
    """Refuse a name that is invalid or already taken; the message says what is allowed."""
    import diorama
    from diorama.kit.discovery import location

    module, shown = word.replace("-", "_"), name or word
    reserved = {"diorama", "world", *(info.name for info in pkgutil.iter_modules(diorama.__path__))}
    if not WORD.fullmatch(word) or len(word) > LONGEST or keyword.iskeyword(module):
        raise Misuse(f"{shown!r} cannot name {A[kind]}. {ALLOWED}")
    if module in sys.stdlib_module_names or module in reserved:
        owner = "Python" if module in sys.stdlib_module_names else "Diorama"
        raise Misuse(f"{shown!r} cannot name {A[kind]}: {owner} has a part of that name. {ALLOWED}")
    for one in found:
        if name_of(one.thing) in (shown, shown.replace("-", "_")):
            raise Misuse(f"There is already {A[kind]} {shown} in {location(one.place)}.")


def name_of(thing: Any) -> str:
    """Return the name of an app package, a company or a scenario."""
    return str(thing.product.name if hasattr(thing, "product") else thing.name)


def titled(name: str) -> str:
    """Return a name as a title: `late-refund` is Late Refund."""
    return name.replace("-", " ").replace("_", " ").title()


def filled(template: str, words: dict[str, str], folder: Path | None, tests: Path) -> dict[Path, str]:
    """Return every file of a template by its place; without a folder only its tests."""
    rooms = files("diorama.cli") / "templates" / template
    made: dict[Path, str] = {}
    for source, to in ((rooms, folder), (rooms / "tests", tests)):
        if to is None or not source.is_dir():
            continue
        for one in sorted(source.iterdir(), key=lambda entry: entry.name):
            if one.name.endswith(".txt"):
                place = to / fill(one.name.removesuffix(".txt"), words)
                made[place] = fill(one.read_text(encoding="utf-8"), words)
    return made


def sort_imports(text: str) -> str:
    """Sort imports for a package outside the checkout: diorama is a library there, and leading dots come last."""
    text = re.sub(r"((?:from \.\S* import .*\n)+)((?:from diorama.*\n)+)", r"\2\n\1", text, count=1)

    def merged(found: re.Match[str]) -> str:
        lines = (found[1] + found[2]).splitlines(keepends=True)
        if any("(" in line for line in lines) or lines[0].split()[1].partition(".")[0] in sys.stdlib_module_names:
            return found[0]
        return "".join(sorted(lines, key=lambda line: (line.startswith("from"), line.split()[1])))

    return re.sub(r"((?:(?:import|from) [a-z]\S*.*\n)+)\n((?:from diorama.*\n)+)", merged, text, count=1)


def fill(text: str, words: dict[str, str]) -> str:
    """Fill the words into a template; keep other double braces, which are Python code."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words.get(found[1], found[0]), text)
