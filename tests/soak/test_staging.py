"""Every scenario can be staged on many seeds of every split, and what was staged is plausible."""

import pytest

from diorama.check.records import rows_before, written_of
from diorama.episodes.episode import start
from diorama.kernel import Defect
from diorama.scenarios import catalogue, find
from diorama.scenarios.desk import DeskScenario
from diorama.worlds import open_world
from diorama.worlds.plausible import implausible

SEEDS = 1_000
READ = 200
"""On how many seeds the rules of plausibility are applied."""


@pytest.mark.soak
@pytest.mark.parametrize("name", catalogue().found)
def test_every_seed_can_be_staged(name: str) -> None:
    failed = []
    for split in find(name).splits:
        for seed in range(SEEDS):
            try:
                start(name, seed, split=split)
            except (Defect, LookupError) as error:
                failed.append(f"{split} {seed}: {error}")
    assert failed == []


@pytest.mark.soak
@pytest.mark.parametrize("name", catalogue().found)
def test_every_staged_variant_is_plausible(name: str) -> None:
    scenario = find(name)
    if not isinstance(scenario, DeskScenario) or not scenario.has_shop:
        pytest.skip("it stages no desk of a shop")
    before = open_world(scenario.world, scenario.size, f"{name}/before").read(rows_before)
    told = []
    for split in scenario.splits:
        for seed in range(READ):
            episode = start(scenario, seed, split=split)
            for truth in (episode.truth, *getattr(episode.truth, "also", ())):
                found = episode.world.read(lambda tx, truth=truth: [*implausible(written_of(tx, truth, before))])
                told += [f"{split} {seed} ({truth.plan}): {one}" for one in found]
    assert told == []
