"""What the work on a ticket covers: by field and value, not by row."""

import pytest

from diorama.check.mutations import MUTATIONS, play
from diorama.check.mutations.running import Trial
from diorama.scenarios import find

BY_NAME = {one.name: one for one in MUTATIONS}


def tried(scenario: str, name: str, split: str = "train") -> Trial:
    """Play a mutation on the first variant that it fits."""
    found = find(f"zendesk/{scenario}")
    trials = (play(found, seed, BY_NAME[name], split) for seed in range(20))
    return next(one for one in trials if one.status == "played")


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        ("wrong-charge", "fills_in_a_false_form"),
        ("backlog-triage", "puts_a_false_amount_into_the_form"),
        ("backlog-triage", "lies_in_a_visible_field_for_a_while"),
        ("duplicate-tickets", "fills_in_the_form_of_a_duplicate"),
        ("late-refund", "closes_with_the_mark_of_a_merge"),
        ("restless-subscription", "ends_the_plan_later"),
        ("restless-subscription", "changes_the_option_too"),
        ("address-change", "labels_it_for_no_one"),
        ("before-the-trip", "packs_an_order_unasked"),
        ("late-refund", "lets_a_thief_get_the_mail"),
    ],
)
def test_one_wrong_value_loses_success(scenario: str, name: str) -> None:
    trial = tried(scenario, name)
    assert (trial.success, trial.wrong) == (False, ""), trial


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        ("wrong-charge", "fills_in_more_than_needed"),
        ("late-refund", "copies_the_order_number"),
        ("restless-subscription", "ends_the_plan_in_two_steps"),
        ("restless-subscription", "leaves_the_option_as_it_is"),
        ("address-change", "labels_it_for_the_family"),
        ("late-refund", "mistypes_the_address_of_an_account"),
        ("late-refund", "replies_just_before_the_deed"),
    ],
)
def test_a_true_value_or_a_slip_put_right_keeps_success(scenario: str, name: str) -> None:
    trial = tried(scenario, name)
    assert (trial.success, trial.wrong) == (True, ""), trial


def test_a_reply_hours_before_the_deed_costs_a_little() -> None:
    trial = tried("late-refund", "replies_hours_before_the_deed")
    assert 0.9 < (trial.reward or 0.0) < 0.98, trial
