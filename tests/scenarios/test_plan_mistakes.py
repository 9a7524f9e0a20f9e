"""Mistakes in plans are named when a scenario is loaded: the plan, the helper, the value and the valid ones."""

from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.kernel import Defect
from diorama.scenarios import load_all
from diorama.scenarios.anatomy import _listed
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.covering import covering, first_variants, one_of_each_plan, variants_of_plan
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.larkspur import SMALL, Larkspur
from diorama.scenarios.owed import cancel, refund, reship
from diorama.scenarios.owed_coffee import end
from diorama.scenarios.owed_units import take_back
from diorama.scenarios.past import note, order, refunded, repriced
from diorama.scenarios.plan import Plan

LETTER = ("my parcel for {which} never arrived.", "[Please help.|What now?]")
LOST = order(SMALL, (16, 26), "lost")
WRONG: Any = object()


def plan(name: str = "lost", **changed: Any) -> Plan:
    usual: dict[str, Any] = {"past": [LOST], "letter": LETTER, "facts": ["parcel"], "owed": [refund("charge")]}
    return Plan(name, **{**usual, **changed})


def told(*plans: Plan) -> list[str]:
    """Return the mistakes of a desk scenario with these plans."""

    class Desk(Larkspur):
        """A desk."""

    Desk.name = "zendesk/made-up"
    Desk.subjects = ("Order {order}",)
    Desk.plans = plans
    return list(Desk().mistakes())


def test_a_sound_plan_has_no_mistakes() -> None:
    assert told(plan()) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"owed": [reship("order")]}, "reship('order'): the row has to be a parcel; 'order' is of the kind order"),
        ({"owed": [cancel("charge")]}, "cancel('charge'): the row has to be a subscription or an order"),
        ({"owed": [take_back("refund", "changed_mind", "line")]}, "take_back('line'): the row has to be an order"),
        ({"owed": [take_back(WRONG, "changed_mind")]}, "there are 'refund', 'replacement', 'store_credit'"),
        ({"owed": [take_back("refund", WRONG)]}, "there are 'changed_mind', 'defective', 'wrong_item'"),
        ({"owed": [refund("charge", cents=WRONG)]}, 'cents= takes a value of the cast, such as amount("line")'),
        ({"owed": [refund("charge", to="bank")]}, "to= takes 'original_payment' or 'store_credit'"),
        ({"owed": [end("bored")]}, "end('bored'): there are 'too_expensive'"),
        ({"past": [LOST, repriced(off=WRONG, text="{agreed}")]}, "it takes a pair of whole numbers"),
        ({"past": [order(SMALL, (26, 16))]}, "days_ago=(26, 16); it takes a pair of whole numbers"),
        ({"past": [order("AC-TAMPER")]}, "goods='AC-TAMPER'; it takes a sequence of texts"),
        ({"past": [order()]}, "missing a required argument: 'goods'"),  # type: ignore[call-arg] # the mistake
        ({"tell": [day("charge", "arrived_day")]}, "the charge has amount, day, dispute_day, number"),
    ],
)
def test_a_wrong_deed_step_or_value_is_named_with_the_valid_ones(changed: dict[str, Any], expected: str) -> None:
    [first, *_] = told(plan(**changed))
    assert first.startswith("plan 'lost': ")
    assert expected in first


def test_a_plan_that_any_reply_wins_is_refused() -> None:
    [mistake] = told(plan(owed=[], resolution="done_explained", reply="Hello."))
    assert "any reply would do" in mistake


def test_what_must_be_told_is_more_than_the_letter_states() -> None:
    letter = ("where is order {order}?",)
    [mistake] = told(plan(owed=[], letter=letter, tell=[number("order")], reply="Order {order} is lost."))
    assert "the letter itself states all that must be told" in mistake


