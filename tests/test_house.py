"""House style as a test: rules that a reviewer should not have to repeat."""

import ast
import os
import re
import socket
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "diorama"
LONGEST = 600
VAGUE_CONSTANTS = {"KINDS", "ALL_KINDS", "HERE", "MARKER", "KEPT", "KEEP"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "misc"}
PICTURES = {".png", ".svg", ".ico", ".woff2"}
PACKED = ("tests/rewards/claims/corpus/",)
"""Folders with compressed data: cases for the labelled replies, of 2 MB each."""

# What the world's own layers may not use (law 3), and the exceptions: {file: {name: why}}.
WORLD_LAYERS = ("kernel", "kit", "apps", "people", "worlds", "scenarios", "rewards")
OUTSIDE = {"time", "random", "uuid", "secrets", "threading", "asyncio", "socket", "multiprocessing", "concurrent"}
OUTSIDE_CALLS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "os.urandom", "os.getpid", "hash"}
ALLOWED: dict[str, dict[str, str]] = {
    "kernel/lane.py": {
        "secrets": "a suffix that app code cannot guess keeps control statements apart in the statement cache",
        "threading": "connections belong to a thread; which one serves a world changes nothing in it",
    },
    "kernel/world.py": {"time": "wall time is kept beside an event, outside what is hashed"},
}


