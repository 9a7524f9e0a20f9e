"""No agent can make a judgement expensive: what it reads is bounded, whatever the words are and wherever they stand."""

from __future__ import annotations

import pytest

from diorama.episodes.episode import Episode, start
from diorama.rewards.attention import STEPS
from diorama.scenarios import load_all
from tests.rewards.flooding import SHAPES, calibration_ms, flood

CLAUSES = STEPS // 16
"""No sign and no word makes a clause for fewer steps."""
ONE_MORE = 1.25
"""The text at the end of the budget, parts of quotations, and texts that two cases share."""
LOOPS = 60.0
"""How many calibration loops a judgement may take: about 0.9 s on a quiet machine, three times what it takes."""
WAYS = {
    "texts": {"texts": 40}, "short texts": {"texts": 100, "length": 260}, "notes": {"notes": 80},
    "all": {"texts": 15, "notes": 15, "files": 2}, "files": {"files": 8},
}  # fmt: skip


@pytest.fixture(scope="module")
def floods() -> Episode:
    return start("zendesk/outage-flood", 9)


@pytest.mark.parametrize("shape", ["words with stops", "claims", "amounts", "mixed"])
@pytest.mark.parametrize("way", ["texts", "all"])
def test_a_flood_in_many_shapes_is_read_up_to_the_budget(floods: Episode, shape: str, way: str) -> None:
    made = flood(floods, SHAPES[shape], **WAYS[way])
    assert (made.committed, made.ended, made.success) == (True, "done", False)
    assert made.steps <= STEPS * ONE_MORE
    assert made.clauses <= CLAUSES


@pytest.mark.parametrize("name", load_all())
def test_a_flood_in_every_scenario_is_read_up_to_the_budget(name: str) -> None:
    made = flood(start(name, 9), SHAPES["words with stops"], texts=30, notes=30)
    assert (made.ended, made.success) == ("done", False)
    assert made.steps <= STEPS * ONE_MORE
    assert made.clauses <= CLAUSES


def test_the_judgement_of_a_flood_takes_bounded_time(floods: Episode) -> None:
    flood(floods, SHAPES["words with stops"], texts=5)  # compiles the lists of words
    loop = calibration_ms()
    made = flood(floods, SHAPES["words with stops"], texts=40)
    loop = max(loop, calibration_ms())
    assert max(made.commit_ms, made.finish_ms) < LOOPS * loop
