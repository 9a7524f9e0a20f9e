"""Documentation tests: snippets run, commands parse, links work, and everything is named in the reference."""

import json
import pkgutil
import re
import shlex
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
REFERENCE = ROOT / "docs" / "reference"
NOT_RUN = re.compile(r"<!-- not run: \S.*-->\s*$")
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w+-]*)[^\n]*\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """One fenced block of one page."""

    page: Path
    line: int
    language: str
    body: str
    run: bool


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page=page,
            line=text.count("\n", 0, found.start()) + 2,
            language=found["language"],
            body=re.sub(rf"^{found['indent']}", "", found["body"], flags=re.MULTILINE),
            run=NOT_RUN.search(text[: found.start()].rstrip()) is None,
        )
        for found in FENCE.finditer(text)
    ]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def pages_with(*languages: str) -> list[Path]:
    return [page for page in PAGES if any(block.language in languages for block in blocks(page))]


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_every_python_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"__name__": "__docs__"}
    for block in blocks(page):
        if block.language == "python" and block.run:
            code = compile("\n" * (block.line - 1) + block.body, str(page), "exec")
            exec(code, space)  # noqa: S102 - the page's own text


def test_every_json_block_is_json() -> None:
    for block in (block for page in PAGES for block in blocks(page) if block.language == "json" and block.run):
        json.loads(block.body)


# Commands


@cache
def verbs() -> Any:
    import typer

    return typer.main.get_command(import_module("diorama.cli").app)


def verb_names() -> list[str]:
    return list(verbs().list_commands(None))


def words_of(line: str) -> list[str]:
    """Return the words of a shell line up to a pipe, a redirection or the next command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if set(word) <= set("|&;<>()"):
            break
        words.append(word)
    return words


def command_lines(page: Path) -> list[tuple[int, list[str]]]:
    """Return every line of the console blocks that calls `diorama` or `make`, as words."""
    found = []
    for block in blocks(page):
        if block.language not in ("console", "bash", "sh") or not block.run:
            continue
        body = block.body.replace("\\\n", "  ")
        for number, line in enumerate(body.splitlines()):
            words = words_of(line.removeprefix("$ ")) if re.search(r"\b(diorama|make) ", line) else []
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words = words[1:]
            if words and words[0] in ("diorama", ".venv/bin/diorama", "make"):
                found.append((block.line + number, words))
    return found


def complaint(words: list[str]) -> str | None:
    """Return why the command line would reject these words, or None, from the command's own declaration."""
    if not words or words[0] in ("--help", "--version"):
        return None
    command = verbs().get_command(None, words[0])
    if command is None:
        return f"no verb {words[0]!r}"
    options = {flag: p for p in command.params for flag in (*p.opts, *p.secondary_opts) if flag.startswith("-")}
    places = [p for p in command.params if not p.opts[0].startswith("-")]
    given, rest = 0, words[1:]
    while rest:
        word, rest = rest[0], rest[1:]
        if not word.startswith("-"):
            given += 1
            continue
        flag, _, value = word.partition("=")
        if flag == "--help":
            return None
        if flag not in options:
            return f"`diorama {words[0]}` has no option {flag}"
        if not options[flag].is_flag and not value:
            if not rest:
                return f"{flag} needs a value"
            rest = rest[1:]
    least = sum(p.nargs if p.nargs > 0 else 1 for p in places if p.required)
    most = float("inf") if any(p.nargs < 0 for p in places) else len(places)
    return None if least <= given <= most else f"`diorama {words[0]}` takes {least} to {most} arguments, here {given}"


@pytest.mark.parametrize("page", pages_with("console", "bash", "sh"), ids=name)
def test_every_command_in_a_console_block_parses(page: Path) -> None:
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    wrong = []
    for line, words in command_lines(page):
        if words[0] == "make":
            asked = [word for word in words[1:] if "=" not in word and not word.startswith("-")]
            wrong += [f"{name(page)}:{line}: no make target {word!r}" for word in asked if word not in targets]
        elif why := complaint(words[1:]):
            wrong.append(f"{name(page)}:{line}: {why}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "fly",
        "run --agent oracle",
        "run zendesk/late-refund --agnet oracle",
        "run zendesk/late-refund --agent",
        "demo a b c d",
    ],
)
def test_the_check_of_commands_can_fail(line: str) -> None:
    assert complaint(line.split())


# Links


def anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_inside_the_documentation_works(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    wrong = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(f"{name(page)}: {link}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_page_can_be_reached_from_the_index() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or not page.exists():
            continue
        seen.add(page)
        links = re.findall(r"\]\(([^)#\s]+\.md)", page.read_text(encoding="utf-8"))
        waiting += [(page.parent / link).resolve() for link in links]
    lost = [name(page) for page in PAGES if page not in seen and (ROOT / "docs") in page.parents]
    assert not lost, lost


# Everything is named in the reference


@cache
def reference() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.rglob("*.md")))


def named(word: str) -> bool:
    """Check whether the reference contains this word as code."""
    return re.search(rf"`[^`\n]*(?<![\w/-]){re.escape(word)}(?![\w/-])[^`\n]*`", reference()) is not None


