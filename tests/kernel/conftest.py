"""Fixtures of the kernel's tests."""

from pathlib import Path

import pytest

from diorama.kernel import image
from tests.kernel.building import Yard


@pytest.fixture
def yard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Yard:
    yard = Yard(tmp_path)
    monkeypatch.setenv("DIORAMA_CACHE", str(yard.cache))
    monkeypatch.setenv("BUILD_LOG", str(yard.log))
    monkeypatch.setattr(image, "_OPEN", {})
    return yard
