"""Every world that exists passes every check of a world."""

import pytest

from diorama.check import Check
from diorama.worlds import catalogue, company_of
from tests.conformance.proving import each, prove


def test_every_world_loads() -> None:
    assert "larkspur" in catalogue().found
    assert catalogue().broken == []


@each("world")
@pytest.mark.parametrize("name", catalogue().found)
def test_each_world_passes_its_checks(name: str, check: Check) -> None:
    prove(check, company_of(name))
