"""Every scenario that exists passes every check of a scenario: the honest way pays in full, and nothing else pays."""

import pytest

from diorama.check import Check
from diorama.scenarios import catalogue, find
from tests.conformance.proving import each, prove

# The scope makes pytest check one scenario after the other, so that its checks share the oracle's attempts.
every_scenario = pytest.mark.parametrize("name", catalogue().found, scope="module")


def test_every_scenario_loads() -> None:
    assert "zendesk/late-refund" in catalogue().found
    assert len(catalogue().found) >= 4
    assert catalogue().broken == []


@each("scenario")
@every_scenario
def test_each_scenario_passes_its_checks(name: str, check: Check) -> None:
    prove(check, find(name))
