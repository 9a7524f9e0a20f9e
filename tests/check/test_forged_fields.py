"""Forging looks at every app of a scenario, and says truly when there is nothing to forge."""

from collections.abc import Iterator

import pytest

from diorama.check import Outcome, find_subject, run
from diorama.check.playing import oracle
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_facts import field_facts
from tests.check.conftest import Made

STORY = "scenarios/two_changes.py"
ACTS = """        for ask in truth.asks:
            change(hands, ask)
        use(hands, "finish_item", item_id=truth.request)
        hands.call("finish", {"report": "Both changes are made."})

    def allowed"""
ADDS = """        use(hands, "add_item", title="A new item")
        hands.call("finish", {"report": "Added."})

    def allowed"""
READS = """        hands.call("finish", {"report": "Read."})

    def allowed"""


@pytest.fixture
def forgotten_attempts() -> Iterator[None]:
    """Keep no attempt that was made with a changed scenario."""
    oracle.cache_clear()
    yield
    oracle.cache_clear()


def forging(name: str) -> Outcome:
    (subject,) = find_subject(name)
    (outcome,) = run(subject, names=["forged_fields_earn_nothing"])
    return outcome


def test_an_oracle_that_only_adds_rows_leaves_nothing_to_forge(make: Made) -> None:
    make((STORY, ACTS, ADDS))
    outcome = forging("tasks/two-changes")
    assert (outcome.result, outcome.problems) == (
        "skipped",
        ["the oracle only adds rows: no row that exists at staging has fields to forge"],
    )


def test_an_oracle_that_writes_nothing_fails(make: Made) -> None:
    make((STORY, ACTS, READS))
    outcome = forging("tasks/two-changes")
    assert outcome.result == "failed"
    assert "0: the oracle wrote no row of tasks, so nothing could be forged" in outcome.problems


def test_the_fields_of_the_other_apps_are_forged_too(monkeypatch: pytest.MonkeyPatch, forgotten_attempts: None) -> None:
    monkeypatch.setattr(DeskScenario, "facts_for", lambda self, truth: tuple(field_facts(truth)))
    assert forging("zendesk/late-refund").result == "failed"
