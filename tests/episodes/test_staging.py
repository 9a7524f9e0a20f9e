"""Caches of staging: recently staged variants, and the contents of an image."""

from typing import Any

import pytest

from diorama.episodes import episode as episodes
from diorama.episodes.episode import start
from diorama.kernel import Tx
from diorama.scenarios import Scenario, Stage, find
from diorama.worlds import open_world

NAME = "zendesk/late-refund"


def test_a_cached_variant_equals_a_freshly_staged_one(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, staged = find(NAME), []
    original = type(scenario).stage

    def stage(self: Scenario[Any], at: Stage) -> Any:
        staged.append(at.seed)
        return original(self, at)

    monkeypatch.setattr(type(scenario), "stage", stage)
    first, second, anew = start(NAME, 3), start(NAME, 3), start(NAME, 3, restage=True)
    assert staged == [3, 3]
    assert (first.world.state, first.world.trace) == (second.world.state, second.world.trace)
    assert (first.world.state, first.world.trace) == (anew.world.state, anew.world.trace)
    scenario.oracle(first.hands, first.truth)
    assert second.world.state == anew.world.state != first.world.state
    scenario.oracle(second.hands, second.truth)
    assert (first.world.state, first.world.trace) == (second.world.state, second.world.trace)


def test_only_a_few_variants_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = episodes._Staged()
    monkeypatch.setattr(episodes, "_STAGED", kept)
    monkeypatch.setattr(kept, "AT_MOST", 2)
    for seed in (0, 1, 0, 2):
        start(NAME, seed)
    assert [variant[2] for variant in kept._known] == [0, 2]


def people(tx: Tx, role: str) -> int:
    return int(tx.rows("SELECT count(*) FROM zendesk_users WHERE role = ?", role)[0][0])


def test_facts_of_an_image_are_computed_once() -> None:
    asked = []

    def counted(tx: Tx, role: str) -> int:
        asked.append(role)
        return people(tx, role)

    stage = Stage(open_world("larkspur"), NAME, 0, "train")
    before = stage.known(counted, "end-user")
    stage.do(lambda tx: tx.rows("DELETE FROM zendesk_users WHERE role = 'end-user'"), "system:fate")
    assert stage.known(counted, "end-user") == before > 0 == stage.read(people, "end-user")
    again = Stage(open_world("larkspur"), NAME, 1, "eval")
    assert again.known(counted, "end-user") == before
    assert again.known(counted, "admin") != before
    assert asked == ["end-user", "admin"]
