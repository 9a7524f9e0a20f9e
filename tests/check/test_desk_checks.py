"""Checks of a desk: facts agree with the rows, plans can be told apart, and no plan of any split is left out."""

from typing import Any

import pytest

from diorama.check.generated import the_oracle_is_grounded
from diorama.check.playing import OracleFailed
from diorama.check.records import records_tell_plans_apart, the_reason_follows_from_the_records
from diorama.check.scenarios import played_variants, the_oracle_wins_every_variant
from diorama.scenarios import load_all
from diorama.scenarios.cast import number
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.larkspur import SMALL, Larkspur
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.owed_units import take_back
from diorama.scenarios.past import order
from diorama.scenarios.past_places import fresh_order
from diorama.scenarios.plan import Plan

DESKS = {name: one for name, one in load_all().items() if isinstance(one, DeskScenario)}
NEVER_CAME = ("my parcel for {which} never arrived.", "[Please refund it.|I want my money back.]")
SEND_BACK = ("the {line} from {which} is not for me.", "[I would like to send it back.|Can I send it back?]")
TOO_LATE: dict[str, Any] = {
    "past": [order(SMALL, (45, 70), pieces=(2, 3))], "letter": SEND_BACK, "resolution": "done_refused",
    "tell": [number("parcel")], "reply": "Order {order} came with {parcel} too long ago.",
}  # fmt: skip
BACK = Plan(
    "back", past=[order(SMALL, (8, 16), pieces=(2, 3))], letter=SEND_BACK, facts="goods_back",
    owed=[take_back("refund", "changed_mind")],
)  # fmt: skip


def desk(*plans: Plan) -> Larkspur:
    class Desk(Larkspur):
        """A desk."""

    Desk.name = "zendesk/made-up"
    Desk.subjects = ("Order {order}", "my order")
    Desk.plans = plans
    return Desk()


@pytest.mark.parametrize("name", DESKS)
def test_the_facts_of_every_plan_agree_with_its_rows(name: str) -> None:
    assert list(the_reason_follows_from_the_records(DESKS[name])) == []
    assert list(records_tell_plans_apart(DESKS[name])) == []


def test_a_lost_parcel_is_not_a_missing_item() -> None:
    lost = Plan("lost", past=[order(SMALL, (16, 26), "lost")], letter=NEVER_CAME, facts="box", owed=[refund("charge")])
    [problem] = the_reason_follows_from_the_records(desk(lost))
    assert "lost, facts box" in problem
    assert "the records show the fact 'parcel'" in problem


def test_an_order_that_was_paid_once_is_not_paid_twice() -> None:
    stop = ("please cancel {which}.", "[It is one too many.|I have one already.]")
    once = Plan(
        "once", past=[fresh_order(SMALL, (2, 10))], letter=stop, facts="twice", owed=[cancel("order"), refund("charge")]
    )
    [problem] = the_reason_follows_from_the_records(desk(once))
    assert "the records rule out the fact 'twice'" in problem


def test_the_same_letter_and_the_same_records_have_one_reason() -> None:
    assert list(the_reason_follows_from_the_records(desk(BACK, Plan("late", facts="goods_back", **TOO_LATE)))) == []
    [problem] = the_reason_follows_from_the_records(desk(BACK, Plan("late", facts="none", **TOO_LATE)))
    assert "the plans back and late have the same letter" in problem


def test_other_steps_that_write_the_same_rows_are_found() -> None:
    letter = ("where is {which}?", "[Please send it again.|I am waiting.]")
    one = Plan(
        "one", past=[order(SMALL, (2, 3), "in_transit")], letter=letter, facts="parcel", tell=[number("parcel")],
        reply="It is {parcel}.",
    )  # fmt: skip
    other = one.twin(
        "other", past=[fresh_order(SMALL, (46, 74), "in_transit")], owed=[refund("charge")], reply="{parcel}"
    )
    [problem] = records_tell_plans_apart(desk(one, other))
    assert "one and other have the same letter, and their records look alike" in problem
    assert list(records_tell_plans_apart(desk(BACK, Plan("late", facts="goods_back", **TOO_LATE)))) == []


def test_a_plan_of_eval_new_that_cannot_be_won_is_found() -> None:
    impossible = Plan(
        "impossible", past=[order(SMALL, (8, 16))], letter=("stop {which}.", "[Now.|Please.]"), facts="goods_back",
        owed=[cancel("order")], split="eval-new",
    )  # fmt: skip
    scenario = desk(BACK, impossible)
    assert {one.split for one in played_variants(scenario)} == {"train", "eval", "eval-new"}
    for check in (the_oracle_wins_every_variant, the_oracle_is_grounded):
        with pytest.raises(OracleFailed, match=r"eval-new \d+ \(plan impossible\): .*order_shipped"):
            list(check(scenario))


def test_a_value_that_no_one_can_know_is_found_in_eval_new() -> None:
    made_up = Plan(
        "made_up", past=[order(SMALL, (2, 4), "in_transit")], letter=("where is {which}?", "[Hm.|Well?]"),
        facts="parcel", tell=[number("parcel")], reply="It is {parcel}, and it comes on 14 June.", split="eval-new",
    )  # fmt: skip
    [problem] = the_oracle_is_grounded(desk(BACK, made_up))
    assert problem.startswith("eval-new 0 (made_up): ")
    assert "the date '06-14'" in problem
