"""Every test of the desk gets one of its own."""

from collections.abc import Iterator

import pytest

from tests.apps.zendesk.desk import Desk

PLACEHOLDER = "\ue000".encode()


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A fresh desk with people in it; afterwards, no event may hold the placeholder of a host name."""
    made = Desk()
    yield made
    for entry in made.world.chain.entries():
        assert PLACEHOLDER not in entry.core, f"a placeholder of the host in {entry.open().operation}"
