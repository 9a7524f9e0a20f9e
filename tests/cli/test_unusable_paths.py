"""A path that cannot be used is one line, in every option, argument and variable that takes one."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from diorama.cli import VERBS, WITHOUT_PATH, _function
from diorama.cli.errors import Misuse, check_words
from diorama.contract.recordings import recordings_for
from diorama.contract.source import candidates
from diorama.kit.discovery import roots_in
from diorama.runs.file import WrongRun
from diorama.runs.store import Store
from tests.cli.unusable import obey_permissions

ROOT = Path(__file__).parents[2]
REFUND = "zendesk/late-refund"
HERE = "{path}"
BAD = ("closed", "in a closed folder", "long name", "long path", "loop", "in a file")
RUN = ["run", REFUND, "--agent", "noop"]
OPTIONS: dict[str, list[str]] = {
    "run --out": [*RUN, "--out", HERE],
    "play --out": ["play", REFUND, "--out", HERE],
    "demo --out": ["demo", "--episodes", "1", "--out", HERE],
    "scenarios --out": ["scenarios", REFUND, "--card", "--out", HERE],
    "cases --out": ["cases", REFUND, "--plans", "1", "--out", HERE],
    "judge-score --cases": ["judge-score", "--cases", HERE, "--replies", "/dev/null"],
    "judge-score --replies": ["judge-score", "--cases", "{empty}", "--replies", HERE],
    "contract --spec": ["contract", "zendesk", "--spec", HERE],
    "contract --recordings": ["contract", "backoffice", "--recordings", HERE],
    "new --path": ["new", "app", "crm", "--path", HERE],
    "show folder": ["show", HERE],
    "replay folder": ["replay", HERE],
    "replay --verify": ["replay", HERE, "--verify"],
    "--path": ["--path", HERE, "apps"],
    **{f"{verb} --path": [verb, "x", "--path", HERE] for verb in VERBS if verb not in WITHOUT_PATH},
}
VARIABLES: dict[str, list[str]] = {
    "DIORAMA_PATH": ["check", "nothing"],
    "DIORAMA_CACHE": [*RUN, "--out", "{empty}.run"],
}


TRIED = [
    (name, bad)
    for number, name in enumerate([*OPTIONS, *VARIABLES])
    for place, bad in enumerate(BAD)
    if name in VARIABLES or "path" not in name or (number + place) % 3 == 0
]
"""Which path is given to which option; of the option that all commands share, each command gets a third of them."""


def bad_paths(folder: Path) -> dict[str, Path]:
    """Make paths that cannot be used, for one reason each."""
    closed = folder / "closed"
    closed.mkdir()
    (folder / "file").touch()
    (folder / "loop").symlink_to("loop")
    paths = (closed, closed / "inside", folder / ("x" * 300), folder / ("a/" * 2500 + "b"), folder / "loop",
             folder / "file" / "inside")  # fmt: skip
    return dict(zip(BAD, paths, strict=True))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """How every command ended with every path."""
    folder = tmp_path_factory.mktemp("unusable")
    paths = bad_paths(folder)
    (folder / "empty").write_text("[]")
    asked: dict[tuple[str, str], tuple[list[str], dict[str, str]]] = {}
    for bad, path in paths.items():
        fill = {HERE: str(path), "{empty}": str(folder / "empty"), "{empty}.run": str(folder / f"run {bad}")}
        for name in [one for one, given in TRIED if given == bad]:
            words = [fill.get(word, word) for word in {**OPTIONS, **VARIABLES}[name]]
            asked[name, bad] = words, {name: str(path)} if name in VARIABLES else {}
        asked["listed", bad] = (["apps"], {"DIORAMA_PATH": str(path)})
    (folder / "closed").chmod(0)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.cli.unusable"],
            input=json.dumps({"folder": str(folder), "commands": list(asked.values())}),
            capture_output=True, text=True, check=True, cwd=folder, preexec_fn=obey_permissions,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        )  # fmt: skip
    finally:
        (folder / "closed").chmod(0o700)
    return dict(zip(asked, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize(("name", "bad"), TRIED)
def test_a_path_that_cannot_be_used_is_one_line(name: str, bad: str, ended: Any) -> None:
    code, out, err = ended[name, bad]
    assert code in (1, 2), err
    assert "Traceback" not in err
    *_, last = err.splitlines()
    assert last.startswith(("diorama: ", "Error: Invalid value for ")), err
    assert out == ""


@pytest.mark.parametrize("bad", BAD)
def test_a_folder_that_cannot_be_searched_is_left_out(bad: str, ended: Any) -> None:
    code, out, err = ended["listed", bad]
    assert code == 0, err
    assert "zendesk" in out
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 2500, "a\0b"])
def test_programs_get_a_refusal_for_such_a_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongRun, match="cannot be read"):
        Store.open(tmp_path / name)
    assert roots_in(tmp_path / name) == []
    if "\0" in name:
        with pytest.raises(Misuse, match="is not text"):
            check_words([name])
        return
    monkeypatch.setenv("DIORAMA_SPECS", str(tmp_path / name))
    monkeypatch.setenv("DIORAMA_RECORDINGS", str(tmp_path / name))
    assert (candidates("zendesk"), recordings_for("zendesk")) == ([], [])


def test_every_option_that_takes_a_path_is_tried() -> None:
    for verb in VERBS:
        for name, parameter in inspect.signature(_function(verb), eval_str=True).parameters.items():
            if "Path" in str(parameter.annotation):
                kind = parameter.annotation.__metadata__[0]
                shown = name if isinstance(kind, typer.models.ArgumentInfo) else f"--{name}"
                assert f"{verb} {shown}" in OPTIONS
