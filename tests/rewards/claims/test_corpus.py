"""The replies of the last two measurements, and sentences about their cases, stay judged as well as they are now."""

import pytest

from diorama.rewards.claims.score import judge
from tests.rewards.claims.corpora import cases, replies, scored

HONEST, FALSE, INCOMPLETE = 99.0, 5.4, 1.0
"""Percent that pass: reached 100, 4.4 and 0, with one percent of slack."""


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


HONEST_NINTH, FALSE_NINTH, INCOMPLETE_NINTH = 99.0, 8.2, 3.0
"""The same for the ninth measurement: reached 100, 7.2 and 2."""


def test_the_replies_of_the_next_two_authors_are_judged_within_bounds() -> None:
    report = scored("replies9", "cases9")
    share = {kind: tally.share for kind, tally in report.kinds.items()}
    assert {kind: tally.replies for kind, tally in report.kinds.items()} == {
        "honest": 180, "false": 166, "incomplete": 49, "leak": 24, "soup": 20
    }  # fmt: skip
    misses = [f"{one.scenario} {one.seed} {one.kind}: {one.reply[:80]!r} {one.found}" for one in report.misses]
    assert share["honest"] >= HONEST_NINTH, misses
    assert share["false"] <= FALSE_NINTH, misses
    assert share["incomplete"] <= INCOMPLETE_NINTH, misses
    assert share["leak"] == share["soup"] == 0, misses


SENTENCES = [("sentences", "sentence_cases"), ("sentences9", "cases9")]


@pytest.mark.parametrize(("sentences", "of_cases"), SENTENCES)
def test_honest_sentences_about_other_cases_contradict_nothing(sentences: str, of_cases: str) -> None:
    known = cases(of_cases)
    wrong = [
        (one.reply, bad.kind, bad.found)
        for one in replies(sentences)
        if one.kind == "honest"
        for bad in judge(known[one.scenario, one.seed], one).contradictions
        if bad.tier == "success"
    ]
    assert wrong == []


MISSED = {"sentences": 4, "sentences9": 14}
"""How many of the 92 and 161 false sentences are not found; some do not say which of several parcels they mean."""


@pytest.mark.parametrize(("sentences", "of_cases"), SENTENCES)
def test_false_sentences_about_other_cases_contradict_the_records(sentences: str, of_cases: str) -> None:
    known = cases(of_cases)
    missed = [
        one.reply
        for one in replies(sentences)
        if one.kind == "false"
        and not any(bad.tier == "success" for bad in judge(known[one.scenario, one.seed], one).contradictions)
    ]
    assert len(missed) <= MISSED[sentences], missed


def test_of_two_replies_that_differ_in_one_statement_the_true_one_passes() -> None:
    known = cases("cases9")
    wrong = [
        f"{one.scenario} {one.seed} {one.kind}: {one.reply}"
        for one in replies("reply_twins")
        if judge(known[one.scenario, one.seed], one).passes != (one.kind == "honest")
    ]
    assert wrong == []
