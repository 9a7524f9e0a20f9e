"""Every law of the back office is tested in the same small shop."""

import pytest

from diorama.kernel import World
from tests.apps.backoffice.shop import open_shop

_OPENED = open_shop()


@pytest.fixture
def world() -> World:
    return _OPENED.fork()