def section(title: str) -> str:
    found = re.search(rf"^#+ `{re.escape(title)}`\s*$(.*?)(?=^#+ `|\Z)", reference(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_every_command_and_option_is_in_the_reference() -> None:
    missing = []
    for verb in verb_names():
        text = section(f"diorama {verb}")
        flags = [
            p.opts[0] for p in verbs().get_command(None, verb).params if p.opts[0].startswith("-") and not p.hidden
        ]
        missing += [f"diorama {verb} {flag}" for flag in flags if f"`{flag}" not in text]
        if not text:
            missing.append(f"## `diorama {verb}`")
    assert not missing, "\n" + "\n".join(missing)


def test_every_app_is_in_the_reference() -> None:
    apps = [module.name for module in pkgutil.iter_modules(import_module("diorama.apps").__path__)]
    assert apps
    assert not [app for app in apps if not named(app)]


def test_every_world_is_in_the_reference() -> None:
    worlds = [company.name for company in import_module("diorama.worlds").companies()]
    assert worlds
    assert not [world for world in worlds if not named(world)]


def test_every_scenario_is_in_the_reference() -> None:
    scenarios = import_module("diorama.scenarios").load_all()
    assert scenarios
    assert not [scenario for scenario in scenarios if not named(scenario)]


def test_every_route_of_the_control_plane_is_in_the_reference() -> None:
    routes = import_module("diorama.server.control").control(None, "token").routes
    asked = {f"{method} {route.path}" for route in routes for method in route.methods - {"HEAD"}}
    assert asked
    assert not [route for route in asked if not named(route)]


def test_every_environment_variable_is_in_the_reference() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    read = {found for text in sources for found in re.findall(r'"((?:DIORAMA|OPENAI)_[A-Z_]+)"', text)}
    assert not [variable for variable in read if not named(variable)]


# What the reference says exists


def page_text(page: str) -> str:
    return (REFERENCE / page).read_text(encoding="utf-8")


def test_every_variable_and_route_in_the_reference_exists() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    variables = re.findall(r"^\| `([A-Z_]+)` \|", page_text("environment.md"), re.MULTILINE)
    assert variables
    assert not [variable for variable in variables if f'"{variable}"' not in sources]
    served = import_module("diorama.server.control").control(None, "token").routes
    known = {f"{method} {route.path}" for route in served for method in route.methods}
    routes = re.findall(r"^\| `([A-Z]+ /[^`]+)` \|", page_text("http.md"), re.MULTILINE)
    assert routes
    assert not [route for route in routes if route not in known]


@pytest.mark.parametrize(
    ("page", "module", "struct"),
    [
        ("python.md", "diorama.episodes.result", "Result"),
        ("python.md", "diorama.episodes.result", "Versions"),
        ("python.md", "diorama.episodes.result", "Fault"),
        ("python.md", "diorama.doors.tools", "Observation"),
        ("python.md", "diorama.kernel.events", "Event"),
        ("python.md", "diorama.kernel.changes", "Change"),
        ("python.md", "diorama.kernel.wire", "Reply"),
        ("python.md", "diorama.rewards.account", "Score"),
        ("python.md", "diorama.rewards.account", "ScorePart"),
        ("http.md", "diorama.server.control", "StartRequest"),
    ],
)
def test_every_field_is_in_the_reference(page: str, module: str, struct: str) -> None:
    text = page_text(page)
    fields = getattr(import_module(module), struct).__struct_fields__
    assert not [field for field in fields if f"`{field}`" not in text]


def test_every_file_and_function_on_the_walk_through_the_code_exists() -> None:
    text = FENCE.sub("", (ROOT / "docs" / "explanation" / "one-request.md").read_text(encoding="utf-8"))
    source, desk = ROOT / "src" / "diorama", ROOT / "src" / "diorama" / "apps" / "zendesk"
    spans = set(re.findall(r"`([\w./]+)`", text))
    files = {span for span in spans if span.endswith(".py")}
    assert len(files) > 20
    assert not [file for file in files if not (source / file).is_file() and not (desk / file).is_file()]
    words = set(re.findall(r"\w+", "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.py"))))
    names = {span for span in spans - files if "/" not in span}
    assert not [name for name in names if name.rpartition(".")[2] not in words]


def test_every_table_and_column_of_a_run_is_in_the_reference() -> None:
    text = page_text("runs.md")
    assert f"(format {import_module('diorama.runs.file').FORMAT}," in text
    names = re.findall(
        r"^(?:CREATE TABLE IF NOT EXISTS|   ) (\w+) [A-Z(]", import_module("diorama.runs.schema").SCHEMA, re.MULTILINE
    )
    columns = [name for name in names if name.islower()]
    assert len(columns) > 40
    assert not [name for name in columns if f"`{name}`" not in text]


def test_every_helper_that_the_page_on_scenarios_names_exists() -> None:
    page = (ROOT / "docs" / "how-to" / "write-a-scenario.md").read_text(encoding="utf-8")
    shelf = ROOT / "src" / "diorama" / "scenarios"
    named = set(re.findall(r"`(\w+)\.([A-Za-z]\w*)", FENCE.sub("", page)))
    for row in re.findall(r"^\| (`\w+\.\w+.*?) \|", page, re.MULTILINE):  # a row names the module once
        module = row[1:].partition(".")[0]
        named |= {(module, helper) for helper in re.findall(r"`(\w+)\(", row)}
    found = {(module, helper) for module, helper in named if (shelf / f"{module}.py").is_file()}
    found -= {("plan", "twin")} | {one for one in found if one[1] == "py"}
    assert {("past", "order"), ("owed_units", "take_back"), ("past_senders", "impostor")} <= found
    missing = [one for one in found if not hasattr(import_module(f"diorama.scenarios.{one[0]}"), one[1])]
    assert missing == []
    for place in re.findall(r"`((?:tests|worlds|scenarios)/[\w/]+\.(?:py|json))`", page):
        assert any((root / place).is_file() for root in (ROOT, shelf.parent)), place
