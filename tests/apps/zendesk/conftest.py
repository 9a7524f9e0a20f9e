"""Every test of the desk gets one of its own."""

from collections.abc import Iterator

import pytest

from tests.apps.zendesk.desk import Desk

PLACEHOLDER = "\ue000".encode()


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Yield a new desk with people in it; then check what every event must keep to.

    No event holds the placeholder of a host name, and every error reply says that it is a refusal.
    """
    made = Desk()
    yield made
    for entry in made.world.chain.entries():
        assert PLACEHOLDER not in entry.core, f"a placeholder of the host in {entry.open().operation}"
    for event in made.world.events:
        assert event.reply["status"] < 400 or event.reply["refused"], event.operation
