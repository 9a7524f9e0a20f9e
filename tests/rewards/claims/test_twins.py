"""Pairs of sentences that differ little: what is true and what is not, what tells a deed and what does not."""

import pytest

from diorama.rewards.claims.score import Labelled, judge
from tests.rewards.claims.corpora import cases, replies, scored

TWINS = replies("twins")
"""Sentences about `twin_cases`: denials with a scope, the customer's own acts, other times, figures of speech."""


def contradicts(one: Labelled) -> bool:
    """Check whether a sentence contradicts its case."""
    verdict = judge(cases("twin_cases")[one.scenario, one.seed], one)
    return any(bad.tier == "success" for bad in verdict.contradictions)


def tells(one: Labelled) -> bool:
    """Check whether a sentence tells all deeds of its case."""
    return all(gap.kind != "deed" for gap in judge(cases("twin_cases")[one.scenario, one.seed], one).missing)


@pytest.mark.parametrize("kind", ["true", "false"])
def test_a_small_change_makes_a_true_sentence_false(kind: str) -> None:
    wrong = [one.reply for one in TWINS if one.kind == kind and contradicts(one) != (kind == "false")]
    assert wrong == []


@pytest.mark.parametrize("kind", ["told", "untold"])
def test_a_deed_is_told_only_by_words_of_ours(kind: str) -> None:
    wrong = [one.reply for one in TWINS if one.kind == kind and tells(one) != (kind == "told")]
    assert wrong == []


def test_further_replies_are_judged_within_bounds() -> None:
    report = scored("more", "more_cases")
    assert {kind: tally.replies for kind, tally in report.kinds.items()} == {"honest": 239, "incomplete": 69, "leak": 6}
    misses = [f"{one.scenario} {one.seed} {one.kind}: {one.reply[:80]!r} {one.found}" for one in report.misses]
    assert report.kinds["honest"].share >= 99.0, misses
    assert report.kinds["incomplete"].passed <= 1, misses
    assert report.kinds["leak"].passed == 0, misses
