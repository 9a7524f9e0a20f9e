"""Every scenario is solved by an oracle of another author, who uses other endpoints, another order and other words."""

from __future__ import annotations

from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.scenarios import Scenario, load_all
from tests.scenarios.second_oracle_many import second_oracle

SCENARIOS = list(load_all().values())
LEAST = 0.95
IN_CI, IN_SOAK = 2, 20


def failures(scenario: Scenario[Any], seeds: int) -> list[str]:
    """Play the second oracle on variants of every split; return what went wrong, with what the judge found."""
    found = []
    for split in scenario.splits:
        for seed in range(seeds):
            episode = start(scenario, seed, split=split)
            second_oracle(episode.hands, episode.truth)
            result = episode.finish()
            if result.reward is None or not result.success or result.reward < LEAST:
                parts = result.score.parts if result.score else []
                short = [f"{one.name}: {one.found}" for one in parts if one.scale == "episode" and one.value < 1]
                found.append(f"{split} {seed} {result.plan}: {result.reward}; {'; '.join(short)}")
    return found


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_the_second_oracle_succeeds(scenario: Scenario[Any]) -> None:
    """True work by another author earns at least 0.95 on the first variants of every split."""
    assert failures(scenario, IN_CI) == []


@pytest.mark.soak
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_the_second_oracle_succeeds_on_many_variants(scenario: Scenario[Any]) -> None:
    """True work by another author earns at least 0.95 on 20 variants of every split."""
    assert failures(scenario, IN_SOAK) == []
