"""Every mutation on many variants of every scenario with plans, and every probing policy; takes many minutes."""

import pytest

from diorama.check.mutations import is_planned, trials
from diorama.check.mutations.grounded import grounded
from diorama.check.mutations.probes import probes
from diorama.scenarios import catalogue, find

VARIANTS = 50

every_scenario = pytest.mark.parametrize("name", catalogue().found)


@pytest.fixture
def planned(name: str) -> str:
    if not is_planned(find(name)):
        pytest.skip("it is not declared with plans")
    return name


@pytest.mark.soak
@every_scenario
def test_every_mutation_earns_what_it_must(planned: str) -> None:
    wrong = [one for one in trials(find(planned), range(VARIANTS)) if one.wrong]
    assert [f"{one.mutation} on {one.seed} ({one.plan}): {one.wrong}" for one in wrong] == []


@pytest.mark.soak
@every_scenario
def test_every_oracle_is_grounded(planned: str) -> None:
    found = [grounded(find(planned), seed) for seed in range(VARIANTS)]
    assert [one.first for one in found if one.first] == []


@pytest.mark.soak
@every_scenario
def test_no_policy_wins_without_understanding(planned: str) -> None:
    assert [one.wrong for one in probes(find(planned)) if one.wrong] == []
