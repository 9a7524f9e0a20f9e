"""The foreign package, found by its path while a test of this folder runs."""

from collections.abc import Iterator

import pytest

from diorama.episodes.episode import Episode, start
from tests.foreign.finding import STORY, found_by_path


@pytest.fixture
def harbour() -> Iterator[None]:
    """Find the package."""
    with found_by_path():
        yield


@pytest.fixture
def episode(harbour: None) -> Episode:
    """An episode of the package's scenario."""
    return start(STORY, 3)
