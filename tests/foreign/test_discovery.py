"""A third-party package is found by its folder and by its entry points, and changes nothing of ours."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.foreign.finding import PACKAGE, STORY, python

NAMES = {"apps": "chat", "worlds": "pier", "scenarios": STORY}
BY_PATH: Mapping[str, str] = {"DIORAMA_PATH": str(PACKAGE)}
LOOK = """
import json
from diorama import scenarios, worlds
from diorama.kit.discovery import apps
found = {"apps": apps(), "worlds": worlds.catalogue(), "scenarios": scenarios.catalogue()}
origins = {kind: {name: one.place.origin for name, one in all.found.items()} for kind, all in found.items()}
print(json.dumps({"origins": origins, "broken": [str(one) for all in found.values() for one in all.broken]}))
"""
PLAY = """
from diorama.episodes.episode import start
from diorama.scenarios import load_all
known = load_all()
for seed in (0, 1):
    episode = start("zendesk/late-refund", seed)
    episode.scenario.oracle(episode.hands, episode.truth)
    result = episode.finish()
    print(result.reward, result.state, result.trace, result.versions)
print(*known)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Mapping[str, str]:
    """Install the package: its metadata in a folder that Python searches, with the entry points that it declares."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    info = tmp_path / "site" / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head)
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {module}" for name, module in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return {"PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(info.parent), str(PACKAGE)])}


def found(cwd: Path, environment: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return where the package's app, world and scenario were found, and what could not be loaded."""
    done = python("-c", LOOK, cwd=cwd, **environment)
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return [shown["origins"][kind].get(name, "") for kind, name in NAMES.items()], shown["broken"]


def test_the_package_is_found_by_its_folder(tmp_path: Path) -> None:
    assert found(tmp_path, BY_PATH) == ([str(PACKAGE / "harbour")] * 3, [])


def test_the_package_is_found_by_its_entry_points(tmp_path: Path, installed: Mapping[str, str]) -> None:
    names = [f"entry point {name} of harbour" for name in ("chat", "pier", "harbour")]
    assert found(tmp_path, installed) == (names, [])


def test_found_in_both_ways_it_is_one_package(tmp_path: Path, installed: Mapping[str, str]) -> None:
    origins, broken = found(tmp_path, {**installed, **BY_PATH})
    assert all(origin.startswith("entry point") for origin in origins)
    assert broken == []


def test_without_path_and_entry_points_it_is_not_there(tmp_path: Path) -> None:
    assert found(tmp_path, {}) == (["", "", ""], [])


def test_a_marked_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "diorama.toml").write_text("")
    (tmp_path / "harbour").symlink_to(PACKAGE / "harbour")
    assert found(tmp_path, {}) == ([str(tmp_path / "harbour")] * 3, [])


def test_the_package_changes_no_digest_of_our_scenarios(tmp_path: Path, installed: Mapping[str, str]) -> None:
    alone, by_path, by_entry_point = (played(tmp_path, more) for more in ({}, BY_PATH, installed))
    assert [STORY in one[-1] for one in (alone, by_path, by_entry_point)] == [False, True, True]
    assert alone[:2] == by_path[:2] == by_entry_point[:2]
    assert [line.split()[0] for line in alone[:2]] == ["1.0", "1.0"]


def played(cwd: Path, environment: Mapping[str, str]) -> list[str]:
    """Return the rewards and digests of two episodes, and the scenarios that were found."""
    done = python("-c", PLAY, cwd=cwd, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
