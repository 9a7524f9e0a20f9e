"""What the rollout's tests share."""

from collections.abc import Iterator

import pytest

from tests.runs.bakery import bakery


@pytest.fixture
def in_the_bakery() -> Iterator[None]:
    """Make the bakery the only world."""
    with bakery():
        yield
