"""`diorama new` writes what passes every check, and refuses invalid names."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from diorama.cli.errors import Misuse
from diorama.cli.new import Kind, write
from tests.cli.test_verbs import diorama

ROOT = Path(__file__).parents[2]


def tool(*command: str, cwd: Path) -> None:
    """Run a Python tool that must find nothing."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def done(*words: str, cwd: Path) -> str:
    """Run a command that must succeed, and return what it prints."""
    ran = diorama(*words, cwd=cwd)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An app, a scenario of it and two worlds in a folder outside the checkout."""
    folder = tmp_path_factory.mktemp("mine")
    done("new", "app", "x", cwd=folder)
    assert "It takes place in the world x." in done("new", "scenario", "x/y", cwd=folder)
    done("new", "world", "acme-tea", cwd=folder)
    assert "Commands list the app as my_crm" in done("new", "app", "my-crm", cwd=folder)
    assert "in the world larkspur" in done("new", "scenario", "zendesk/money-back", cwd=folder)
    return folder


@pytest.mark.parametrize("name", ["x", "x/y", "acme-tea", "my-crm", "zendesk/money-back"])
def test_something_new_passes_every_check_untouched(name: str, outside: Path) -> None:
    report = json.loads(done("check", name, "--json", cwd=outside))
    assert report["passed"]
    assert {check["name"] for check in report["checks"]} == {name.replace("-", "_") if name == "my-crm" else name}
    skipped = {check["check"] for check in report["checks"] if check["result"] == "skipped"}
    if name == "my-crm":  # no scenario uses it yet
        assert skipped == {
            *("tool_calls_are_the_same_event", "requests_are_the_same_event"),
            *("strangers_leave_no_trace", "credentials_are_never_recorded"),
        }
    else:
        assert skipped == set()


def test_something_new_runs_also_in_worker_processes(outside: Path, tmp_path: Path) -> None:
    words = ("run", "x/y", "--agent", "oracle", "--agent", "noop", "--episodes", "3", "--parallel", "2", "--json")
    summary = json.loads(done(*words, "--path", str(outside), "--out", str(tmp_path / "run"), cwd=tmp_path))["summary"]
    assert (summary["n"], summary["success_rate"], summary["fault_rate"]) == (6, 0.5, 0.0)
    assert "6 of 6" in done("replay", "run", "--verify", "--path", str(outside), cwd=tmp_path)


def test_something_new_passes_its_own_tests_and_the_style(outside: Path) -> None:
    tool("pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=outside)
    tool("ruff", "format", "--check", "--line-length", "120", ".", cwd=outside)
    tool("ruff", "check", "--isolated", "--select", "E,F,I,UP,B", "--line-length", "120", "apps", "worlds", cwd=outside)
    tool(
        *("mypy", "--strict", "--namespace-packages", "--explicit-package-bases"),
        *("--cache-dir", str(outside / "cache"), f"{outside.name}/apps", f"{outside.name}/worlds/x"),
        f"{outside.name}/scenarios/y.py",
        cwd=outside.parent,
    )


def test_the_how_to_runs_as_it_is_written(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "write-your-own.md").read_text()
    lines = re.findall(r"^diorama (.+)$", page, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        done(*line.split(), cwd=tmp_path)


def test_in_a_checkout_files_go_beside_its_own(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    own = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    for words in (("new", "app", "x"), ("new", "scenario", "x/y"), ("check", "x"), ("check", "x/y")):
        command = [sys.executable, "-m", "diorama", *words]
        ran = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    for file in ("src/diorama/apps/x/schema.py", "src/diorama/worlds/x/__init__.py", "src/diorama/scenarios/y.py"):
        assert (tmp_path / file).is_file()
    for file in ("tests/apps/x/test_x_rules.py", "tests/worlds/test_x_world.py", "tests/scenarios/test_y.py"):
        assert (tmp_path / file).is_file()
    assert not (tmp_path / "diorama.toml").exists()
    assert "from diorama.apps.x.schema import" in (tmp_path / "src/diorama/apps/x/api.py").read_text()
    tool("ruff", "check", "--config", str(ROOT / "pyproject.toml"), "src/diorama/apps/x", "tests", cwd=tmp_path)


def test_nothing_is_ever_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_PATH", "")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apps" / "crm").mkdir(parents=True)
    (tmp_path / "apps" / "crm" / "api.py").write_text("mine")
    with pytest.raises(Misuse, match=r"api.py is already there"):
        write(Kind.app, "crm", tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["api.py"]


@pytest.mark.parametrize(
    ("kind", "name", "complaint"),
    [
        ("app", "CRM", "cannot name an app. Use lower-case words"),
        ("app", "two words", "cannot name an app"),
        ("app", "my_crm", "cannot name an app"),
        ("app", "9lives", "cannot name an app"),
        ("app", "crm-", "cannot name an app"),
        ("app", "", "cannot name an app"),
        ("app", "../x", "cannot name an app"),
        ("app", "class", "cannot name an app"),
        ("app", "x" * 41, "at most 40 characters"),
        ("app", "json", "Python has a part of that name"),
        ("app", "kernel", "Diorama has a part of that name"),
        ("app", "world", "Diorama has a part of that name"),
        ("app", "zendesk", "There is already an app zendesk in"),
        ("world", "larkspur", "There is already a world larkspur in"),
        ("world", "Acme", "cannot name a world"),
        ("scenario", "flat", "write APP/NAME"),
        ("scenario", "zendesk/Late", "cannot name a scenario"),
        ("scenario", "zendesk/late-refund", "There is already a scenario zendesk/late-refund in"),
        ("scenario", "zendesk/queue", "Python has a part of that name"),
        ("scenario", "nosuch/x", "There is no app 'nosuch'. There are: backoffice, zendesk. Make it first"),
    ],
)
def test_invalid_names_are_refused(
    kind: str, name: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_PATH", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Misuse) as refused:
        write(Kind(kind), name, tmp_path)
    assert complaint in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_an_app_that_was_changed_has_no_template_for_scenarios(tmp_path: Path) -> None:
    done("new", "app", "crm", cwd=tmp_path)
    for name in ("schema", "damage"):
        file = tmp_path / "apps" / "crm" / f"{name}.py"
        file.write_text(file.read_text().replace('"items"', '"leads"'))
    refused = diorama("new", "scenario", "crm/x", cwd=tmp_path)
    assert refused.returncode == 2
    assert "There is no template for scenarios of crm" in refused.stderr
