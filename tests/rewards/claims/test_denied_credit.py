"""Denials of store credit: its own words do not limit the denial."""

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Text, read

CREDIT = Deed("credit", "cus_1", cents=900, destination="store_credit")


@pytest.mark.parametrize("text", ["We have not added store credit to your account.", "No store credit was granted."])
def test_the_denial_of_a_credit_that_was_given_is_false(text: str) -> None:
    verdict = read(Case(deeds=(CREDIT,), today="2026-03-02"), [Text(text)])
    assert [one.kind for one in verdict.contradictions] == ["denied"]


def test_a_refund_that_was_not_made_as_credit_is_not_denied() -> None:
    refund = Deed("refund", "ch_1", cents=900, destination="original_payment")
    text = "We have not refunded it as store credit."
    assert not read(Case(deeds=(refund,), today="2026-03-02"), [Text(text)]).contradictions
