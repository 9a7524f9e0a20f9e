"""How these tests find the foreign package: in this process while a block runs, or in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from diorama import scenarios, worlds
from diorama.kit import discovery
from diorama.scenarios.anatomy import SCENARIOS

PACKAGE = Path(__file__).parent / "package"
STORY = "chat/pier-question"
_KEPT: dict[str, Any] = {}
"""Its scenarios while the folder is not searched: a module registers them only once."""


@contextmanager
def found_by_path() -> Iterator[None]:
    """Search the package's folder, as `--path` does, while the block runs."""
    SCENARIOS.update(_KEPT)
    with mock.patch.dict(os.environ, {"DIORAMA_PATH": str(PACKAGE)}):
        _look_again()
        try:
            yield
        finally:
            for name in [name for name, one in SCENARIOS.items() if type(one).__module__.startswith("harbour.")]:
                _KEPT[name] = SCENARIOS.pop(name)
    _look_again()


def _look_again() -> None:
    for cached in (*(discovery.folders, discovery.package_of, discovery.apps), worlds.catalogue, scenarios.catalogue):
        cached.cache_clear()


def diorama(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    return python("-m", "diorama", *words, cwd=cwd, **environment)


def python(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with nothing in the environment that leads to the package."""
    kept = {name: value for name, value in os.environ.items() if name != "DIORAMA_PATH"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
