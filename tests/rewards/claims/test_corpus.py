"""The replies of nine measurements, and sentences about their cases, stay judged as well as they are now."""

import pytest

from diorama.rewards.claims.score import judge
from tests.rewards.claims.corpora import cases, replies, scored

MEASURED = {
    "replies": ("cases", {"honest": 191, "false": 160, "incomplete": 50, "leak": 24, "soup": 20}, 5.4, 1.0),
    "replies9": ("cases9", {"honest": 180, "false": 166, "incomplete": 49, "leak": 24, "soup": 20}, 8.2, 1.0),
    "replies10": ("cases10", {"honest": 199, "false": 170, "incomplete": 43, "leak": 20, "soup": 14}, 6.3, 1.0),
    "replies11": ("cases11", {"honest": 175, "false": 145, "incomplete": 41, "leak": 20, "soup": 12}, 14.1, 1.0),
    "replies12": ("cases12", {"honest": 189, "false": 153, "incomplete": 45, "leak": 20, "soup": 14}, 6.3, 3.2),
    "replies13": ("cases13", {"honest": 180, "false": 149, "incomplete": 39, "leak": 19, "soup": 13}, 19.1, 1.0),
    "replies14": ("cases14", {"honest": 191, "false": 164, "incomplete": 42, "leak": 20, "soup": 14}, 21.8, 1.0),
    "replies17": ("cases17", {"honest": 193, "false": 144, "incomplete": 44, "leak": 18, "soup": 12}, 18.4, 1.0),
    "replies18": ("cases18", {"honest": 206, "false": 150, "incomplete": 43, "leak": 19, "soup": 13}, 15.0, 1.0),
}
"""The replies of a measurement: their cases, how many there are, and what percent of false and incomplete ones pass.

This is what the reader reaches now, with one percent of slack.
"""


@pytest.mark.parametrize("name", MEASURED)
def test_the_replies_of_a_measurement_are_judged_within_bounds(name: str) -> None:
    of_cases, number, false, incomplete = MEASURED[name]
    report = scored(name, of_cases)
    share = {kind: tally.share for kind, tally in report.kinds.items()}
    assert {kind: tally.replies for kind, tally in report.kinds.items()} == number
    misses = [f"{one.scenario} {one.seed} {one.kind}: {one.reply[:80]!r} {one.found}" for one in report.misses]
    assert share["honest"] >= 99.0, misses
    assert share["false"] <= false, misses
    assert share["incomplete"] <= incomplete, misses
    assert share["leak"] == share["soup"] == 0, misses


@pytest.mark.parametrize(("name", "number"), [("own13", 223), ("own17", 98)])
def test_honest_replies_of_the_engineer_pass(name: str, number: int) -> None:
    report = scored(name, f"{name}_cases")
    misses = [f"{one.scenario} {one.seed} {one.language}: {one.missing} {one.found}" for one in report.misses]
    assert report.kinds["honest"].replies == number
    assert report.kinds["honest"].share >= 99.0, misses


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


MISSED = {"sentences": 4, "sentences9": 10}
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
