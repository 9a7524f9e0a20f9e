"""Docstrings that the program reads belong to the code that decides: an edit of one is other code, not a forgery."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from diorama.kernel.sources import SourceCache, distrusting, wording_digest
from diorama.runs.perform import versions_of
from diorama.worlds import company_of

ROOT = Path(__file__).parents[2]


def diorama(*words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **more}
    return subprocess.run(
        [sys.executable, "-m", "diorama", *words], cwd=cwd, capture_output=True, text=True, check=False, env=env
    )


def test_an_edited_docstring_of_a_fact_is_other_code(tmp_path: Path) -> None:
    for kind, name in (("app", "tasks"), ("world", "tasks"), ("scenario", "tasks/two-changes")):
        made = diorama("new", kind, name, "--path", str(tmp_path / "own"), cwd=tmp_path)
        assert made.returncode == 0, made.stderr
    scenario = "tasks/two-changes"
    ran = diorama("run", scenario, "--agent", "oracle", "--path", "own", "--out", "run", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert diorama("replay", "run", "--verify", "--path", "own", cwd=tmp_path).returncode == 0
    file = next(path for path in (tmp_path / "own").rglob("two_changes.py") if "tests" not in path.parts)
    text = file.read_text()
    at = text.index('"""', text.index("@fact"))
    file.write_text(f'{text[:at]}"""Truly: {text[at + 3 :]}')
    shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)
    again = diorama("replay", "run", "--verify", "--path", "own", cwd=tmp_path)
    assert again.returncode == 2, again.stdout
    assert "not verified" in again.stderr
    assert "changed" not in again.stdout


def test_the_digest_of_the_code_covers_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    versions_of.cache_clear()
    before = versions_of("zendesk/late-refund")
    monkeypatch.setattr(SourceCache, "wording", lambda self, path: "other")
    versions_of.cache_clear()
    from diorama.scenarios import find

    find("zendesk/late-refund").__dict__.pop("wording", None)
    after = versions_of("zendesk/late-refund")
    versions_of.cache_clear()
    find("zendesk/late-refund").__dict__.pop("wording", None)
    assert before["source"] != after["source"]
    assert {**before, "source": ""} == {**after, "source": ""}


def test_docstrings_are_the_same_with_and_without_the_cache() -> None:
    company = company_of("larkspur")
    kept = wording_digest(company)
    with distrusting():
        assert wording_digest(company) == kept


def test_a_command_without_docstrings_is_refused(tmp_path: Path) -> None:
    done = diorama("scenarios", cwd=tmp_path, PYTHONOPTIMIZE="2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "without docstrings" in done.stderr
