"""Use the same small shop in every test of the back office."""

import pytest

from diorama.kernel import World
from tests.apps.backoffice.shop import open_shop

_OPENED = open_shop()


@pytest.fixture
def world() -> World:
    return _OPENED.fork()
