"""Every scenario can be staged on many seeds of every split."""

import pytest

from diorama.episodes.episode import start
from diorama.kernel import Defect
from diorama.scenarios import catalogue, find

SEEDS = 1_000


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
