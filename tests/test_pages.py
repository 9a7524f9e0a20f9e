"""Pages that show what the program prints or declares match the program; `make pages` rewrites them.

A generated part of a page stands between `<!-- generated: NAME -->` and `<!-- end -->`.
"""

import re
import sys
from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from diorama.check import CHECKS
from diorama.check.mutations import MUTATIONS
from diorama.kit import Product
from diorama.kit.discovery import Found, apps
from diorama.scenarios import catalogue as all_scenarios
from diorama.worlds import catalogue as all_worlds
from diorama.worlds import open_world
from diorama.worlds.threads import as_text, threads

ROOT = Path(__file__).parents[1]
LARKSPUR = ROOT / "docs" / "explanation" / "larkspur.md"
SHOWN = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r"^diorama worlds larkspur --threads (\d+) --seed (\d+)$", re.MULTILINE)
PART = re.compile(
    r"(?<=^<!-- generated: )(?P<name>[^\n]+?) -->\n(?P<body>.*?)(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL
)


# --- tables


def table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a Markdown table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *([_cell(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    """Return text as code."""
    return f"`{text}`"


# --- what exists in this package, not what a user's folder or another package adds


def ours(found: dict[str, Found[Any]]) -> dict[str, Any]:
    """Return what this package itself declares, by name."""
    return {name: one.thing for name, one in sorted(found.items()) if one.place.origin == "diorama"}


def app_table() -> str:
    """Return every app with its counts and the worlds that have it."""
    rows = []
    for name, package in ours(apps().found).items():
        product = package.product
        homes = [world for world, company in ours(all_worlds().found).items() if _has(company, product)]
        counts = (len(product.operations), len(product.tools), len(product.tables))
        rows.append((code(name), product.title, product.api, *counts, ", ".join(map(code, homes))))
    return table(("app", "product", "API", "operations", "tools", "tables", "worlds"), rows)


def _has(company: Any, product: Any) -> bool:
    return any(app.product is product for app in company.apps)


def world_table() -> str:
    """Return every world with its apps and sizes."""
    rows = []
    for name, company in ours(all_worlds().found).items():
        names = ", ".join(code(app.name) for app in company.apps if not app.product.control)
        sizes = "; ".join(f"{code(size)}: {text}" for size, text in company.sizes.items())
        rows.append((code(name), company.title, names, f"{company.start:%Y-%m-%d %H:%M} UTC", sizes))
    return table(("world", "company", "apps", "starts", "sizes"), rows)


def scenario_table() -> str:
    """Return every scenario with its story, its limits and its seats."""
    rows = [
        (
            code(name),
            " ".join(one.story.partition("\n\n")[0].split()),
            code(one.world),
            one.turns,
            f"{one.hours:g}",
            ", ".join(map(code, one.seats)),
        )
        for name, one in ours(all_scenarios().found).items()
    ]
    return table(("scenario", "the situation", "world", "turns", "hours", "seats"), rows)


# --- the command line


@cache
def command_line() -> Any:
    """Return the command line as its own library sees it."""
    import typer

    return typer.main.get_command(import_module("diorama.cli").app)


def verb_table() -> str:
    """Return every command with its help line."""
    from diorama.cli import VERBS

    return table(("command", "what it does"), [(f"[`{verb}`](#diorama-{verb})", text) for verb, text in VERBS.items()])


def option_table(verb: str) -> str:
    """Return the arguments and options of one command."""
    rows = []
    for one in command_line().get_command(None, verb).params:
        option = one.opts[0].startswith("-")
        name = one.opts[0] if option else (one.metavar or one.name).strip("[]").upper()
        rows.append((code(name), _default(one), one.help))
    return table(("argument or option", "default", "meaning"), rows)


def _default(one: Any) -> str:
    if one.required:
        return "required"
    if getattr(one, "is_flag", False) or one.default is None or one.default == "" or callable(one.default):
        return ""
    return code(str(one.default.value if isinstance(one.default, Enum) else one.default))


# --- the checks, and the operations of an app


def check_table(kinds: tuple[str, ...]) -> str:
    """Return the checks of some kinds."""
    return table(("check", "what it says"), [(code(one.name), one.says) for one in CHECKS if one.of in kinds])


def mutation_table() -> str:
    """Return every mutation, with what it must earn."""
    costs = {"success": "fail", "quality": "cost", "measured": "measured"}
    return table(
        ("mutation", "family", "must", "what it does", "required of"),
        [
            (
                code(one.name),
                one.family,
                "win" if one.side == "honest" else costs[one.tier],
                one.says,
                "any scenario" if one.anywhere else "scenarios with plans",
            )
            for one in sorted(MUTATIONS, key=lambda one: (one.side, one.family))
        ],
    )


def product_of(name: str) -> Product:
    """Return the product of an app of this package."""
    return apps().find(name).product


def operation_tables(name: str) -> str:
    """Return the operations of an app, a table for each tag."""
    tags: dict[str, list[Any]] = {}
    for operation in product_of(name).operations:
        tags.setdefault(operation.tags[0], []).append(operation)
    return "\n".join(
        f"### {tag.capitalize()}\n\n"
        + table(
            ("operation", "request", "what it does"),
            [
                (
                    code(one.name),
                    code(f"{one.method} {one.path}"),
                    one.summary + (" Takes an Idempotency-Key." if one.idempotent else ""),
                )
                for one in listed
            ],
        )
        for tag, listed in tags.items()
    )


def tool_table(name: str) -> str:
    """Return the tools of an app."""
    rows = [(code(tool.name), tool.describe()["description"].split("\n")[0]) for tool in product_of(name).tools]
    return table(("tool", "what it does"), rows)


def notice_table(name: str) -> str:
    """Return the notices of an app, and which of them wake a person."""
    module, wakers = import_module(f"diorama.apps.{name}.schema.notices"), product_of(name).wakers
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    return table(
        ("notice", "meaning", "wakes"),
        [(code(one.__name__), (one.__doc__ or "").split("\n")[0], "yes" if one in wakers else "") for one in own],
    )


GENERATED: dict[str, Callable[[], str]] = {
    "apps": app_table,
    "worlds": world_table,
    "scenarios": scenario_table,
    "commands": verb_table,
    **{f"options of {verb}": partial(option_table, verb) for verb in command_line().list_commands(None)},
    "checks of apps": lambda: check_table(("app", "operation", "tool", "door")),
    "checks of worlds": lambda: check_table(("world",)),
    "checks of scenarios": lambda: check_table(("scenario",)),
    "mutations": mutation_table,
    "operations of backoffice": lambda: operation_tables("backoffice"),
    "tools of backoffice": lambda: tool_table("backoffice"),
    "notices of backoffice": lambda: notice_table("backoffice"),
    "tools of zendesk": lambda: tool_table("zendesk"),
}


def pages() -> list[Path]:
    """Return the pages that have generated parts."""
    found = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "src" / "diorama" / "apps").glob("*/README.md")]
    return sorted(page for page in found if PART.search(page.read_text(encoding="utf-8")))


def rewritten(text: str) -> str:
    """Return a page with its generated parts as they are now."""
    return PART.sub(lambda part: f"{part['name']} -->\n{GENERATED[part['name']]()}", text)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_generated_parts_of_a_page_match_the_program(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert rewritten(text) == text, "the program has changed; run `make pages`"


def test_everything_that_can_be_generated_is_on_a_page() -> None:
    shown = [part["name"] for page in pages() for part in PART.finditer(page.read_text(encoding="utf-8"))]
    assert sorted(shown) == sorted(GENERATED)


# --- Larkspur's tickets


def printed() -> str:
    """Return the output of the command on the page."""
    asked = ASKED.search(LARKSPUR.read_text(encoding="utf-8"))
    assert asked is not None
    return as_text(threads(open_world("larkspur"), int(asked[1]), int(asked[2])))


def test_the_threads_on_the_page_are_what_the_command_prints() -> None:
    shown = SHOWN.search(LARKSPUR.read_text(encoding="utf-8"))
    assert shown is not None
    assert shown[0] == printed(), "the desk's past has changed; run `make pages` and read it"


def main() -> None:
    """Rewrite the pages."""
    text = printed()
    assert "```" not in text
    LARKSPUR.write_text(SHOWN.sub(lambda _: text, LARKSPUR.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    for page in pages():
        page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
    names = [page.relative_to(ROOT).as_posix() for page in (LARKSPUR, *pages())]
    sys.stdout.write("".join(f"wrote {name}\n" for name in names))


if __name__ == "__main__":
    main()
