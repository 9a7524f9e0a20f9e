"""Packages of users from the command line: found, listed, and harmless where they are broken."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.test_verbs import diorama

BROKEN = {
    "apps/torn/__init__.py": "def x(:\n",
    "worlds/lost/__init__.py": "import no_such_library\n",
    "scenarios/odd_story.py": "1 / 0\n",
    "scenarios/nowhere.py": (
        "from msgspec import Struct\nfrom diorama.scenarios import Scenario, scenario\n\n"
        "@scenario('zendesk/nowhere')\nclass Nowhere(Scenario):\n"
        "    '''A scenario in a world that is not there.'''\n"
        "    world, apps, person, truth = 'atlantis', ('zendesk',), 'x@y.example', Struct\n"
    ),
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which nothing can be loaded."""
    folder = tmp_path_factory.mktemp("broken")
    for name, text in BROKEN.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("verb", "names"),
    [("apps", {"torn": "SyntaxError"}), ("worlds", {"lost": "ModuleNotFoundError"}),
     ("scenarios", {"odd_story": "ZeroDivisionError", "nowhere": "There is no world 'atlantis'"})],
)  # fmt: skip
def test_what_is_broken_is_listed_and_the_rest_works(
    verb: str, names: dict[str, str], broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_PATH", str(broken))
    listed = diorama(verb, "--json")
    assert listed.returncode == 0
    document = json.loads(listed.stdout)
    assert list(document) == [verb, "broken"]
    assert {row["origin"] for row in document[verb]} == {"diorama"}
    assert {one["name"] for one in document["broken"]} == set(names)
    for one in document["broken"]:
        assert names[one["name"]] in one["reason"]
        assert str(broken) in one["where"]
        lines = [line for line in listed.stderr.splitlines() if f" {one['name']} " in line]
        assert len(lines) == 1
        assert lines[0].startswith(f"diorama: {verb[:-1]} {one['name']} (")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "any/odd-story", "--agent", "noop"], "ZeroDivisionError: division by zero"),
        (["play", "zendesk/nowhere"], "There is no world 'atlantis'"),
        (["scenarios", "zendesk/nowhere"], "There is no world 'atlantis'"),
        (["worlds", "lost"], "No module named 'no_such_library'"),
        (["check", "torn"], "SyntaxError: invalid syntax"),
        (["contract", "torn"], "SyntaxError: invalid syntax"),
        (["new", "scenario", "torn/x"], "SyntaxError: invalid syntax"),
    ],
)
def test_asking_for_a_broken_thing_says_why(words: list[str], complaint: str, broken: Path, tmp_path: Path) -> None:
    option = ["--path", str(broken)] if words[0] != "new" else []
    asked = diorama(*(["--path", str(broken)] if not option else []), *words, *option, cwd=tmp_path)
    assert asked.returncode == 2
    assert asked.stdout == ""
    assert complaint in asked.stderr.splitlines()[-1]
    assert "Traceback" not in asked.stderr


def test_a_broken_package_does_not_disturb_a_run(broken: Path, tmp_path: Path) -> None:
    words = ("--path", str(broken), "run", "zendesk/late-refund", "--agent", "oracle", "--parallel", "2", "--json")
    ran = diorama(*words, "--episodes", "2", cwd=tmp_path)
    assert json.loads(ran.stdout)["summary"]["success_rate"] == 1.0
    assert ran.stderr.count("scenario odd_story (") == 1, "workers say nothing"


def test_a_path_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    asked = diorama("apps", "--path", "nowhere", cwd=tmp_path)
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "--path nowhere: there is no such folder" in asked.stderr


def test_a_package_that_is_installed_is_found_by_its_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    for kind, name in (("app", "crm"), ("scenario", "crm/late-order")):
        assert diorama("new", kind, name, "--path", str(site / "acme"), cwd=tmp_path).returncode == 0
    for folder in ("", "apps", "worlds", "scenarios"):
        (site / "acme" / folder / "__init__.py").touch()
    (site / "acme" / "diorama.toml").unlink()
    info = site / "acme-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    groups = {"apps": "crm = acme.apps.crm", "worlds": "all = acme.worlds", "scenarios": "all = acme.scenarios"}
    (info / "entry_points.txt").write_text("".join(f"[diorama.{kind}]\n{line}\n" for kind, line in groups.items()))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), os.environ["PYTHONPATH"]]))
    listed = json.loads(diorama("scenarios", "crm/*", "--json", cwd=tmp_path).stdout)
    assert [(row["name"], row["origin"]) for row in listed["scenarios"]] == [
        ("crm/late-order", "entry point all of acme")
    ]
    ran = diorama(
        "run", "crm/late-order", "--agent", "oracle", "--episodes", "2", "--parallel", "2", "--json", cwd=tmp_path
    )
    assert json.loads(ran.stdout)["summary"]["success_rate"] == 1.0


@pytest.mark.parametrize("words", [("--path", "mine", "new", "app", "crm"), ("new", "app", "crm", "--path", "mine")])
def test_new_writes_into_the_folder_before_or_after_it(words: tuple[str, ...], tmp_path: Path) -> None:
    done = diorama(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "mine/apps/crm/api.py").is_file()
    assert not (tmp_path / "apps").exists()
    assert diorama("--path", "mine", "apps", cwd=tmp_path).stdout.count("crm") >= 1