def test_a_reply_without_a_value_of_tell_is_named() -> None:
    [mistake] = told(plan(owed=[], tell=[number("parcel"), day("parcel")], reply="It is {parcel}."))
    assert mistake == (
        "plan 'lost': reply does not state day(\"parcel\"), which tell= requires: write {parcel.day} into it"
    )


def test_someone_elses_records_need_not_be_told() -> None:
    assert told(plan(owed=[], withholds=True, reply="We cannot help.")) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"owed": [reship("parcel")]},
        {"past": [order(SMALL, (20, 40), "lost")], "owed": [reship("parcel")]},
        {"letter": (LETTER[0], "[What now?|Well?]"), "owed": [reship("parcel")]},
        {"owed": [], "tell": number("parcel"), "resolution": "done_refused", "reply": "It is {parcel}."},
    ],
)
def test_plans_that_no_one_can_tell_apart_are_refused(changed: dict[str, Any]) -> None:
    [mistake] = told(plan(), plan("other", **changed))
    assert mistake.startswith("plans 'lost' and 'other' can have the same past and the same letter")


@pytest.mark.parametrize(
    "changed",
    [
        {"past": [order(SMALL, (27, 40), "lost")]},
        {"past": [LOST, note("Wants it again.")]},
        {"letter": (LETTER[0], "Send it again.")},
        {"owed": [refund("charge")]},
    ],
)
def test_plans_may_differ_in_what_is_seen(changed: dict[str, Any]) -> None:
    assert told(plan(), plan("other", **{"owed": [reship("parcel")], **changed})) == []


def test_one_of_several_may_stand_alone() -> None:
    alone = plan(past=LOST, facts="parcel", owed=refund("charge"), resolution="done_refunded", letter="{which}?")
    assert (alone.past, alone.facts, alone.resolution) == ((LOST,), ("parcel",), ("done_refunded",))
    assert alone.twin("twin", tell=number("parcel")).tell == (number("parcel"),)
    assert told(alone) == []


def test_several_mistakes_are_listed() -> None:
    assert _listed(["a"]) == "a"
    assert _listed(["a", "b"]) == "2 mistakes: (1) a; (2) b"
    assert _listed(list("abcdefg")).endswith("(5) e; and 2 not shown here")


def test_an_error_of_staging_names_the_plan_and_the_step() -> None:
    class Desk(Larkspur):
        """A desk."""

    Desk.name = "zendesk/made-up"
    Desk.subjects = ("Order {order}",)
    Desk.plans = (
        plan(past=[LOST, repriced(off=(8, 15), text="Less.")], owed=[refund("charge", cents=amount("agreed"))]),
    )
    with pytest.raises(Defect, match=r"plan 'lost': the step repriced\(.*neither \{agreed\} nor \{difference\}"):
        start(Desk(), 0)
    Desk.plans = (plan(past=[LOST, refunded("order")]),)
    with pytest.raises(Defect, match=r"plan 'lost': the step refunded\('order'\)"):
        start(Desk(), 0)


def test_every_plan_of_every_split_has_a_first_variant() -> None:
    for scenario in load_all().values():
        if not isinstance(scenario, DeskScenario):
            continue
        found = first_variants(scenario)
        new = {one.name for one in scenario.plans if one.split}
        assert {plan for split, plan in found if split == "eval-new"} == new
        for split in ("train", "eval"):
            assert {plan for where, plan in found if where == split} == {one.name for one in scenario.plans} - new


def test_the_first_variant_of_a_plan_draws_it() -> None:
    scenario: Any = load_all()["zendesk/wrong-charge"]
    for (split, name), one in list(first_variants(scenario).items())[::5]:
        assert start(scenario, one.seed, split=split).truth.plan == name
    covered = covering(scenario, {"train": range(3)})
    assert [one.seed for one in covered[:3]] == [0, 1, 2]
    assert len(one_of_each_plan(scenario, range(0))) == len(scenario.plans)
    first, second = variants_of_plan(scenario, scenario.plans[0].name, "train", 2)
    assert first.seed < second.seed
