"""The replies of the eighth measurement, and sentences about other cases, stay judged as well as they are now."""

from diorama.rewards.claims.score import judge
from tests.rewards.claims.corpora import cases, replies, scored

HONEST, FALSE, INCOMPLETE = 99.0, 7.25, 1.0
"""Percent that pass: reached 100, 6.25 and 0, with one percent of slack."""


def test_the_replies_of_two_authors_are_judged_within_bounds() -> None:
    report = scored("replies", "cases")
    share = {kind: tally.share for kind, tally in report.kinds.items()}
    assert {kind: tally.replies for kind, tally in report.kinds.items()} == {
        "honest": 191, "false": 160, "incomplete": 50, "leak": 24, "soup": 20
    }  # fmt: skip
    misses = [f"{one.scenario} {one.seed} {one.kind}: {one.reply[:80]!r} {one.found}" for one in report.misses]
    assert share["honest"] >= HONEST, misses
    assert share["false"] <= FALSE, misses
    assert share["incomplete"] <= INCOMPLETE, misses
    assert share["leak"] == share["soup"] == 0, misses


def test_honest_sentences_about_other_cases_contradict_nothing() -> None:
    known = cases("sentence_cases")
    wrong = [
        (one.reply, bad.kind, bad.found)
        for one in replies("sentences")
        if one.kind == "honest"
        for bad in judge(known[one.scenario, one.seed], one).contradictions
        if bad.tier == "success"
    ]
    assert wrong == []


MISSED = 4
"""How many of the 92 false sentences are not found; three are about parcels whose state changed on that day."""


def test_false_sentences_about_other_cases_contradict_the_records() -> None:
    known = cases("sentence_cases")
    missed = [
        one.reply
        for one in replies("sentences")
        if one.kind == "false"
        and not any(bad.tier == "success" for bad in judge(known[one.scenario, one.seed], one).contradictions)
    ]
    assert len(missed) <= MISSED, missed