def tracked() -> list[Path]:
    """Return every file that is in the repository or not ignored by it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return sorted(path for path in paths if path.is_file())


TRACKED = tracked()
PYTHON = [path for path in TRACKED if path.suffix == ".py"]
SOURCES = [path for path in PYTHON if SOURCE in path.parents]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


def where(path: Path, line: int = 0) -> str:
    return f"{path.relative_to(ROOT)}:{line}" if line else str(path.relative_to(ROOT))


def lines_that(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{where(path, number)}: {line.strip()[:160]}"
        for path in paths
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    ]


def report(found: list[str]) -> str:
    return "\n" + "\n".join(found)


def test_every_source_file_has_a_one_sentence_docstring() -> None:
    wrong = []
    for path in SOURCES:
        says = ast.get_docstring(tree_of(path)) or ""
        sentence = says.split("\n\n")[0]
        if not sentence.endswith((".", ":", "?")) or len(sentence) > 400:
            wrong.append(f"{where(path)}: {sentence[:80]!r}")
    assert not wrong, report(wrong)


def test_no_file_is_too_long() -> None:
    long = [f"{where(path)}: {n} lines" for path in PYTHON if (n := text_of(path).count("\n")) > LONGEST]
    assert not long, report(long)


def test_no_module_has_a_vague_name() -> None:
    vague = [
        where(path)
        for path in PYTHON
        if VAGUE & {part.strip("_") for part in path.relative_to(ROOT).with_suffix("").parts}
    ]
    assert not vague, report(vague)


def test_no_constant_has_a_vague_name() -> None:
    vague = [
        f"{where(path)}: {target.id}"
        for path in SOURCES
        for node in ast.parse(text_of(path)).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id in VAGUE_CONSTANTS
    ]
    assert not vague, report(vague)


def test_no_file_names_a_registry_or_a_machine_path() -> None:
    hosts = ["py" + "pi.org", "python" + "hosted", "npm" + "js", "registry" + ".yarn", "deb." + "debian"]
    places = [
        r"(?<![\w.}\])*])/(?:" + "wo" + "rk|ro" + r"ot)/",
        "/ho" + r"me/\w",
        r"(?<![\w}])/op" + "t/",
        "/Us" + r"ers/\w",
    ]
    options = [r"^\s*--(?:extra-)?index-url", r"^\s*--find-links", r"^\s*--trusted-host"]
    found = lines_that(re.compile("|".join([*map(re.escape, hosts), *places, *options])), TRACKED)
    assert not found, report(found)


def test_no_file_has_an_open_task_marker() -> None:
    kinds = {".py", ".md", ".toml", ".txt", ".html", ".css", ".js", ".yaml", ".yml", ".sql", ""}
    words = re.compile(r"\b(?:" + "TO" + "DO|FIX" + "ME)\\b")
    found = lines_that(words, [path for path in TRACKED if path.suffix in kinds])
    assert not found, report(found)


def comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)


def test_every_ignore_has_its_reason_on_the_line() -> None:
    ignore = re.compile(r"#\s*(?:noqa|type:\s*ignore|ruff:\s*noqa|mypy:|pragma|nosec)")
    reasoned = re.compile(
        r"#\s*noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)*[\s#:-]+\w+(?:\W+\w+)+"
        r"|#\s*type: ignore\[[\w, -]+\]\s*#\s*\w+(?:\W+\w+)+"
    )
    found = [
        f"{where(path, line)}: {comment}"
        for path in PYTHON
        if ignore.search(text_of(path))
        for line, comment in comments(path)
        if ignore.search(comment) and not reasoned.search(comment)
    ]
    assert not found, report(found)


def test_every_exception_to_a_tool_has_its_reason_on_the_line() -> None:
    bare, inside = [], False
    for number, line in enumerate(text_of(ROOT / "pyproject.toml").splitlines(), 1):
        inside = inside or line.startswith(("ignore = [", "filterwarnings = ["))
        if inside and re.match(r'\s+"', line) and "#" not in line and '"error"' not in line:
            bare.append(f"pyproject.toml:{number}: {line.strip()}")
        inside = inside and line != "]"
    assert not bare, report(bare)


def outside_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where a module imports or calls something of the machine rather than of the world."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.lineno, (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("__import__", "importlib.import_module", "import_module") and node.args:
                yield node.lineno, str(getattr(node.args[0], "value", "")).partition(".")[0]
            yield from (
                (node.lineno, name)
                for name in OUTSIDE_CALLS
                if called == name or ("." in name and called.endswith("." + name))
            )


def test_time_and_chance_belong_to_the_world() -> None:
    found, used = [], set()
    for path in SOURCES:
        inner = path.relative_to(SOURCE).as_posix()
        if not inner.startswith(tuple(f"{layer}/" for layer in WORLD_LAYERS)):
            continue
        for line, name in outside_names(tree_of(path)):
            if name in ALLOWED.get(inner, {}):
                used.add((inner, name))
            elif name in OUTSIDE | OUTSIDE_CALLS:
                found.append(f"{where(path, line)}: {name}")
    assert not found, report(found)
    stale = {(inner, name) for inner, names in ALLOWED.items() for name in names} - used
    assert not stale, f"no longer needed in ALLOWED: {sorted(stale)}"


@pytest.mark.parametrize(
    "code",
    [
        "import time",
        "from random import Random",
        "datetime.now(UTC)",
        "dt.datetime.now()",
        "__import__('uuid')",
        "hash(x)",
    ],
)
def test_the_check_of_time_and_chance_can_fail(code: str) -> None:
    assert {name for _, name in outside_names(ast.parse(code))} & (OUTSIDE | OUTSIDE_CALLS)


def test_the_lock_is_only_pins_and_hashes() -> None:
    pin = re.compile(r'[a-z0-9][a-z0-9-]*==[\w.+!]+(?: ; [\w. <>=!"\']+)? \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?')
    for path in (ROOT / "requirements").glob("*.txt"):
        wrong = [
            f"{where(path, n)}: {line}"
            for n, line in enumerate(text_of(path).splitlines(), 1)
            if not pin.fullmatch(line)
        ]
        assert not wrong, report(wrong[:20])


def requirement_names(*requirements: list[str]) -> set[str]:
    return {re.split(r"[\s<>=!;\[]", one)[0].lower().replace("_", "-") for many in requirements for one in many}


def test_every_package_that_the_source_imports_is_declared() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras = {
        extra: names for extra, names in project["optional-dependencies"].items() if extra not in ("dev", "clients")
    }
    declared = requirement_names(project["dependencies"], *extras.values())
    sold_as = packages_distributions()
    found = []
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"diorama"}:
                if not declared & {one.lower().replace("_", "-") for one in sold_as.get(module, [module])}:
                    found.append(f"{where(path)}: {module}")
    assert not found, report(found)


def test_the_lock_pins_every_dependency_that_is_declared() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    names = requirement_names(project["dependencies"], *project["optional-dependencies"].values())
    pinned = set(re.findall(r"^([a-z0-9-]+)==", text_of(ROOT / "requirements" / "dev.txt"), re.MULTILINE))
    assert names <= pinned, f"run `make lock`: {sorted(names - pinned)}"


def test_no_package_lock_says_where_a_package_was_fetched() -> None:
    found = lines_that(re.compile(r'"resolved"\s*:'), [path for path in TRACKED if path.name == "package-lock.json"])
    assert not found, report(found)


def test_no_vendors_specification_and_no_recording_is_in_the_tree() -> None:
    marks = re.compile(
        r'^\s*"?(?:openapi|swagger)"?\s*:|"_postman_id"|^(?:interactions|http_interactions):', re.MULTILINE
    )
    data = {".json", ".yaml", ".yml", ".har", ".cassette", ".txt"}
    texts = [path for path in TRACKED if path.suffix in data and path.parent.name != "requirements"]
    found = [where(path) for path in texts if path.suffix in (".har", ".cassette") or marks.search(text_of(path))]
    assert not found, report(found)


def test_every_file_is_text_or_a_picture() -> None:
    texts = [one for one in TRACKED if one.suffix not in PICTURES and not where(one).startswith(PACKED)]
    binary = [where(path) for path in texts if b"\0" in path.read_bytes()[:8192]]
    assert not binary, report(binary)


def test_ci_runs_what_make_test_runs() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in text_of(script)


def test_the_changelog_has_this_version() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    assert re.search(rf"^## \[(?:Unreleased|{re.escape(version)})\]", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)


def test_no_test_can_leave_the_machine() -> None:
    with pytest.raises(PermissionError, match="loopback only"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(PermissionError, match="loopback only"):
        socket.getaddrinfo("support.example.com", 443)


def test_no_process_that_a_test_starts_can_leave_the_machine() -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=1)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "loopback only" in child.stderr


# --- plain language: names of tests, prose and docstrings

LONGEST_TEST_NAME = 70

# Words that a reader whose second language is English may not know, or that hide who does what: {pattern: advice}.
UNCLEAR = {
    r"who(?:m|so)?ever": "name the person: the caller, the sender, the agent",
    r"(?:no|some|every|any)body(?:'s)?": "write no one, someone, everyone or anyone, or name the person",
    r"one's|oneself": "name the person",
    r"anew": "write again",
    r"seldom": "write rarely",
    r"upon|whilst|amongst|albeit|lest|hence|thence|whence|hitherto|forthwith|thereof|wherein|whereby|naught|aught": (
        "write the modern word"
    ),
    r"to heart": "say what is stored or indexed",
    r"so (?:many|much)(?! (?:that|as|more|less|faster|slower|larger|smaller))": "give the number, or write N",
    r"that which": "write what",
    r"of which": "split the sentence",
    r"(?:lies?|lay) (?:in|beside|within)": "write is in",
    r"(?:hangs?|hung) on": "write is attached to, depends on or waits for",
    r"(?:comes?|came) to (?:be|know|hold|stand|rest|pass|light)": "name what happens",
    r"(?<!there )(?:is|are|was|were) no (?!longer|more|less|fewer|one\b|better|worse|other|different)(?=[a-z])": (
        "write is not a"
    ),
    r"(?:is|are|was|were) to be": "write must be, or is",
    r"nor (?:is|are|do|does|did|has|have|can|may|will)": "write it as a second sentence: it also does not",
    r"(?:never|nowhere|only then|not until) (?:is|are|do|does|did|has|can|may|will) (?:it|a|an|the|there)": (
        "put the subject first"
    ),
    r"makes? no sense": "write invalid",
    r"proves? nothing": "write is not valid, or cannot be verified",
    r"for ever|as it were|what it is worth|in words": "write it literally",
    r"(?:youngest|eldest)": "write newest or oldest",
}
UNCLEAR_WORDS = re.compile("|".join(rf"(\b(?:{pattern})\b)" for pattern in UNCLEAR), re.IGNORECASE)
UNCLEAR_IN_NAMES = {r"(?:is|are|was|were)_no(?=_)(?!_longer|_more)": "write is_not_a", **UNCLEAR}
UNCLEAR_NAMES = re.compile("|".join(rf"((?<=_)(?:{pattern})(?=_|$))" for pattern in UNCLEAR_IN_NAMES))


def unclear(text: str, pattern: re.Pattern[str] = UNCLEAR_WORDS, advice: dict[str, str] = UNCLEAR) -> str:
    """Return the first unclear phrase of a text and what to write instead, or an empty string."""
    found = pattern.search(re.sub(r"\s+", " ", text))
    return f"{found[0]!r}: {list(advice.values())[(found.lastindex or 1) - 1]}" if found else ""


def named_tests(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node


def wrong_test_name(name: str) -> str:
    """Say what is wrong with the name of a test, or return an empty string."""
    if len(name) > LONGEST_TEST_NAME:
        return f"{len(name)} characters; write one plain sentence of at most {LONGEST_TEST_NAME}"
    return unclear(name.replace("s_own", "s own"), UNCLEAR_NAMES, UNCLEAR_IN_NAMES)


def test_every_test_has_a_short_and_plain_name() -> None:
    found = [
        f"{where(path, node.lineno)}: {node.name}: {wrong}"
        for path in PYTHON
        for node in named_tests(path)
        if (wrong := wrong_test_name(node.name))
    ]
    assert not found, report(found)


@pytest.mark.parametrize(
    "name", [f"test_{'a' * 66}", "test_whoever_asks_is_told", "test_nobody_writes", "test_a_name_is_no_address"]
)
def test_the_check_of_test_names_can_fail(name: str) -> None:
    assert wrong_test_name(name)
    assert not wrong_test_name("test_a_deleted_ticket_is_no_longer_listed")


def markdown(text: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a Markdown text, without code."""
    code, start, lines = False, 1, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        if fence or code or not line.strip():
            if lines:
                yield start, re.sub(r"`[^`]*`", "``", " ".join(lines))
            code, start, lines = code ^ fence, number + 1, []
        else:
            lines.append(line)


