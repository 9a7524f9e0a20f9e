"""Trials: a scenario's figures come from real attempts, and the table marks what is wrong."""

import msgspec

from diorama.episodes.episode import start
from diorama.runs.cards import card, page
from diorama.runs.trials import RUNGS, Trial, summarise, trial, trials, variants_of
from diorama.scenarios import find
from diorama.scenarios.covering import Variant, first_variants

NAME = "zendesk/late-refund"


def test_a_trial_runs_every_kind_of_agent() -> None:
    one = trial((NAME, Variant("train", 0)))
    assert one.success
    assert one.noop == 0.0
    assert set(one.cheats) == set(find(NAME).cheats)
    assert max(one.cheats.values()) < 0.5 <= one.reward
    assert len(one.ladder) == len(RUNGS)
    assert one.turns > 3


def test_a_trial_alone_equals_a_trial_in_a_batch() -> None:
    assert trials([NAME], 1, parallel=1)[NAME] == [trial((NAME, Variant("train", 0)))]


def made(**changed: object) -> Trial:
    usual = Trial(
        scenario=NAME, seed=0, plan="a", success=True, reward=0.9, turns=8, noop=0.0,
        cheats={"lies": 0.1}, ladder=(0.0, 0.1, 0.3),
    )  # fmt: skip
    return msgspec.structs.replace(usual, **changed)


def test_a_summary_shows_paying_cheats_and_falling_ladders() -> None:
    good = summarise([made(), made(seed=1, plan="b")])
    assert (good.cheats_below, good.rising, good.plans) == (True, True, {"a": 1, "b": 1})
    assert not summarise([made(), made(cheats={"lies": 0.95})]).cheats_below
    fallen = summarise([made(ladder=(0.2, 0.1, 0.3))])
    assert not fallen.rising
    assert "not rising" in page([fallen], "diorama scenarios --table --seeds 1")
    assert summarise([made(success=False, reward=0.2), made()]).oracle_success == 0.5


def test_a_card_tries_every_plan_of_every_split() -> None:
    plans = {plan for _, plan in first_variants(find(NAME))}
    tried = variants_of(NAME, 4, every_plan=True)
    assert [one for one in tried if one.split == "train"][:4] == variants_of(NAME, 4)
    assert {one.split for one in tried} == {"train", "eval-new"}
    assert {start(NAME, one.seed, split=one.split).truth.plan for one in tried} == plans


def test_a_card_names_every_part_and_every_cheat() -> None:
    scenario = find(NAME)
    found = made(cheats=dict.fromkeys(scenario.cheats, 0.0))
    text = card(scenario, [found])
    names = [fact.name for fact in scenario.facts] + [quality.name for quality in scenario.qualities]
    names += [harm.name for harm in scenario.harms]
    assert not [name for name in (*names, *scenario.cheats) if f"`{name}`" not in text]
