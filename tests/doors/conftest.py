"""The door under test."""

from collections.abc import Iterator

import pytest

from tests.doors.serving import Served, door_of_notes


@pytest.fixture
def served() -> Iterator[Served]:
    with door_of_notes() as running:
        yield running