def examples(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of the Python examples of a Markdown text that are a docstring or have a comment."""
    language = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            language = "" if language else line[3:].strip() or "text"
        elif language == "python" and re.search(r'"""|#', line):
            yield number, line


def messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts of exceptions, of command-line help, of what commands print, and of findings (`yield "..."`)."""
    for node in ast.walk(tree):
        spoken: list[ast.AST] = []
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            spoken = [*node.exc.args]
        elif isinstance(node, ast.keyword) and node.arg == "help":
            spoken = [node.value]
        elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Constant | ast.JoinedStr):
            spoken.append(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("echo", ".print")):
            spoken = [*node.args]
        for text in (part for each in spoken for part in ast.walk(each)):
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.lineno, text.value


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every string that stands alone: the docstrings of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        body = getattr(node, "body", ())
        for child in body if isinstance(body, list) else ():
            match child:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    yield child.lineno, text


# What simulated vendors and people say is data, and is not written in our language.
DATA = ("src/diorama/apps/", "src/diorama/scenarios/", "src/diorama/worlds/", "src/diorama/people/")


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield what a file says to its readers: line and text."""
    if path.suffix == ".md":
        yield from markdown(text_of(path))
        yield from examples(text_of(path))
        return
    if path.suffix == ".txt":  # a template of `diorama new`
        yield from enumerate(text_of(path).splitlines(), 1)
        return
    texts = [*docstrings(tree_of(path)), *comments(path)]
    if SOURCE in path.parents and not where(path).startswith(DATA):
        texts += messages(tree_of(path))
    yield from ((line, re.sub(r"`[^`]*`", "``", text)) for line, text in texts)


TEMPLATES = SOURCE / "cli" / "templates"
PROSE = [path for path in TRACKED if path.suffix in (".py", ".md") or TEMPLATES in path.parents]


def test_prose_has_no_unclear_words() -> None:
    found = [
        f"{where(path, line)}: {wrong}"
        for path in PROSE
        if unclear(text_of(path))  # quick, and almost always false
        for line, text in prose(path)
        if (wrong := unclear(text))
    ]
    assert not found, report(found)


@pytest.mark.parametrize(
    "text",
    [
        "Empty for nobody in particular.",
        "Send away whoever is no agent.",
        "The run\n    lies in a folder.",
        "A closed ticket is no ticket.",
        "Nor does it return.",
    ],
)
def test_the_check_of_prose_can_fail(text: str) -> None:
    assert unclear(text)
    assert not unclear("There is no ticket with this id; a closed one is no longer listed.")


def test_prose_is_found_wherever_it_is_written() -> None:
    tree = ast.parse('"""Module."""\nclass A:\n    """Class."""\n    b = 1\n    """Field."""\nraise E(f"Raised {b}")')
    assert [text for _, text in docstrings(tree)] == ["Module.", "Class.", "Field."]
    assert [text for _, text in messages(tree)] == ["Raised "]
    said = messages(ast.parse('option(help="Help."); click.echo("Out.")\ndef f():\n    yield f"Found {b}"'))
    assert {text for _, text in said} == {"Help.", "Out.", "Found "}
    assert list(examples('a\n```python\nb\n"""C."""\n```\n```text\n# d\n```\n')) == [(4, '"""C."""')]
    assert list(markdown("# A\nb `c`\n\n```\nd\n```\ne\n")) == [(1, "# A b ``"), (7, "e")]


# Layers in which the docstring of a public function says what it does, as an order: "Return the newest ticket."
IMPERATIVE = ("kernel", "kit", "doors", "episodes", "runs", "server", "rewards", "people", "contract", "bench")
IMPERATIVE_FILES = re.compile(rf"(?:{'|'.join(IMPERATIVE)})/.*|worlds/[^/]*\.py")
NOT_VERBS = re.compile(
    r"(?:an?|the|what|whether|how|who|whose|whom|where|when|why|which|every|all|each|this|that|these|those|its?|there|if"
    r"|one|no|nothing|some|someone|as|for|in|of|on|at|by|with|without|not|is|are|.*[^asu]s|.*[^a-z].*)"
)


def not_imperative(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the public functions whose docstring does not start with a verb in the imperative."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        if any("property" in ast.unparse(decorator) for decorator in node.decorator_list):
            continue
        first = (ast.get_docstring(node) or "Return").split()[0]
        if NOT_VERBS.fullmatch(first.strip(".,:;").lower()):
            yield node.lineno, f"{node.name}: {first}"


def test_docstrings_of_functions_start_with_a_verb() -> None:
    found = [
        f"{where(path, line)}: {wrong}"
        for path in SOURCES
        if IMPERATIVE_FILES.fullmatch(path.relative_to(SOURCE).as_posix())
        for line, wrong in not_imperative(tree_of(path))
    ]
    assert not found, report(found)


@pytest.mark.parametrize(
    "docstring", ["The newest ticket.", "Returns a ticket.", "`seen` counts.", "Whether it is open."]
)
def test_the_check_of_docstrings_can_fail(docstring: str) -> None:
    assert list(not_imperative(ast.parse(f'def f():\n    """{docstring}"""')))
    assert not list(not_imperative(ast.parse(f'@property\ndef f():\n    """{docstring}"""')))
    assert not list(not_imperative(ast.parse('def f():\n    """Pass a ticket on."""')))
