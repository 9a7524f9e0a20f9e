"""Every test of the desk gets one of its own."""

import pytest

from tests.apps.zendesk.desk import Desk


@pytest.fixture
def desk() -> Desk:
    """A fresh desk with people in it."""
    return Desk()
