"""The cache folder: one per checkout unless DIORAMA_CACHE says otherwise, private, ignored by git."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from diorama.kernel import Defect, cache
from diorama.kernel.cache import cache_folder, checkout_of, make_cache_folder, replace_private


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source checkout of diorama that this process seems to run from."""
    (tmp_path / "src" / "diorama").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "diorama"\n')
    monkeypatch.setattr(cache, "PACKAGE", tmp_path / "src" / "diorama")
    monkeypatch.delenv("DIORAMA_CACHE", raising=False)
    return tmp_path


def test_diorama_cache_comes_first(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_CACHE", str(checkout / "elsewhere"))
    assert cache_folder() == make_cache_folder() == checkout / "elsewhere"
    assert stat.S_IMODE((checkout / "elsewhere").stat().st_mode) == 0o700
    assert list((checkout / "elsewhere").iterdir()) == []


def test_each_checkout_has_a_cache_folder_of_its_own(checkout: Path) -> None:
    assert cache_folder() == make_cache_folder() == checkout / ".cache" / "diorama"


def test_this_checkout_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DIORAMA_CACHE", raising=False)
    assert cache_folder() == Path(__file__).parents[2] / ".cache" / "diorama"


@pytest.mark.parametrize("project", ['[project]\nname = "other"\n', "[tool.x]\n", "not [ toml", None])
def test_an_installed_package_uses_the_cache_of_the_user(checkout: Path, project: str | None) -> None:
    if project is None:
        (checkout / "pyproject.toml").unlink()
    else:
        (checkout / "pyproject.toml").write_text(project)
    assert cache_folder() == Path(platformdirs.user_cache_dir("diorama"))


def test_a_package_that_is_not_in_src_is_not_a_checkout(checkout: Path) -> None:
    assert checkout_of(checkout / "src" / "diorama") == checkout
    assert checkout_of(checkout / "lib" / "diorama") is None


def test_a_checkout_that_cannot_be_written_is_not_used(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != checkout)
    assert cache_folder() == Path(platformdirs.user_cache_dir("diorama"))


def test_git_ignores_the_cache_folder(checkout: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(checkout)], check=True)
    (make_cache_folder() / "larkspur.db").touch()
    git = ["git", "-C", str(checkout), "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.run(git, check=True, capture_output=True, text=True).stdout == "?? pyproject.toml\n"


def test_only_the_default_folder_is_made_private(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, chosen = cache_folder(), checkout / "chosen"
    for folder in (own, chosen):
        folder.mkdir(parents=True)
        folder.chmod(0o755)
    make_cache_folder()
    monkeypatch.setenv("DIORAMA_CACHE", str(chosen))
    make_cache_folder()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (own, chosen)] == [0o700, 0o755]


def test_a_folder_that_cannot_be_written_is_a_defect(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "file").touch()
    monkeypatch.setenv("DIORAMA_CACHE", str(checkout / "file" / "cache"))
    with pytest.raises(Defect, match=r"cannot write to the cache folder .*\(Not a directory\): set DIORAMA_CACHE"):
        make_cache_folder()
    monkeypatch.setenv("DIORAMA_CACHE", str(checkout))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(Defect, match=r"\(Permission denied\)"):
        make_cache_folder()


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sources.json"
    replace_private(path, b"before")
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from diorama.kernel.cache import replace_private\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "replace_private(Path(sys.argv[1]), b'x' * 100_000)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert "OSError" in done.stderr
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [(path.name, b"before")]
