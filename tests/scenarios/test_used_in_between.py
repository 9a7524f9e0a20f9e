"""A value that is owed may be set late, but what took effect by another one before counts."""

import pytest

from diorama.check.mutations import MUTATIONS, play
from diorama.scenarios import find

STORY = "zendesk/address-change"


@pytest.mark.parametrize(("name", "holds"), [
    ("sends_a_parcel_of_the_plan_elsewhere", False),
    ("mistypes_the_address_of_a_plan", True),
])  # fmt: skip
def test_goods_sent_elsewhere_before_the_right_address_are_damage(name: str, holds: bool) -> None:
    mutation = next(one for one in MUTATIONS if one.name == name)
    trial = play(find(STORY), 15, mutation)
    assert (trial.status, trial.success) == ("played", holds), trial
    assert not trial.wrong
