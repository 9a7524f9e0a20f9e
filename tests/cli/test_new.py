"""`diorama new` writes code that passes its own tests, and never overwrites a file."""

import subprocess
import sys
from pathlib import Path

import pytest

from diorama.cli.errors import Misuse
from diorama.cli.new import app_files, scenario_files

ROOT = Path(__file__).parents[2]


def checked(*command: str, cwd: Path) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_app_passes_its_tests_and_the_house_style(tmp_path: Path) -> None:
    app_files("crm", tmp_path)
    checked("pytest", "-q", "-p", "no:cacheprovider", "crm/tests", cwd=tmp_path)
    checked("ruff", "format", "--check", "--line-length", "120", "crm", cwd=tmp_path)
    checked("mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "crm", "--exclude", "tests", cwd=tmp_path)


def test_a_new_scenario_passes_its_tests_and_the_house_style(tmp_path: Path) -> None:
    scenario_files("zendesk/money-back", tmp_path)
    checked("pytest", "-q", "-p", "no:cacheprovider", ".", cwd=tmp_path)
    checked("ruff", "format", "--check", "--line-length", "120", ".", cwd=tmp_path)
    checked("mypy", "--strict", str(tmp_path / "money_back.py"), cwd=ROOT)  # with the cache that `make types` left


def test_a_new_scenario_goes_into_the_project_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/diorama/apps").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    written = [path.relative_to(tmp_path).as_posix() for path in scenario_files("zendesk/money-back", None)]
    assert written == ["src/diorama/scenarios/money_back.py", "tests/scenarios/test_money_back.py"]
    assert "import diorama.scenarios.money_back as story" in (tmp_path / written[1]).read_text()


def test_a_new_app_goes_into_the_project_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/diorama/apps").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "src")
    written = {path.relative_to(tmp_path).as_posix() for path in app_files("crm", None)}
    assert {"src/diorama/apps/crm/schema.py", "tests/apps/crm/test_rules.py"} <= written
    assert "from diorama.apps.crm.schema import" in (tmp_path / "src/diorama/apps/crm/api.py").read_text()


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    app_files("crm", tmp_path)
    (tmp_path / "crm" / "api.py").unlink()
    with pytest.raises(Misuse, match="already there"):
        app_files("crm", tmp_path)
    assert not (tmp_path / "crm" / "api.py").exists()


def test_outside_a_checkout_a_path_is_required(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Misuse, match="--path"):
        app_files("crm", None)
    with pytest.raises(Misuse, match="--path"):
        scenario_files("zendesk/angry-guest", None)


@pytest.mark.parametrize("name", ["CRM", "my-app", "class", "", "../x"])
def test_names_that_python_cannot_import_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="cannot name an app"):
        app_files(name, tmp_path)
