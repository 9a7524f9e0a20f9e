"""All scenarios, all shapes of words and all places for them: what a judgement reads and costs stays bounded."""

from __future__ import annotations

import pytest

from diorama.episodes.episode import start
from diorama.rewards.attention import STEPS
from diorama.scenarios import load_all
from tests.rewards.flooding import SHAPES, calibration_ms, flood
from tests.rewards.test_reading_budget import CLAUSES, LOOPS, ONE_MORE, WAYS


@pytest.mark.soak
@pytest.mark.parametrize("name", load_all())
def test_no_flood_is_read_beyond_the_budget(name: str) -> None:
    origin = start(name, 9)
    flood(origin, SHAPES["mixed"], texts=10, notes=5, files=1)
    for shape, make in SHAPES.items():
        for way, size in WAYS.items():
            loop = calibration_ms()
            made = flood(origin, make, **size)
            loop = max(loop, calibration_ms())
            assert made.ended == "done", (shape, way)
            assert made.steps <= STEPS * ONE_MORE, (shape, way, made)
            assert made.clauses <= CLAUSES, (shape, way, made)
            assert max(made.commit_ms, made.finish_ms) < LOOPS * loop, (shape, way, made)
