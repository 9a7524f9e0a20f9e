"""Generated packages for tests of the checks."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diorama import scenarios, worlds
from diorama.check import subjects
from diorama.check.playing import oracle
from diorama.cli.new import Kind, write
from diorama.kit import discovery
from diorama.scenarios.anatomy import SCENARIOS

Made = Callable[..., Path]


def look_again() -> None:
    """Forget everything that was found."""
    for cached in (
        *(discovery.folders, discovery.package_of, discovery.apps),
        *(worlds.catalogue, scenarios.catalogue, subjects.app_subject, oracle),
    ):
        cached.cache_clear()


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Write an app `tasks`, its world and the scenario `tasks/two-changes`, with some text replaced."""
    known, loaded = set(scenarios.load_all()), set(sys.modules)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # an edit within a second would not be seen
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIORAMA_PATH", str(tmp_path))
    monkeypatch.setenv("DIORAMA_CACHE", str(tmp_path / "cache"))

    def made(*edits: tuple[str, str, str]) -> Path:
        for kind, name in ((Kind.app, "tasks"), (Kind.scenario, "tasks/two-changes")):
            look_again()
            write(kind, name, tmp_path)
        forget_loaded()
        for file, old, new in edits:
            text = (tmp_path / file).read_text()
            assert not old or text.count(old) == 1, f"{file} has {text.count(old)} x {old!r}"
            (tmp_path / file).write_text(text.replace(old, new) if old else new)
        look_again()
        return tmp_path

    def forget_loaded() -> None:
        for name in [name for name in SCENARIOS if name not in known]:
            del SCENARIOS[name]
        for name in set(sys.modules) - loaded:
            if name.startswith("diorama_"):
                del sys.modules[name]

    yield made
    forget_loaded()
    look_again()
